#include "build/rigid.h"

#include "build/builder.h"
#include "build/skin.h"
#include "physics/cuboid_tensor.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace ls {

namespace {

using V = Vec3<double>;
using std::numbers::pi;

Tensor diagonal(double x, double y, double z) {
  return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

void add_edges(RigidShape& s) {
  for (const MeshEdge& e : edges_of({s.points, s.triangles})) s.edges.push_back({e.a, e.b});
}

// The axes in which a tensor is diagonal; those it is given in where it is so already.
Quat<double> principal_axes(const Tensor& t) {
  const double trace = t[0][0] + t[1][1] + t[2][2];
  if (std::max({std::abs(t[0][1]), std::abs(t[0][2]), std::abs(t[1][2])}) <= 1e-12 * trace) return {};
  Eigen::Matrix3d m;
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) m(r, k) = t[r][k];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(m);
  const auto column = [&](int k) {
    const auto v = eigen.eigenvectors().col(k);
    return V{v[0], v[1], v[2]};
  };
  const V x = column(0), y = column(1);
  return quaternion(Mat3<double>{x, y, cross(x, y)});
}

// R t R^T: a tensor given in axes of orientation q, in the axes that q is relative to.
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
  return {{V{}}, radius, {}, {}, {volume, {}, diagonal(i, i, i)}, V{1.0 / 3, 1.0 / 3, 1.0 / 3}};
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
  if (rounding > 0) s.sharp = box_shape(size).points;
  s.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  add_edges(s);
  const double volume = size.x * size.y * size.z, x2 = size.x * size.x, y2 = size.y * size.y, z2 = size.z * size.z;
  s.solid = {volume, {}, diagonal(volume / 12 * (y2 + z2), volume / 12 * (x2 + z2), volume / 12 * (x2 + y2))};
  const Sym3 factor = cuboid_tensor(size, {});
  s.factor = V{factor.xx, factor.yy, factor.zz};
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
  if (rounding > 0) s.sharp = cylinder_shape(radius, length, sides).points;
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
  const double lengthwise = cylinder_factor(radius, length);
  s.factor = V{0.5 * (1 - lengthwise), 0.5 * (1 - lengthwise), lengthwise};
  return s;
}

RigidShape mesh_shape(const Mesh& mesh, double rounding) {
  check_mesh(mesh, true);
  RigidShape s;
  s.points = mesh.vertices;
  s.radius = rounding;
  s.triangles = mesh.triangles;
  add_edges(s);
  const MassProperties m = mass_properties(mesh);
  const V column[3] = {m.inertia.c1, m.inertia.c2, m.inertia.c3};
  s.solid.volume = m.volume;
  s.solid.centre = m.centre;
  for (std::size_t k = 0; k < 3; ++k) {
    const double rows[3] = {column[k].x, column[k].y, column[k].z};
    for (std::size_t r = 0; r < 3; ++r) s.solid.inertia[r][k] = rows[r];
  }
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
  Body& body = bodies_.back();
  if (rigid.shape.points.size() == 1) body.flow_radius = {rigid.shape.radius};
  body.volume = rigid.shape.solid.volume;
  body.volume_centre = rotate(conj(axes), rigid.shape.solid.centre - rigid.centre);
  if (!rigid.shape.triangles.empty()) body.rounding = rigid.shape.radius;
  for (const PlacedMoment& d : rigid.dipoles)
    samples_.push_back({node, rotate(conj(axes), d.position - rigid.centre), rotate(conj(axes), d.moment)});
  if (!rigid.soft.cells.empty()) add_soft(node, rigid.soft, rigid.centre, rigid.pose.q);
  std::vector<V> offsets;
  for (const V& p : rigid.shape.points) offsets.push_back(rotate(conj(axes), p - rigid.centre));
  add_surface(node, rigid.shape, offsets, rigid.surface);
  add_skin(node, rigid.shape, offsets, skin_);
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
