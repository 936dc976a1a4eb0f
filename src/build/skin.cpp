#include "build/skin.h"

#include "build/centre_line.h"

#include <cmath>
#include <numbers>

namespace ls {

namespace {

using V = Vec3<double>;
using std::numbers::pi;

constexpr int around = 16;         // corners of a circle
constexpr int rings = 3;           // of a round end
constexpr std::size_t many = 500;  // balls from which on their radius has to do

// The surface of revolution about the line from a to b: a ball where they are the same point.
void add_capsule(int node, const V& a, const V& b, double radius, Skin& skin) {
  const V axis = norm(b - a) > 0 ? normalized(b - a) : V{0, 0, 1};
  const V x = any_across(axis), y = cross(axis, x);
  const int first = static_cast<int>(skin.points.size());
  const auto add = [&](const V& at) { skin.points.push_back({node, at}); };
  add(a - radius * axis);
  const auto ring = [&](const V& middle, double angle) {  // angle from the equator
    for (int k = 0; k < around; ++k) {
      const double phi = 2 * pi * k / around;
      add(middle + (radius * std::cos(angle)) * (std::cos(phi) * x + std::sin(phi) * y) +
          (radius * std::sin(angle)) * axis);
    }
  };
  for (int k = rings - 1; k >= 0; --k) ring(a, -0.5 * pi * k / rings);
  for (int k = 0; k < rings; ++k) ring(b, 0.5 * pi * k / rings);
  add(b + radius * axis);
  const int count = 2 * rings, last = first + 1 + count * around;
  for (int k = 0; k < around; ++k) {
    const int next = (k + 1) % around;
    skin.triangles.push_back({first, first + 1 + next, first + 1 + k});
    for (int r = 0; r + 1 < count; ++r) {
      const int low = first + 1 + r * around, high = low + around;
      skin.triangles.push_back({low + k, low + next, high + next});
      skin.triangles.push_back({low + k, high + next, high + k});
    }
    skin.triangles.push_back({last - around + k, last - around + next, last});
  }
}

void add_line(int node, const V& a, const V& b, Skin& skin) {
  const int first = static_cast<int>(skin.points.size());
  skin.points.push_back({node, a});
  skin.points.push_back({node, b});
  skin.lines.push_back({first, first + 1});
}

void add_circle(int node, const V& centre, const V& axis, double radius, Skin& skin) {
  constexpr int corners = 48;
  const V x = any_across(axis), y = cross(axis, x);
  const auto at = [&](int k) {
    const double phi = 2 * pi * k / corners;
    return centre + radius * (std::cos(phi) * x + std::sin(phi) * y);
  };
  for (int k = 0; k < corners; ++k) add_line(node, at(k), at(k + 1), skin);
}

// A square with a cross, so that it is seen from its side as well.
void add_plane(int node, const Hollow& h, double size, Skin& skin) {
  const V x = any_across(h.axis), y = cross(h.axis, x), u = (0.5 * size) * x, v = (0.5 * size) * y;
  const V corner[4] = {h.at + u + v, h.at - u + v, h.at - u - v, h.at + u - v};
  for (int k = 0; k < 4; ++k) add_line(node, corner[k], corner[(k + 1) % 4], skin);
}

// Planes of a box, in pairs, stand across each other: its edges.
void add_box(int node, const WallSpec& wall, Skin& skin) {
  const V a = wall.hollows[1].at, b = wall.hollows[3].at, c = wall.hollows[5].at;
  for (const double s : {-1.0, 1.0})
    for (const double t : {-1.0, 1.0}) {
      add_line(node, s * a + t * b - c, s * a + t * b + c, skin);
      add_line(node, s * a + t * c - b, s * a + t * c + b, skin);
      add_line(node, s * b + t * c - a, s * b + t * c + a, skin);
    }
}

void add_cylinder(int node, const WallSpec& wall, double size, Skin& skin) {
  const Hollow& h = wall.hollows[0];
  const V end = wall.hollows.size() > 1 ? wall.hollows[2].at : (0.5 * size) * h.axis;
  const V x = h.radius * any_across(h.axis), y = cross(h.axis, x);
  add_circle(node, end, h.axis, h.radius, skin);
  add_circle(node, -end, h.axis, h.radius, skin);
  for (const V& side : {x, y, -x, -y}) add_line(node, side - end, side + end, skin);
}

}  // namespace

void add_skin(int node, const RigidShape& shape, const std::vector<V>& offsets, Skin& skin) {
  if (shape.triangles.empty()) {
    const bool is_ball = shape.edges.empty();
    if (is_ball) skin.balls.push_back(node);
    if (!is_ball || skin.balls.size() <= many) add_capsule(node, offsets.front(), offsets.back(), shape.radius, skin);
    return;
  }
  const int first = static_cast<int>(skin.points.size());
  for (const V& offset : offsets) skin.points.push_back({node, offset});
  for (const auto& t : shape.triangles) skin.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

void add_outline(int node, const WallSpec& wall, double size, Skin& skin) {
  if (wall.hollows.empty()) return;
  const Hollow& h = wall.hollows[0];
  if (h.kind == HollowKind::cylinder) return add_cylinder(node, wall, size, skin);
  if (h.kind == HollowKind::plane)
    return wall.hollows.size() == 6 ? add_box(node, wall, skin) : add_plane(node, h, size, skin);
  for (const V& axis : {V{1, 0, 0}, V{0, 1, 0}, V{0, 0, 1}}) add_circle(node, h.at, axis, h.radius, skin);
}

}  // namespace ls
