#include "build/rigid.h"

#include "base/error.h"
#include "build/builder.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>

namespace ls {

namespace {

using V = Vec3<double>;
using std::numbers::pi;

Tensor diagonal(double x, double y, double z) {
  return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

void add_edges(RigidShape& s) {
  std::map<std::array<int, 2>, bool> seen;
  for (const auto& t : s.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (!std::exchange(seen[{std::min(a, b), std::max(a, b)}], true))
        s.edges.push_back({std::min(a, b), std::max(a, b)});
    }
}

std::string shown(const std::vector<int>& triangles) {
  constexpr std::size_t most = 5;
  std::string text = triangles.size() == 1 ? "triangle " : "triangles ";
  for (std::size_t k = 0; k < std::min(most, triangles.size()); ++k)
    text += fmt::format("{}{}", k > 0 ? ", " : "", triangles[k]);
  if (triangles.size() > most) text += fmt::format(" and {} more", triangles.size() - most);
  return text;
}

// Each edge belongs to two triangles that run along it in opposite directions.
void check_closed(const std::vector<std::array<int, 3>>& triangles) {
  std::map<std::array<int, 2>, std::vector<int>> along;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      along[{triangles[t][k], triangles[t][(k + 1) % 3]}].push_back(static_cast<int>(t));
  std::vector<int> open, turned;
  for (const auto& [edge, of] : along) {
    const auto back = along.find({edge[1], edge[0]});
    if (of.size() > 1)
      turned.insert(turned.end(), of.begin(), of.end());
    else if (back == along.end())
      open.push_back(of.front());
  }
  for (auto* list : {&turned, &open}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  if (!turned.empty())
    throw Error(
        fmt::format("the surface is no solid: {} run along an edge in the same direction as a neighbour; "
                    "expected all of them anticlockwise from outside",
                    shown(turned)));
  if (!open.empty())
    throw Error(fmt::format("the surface is open: {} (from 0) have an edge without a neighbour", shown(open)));
}

// Sum over the tetrahedra between the origin and each triangle, with their signs: integrals of 1, x and x x^T.
Solid enclosed(const std::vector<V>& x, const std::vector<std::array<int, 3>>& triangles) {
  V low = x.front(), high = x.front();
  for (const V& p : x) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const V middle = 0.5 * (low + high);  // near the body: nothing cancels that need not
  double volume = 0, second[3][3] = {};
  V first{};
  for (const auto& t : triangles) {
    const V c[3] = {x[static_cast<std::size_t>(t[0])] - middle, x[static_cast<std::size_t>(t[1])] - middle,
                    x[static_cast<std::size_t>(t[2])] - middle};
    const double v = dot(c[0], cross(c[1], c[2])) / 6;
    const V sum = c[0] + c[1] + c[2];
    volume += v;
    first += 0.25 * v * sum;
    const double s[3] = {sum.x, sum.y, sum.z};
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) {
        double products = s[r] * s[k];
        for (const V& p : c) {
          const double a[3] = {p.x, p.y, p.z};
          products += a[r] * a[k];
        }
        second[r][k] += v / 20 * products;
      }
  }
  const double size = norm(high - low);
  if (!(volume > 1e-12 * size * size * size))
    throw Error(volume < 0 ? "the surface is inside out: its triangles run clockwise from outside"
                           : "the surface has no volume");
  Solid solid;
  solid.volume = volume;
  const V centre = (1 / volume) * first;
  solid.centre = middle + centre;
  const double c[3] = {centre.x, centre.y, centre.z};
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) second[r][k] -= volume * c[r] * c[k];
  const double trace = second[0][0] + second[1][1] + second[2][2];
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t k = 0; k < 3; ++k) solid.inertia[r][k] = (r == k ? trace : 0) - second[r][k];
  return solid;
}

// The axes in which a tensor is diagonal; those it is given in where it is so already.
Quat<double> principal_axes(const Tensor& t) {
  const double trace = t[0][0] + t[1][1] + t[2][2];
  if (std::max({std::abs(t[0][1]), std::abs(t[0][2]), std::abs(t[1][2])}) <= 1e-12 * trace) return {};
  Eigen::Matrix3d m;
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) m(r, k) = t[static_cast<std::size_t>(r)][static_cast<std::size_t>(k)];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(m);
  const auto column = [&](int k) {
    const auto v = eigen.eigenvectors().col(k);
    return V{v[0], v[1], v[2]};
  };
  const V x = column(0), y = column(1);
  return quaternion(Mat3<double>{x, y, cross(x, y)});
}

// The same tensor in axes that it was turned from.
Tensor turned(const Tensor& t, const Quat<double>& q) {
  const V axis[3] = {axis_x(q), axis_y(q), axis_z(q)};
  Tensor out{};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      const double u[3] = {axis[a].x, axis[a].y, axis[a].z}, v[3] = {axis[b].x, axis[b].y, axis[b].z};
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 3; ++k) out[r][k] += t[a][b] * u[r] * v[k];
    }
  return out;
}

}  // namespace

RigidShape ball_shape(double radius) {
  const double volume = 4.0 / 3 * pi * radius * radius * radius, i = 0.4 * volume * radius * radius;
  return {{V{}}, radius, {}, {}, {volume, {}, diagonal(i, i, i)}};
}

