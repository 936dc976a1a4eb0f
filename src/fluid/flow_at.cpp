#include "fluid/flow_at.h"

#include "math/component.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

// Of the centres before, at, after and beyond a place that lies a share f of the way from the second to the third.
void keys_weights(double f, double (&w)[4]) {
  w[0] = f * (-0.5 + f * (1 - 0.5 * f));
  w[1] = 1 + f * f * (-2.5 + 1.5 * f);
  w[2] = f * (0.5 + f * (2 - 1.5 * f));
  w[3] = f * f * (-0.5 + 0.5 * f);
}

void keys_slopes(double f, double (&w)[4]) {
  w[0] = -0.5 + f * (2 - 1.5 * f);
  w[1] = f * (-5 + 4.5 * f);
  w[2] = 0.5 + f * (4 - 4.5 * f);
  w[3] = f * (-1 + 1.5 * f);
}

// What the value beyond a face is made of.
struct Beyond {
  double wall, last, before;  // weights of the wall, of the cell at the face, and of the one before that
};
// The parabola through the face and the centres 1/2 and 3/2 of a cell before it, `out` cells beyond that face's cell.
constexpr Beyond beyond_wall(int out) {
  const double x = -out;  // from the last centre inwards; the wall is at -1/2
  return {x * (x - 1) / 0.75, (x + 0.5) * (x - 1) / -0.5, (x + 0.5) * x / 1.5};
}

}  // namespace

double AxisWeights::total() const {
  return weight[0] + weight[1] + weight[2] + weight[3];
}

AxisWeights axis_weights(const LatticeSpec& spec, int axis, int component, double x, bool slope) {
  const auto a = static_cast<std::size_t>(axis);
  const int n = spec.cells[a], low = static_cast<int>(std::floor(x - 0.5));
  double keys[4];
  slope ? keys_slopes(x - 0.5 - low, keys) : keys_weights(x - 0.5 - low, keys);
  AxisWeights w{};
  if (spec.faces[a][0] == FaceKind::periodic) {
    for (int k = 0; k < 4; ++k) {
      w.cell[k] = (((low - 1 + k) % n) + n) % n;
      w.weight[k] = keys[k];
    }
    return w;
  }
  const int first = std::clamp(low - 1, 0, std::max(0, n - 4));
  for (int k = 0; k < 4; ++k) w.cell[k] = std::min(first + k, n - 1);
  const auto add = [&](int cell, double weight) { w.weight[std::clamp(cell, 0, n - 1) - first] += weight; };
  for (int k = 0; k < 4; ++k) {
    const int cell = low - 1 + k;
    if (cell >= 0 && cell < n) {
      add(cell, keys[k]);
      continue;
    }
    const std::size_t side = cell < 0 ? 0 : 1;
    const int out = cell < 0 ? -cell : cell - (n - 1), last = cell < 0 ? 0 : n - 1, inwards = cell < 0 ? 1 : -1;
    const FaceKind face = spec.faces[a][side];
    if (face == FaceKind::wall || (face == FaceKind::free_slip && component == axis)) {
      const Beyond b = beyond_wall(out);
      w.wall[side] += b.wall * keys[k];
      add(last, b.last * keys[k]);
      add(last + inwards, b.before * keys[k]);
    } else {  // nothing changes across it
      add(last + (out - 1) * inwards, keys[k]);
    }
  }
  return w;
}

namespace {

class PlaceReader {
 public:
  PlaceReader(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const RowField* forces)
      : lattice_(fluid.lattice()), spec_(lattice_.spec()), s_(s), drive_(drive), forces_(forces) {}

  // A component of the velocity, or of its derivative along an axis; none: -1.
  double read(const Vec3<double>& place, int c, int slope) const {
    AxisWeights w[3];
    for (int a = 0; a < 3; ++a) w[a] = axis_weights(spec_, a, c, component(place, a), a == slope);
    double sum = from_walls(w, c, slope);
    for (int k = 0; k < 4; ++k)
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i) {
          const double weight = w[0].weight[i] * w[1].weight[j] * w[2].weight[k];
          if (weight != 0) sum += weight * velocity(w[2].cell[k] * spec_.cells[1] + w[1].cell[j], w[0].cell[i], c);
        }
    return sum;
  }

 private:
  // Walls of the first axis take their share, those of the next one their share of the rest: where two meet that move
  // differently, the first is read. Such a share changes along its own axis alone.
  double from_walls(const AxisWeights (&w)[3], int c, int slope) const {
    double sum = 0, rest = 1;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      for (std::size_t side = 0; side < 2 && a >= slope; ++side)
        if (spec_.faces[axis][side] == FaceKind::wall)
          sum += rest * w[a].wall[side] * component(drive_.velocity[axis][side], c);
      rest *= w[a].total();
    }
    return sum;
  }
  double velocity(int row, int x, int c) const {
    double value[4];
    double* const out[4] = {value, value + 1, value + 2, value + 3};
    lattice_.moments(s_, row, x, x + 1, out);
    const int slot = forces_ ? forces_->slot(row) : -1;
    const double force = component(drive_.body, c) + (slot < 0 ? 0 : forces_->value(slot, x, c));
    return (value[1 + c] + 0.5 * force) / (1 + value[0]);
  }

  const Lattice& lattice_;
  const LatticeSpec& spec_;
  const FluidState& s_;
  const LatticeDrive& drive_;
  const RowField* forces_;
};

}  // namespace

FlowAt flow_at(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const RowField* forces,
               const Vec3<double>& place) {
  const PlaceReader reader(fluid, s, drive, forces);
  FlowAt out;
  for (int c = 0; c < 3; ++c) {
    component(out.velocity, c) = reader.read(place, c, -1);
    for (int a = 0; a < 3; ++a) component(out.slope[a], c) = reader.read(place, c, a);
  }
  return out;
}

}  // namespace ls
