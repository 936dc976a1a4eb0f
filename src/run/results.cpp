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
constexpr const char* place = "frames";
constexpr const char* leavings[] = {"scene.toml",    "probes.csv",   "log.jsonl",        "states.pvd",
                                    "states.xdmf",   "surfaces.pvd", "states.lammpstrj", "picture.svg",
                                    "checkpoint.h5", "summary.json", "tracers.pvd",      place};

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
    : plan_(plan),
      folder_(std::move(path)),
      nodes_(static_cast<std::size_t>(plan.model.nodes)),
      bonds_(static_cast<std::size_t>(plan.model.bonds())),
      fluid_(plan, folder_) {
  std::error_code e;
  if (fs::exists(folder(), e) && !fs::is_directory(folder(), e))
    throw Error(fmt::format("{}: is a file; --out needs a folder", folder().string()));
  if (!is_empty_or_missing(folder())) {
    if (!force)
      throw Error(fmt::format("{}: is not empty; give another --out, --resume to go on, or --force to start afresh",
                              folder().string()));
    for (const char* name : leavings) fs::remove_all(folder_ / name, e);
    FluidFiles::clear(folder());
  }
  make_folder(folder());
  write_atomically(folder_ / "scene.toml", plan.text);
  folder_.append("log.jsonl", "");
}

Results::Results(const Plan& plan, fs::path path, const Checkpoint& c)
    : plan_(plan),
      folder_(std::move(path), c.lengths),
      frame_times_(c.frame_times),
      nodes_(static_cast<std::size_t>(plan.model.nodes)),
      bonds_(static_cast<std::size_t>(plan.model.bonds())),
      fluid_(plan, folder_, c) {
  folder_.cut_back("probes.csv");
  folder_.cut_back("log.jsonl");
  if (plan.output.dump) folder_.cut_back("states.lammpstrj");
  folder_.drop_frames(place, frame_times_.size(), std::vector<std::string>{"vtp", "h5", "surfaces.vtp", "tracers.vtp"});
  write_indices();
}

void Results::add_probes(const std::string& lines) {
  folder_.append("probes.csv", lines);
}

void Results::add_log(const nlohmann::json& entry) {
  folder_.append("log.jsonl", entry.dump() + "\n");
}

void Results::add_frame(const Snapshot& shot) {
  const auto& o = plan_.output;
  const bool solids = !shot.position.empty(), tracers = !shot.tracer.empty();
  if ((!solids && !tracers) || (!o.vtk && !o.hdf5 && !o.dump)) return;  // a fluid alone has its own files
  const std::size_t number = frame_times_.size();
  if (o.vtk || o.hdf5) make_folder(folder_ / place);
  if (o.vtk && solids) write_vtp(folder_ / frame_name(place, number, "vtp"), shot);
  if (o.vtk && !shot.skin.empty()) write_surfaces_vtp(folder_ / frame_name(place, number, "surfaces.vtp"), shot);
  if (o.vtk && tracers) write_tracers_vtp(folder_ / frame_name(place, number, "tracers.vtp"), shot);
  if (o.hdf5) write_frame_h5(folder_ / frame_name(place, number, "h5"), shot);
  if (o.dump && solids) folder_.append("states.lammpstrj", dump_frame(shot));
  frame_times_.push_back(shot.time);
  write_indices();
}

void Results::write_indices() const {
  if (frame_times_.empty()) return;
  const bool vtk = plan_.output.vtk;
  const auto index = [&](const char* file, const char* ending) {
    write_pvd(folder_, file, place, ending, frame_times_);
  };
  if (vtk && nodes_ > 0) index("states.pvd", "vtp");
  if (vtk && plan_.fluid.tracers.count > 0) index("tracers.pvd", "tracers.vtp");
  if (vtk && !plan_.model.skin.points.empty()) index("surfaces.pvd", "surfaces.vtp");
  if (!plan_.output.hdf5 || nodes_ == 0) return;
  std::vector<XdmfEntry> xdmf;
  for (std::size_t n = 0; n < frame_times_.size(); ++n)
    xdmf.push_back({frame_times_[n], frame_name(place, n, "h5"), nodes_, bonds_});
  write_xdmf(folder_ / "states.xdmf", xdmf);
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
  c.lengths = folder_.lengths();
  c.frame_times = frame_times_;
  fluid_.save(c);
  write_checkpoint(folder_ / "checkpoint.h5", c);
}

}  // namespace ls
