#pragma once
#include "build/rigid.h"

// A magnetised body as many dipoles: those of the cells of a grid through its shape.
namespace ls {

struct SampleGrid {
  std::array<long long, 3> cells{};  // along each axis of the shape
  Vec3<double> corner{}, cell{};     // m, the lowest one, and the size of a cell
  long long count() const { return cells[0] * cells[1] * cells[2]; }
};

// Cells that fill the box around a shape exactly and are as near to `spacing` as such cells can be.
SampleGrid sample_grid(const RigidShape& shape, double spacing);

// A cell of a grid as far as it lies inside a shape.
struct SampledCell {
  std::array<long long, 3> at{};  // where in the grid
  double share = 0;               // of it that lies inside
  Vec3<double> middle{};          // m, of that
};
std::vector<SampledCell> sampled_cells(const RigidShape& shape, const SampleGrid& grid);

// `moment` on the cells by the share of each that lies inside, so that its parts add up to it for any grid. Each sits
// in the middle of what lies inside, where samples of two bodies that touch cannot meet. Empty where nothing lies
// inside.
std::vector<PlacedMoment> sampled(const RigidShape& shape, const SampleGrid& grid, const Vec3<double>& moment);

}  // namespace ls
