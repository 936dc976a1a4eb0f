#include "run/fields/field_files.h"

#include "output/field_grid_files.h"
#include "output/files.h"
#include "output/vtk.h"
#include "terms/dipoles/magnetic_field.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ls {

namespace fs = std::filesystem;

namespace {

constexpr const char* line_word = "line";
constexpr const char* plane_word = "plane";

std::string field_index(const char* sort, std::size_t number) {
  return fmt::format("field_{}{}.pvd", sort, number);
}

// A grid that is written with every frame.
struct NamedGrid {
  std::string prefix, index;  // of the endings of its files; the name of their index
  const FieldGrid* grid;
};

std::vector<NamedGrid> named_grids(const FieldOutput& o) {
  std::vector<NamedGrid> all;
  const auto add = [&](const char* sort, const std::vector<FieldGrid>& grids) {
    for (std::size_t k = 0; k < grids.size(); ++k)
      all.push_back({fmt::format("{}{}.", sort, k), field_index(sort, k), &grids[k]});
  };
  add(line_word, o.lines);
  add(plane_word, o.planes);
  return all;
}

// The formats of grids: the one list of them.
struct GridFormat {
  const char* ending;
  void (*write)(const fs::path&, const FieldGrid&, FieldValues, const Clock&);
  bool is_indexed;
};

std::vector<GridFormat> grid_formats(const Output& o) {
  std::vector<GridFormat> found;
  if (o.vtk) found.push_back({"vts", write_field_vts, true});
  if (o.hdf5) found.push_back({"h5", write_field_h5, false});
  return found;
}

}  // namespace

FieldFiles::FieldFiles(const Plan& plan, RunFolder& folder, const Checkpoint& c)
    : plan_(plan), folder_(folder), times_(c.field_times) {
  std::vector<std::string> endings;
  for (const NamedGrid& grid : named_grids(plan.output.field))
    for (const GridFormat& format : grid_formats(plan.output)) endings.push_back(grid.prefix + format.ending);
  if (endings.empty()) return;
  folder_.drop_frames(place, times_.size(), endings);
  write_indices(false);
}

std::vector<std::string> FieldFiles::names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code e;
  for (const char* sort : {line_word, plane_word})
    for (std::size_t k = 0; fs::exists(folder / field_index(sort, k), e); ++k) names.push_back(field_index(sort, k));
  return names;
}

double FieldFiles::bytes_per_frame(const Plan& plan) {
  double points = 0;
  for (const NamedGrid& g : named_grids(plan.output.field))
    points += static_cast<double>(g.grid->points[0]) * g.grid->points[1];
  return points * bytes_per_field_point * static_cast<double>(grid_formats(plan.output).size());
}

void FieldFiles::add_frame(const State& s, const Inputs& in, Team& team) {
  const std::vector<NamedGrid> grids = named_grids(plan_.output.field);
  const std::vector<GridFormat> kinds = grid_formats(plan_.output);
  if (grids.empty() || kinds.empty()) return;
  make_folder(folder_ / place);
  const MagneticField field(plan_.model, s, in);
  for (const NamedGrid& g : grids) {
    std::vector<Vec3<double>> b = field.at(g.grid->places(), team);
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (Vec3<double>& at : b)
      if (!std::isfinite(at.x + at.y + at.z)) at = {none, none, none};
    for (const GridFormat& kind : kinds)
      kind.write(folder_ / frame_name(place, times_.size(), g.prefix + kind.ending), *g.grid, b, s.clock);
  }
  times_.push_back(s.clock.time);
  write_indices(true);
}

void FieldFiles::write_indices(bool grow) const {
  if (times_.empty()) return;
  for (const NamedGrid& g : named_grids(plan_.output.field))
    for (const GridFormat& format : grid_formats(plan_.output)) {
      if (!format.is_indexed) continue;
      if (grow)
        grow_pvd(folder_, g.index, place, g.prefix + format.ending, times_);
      else
        write_pvd(folder_, g.index, place, g.prefix + format.ending, times_);
    }
}

}  // namespace ls
