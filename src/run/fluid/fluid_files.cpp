#include "run/fluid/fluid_files.h"

#include "fluid/tracers.h"
#include "output/files.h"
#include "output/fluid_block_files.h"
#include "output/vtk.h"

#include <cmath>
#include <fmt/format.h>

namespace ls {

namespace fs = std::filesystem;

namespace {

constexpr long long most_cells = 10'000'000;  // of a volume that nobody asked for
constexpr std::size_t most_tracks = 20'000;   // as lines of text; frames have them all
constexpr const char* tracks = "tracers.csv";
constexpr const char* cycles = "tracer_cycles.csv";

bool writes_volume(const Plan& plan) {
  const FluidOutput& o = plan.output.fluid;
  return o.is_given ? o.volume : plan.fluid.box->lattice().cells() <= most_cells;
}

std::string slice_index(std::size_t number) {
  return fmt::format("fluid_slice{}.pvd", number);
}

// A block of cells that is written with every frame.
struct Part {
  std::string prefix, index;  // of the endings of its files; the name of their index
  std::array<int, 3> first{}, count{};
};

std::vector<Part> parts(const Plan& plan) {
  std::vector<Part> found;
  if (!plan.fluid) return found;
  const std::array<int, 3>& all = plan.fluid.box->settings().cells;
  if (writes_volume(plan)) found.push_back({"", "fluid.pvd", {}, all});
  const auto& slices = plan.output.fluid.slices;
  for (std::size_t k = 0; k < slices.size(); ++k) {
    Part slice{fmt::format("slice{}.", k), slice_index(k), {}, all};
    slice.first[slices[k].axis] = slices[k].cell;
    slice.count[slices[k].axis] = 1;
    found.push_back(slice);
  }
  return found;
}

// The formats of blocks: the one list of them.
struct BlockFormat {
  const char* ending;
  void (*write)(const fs::path&, const Fluid&, const FluidBlock&, const Clock&);
  bool is_indexed;
};

std::vector<BlockFormat> formats(const Output& o) {
  std::vector<BlockFormat> found;
  if (o.vtk) found.push_back({"vti", write_vti, true});
  if (o.hdf5) found.push_back({"h5", write_fluid_h5, false});
  return found;
}

}  // namespace

FluidFiles::FluidFiles(const Plan& plan, RunFolder& folder, const Checkpoint& c)
    : plan_(plan), folder_(folder), times_(c.fluid_times) {
  if (!plan.fluid) return;
  folder_.cut_back(tracks);
  folder_.cut_back(cycles);
  std::vector<std::string> endings;
  for (const Part& part : parts(plan))
    for (const BlockFormat& format : formats(plan.output)) endings.push_back(part.prefix + format.ending);
  folder_.drop_frames(place, times_.size(), endings);
  write_indices(false);
}

std::vector<std::string> FluidFiles::names_in(const fs::path& folder) {
  std::vector<std::string> names{tracks, cycles, "fluid.pvd"};
  std::error_code e;
  for (std::size_t k = 0; fs::exists(folder / slice_index(k), e); ++k) names.push_back(slice_index(k));
  return names;
}

FluidFiles::Bytes FluidFiles::bytes(const Plan& plan) {
  double cells = 0;
  for (const Part& part : parts(plan))
    cells += static_cast<double>(part.count[0]) * static_cast<double>(part.count[1]) * part.count[2];
  const double tracers = plan.fluid.tracers.count;
  return {cells * bytes_per_cell * static_cast<double>(formats(plan.output).size()), 90 * tracers, 140 * tracers};
}

void FluidFiles::add_frame(const State& s, const Inputs& in, Team& team) {
  const std::vector<Part> all = parts(plan_);
  const std::vector<BlockFormat> kinds = formats(plan_.output);
  if (all.empty() || kinds.empty()) return;
  make_folder(folder_ / place);
  const Fluid& fluid = *plan_.fluid.box;
  for (const Part& part : all) {
    const FluidBlock cells = read_block(fluid, s.fluid, in, part.first, part.count, team);
    for (const BlockFormat& kind : kinds)
      kind.write(folder_ / frame_name(place, times_.size(), part.prefix + kind.ending), fluid, cells, s.clock);
  }
  times_.push_back(s.clock.time);
  write_indices(true);
}

void FluidFiles::write_indices(bool grow) const {
  if (times_.empty()) return;
  for (const Part& part : parts(plan_))
    for (const BlockFormat& format : formats(plan_.output)) {
      if (!format.is_indexed) continue;
      const std::string ending = part.prefix + format.ending;
      if (grow)
        grow_pvd(folder_, part.index, place, ending, times_);
      else
        write_pvd(folder_, part.index, place, ending, times_);
    }
}

void FluidFiles::add_tracks(const State& s) {
  const std::vector<Vec3<double>>& x = s.fluid.tracers.x;
  if (x.empty() || x.size() > most_tracks) return;
  std::string lines = folder_.length(tracks) == 0 ? "time,tracer,x,y,z\n" : "";
  const auto places = tracer_places(*plan_.fluid.box, s.fluid);
  for (std::size_t i = 0; i < places.size(); ++i)
    lines +=
        fmt::format("{:.17g},{},{:.17g},{:.17g},{:.17g}\n", s.clock.time, i, places[i].x, places[i].y, places[i].z);
  folder_.append(tracks, lines);
}

void FluidFiles::end_cycle(State& s) {
  Tracers& t = s.fluid.tracers;
  if (t.x.empty()) return;
  const auto cycle = std::llround(s.clock.time / plan_.fluid.tracers.cycle);
  std::string lines = folder_.length(cycles) == 0 ? "cycle,tracer,x,y,z,dx,dy,dz\n" : "";
  const auto places = tracer_places(*plan_.fluid.box, s.fluid);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3<double> from = t.mark[i], gone = places[i] - from;
    lines += fmt::format("{},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", cycle, i, from.x, from.y, from.z,
                         gone.x, gone.y, gone.z);
  }
  folder_.append(cycles, lines);
  t.mark = places;
}

void FluidFiles::save(Checkpoint& c) const {
  c.fluid_times = times_;
  if (!plan_.fluid) return;
  c.fluid_spacing = plan_.fluid.box->settings().spacing;
  c.fluid_dt = plan_.fluid.box->settings().dt;
}

}  // namespace ls
