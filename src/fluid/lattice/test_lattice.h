#pragma once
#include "fluid/lattice/lattice.h"
#include "fluid/lattice/row_cells.h"
#include "math/component.h"

#include <cmath>
#include <random>
#include <vector>

// Helpers of the lattice's tests.
namespace ls::test {

constexpr FaceKind periodic = FaceKind::periodic, wall = FaceKind::wall, free_slip = FaceKind::free_slip,
                   pressure = FaceKind::pressure;

struct CellMoments {
  double excess = 0;  // density - 1
  Vec3<double> momentum{};
  Vec3<double> velocity(const Vec3<double>& force) const { return (1 / (1 + excess)) * (momentum + 0.5 * force); }
};

inline CellMoments moments_at(const Lattice& lattice, const FluidState& s, int x, int y, int z) {
  double m[4];
  double* const out[4] = {m, m + 1, m + 2, m + 3};
  lattice.moments(s, z * lattice.spec().cells[1] + y, x, x + 1, out);
  return {m[0], {m[1], m[2], m[3]}};
}

// Random faces that fit together; pressure faces only where they are wanted.
inline LatticeSpec random_spec(std::mt19937& random, bool has_pressure) {
  LatticeSpec spec;
  const auto number = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    spec.cells[axis] = number(1, axis == 0 ? 21 : 5);
    if (number(0, 3) == 0) continue;  // stays periodic
    for (auto& face : spec.faces[axis]) face = static_cast<FaceKind>(number(1, has_pressure ? 3 : 2));
  }
  spec.viscosity = std::uniform_real_distribution<double>(0.02, 0.5)(random);
  spec.trt = number(0, 3) > 0;
  return spec;
}

inline Vec3<double> random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> part(-size, size);
  const double x = part(random), y = part(random), z = part(random);
  return {x, y, z};
}

inline void set_random(const Lattice& lattice, FluidState& s, std::mt19937& random) {
  std::uniform_real_distribution<double> density(0.97, 1.03);
  const auto& n = lattice.spec().cells;
  for (int z = 0; z < n[2]; ++z)
    for (int y = 0; y < n[1]; ++y)
      for (int x = 0; x < n[0]; ++x) {
        const double d = density(random);
        lattice.set(s, x, y, z, d, random_vector(random, 0.05));
      }
}

inline LatticeDrive random_drive(std::mt19937& random) {
  LatticeDrive drive;
  drive.body = random_vector(random, 1e-4);
  for (auto& sides : drive.velocity)
    for (auto& u : sides) u = random_vector(random, 0.02);
  for (auto& sides : drive.density)
    for (auto& d : sides) d = 1 + random_vector(random, 0.01).x;
  return drive;
}

inline void fill_random(const LatticeSpec& spec, RowField& forces, std::mt19937& random, double size) {
  forces.clear();
  const int rows = spec.cells[1] * spec.cells[2];
  for (int row = 0; row < rows; row += 1 + static_cast<int>(random() % 3)) {
    const int first = static_cast<int>(random() % static_cast<unsigned>(spec.cells[0]));
    const int left = spec.cells[0] - first;
    forces.touch(row, first, first + 1 + static_cast<int>(random() % static_cast<unsigned>(left)));
  }
  forces.lay_out();
  forces.set_to_zero();
  for (int k = 0; k < forces.count(); ++k)
    for (int x = forces.first(k); x < forces.last(k); ++x) {
      const Vec3<double> f = random_vector(random, size);
      add_to(forces, forces.index(k, x), Quad{f.x, f.y, f.z, 0});
    }
}

// Of any cell.
inline Vec3<double> force_at(const RowField& forces, int row, int x) {
  const int k = forces.slot(row);
  return {forces.value(k, x, 0), forces.value(k, x, 1), forces.value(k, x, 2)};
}

inline Vec3<double> sum_of(const LatticeSpec& spec, const RowField& forces) {
  Vec3<double> sum{};
  for (int row = 0; row < spec.cells[1] * spec.cells[2]; ++row)
    for (int x = 0; x < spec.cells[0]; ++x) sum = sum + force_at(forces, row, x);
  return sum;
}

}  // namespace ls::test
