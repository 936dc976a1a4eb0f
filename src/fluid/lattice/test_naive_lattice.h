#pragma once
#include "fluid/lattice/d3q19.h"
#include "fluid/lattice/test_lattice.h"

#include <array>

// The lattice of textbooks: two copies, one cell after the other, whole populations, a face looked up for every link.
namespace ls::test {

class NaiveLattice {
 public:
  using Cell = std::array<double, d3q19::count>;

  explicit NaiveLattice(const LatticeSpec& spec) : spec_(spec) {
    cells_.resize(static_cast<std::size_t>(spec.cells[0]) * static_cast<std::size_t>(spec.cells[1]) *
                  static_cast<std::size_t>(spec.cells[2]));
  }
  Cell& at(int x, int y, int z) { return cells_[index(x, y, z)]; }

  void set(int x, int y, int z, double density, const Vec3<double>& u) {
    for (int i = 0; i < d3q19::count; ++i) at(x, y, z)[i] = equilibrium(i, density, u);
  }

  // force(x, y, z): on a cell, the body force included.
  template <class F>
  void step(const LatticeDrive& drive, const F& force) {
    std::vector<Cell> next(cells_.size());
    for (int z = 0; z < spec_.cells[2]; ++z)
      for (int y = 0; y < spec_.cells[1]; ++y)
        for (int x = 0; x < spec_.cells[0]; ++x) {
          Vec3<double> u;
          const Cell after = collided(at(x, y, z), force(x, y, z), u);
          for (int i = 0; i < d3q19::count; ++i) stream(next, drive, {x, y, z}, i, after, u);
        }
    cells_ = std::move(next);
  }

  // Where what leaves a cell in direction i goes: [x, y, z, direction].
  std::array<int, 4> target(std::array<int, 3> cell, int i) const {
    const int c[3] = {d3q19::cx[i], d3q19::cy[i], d3q19::cz[i]};
    int to[3], out[3] = {c[0], c[1], c[2]};
    bool is_back = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int n = spec_.cells[axis];
      to[axis] = cell[axis] + c[axis];
      if (to[axis] >= 0 && to[axis] < n) continue;
      const FaceKind kind = spec_.faces[axis][c[axis] > 0 ? 1 : 0];
      if (kind == periodic) to[axis] = (to[axis] + n) % n;
      if (kind == free_slip || kind == pressure) to[axis] = cell[axis], out[axis] = -c[axis];
      if (kind == wall) is_back = true;
    }
    if (is_back) return {cell[0], cell[1], cell[2], d3q19::opposite[i]};
    for (int k = 0;; ++k)
      if (d3q19::cx[k] == out[0] && d3q19::cy[k] == out[1] && d3q19::cz[k] == out[2]) return {to[0], to[1], to[2], k};
  }

 private:
  std::size_t index(int x, int y, int z) const {
    const int row = z * spec_.cells[1] + y, cell = row * spec_.cells[0] + x;
    return static_cast<std::size_t>(cell);
  }
  static double dot(int i, const Vec3<double>& u) {
    return d3q19::cx[i] * u.x + d3q19::cy[i] * u.y + d3q19::cz[i] * u.z;
  }
  static double equilibrium(int i, double density, const Vec3<double>& u) {
    const double cu = dot(i, u), uu = u.x * u.x + u.y * u.y + u.z * u.z;
    return d3q19::weight[i] * density * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * uu);
  }

  double even_rate() const { return 1 / (0.5 + 3 * spec_.viscosity); }
  Cell collided(const Cell& f, const Vec3<double>& force, Vec3<double>& u) const {
    double density = 0;
    Vec3<double> momentum{};
    for (int i = 0; i < d3q19::count; ++i) {
      const double v = f[i];
      density += v;
      momentum = momentum + v * Vec3<double>{1. * d3q19::cx[i], 1. * d3q19::cy[i], 1. * d3q19::cz[i]};
    }
    u = (1 / density) * (momentum + 0.5 * force);
    const double even = even_rate();
    const double odd = spec_.trt ? 1 / (0.5 + 3. / 16 / (3 * spec_.viscosity)) : even;
    const auto source = [&](int i) {
      const double uf = u.x * force.x + u.y * force.y + u.z * force.z;
      return d3q19::weight[i] * (3 * (dot(i, force) - uf) + 9 * dot(i, u) * dot(i, force));
    };
    Cell after;
    for (int i = 0; i < d3q19::count; ++i) {
      const int j = d3q19::opposite[i];
      const double off = f[i] - equilibrium(i, density, u);
      const double off_back = f[j] - equilibrium(j, density, u);
      after[i] = f[i] - even * (off + off_back) / 2 - odd * (off - off_back) / 2 +
                 (1 - even / 2) * (source(i) + source(j)) / 2 + (1 - odd / 2) * (source(i) - source(j)) / 2;
    }
    return after;
  }

  void stream(std::vector<Cell>& next, const LatticeDrive& drive, std::array<int, 3> cell, int i, const Cell& after,
              const Vec3<double>& u) const {
    const int c[3] = {d3q19::cx[i], d3q19::cy[i], d3q19::cz[i]};
    double value = after[i], density = 0;
    Vec3<double> wall_velocity{}, through{};
    bool is_wall = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int to = cell[axis] + c[axis], a = static_cast<int>(axis);
      if (to >= 0 && to < spec_.cells[axis]) continue;
      const std::size_t side = c[axis] > 0 ? 1 : 0;
      if (spec_.faces[axis][side] == pressure && density == 0) density = drive.density[axis][side];
      if (spec_.faces[axis][side] != periodic) component(through, a) = component(u, a);
      if (spec_.faces[axis][side] != wall) continue;
      is_wall = true;
      for (int k = 0; k < 3; ++k) {
        const double v = component(drive.velocity[axis][side], k);
        if (std::abs(v) > std::abs(component(wall_velocity, k))) component(wall_velocity, k) = v;
      }
    }
    if (is_wall)
      value -= 6 * d3q19::weight[i] * dot(i, wall_velocity);
    else if (density > 0)
      value = -value + equilibrium(i, density, through) + equilibrium(d3q19::opposite[i], density, through);
    const auto to = target(cell, i);
    next[index(to[0], to[1], to[2])][to[3]] = value;
  }

  LatticeSpec spec_;
  std::vector<Cell> cells_;  // [cell] populations that came in
};

}  // namespace ls::test
