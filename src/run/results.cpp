#include "run/results.h"

#include "base/error.h"
#include "output/files.h"
#include "picture/picture.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ls {

namespace fs = std::filesystem;

namespace {
constexpr const char* probes_file = "probes.csv";
constexpr const char* log_file = "log.jsonl";
constexpr const char* leavings[] = {"scene.toml",    probes_file,    log_file,    "picture.svg",
                                    "checkpoint.h5", "summary.json", frames_place};

bool is_empty_or_missing(const fs::path& folder) {
  std::error_code e;
  return !fs::exists(folder, e) || fs::is_empty(folder, e);
}
}  // namespace

std::string scene_identity(const Plan& plan) {
  std::string all = plan.text;
  for (const auto& set : plan.sets) all += "\n--set " + set;
  return all;
}

bool Results::has_checkpoint(const fs::path& folder) {
  std::error_code e;
  return fs::exists(folder / "checkpoint.h5", e);
}

Results::Results(const Plan& plan, fs::path path, bool force)
    : plan_(plan), folder_(std::move(path)), formats_(frame_formats(plan)), fluid_(plan, folder_) {
  std::error_code e;
  if (fs::exists(folder(), e) && !fs::is_directory(folder(), e))
    throw Error(fmt::format("{}: is a file; --out needs a folder", folder().string()));
  if (!is_empty_or_missing(folder())) {
    if (!force)
      throw Error(fmt::format("{}: is not empty; give another --out, --resume to go on, or --force to start afresh",
                              folder().string()));
    clear();
  }
  make_folder(folder());
  write_atomically(folder_ / "scene.toml", plan.text);
  folder_.append(log_file, "");
}

Results::Results(const Plan& plan, fs::path path, const Checkpoint& c)
    : plan_(plan),
      folder_(std::move(path), c.lengths),
      formats_(frame_formats(plan)),
      frame_times_(c.frame_times),
      fluid_(plan, folder_, c) {
  folder_.cut_back(probes_file);
  folder_.cut_back(log_file);
  std::vector<std::string> endings;
  for (const FrameFormat& format : formats_) {
    if (!format.is_wanted) continue;
    const FrameFiles files = format.writer->files();
    for (const std::string& name : files.appended) folder_.cut_back(name);
    endings.insert(endings.end(), files.endings.begin(), files.endings.end());
  }
  folder_.drop_frames(frames_place, frame_times_.size(), endings);
  write_indices();
}

void Results::clear() const {
  std::error_code e;
  for (const char* name : leavings) fs::remove_all(folder_ / name, e);
  for (const FrameFormat& format : formats_) {
    const FrameFiles files = format.writer->files();
    for (const auto& names : {files.indices, files.appended})
      for (const std::string& name : names) fs::remove_all(folder_ / name, e);
  }
  FluidFiles::clear(folder());
}

void Results::add_probes(const std::string& lines) {
  folder_.append(probes_file, lines);
}

void Results::add_log(const nlohmann::json& entry) {
  folder_.append(log_file, entry.dump() + "\n");
}

void Results::add_frame(const Snapshot& shot) {
  const bool is_wanted = std::any_of(formats_.begin(), formats_.end(), [](const auto& f) { return f.is_wanted; });
  if (!is_wanted || (shot.position.empty() && shot.tracer.empty())) return;  // a fluid alone has its own files
  for (const FrameFormat& format : formats_)
    if (format.is_wanted) format.writer->write_frame(folder_, frame_times_.size(), shot);
  frame_times_.push_back(shot.time);
  write_indices();
}

void Results::write_indices() const {
  if (frame_times_.empty()) return;
  for (const FrameFormat& format : formats_)
    if (format.is_wanted) format.writer->write_index(folder_, frame_times_);
}

void Results::write_picture(const Snapshot& first, const Snapshot& last, const Vec3<double>& gravity,
                            const FlowPicture* flow, std::vector<PictureMagnet> magnets) {
  if (!plan_.output.picture) return;
  PictureOptions options;
  options.title = plan_.title;
  options.first = &first;
  options.flow = flow;
  options.magnets = std::move(magnets);
  if (const double g = norm(gravity); g > 0) options.up = {-gravity.x / g, -gravity.y / g, -gravity.z / g};
  write_atomically(picture(), picture_svg(last, options));
}

void Results::write_summary(const nlohmann::json& summary) {
  write_atomically(folder_ / "summary.json", summary.dump(2) + "\n");
}

void Results::save(Checkpoint& c) {
  c.scene = scene_identity(plan_);
  c.lengths = folder_.lengths();
  c.frame_times = frame_times_;
  fluid_.save(c);
  write_checkpoint(folder_ / "checkpoint.h5", c);
}

}  // namespace ls
