#include "build/magnets/soft_cells.h"

#include "build/builder.h"
#include "physics/cuboid_tensor.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ls {

namespace {

using V = Vec3<double>;

// How much of pairs of cells lies a number of cells apart.
class CellPairs {
 public:
  CellPairs(const SampleGrid& grid, const std::vector<SampledCell>& cells) : n_(grid.cells), cells_(cells) {
    share_.assign(static_cast<std::size_t>(grid.count()), 0.0);
    for (const SampledCell& c : cells) share_[place(c.at[0], c.at[1], c.at[2])] = c.share;
  }
  double apart(long long di, long long dj, long long dk) const {
    double sum = 0;
    for (const SampledCell& c : cells_) {
      const long long i = c.at[0] + di, j = c.at[1] + dj, k = c.at[2] + dk;
      if (i < n_[0] && j >= 0 && j < n_[1] && k >= 0 && k < n_[2]) sum += c.share * share_[place(i, j, k)];
    }
    return sum;
  }

 private:
  std::size_t place(long long i, long long j, long long k) const {
    return static_cast<std::size_t>((i * n_[1] + j) * n_[2] + k);
  }
  std::array<long long, 3> n_;
  const std::vector<SampledCell>& cells_;
  std::vector<double> share_;  // [cell of the grid]
};

// The mean of the tensors of all pairs of cells. What lies in a cell that is filled in part has the mean factor of a
// body by itself.
Sym3 factor_by_cells(const RigidShape& shape) {
  constexpr double across = 6;  // cells, of a cube of the same volume
  const SampleGrid grid = sample_grid(shape, std::cbrt(shape.solid.volume) / across);
  const auto cells = sampled_cells(shape, grid);
  const CellPairs pairs(grid, cells);
  Sym3 sum;
  for (const SampledCell& c : cells) {
    const double own = c.share * (1 - c.share) / 3;
    sum = sum + diagonal({own, own, own});
  }
  for (long long i = 0; i < grid.cells[0]; ++i)
    for (long long j = 0; j < grid.cells[1]; ++j)
      for (long long k = 0; k < grid.cells[2]; ++k) {
        const Sym3 n =
            cuboid_tensor(grid.cell, {static_cast<double>(i) * grid.cell.x, static_cast<double>(j) * grid.cell.y,
                                      static_cast<double>(k) * grid.cell.z});
        for (const int y : {1, -1})  // mirrors change the signs of what lies across them
          for (const int z : {1, -1}) {
            if ((y < 0 && j == 0) || (z < 0 && k == 0)) continue;
            const double weight = (i > 0 ? 2 : 1) * pairs.apart(i, y * j, z * k);
            sum = sum + weight * Sym3{n.xx, n.yy, n.zz, y * z * n.yz, z * n.xz, y * n.xy};
          }
      }
  return 1 / (sum.xx + sum.yy + sum.zz) * sum;
}

}  // namespace

Sym3 turned(const Sym3& m, const Quat<double>& q) {
  const V x = axis_x(q), y = axis_y(q), z = axis_z(q);
  const auto pair = [&](double s, const V& a, const V& b) {  // s (a b^T + b a^T)
    return outer(s, a + b) + outer(-s, a) + outer(-s, b);
  };
  return outer(m.xx, x) + outer(m.yy, y) + outer(m.zz, z) + pair(m.xy, x, y) + pair(m.xz, x, z) + pair(m.yz, y, z);
}

Sym3 shape_factor(const RigidShape& shape) {
  if (shape.factor) return diagonal(*shape.factor);
  return factor_by_cells(shape);
}

SoftCell soft_cell(const SoftMatter& matter, const V& middle, double volume, const Sym3& factor) {
  SoftCell c;
  const V& chi = matter.susceptibility;
  c.position = middle;
  c.volume = volume;
  c.curve = matter.curve;
  c.inverse = diagonal({1 / chi.x, 1 / chi.y, 1 / chi.z});
  c.saturation = matter.saturation;
  c.factor = factor;
  return c;
}

// A section counts as the ellipse with the same ratio of second moments: of a long elliptic rod with half axes a and b
// the factors across are b/(a + b) and a/(a + b), and there is none along it.
SoftCell rod_cell(const SoftMatter& matter, double area, double i1, double i2, double length, double spacing) {
  const double a = std::sqrt(i2), b = std::sqrt(i1);
  SoftCell c = soft_cell(matter, {}, area * length, diagonal({b / (a + b), a / (a + b), 0}));
  const double chain = area / (std::numbers::pi * spacing * spacing);
  c.chain = diagonal({-0.5 * chain, -0.5 * chain, chain});
  return c;
}

SoftBody soft_body(const SoftMatter& matter, const RigidShape& shape) {
  return {{soft_cell(matter, shape.solid.centre, shape.solid.volume, shape_factor(shape))}, {}};
}

SoftBody soft_body(const SoftMatter& matter, const RigidShape& shape, const SampleGrid& grid) {
  SoftBody body;
  const auto cells = sampled_cells(shape, grid);
  double filled = 0;
  for (const SampledCell& c : cells) filled += c.share;
  body.grid.cell = grid.cell;
  for (const SampledCell& c : cells) {
    body.cells.push_back(soft_cell(matter, c.middle, shape.solid.volume * (c.share / filled), {}));
    body.grid.at.push_back({static_cast<int>(c.at[0]), static_cast<int>(c.at[1]), static_cast<int>(c.at[2])});
    body.grid.share.push_back(std::min(1.0, c.share));
  }
  return body;
}

void Builder::add_soft(int node, const SoftBody& body, const V& middle, const Quat<double>& axes) {
  soft_.push_back({node, body, axes});
  for (SoftCell& c : soft_.back().body.cells) c.node = node, c.position = c.position - middle;
}

// Nodes have their own axes by now.
void Builder::finish_soft(Model& model) {
  std::ranges::stable_sort(soft_, {}, &SoftPiece::node);
  SoftTable& soft = model.soft;
  for (SoftPiece& p : soft_) {
    const Quat<double> own = normalized(conj(nodes_[p.node].frame.q) * p.axes);
    const auto first = static_cast<int>(soft.cells.size());
    for (SoftCell c : p.body.cells) {
      c.position = rotate(own, c.position);
      if (c.inverse.xx != c.inverse.yy || c.inverse.xx != c.inverse.zz) c.inverse = turned(c.inverse, own);
      c.factor = turned(c.factor, own), c.chain = turned(c.chain, own);
      soft.cells.push_back(c);
    }
    if (p.body.grid.at.empty()) continue;
    SoftGrid& grid = p.body.grid;
    grid.first = first, grid.last = static_cast<int>(soft.cells.size());
    grid.axes = own;
    soft.grids.push_back(std::move(grid));
  }
}

}  // namespace ls
