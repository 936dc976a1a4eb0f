#include "build/shell.h"

#include "base/error.h"
#include "build/magnets/sheet_cells.h"
#include "math/rotation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls {

namespace {

using V = Vec3<double>;

// z along one direction, y as near as possible to another.
Quat<double> axes(const V& z, const V& towards_y) {
  V y = towards_y - dot(towards_y, z) * z;
  if (!(norm(y) > 1e-9)) y = any_across(z);
  y = normalized(y);
  return quaternion(Mat3<double>{cross(y, z), y, z});
}

Assembly::Node node_of(const ShellSpec& shell, const V& x, const V& normal, double area) {
  Assembly::Node n;
  n.frame = {x, axes(normal, any_across(normal))};
  const double h = shell.thickness, m = shell.node_mass > 0 ? shell.node_mass : shell.density * h * area;
  // A disc of the node's area about its normal; about other axes its thickness alone counts, as the section of a rod
  // does, and the whole disc where asked for.
  const double disc = m * area / (4 * std::numbers::pi);
  const double across = m * h * h / 12 + (shell.inertia == NodeInertia::segment ? disc : 0);
  n.inertia = {across, across, 2 * disc};
  if (shell.inertia == NodeInertia::sphere) {
    const double ball = 0.1 * m * shell.sphere_diameter * shell.sphere_diameter;
    n.inertia = {ball, ball, ball};
  }
  n.mass = m;
  n.moment = (area * h) * shell.magnetisation;
  n.radius = 0.5 * h;
  return n;
}

}  // namespace

double lattice_poisson(double poisson) {
  constexpr double least = 0.01;  // stiffness against shear beside that against stretch
  return std::min(poisson, (1 - least) / (3 + least));
}

ElasticBond plate_bond(const Elasticity& material, double thickness, double length, double area) {
  const double nu = lattice_poisson(material.poisson()), h = thickness, l2 = length * length;
  const double y = material.young * h;
  const double d = material.young * h * h * h / (12 * (1 - material.poisson() * material.poisson()));
  ElasticBond b;
  b.l = length;
  b.kr = 2 * y / (1 - nu) * area / l2;
  b.ks1 = 2 * y * (1 - 3 * nu) / (1 - nu * nu) * area / l2;
  b.kb2 = b.ks1 * l2 / 12;  // as a beam that does not shear
  b.kb1 = 2 * d * (1 + nu) * area / l2;
  b.kt = 2 * d * (1 - 3 * nu) * area / l2;
  b.ks2 = 12 * b.kb1 / l2;
  return b;
}

Assembly assembled(const ShellSpec& shell) {
  Assembly a(shell, BodyKind::shell, 0.5 * shell.thickness);
  const Mesh& mesh = shell.surface.mesh;
  const auto normals = normals_of(mesh);
  const auto areas = areas_of(mesh);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    a.nodes.push_back(node_of(shell, mesh.vertices[i], normals[i], areas[i]));
  if (shell.soft.is_soft()) {
    std::vector<Quat<double>> own;
    for (const Assembly::Node& n : a.nodes) own.push_back(n.frame.q);
    const auto cells = sheet_cells(shell, areas, own);
    for (std::size_t i = 0; i < cells.size(); ++i) a.nodes[i].soft.emplace_back(a.nodes[i].frame.q, cells[i]);
  }
  for (const SurfaceBond& bond : shell.surface.bonds) {
    const auto i = static_cast<std::size_t>(bond.a), j = static_cast<std::size_t>(bond.b);
    const V chord = mesh.vertices[j] - mesh.vertices[i];
    const double l = norm(chord);
    Assembly::Bond b{bond.a, bond.b, axes((1 / l) * chord, normals[i] + normals[j]),
                     plate_bond(shell.material, shell.thickness, l, bond.area)};
    if (shell.adjust) shell.adjust(b.stiffness);
    a.bonds.push_back(b);
  }
  a.take_parts(shell, shell.surface.parts);
  a.triangles = mesh.triangles;
  return a;
}

}  // namespace ls
