#include "run/results.h"

#include "base/error.h"
#include "output/dump.h"
#include "output/files.h"
#include "output/vtk.h"
#include "output/xdmf.h"
#include "picture/picture.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ls {

namespace fs = std::filesystem;

namespace {
constexpr const char* leavings[] = {"scene.toml",    "probes.csv",        "log.jsonl",        "states.pvd",
                                    "states.xdmf",   "surfaces.pvd",      "states.lammpstrj", "picture.svg",
                                    "checkpoint.h5", "summary.json",      "frames",           "tracers.pvd",
                                    "tracers.csv",   "tracer_cycles.csv", "fluid.pvd",        "fluid"};

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

Results::Results(const Plan& plan, fs::path folder, bool force)
    : plan_(plan),
      folder_(std::move(folder)),
      nodes_(static_cast<std::size_t>(plan.model.nodes)),
      bonds_(static_cast<std::size_t>(plan.model.bonds())),
      fluid_(plan, folder_) {
  std::error_code e;
  if (fs::exists(folder_, e) && !fs::is_directory(folder_, e))
    throw Error(fmt::format("{}: is a file; --out needs a folder", folder_.string()));
  if (!is_empty_or_missing(folder_)) {
    if (!force)
      throw Error(fmt::format("{}: is not empty; give another --out, --resume to go on, or --force to start afresh",
                              folder_.string()));
    for (const char* name : leavings) fs::remove_all(folder_ / name, e);
    for (int k = 0; fs::remove(folder_ / fmt::format("fluid_slice{}.pvd", k), e); ++k) {
    }
  }
  make_folder(folder_);
  write_atomically(folder_ / "scene.toml", plan.text);
  append_to_file(folder_ / "log.jsonl", "");
}

Results::Results(const Plan& plan, fs::path folder, const Checkpoint& c)
    : plan_(plan),
      folder_(std::move(folder)),
      probes_length_(c.probes_length),
      log_length_(c.log_length),
      dump_length_(c.dump_length),
      frame_times_(c.frame_times),
      nodes_(static_cast<std::size_t>(plan.model.nodes)),
      bonds_(static_cast<std::size_t>(plan.model.bonds())),
      fluid_(plan, folder_, c) {
  cut_file(folder_ / "probes.csv", static_cast<std::uintmax_t>(probes_length_));
  cut_file(folder_ / "log.jsonl", static_cast<std::uintmax_t>(log_length_));
  if (plan.output.dump) cut_file(folder_ / "states.lammpstrj", static_cast<std::uintmax_t>(dump_length_));
  std::error_code e;
  for (std::size_t n = frame_times_.size();; ++n) {
    bool found = false;
    for (const char* ending :
         {"vtp", "h5", "surfaces.vtp", "tracers.vtp", "vtp.tmp", "h5.tmp", "surfaces.vtp.tmp", "tracers.vtp.tmp"})
      found = fs::remove(folder_ / frame_name(n, ending), e) || found;
    if (!found) break;
  }
  write_indices();
}

std::string Results::frame_name(std::size_t number, const char* ending) const {
  return fmt::format("frames/{:06}.{}", number, ending);
}

void Results::add_probes(const std::string& lines) {
  append_to_file(folder_ / "probes.csv", lines);
  probes_length_ += static_cast<std::int64_t>(lines.size());
}

void Results::add_log(const nlohmann::json& entry) {
  const std::string line = entry.dump() + "\n";
  append_to_file(folder_ / "log.jsonl", line);
  log_length_ += static_cast<std::int64_t>(line.size());
}

void Results::add_frame(const Snapshot& shot) {
  const auto& o = plan_.output;
  const bool solids = !shot.position.empty(), tracers = !shot.tracer.empty();
  if ((!solids && !tracers) || (!o.vtk && !o.hdf5 && !o.dump)) return;  // a fluid alone has its own files
  const std::size_t number = frame_times_.size();
  if (o.vtk || o.hdf5) make_folder(folder_ / "frames");
  if (o.vtk && solids) write_vtp(folder_ / frame_name(number, "vtp"), shot);
  if (o.vtk && !shot.skin.empty()) write_surfaces_vtp(folder_ / frame_name(number, "surfaces.vtp"), shot);
  if (o.vtk && tracers) write_tracers_vtp(folder_ / frame_name(number, "tracers.vtp"), shot);
  if (o.hdf5) write_frame_h5(folder_ / frame_name(number, "h5"), shot);
  if (o.dump && solids) {
    const std::string text = dump_frame(shot);
    append_to_file(folder_ / "states.lammpstrj", text);
    dump_length_ += static_cast<std::int64_t>(text.size());
  }
  frame_times_.push_back(shot.time);
  write_indices();
}

void Results::write_indices() const {
  std::vector<PvdEntry> pvd, surfaces, tracers;
  std::vector<XdmfEntry> xdmf;
  for (std::size_t n = 0; n < frame_times_.size(); ++n) {
    pvd.push_back({frame_times_[n], frame_name(n, "vtp")});
    surfaces.push_back({frame_times_[n], frame_name(n, "surfaces.vtp")});
    tracers.push_back({frame_times_[n], frame_name(n, "tracers.vtp")});
    xdmf.push_back({frame_times_[n], frame_name(n, "h5"), nodes_, bonds_});
  }
  if (plan_.output.vtk && nodes_ > 0 && !pvd.empty()) write_pvd(folder_ / "states.pvd", pvd);
  if (plan_.output.vtk && plan_.fluid.tracers.count > 0 && !pvd.empty()) write_pvd(folder_ / "tracers.pvd", tracers);
  const bool skinned = !plan_.model.skin.points.empty();
  if (plan_.output.vtk && skinned && !pvd.empty()) write_pvd(folder_ / "surfaces.pvd", surfaces);
  if (plan_.output.hdf5 && nodes_ > 0 && !xdmf.empty()) write_xdmf(folder_ / "states.xdmf", xdmf);
}

void Results::write_picture(const Snapshot& first, const Snapshot& last, const Vec3<double>& gravity,
                            const FlowPicture* flow) {
  if (!plan_.output.picture) return;
  PictureOptions options;
  options.title = plan_.title;
  options.first = &first;
  options.flow = flow;
  if (const double g = norm(gravity); g > 0) options.up = {-gravity.x / g, -gravity.y / g, -gravity.z / g};
  write_atomically(picture(), picture_svg(last, options));
}

void Results::write_summary(const nlohmann::json& summary) {
  write_atomically(folder_ / "summary.json", summary.dump(2) + "\n");
}

void Results::save(Checkpoint& c) {
  c.scene = scene_identity(plan_);
  c.probes_length = probes_length_;
  c.log_length = log_length_;
  c.dump_length = dump_length_;
  c.frame_times = frame_times_;
  fluid_.save(c);
  write_checkpoint(folder_ / "checkpoint.h5", c);
}

}  // namespace ls
