#include "run/results.h"

#include "base/error.h"
#include "output/files.h"
#include "picture/picture.h"
#include "run/resume/leavings.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace ls {

namespace fs = std::filesystem;

Results::Results(const Plan& plan, fs::path path, bool force)
    : plan_(plan),
      folder_(std::move(path)),
      formats_(frame_formats(plan)),
      fluid_(plan, folder_),
      field_(plan, folder_) {
  std::error_code e;
  if (fs::exists(folder(), e) && !fs::is_directory(folder(), e))
    throw Error(fmt::format("{}: is a file; --out needs a folder", folder().string()));
  if (!is_empty_folder(folder())) {
    if (!force)
      throw Error(fmt::format("{}: is not empty; give another --out, --resume to go on, or --force to start afresh",
                              folder().string()));
    expect_run_folder(folder());
    clear_run_folder(folder());
  }
  make_folder(folder());
  folder_.append(log_file, "");  // first: by it a folder is known as that of a run
  write_atomically(folder_ / "scene.toml", plan.text);
}

Results::Results(const Plan& plan, fs::path path, const Checkpoint& c)
    : plan_(plan),
      folder_(std::move(path), c.lengths, c.hashes),
      formats_(frame_formats(plan)),
      frame_times_(c.frame_times),
      fluid_(plan, folder_, c),
      field_(plan, folder_, c) {
  while (folder_.length(probes_file(probe_tables_ + 1)) > 0) ++probe_tables_;
  for (int n = 1; n <= probe_tables_ + 1; ++n) folder_.cut_back(probes_file(n));
  folder_.cut_back(log_file);
  if (plan.text != c.scene) write_atomically(folder_ / "scene.toml", plan.text);
  std::vector<std::string> endings;
  for (const FrameFormat& format : formats_) {
    if (!format.is_wanted) continue;
    const FrameFiles files = format.writer->files();
    for (const std::string& name : files.appended) folder_.cut_back(name);
    endings.insert(endings.end(), files.endings.begin(), files.endings.end());
  }
  folder_.drop_frames(frames_place, frame_times_.size(), endings);
  write_indices(false);
}

void Results::add_probes(const std::string& lines) {
  folder_.append(probes_file(probe_tables_), lines);
}

std::string Results::go_on_with_probes(const std::string& header) {
  std::string first;
  std::ifstream in(folder_ / probes_file(probe_tables_), std::ios::binary);
  std::getline(in, first);
  if (first + "\n" == header) return "";
  ++probe_tables_;
  add_probes(header);
  return probes_file(probe_tables_);
}

std::vector<std::string> Results::damages() const {
  std::vector<std::string> all;
  if (const std::string missing = missing_frames(); !missing.empty()) all.push_back(missing);
  for (const std::string& name : folder_.changed())
    all.push_back(fmt::format("{}: does not hold what the run wrote: it was changed or damaged since",
                              (folder_ / name).string()));
  return all;
}

std::string Results::missing_frames() const {
  std::size_t missing = 0;
  std::string first;
  for (const FrameFormat& format : formats_) {
    if (!format.is_wanted) continue;
    // Which of its files a format writes is the same for all frames: those of the first one.
    for (const std::string& ending : format.writer->files().endings) {
      std::vector<std::string> gone;
      for (std::size_t n = 0; n < frame_times_.size(); ++n) {
        std::error_code e;
        const std::string name = frame_name(frames_place, n, ending);
        if (const auto size = fs::file_size(folder_ / name, e); e || size == 0) gone.push_back(name);
      }
      if (gone.empty() || gone.size() == frame_times_.size()) continue;
      if (first.empty()) first = gone.front();
      missing += gone.size();
    }
  }
  if (missing == 0) return "";
  return fmt::format("{}: {} files of frames are missing or empty, the first is {}; the run goes on without them",
                     folder().string(), missing, first);
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
  write_indices(true);
}

void Results::write_indices(bool grow) const {
  if (frame_times_.empty()) return;
  for (const FrameFormat& format : formats_) {
    if (!format.is_wanted) continue;
    if (grow)
      format.writer->grow_index(folder_, frame_times_);
    else
      format.writer->write_index(folder_, frame_times_);
  }
}

void Results::write_picture(const Snapshot& first, const Snapshot& last, const Vec3<double>& gravity,
                            const FlowPicture* flow, std::vector<PictureMagnet> magnets, const FieldPicture* field) {
  if (!plan_.output.picture) return;
  PictureOptions options;
  options.title = plan_.title;
  options.first = &first;
  options.flow = flow;
  options.field = field;
  options.magnets = std::move(magnets);
  if (const double g = norm(gravity); g > 0) options.up = {-gravity.x / g, -gravity.y / g, -gravity.z / g};
  write_atomically(picture(), picture_svg(last, options));
}

void Results::write_summary(const nlohmann::json& summary) {
  write_atomically(folder_ / "summary.json", summary.dump(2) + "\n");
}

void Results::save(Checkpoint& c) {
  c.scene = plan_.text;
  c.sets = plan_.sets;
  c.files = plan_.files;
  c.lengths = folder_.lengths();
  c.hashes = folder_.hashes();
  c.frame_times = frame_times_;
  fluid_.save(c);
  field_.save(c);
  write_checkpoint(folder_ / checkpoint_file, c, folder_ / checkpoint_before_file);
}

}  // namespace ls
