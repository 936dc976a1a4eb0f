#include "fluid/tracers.h"

#include "base/rng.h"
#include "fluid/immersed/immersed_boundary.h"
#include "math/component.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr double farthest = 0.1;  // cells, in one move
constexpr int longest_stride = 32;

// One end of the box.
struct Face {
  int axis;
  double at;       // m
  bool is_high;    // the box lies below it
  bool lets_pass;  // what gets there has left
};

std::vector<Face> faces_of(const Fluid& fluid, const LatticeDrive& drive) {
  std::vector<Face> faces;
  V corner[2] = {fluid.settings().origin, fluid.settings().origin + fluid.size()};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t side = 0; side < 2; ++side) {
      const FaceKind kind = fluid.settings().faces[axis][side];
      if (kind == FaceKind::periodic) continue;
      V through = drive.velocity[axis][side];
      const bool open =
          kind == FaceKind::pressure || (kind == FaceKind::wall && component(through, static_cast<int>(axis)) != 0);
      faces.push_back({static_cast<int>(axis), component(corner[side], static_cast<int>(axis)), side == 1, open});
    }
  return faces;
}

bool has_left(const std::vector<Face>& faces, V x) {
  return std::any_of(faces.begin(), faces.end(),
                     [&](const Face& f) { return f.lets_pass && component(x, f.axis) == f.at; });
}

V kept_inside(const std::vector<Face>& faces, V x) {
  for (const Face& f : faces) {
    double& c = component(x, f.axis);
    c = f.is_high ? std::min(c, f.at) : std::max(c, f.at);
  }
  return x;
}

// In cells, within the box.
V place_in_box(const Fluid& fluid, const V& x) {
  V place = fluid.to_cells(x);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (fluid.settings().faces[axis][0] != FaceKind::periodic) continue;
    const double n = fluid.settings().cells[axis];
    double& c = component(place, static_cast<int>(axis));
    c -= n * std::floor(c / n);
  }
  return place;
}

}  // namespace

void seed_tracers(const Fluid& fluid, int count, std::uint64_t seed, const V& low, const V& high, Tracers& tracers) {
  tracers = {};
  const V size = high - low;
  for (int i = 0; i < count; ++i) {
    const auto draw = [&](std::uint64_t axis) { return uniform(seed, 0, static_cast<std::uint64_t>(i), axis); };
    tracers.x.push_back(low + V{draw(0) * size.x, draw(1) * size.y, draw(2) * size.z});
  }
  const std::vector<Face> faces = faces_of(fluid, {});
  for (V& x : tracers.x) x = kept_inside(faces, x);
  tracers.mark = tracers.x;
}

// With h the time since the last move and u the velocity of the fluid,
//   y = x + h v,   v' = u(y, now),   x' = x + h (v + v')/2
// Heun's method with one look at the fluid a move: v' is that of the foreseen place, which is a small square off.
// Second order for strides that change, and it has to remember no more than v. The first move has no v and takes v' for
// it.
void move_tracers(const Fluid& fluid, const LatticeDrive& drive, const RowField* forces, FluidState& s, Team& team) {
  Tracers& t = s.tracers;
  if (t.x.empty() || s.steps - t.moved < t.stride) return;
  const double h = static_cast<double>(s.steps - t.moved) * fluid.settings().dt;
  const std::vector<Face> faces = faces_of(fluid, drive);
  const bool is_first = t.velocity.empty();
  const std::size_t count = t.x.size();
  t.velocity.resize(count, V{});
  std::vector<V> place(count), found(count);
  for (std::size_t i = 0; i < count; ++i)
    place[i] = place_in_box(fluid, kept_inside(faces, t.x[i] + h * t.velocity[i]));
  sample_velocities(fluid, s, drive, forces, place, found, team);
  double fastest = 0;  // cells a step
  for (std::size_t i = 0; i < count; ++i) {
    if (has_left(faces, t.x[i])) {
      t.velocity[i] = {};
      continue;
    }
    fastest = std::max(fastest, norm(found[i]));
    const V now = fluid.speed_unit() * found[i];
    t.x[i] = kept_inside(faces, t.x[i] + 0.5 * h * ((is_first ? now : t.velocity[i]) + now));
    t.velocity[i] = now;
  }
  t.moved = s.steps;
  const double steps = fastest > 0 ? farthest / fastest : longest_stride;
  t.stride = static_cast<int>(std::clamp(steps, 1.0, static_cast<double>(longest_stride)));
}

std::vector<Vec3<double>> tracer_places(const Fluid& fluid, const FluidState& s) {
  std::vector<Vec3<double>> places = s.tracers.x;
  const double since = fluid.settings().dt * static_cast<double>(s.steps - s.tracers.moved);
  for (std::size_t i = 0; i < s.tracers.velocity.size(); ++i) places[i] += since * s.tracers.velocity[i];
  return places;
}

}  // namespace ls