// A cylinder and two half balls, whose centres of mass lie 3/8 of the radius beyond those of the ends.
RigidShape capsule_shape(double radius, double length) {
  const double r2 = radius * radius, middle = pi * r2 * length, ends = 4.0 / 3 * pi * r2 * radius;
  const double along = 0.5 * middle * r2 + 0.4 * ends * r2;
  const double across =
      middle * (r2 / 4 + length * length / 12) + ends * (0.4 * r2 + 0.25 * length * length + 0.375 * length * radius);
  return {{V{0, 0, -0.5 * length}, V{0, 0, 0.5 * length}},
          radius,
          {{0, 1}},
          {},
          {middle + ends, {}, diagonal(across, across, along)}};
}

RigidShape box_shape(const V& size, double rounding) {
  RigidShape s;
  s.radius = rounding;
  const V half = 0.5 * size + V{-rounding, -rounding, -rounding};
  for (int k = 0; k < 8; ++k)
    s.points.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
  s.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  add_edges(s);
  const double volume = size.x * size.y * size.z, x2 = size.x * size.x, y2 = size.y * size.y, z2 = size.z * size.z;
  s.solid = {volume, {}, diagonal(volume / 12 * (y2 + z2), volume / 12 * (x2 + z2), volume / 12 * (x2 + y2))};
  return s;
}

RigidShape cylinder_shape(double radius, double length, int sides, double rounding) {
  RigidShape s;
  s.radius = rounding;
  const double r = radius - rounding, h = 0.5 * length - rounding;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2 * pi * k / sides;
    s.points.push_back({r * std::cos(angle), r * std::sin(angle), -h});
    s.points.push_back({r * std::cos(angle), r * std::sin(angle), h});
  }
  for (int k = 0; k < sides; ++k) {
    const int a = 2 * k, b = 2 * ((k + 1) % sides);
    s.triangles.push_back({a, b, b + 1});
    s.triangles.push_back({a, b + 1, a + 1});
    if (k < 2) continue;  // the lids are fans
    s.triangles.push_back({0, a, a - 2});
    s.triangles.push_back({1, a - 1, a + 1});
  }
  add_edges(s);
  const double volume = pi * radius * radius * length, across = volume * (radius * radius / 4 + length * length / 12);
  s.solid = {volume, {}, diagonal(across, across, 0.5 * volume * radius * radius)};
  return s;
}

RigidShape surface_shape(const std::vector<V>& vertices, const std::vector<std::array<int, 3>>& triangles,
                         double rounding) {
  if (triangles.empty()) throw Error("the surface has no triangles");
  check_closed(triangles);
  RigidShape s;
  s.points = vertices;
  s.radius = rounding;
  s.triangles = triangles;
  add_edges(s);
  s.solid = enclosed(vertices, triangles);
  return s;
}

void RigidSpec::fill(double density) {
  mass = density * shape.solid.volume;
  centre = shape.solid.centre;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t k = 0; k < 3; ++k) inertia[r][k] = density * shape.solid.inertia[r][k];
}

int Builder::add(const RigidSpec& rigid) {
  const Quat<double> axes = principal_axes(rigid.inertia);
  Node n;
  n.frame = {rigid.pose.x + rotate(rigid.pose.q, rigid.centre), normalized(rigid.pose.q * axes)};
  n.mass = rigid.mass;
  const Tensor t = turned(rigid.inertia, rigid.pose.q);
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t k = 0; k < 3; ++k) n.tensor[r][k] = t[r][k];
  n.moment = rotate(rigid.pose.q, rigid.moment);
  n.held = rigid.fixed ? hold_all : 0;
  n.twist = {rigid.velocity, rigid.spin};
  for (const V& p : rigid.shape.points) n.radius = std::max(n.radius, norm(p - rigid.centre) + rigid.shape.radius);
  const int node = add_single(BodyKind::rigid, rigid.name, n);
  std::vector<V> offsets;
  for (const V& p : rigid.shape.points) offsets.push_back(rotate(conj(axes), p - rigid.centre));
  add_surface(node, rigid.shape, offsets, rigid.surface);
  return static_cast<int>(bodies_.size()) - 1;
}

// A body of one node.
int Builder::add_single(BodyKind kind, const std::string& name, Node node) {
  const int number = static_cast<int>(nodes_.size());
  node.body = static_cast<int>(bodies_.size());
  nodes_.push_back(node);
  Body body;
  body.name = name;
  body.kind = kind;
  body.nodes = {number};
  bodies_.push_back(std::move(body));
  return number;
}

void Builder::add_surface(int node, const RigidShape& shape, const std::vector<V>& offsets, const Surface& surface) {
  if (!shapes_) return;
  const int first = static_cast<int>(shapes_->points.size());
  for (const V& offset : offsets) shapes_->points.push_back({node, offset, shape.radius});
  for (const auto& e : shape.edges) shapes_->edges.push_back({first + e[0], first + e[1]});
  for (const auto& t : shape.triangles) shapes_->triangles.push_back({first + t[0], first + t[1], first + t[2]});
  if (shape.edges.empty())
    for (std::size_t k = 0; k < offsets.size(); ++k) shapes_->spheres.push_back(first + static_cast<int>(k));
  shapes_->surfaces.push_back(surface);
}

}  // namespace ls
