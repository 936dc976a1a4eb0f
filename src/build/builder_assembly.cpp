#include "base/error.h"
#include "build/builder.h"
#include "build/mesh.h"

#include <algorithm>
#include <fmt/format.h>

// Shells and networks on their way into the model.
namespace ls {

Assembly::Assembly(const BondedSpec& spec, BodyKind kind_of_body, double radius)
    : BondedBody(spec), kind(kind_of_body) {
  if (contact_radius == 0) contact_radius = radius;
}

void Assembly::take_parts(const BondedSpec& spec, const std::vector<BodyPart>& all) {
  parts = all;
  for (const auto& [part_name, mask] : spec.holds) {
    const auto part = std::ranges::find(parts, part_name, &BodyPart::name);
    if (part == parts.end()) throw Error(fmt::format("{}: it has no {}", name, part_name));
    for (const int n : part->nodes) nodes[n].held |= mask;
  }
}

int Builder::add(const Assembly& a) {
  Body body;
  body.name = a.name;
  body.kind = a.kind;
  body.parts = a.parts;
  const int first = static_cast<int>(nodes_.size());
  Vec3<double> centre{};
  double mass = 0;
  for (const Assembly::Node& n : a.nodes) centre += n.mass * n.frame.x, mass += n.mass;
  if (mass > 0) centre = (1 / mass) * centre;
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    body.nodes.push_back(first + static_cast<int>(i));
    add_node(a, a.nodes[i], centre);
    for (const auto& [axes, cell] : a.nodes[i].soft) add_soft(body.nodes[i], {{cell}, {}}, {}, axes);
  }
  bodies_.push_back(body);
  for (const Assembly::Bond& bond : a.bonds) {
    if (!(bond.stiffness.l > 0))
      throw Error(fmt::format("{}: nodes {} and {} coincide: a bond needs a length", a.name, bond.a, bond.b));
    RawBond raw;
    raw.node1 = first + bond.a;
    raw.node2 = first + bond.b;
    raw.frame = bond.frame;
    raw.cls.stiffness = bond.stiffness;
    if (a.damping) raw.cls.damping = a.damping(bond.stiffness);
    raw.cls.limit = a.fracture;
    raw.paper_rate = a.paper_rate;
    bonds_[a.model].push_back(raw);
  }
  if (shapes_) add_shapes(a, bodies_.back());
  if (!a.triangles.empty()) {
    const int point = static_cast<int>(skin_.points.size());
    for (const int node : body.nodes) skin_.points.push_back({node, {}});
    for (const auto& t : a.triangles) skin_.triangles.push_back({point + t[0], point + t[1], point + t[2]});
  }
  return static_cast<int>(bodies_.size()) - 1;
}

void Builder::add_node(const Assembly& a, const Assembly::Node& node, const Vec3<double>& centre) {
  Node n;
  n.frame = node.frame;
  n.mass = node.mass;
  n.moment = node.moment;
  n.radius = node.radius;
  n.held = node.held;
  n.body = static_cast<int>(bodies_.size());
  const Twist<double> random = a.random.of(static_cast<int>(nodes_.size()));
  n.twist = {a.velocity + cross(a.spin, node.frame.x - centre) + random.v, a.spin + random.w};
  const auto add_column = [&](double inertia, const Vec3<double>& axis) {
    const double c[3] = {axis.x, axis.y, axis.z};
    for (int row = 0; row < 3; ++row)
      for (int col = 0; col < 3; ++col) n.tensor[row][col] += inertia * c[row] * c[col];
  };
  add_column(node.inertia.x, axis_x(n.frame.q));
  add_column(node.inertia.y, axis_y(n.frame.q));
  add_column(node.inertia.z, axis_z(n.frame.q));
  n.shared = node.is_joint;
  for (const auto& [inertia, axis] : node.more_inertia) add_column(inertia, axis);
  nodes_.push_back(n);
}

// Balls at the nodes; where nodes alone are not enough, capsules for the bonds of a network, and edges and triangles
// of a surface.
void Builder::add_shapes(const Assembly& a, const Body& body) {
  const int first = static_cast<int>(shapes_->points.size());
  for (std::size_t i = 0; i < body.nodes.size(); ++i) {
    shapes_->points.push_back({body.nodes[i], {}, a.contact_radius});
    if (spheres_) shapes_->spheres.push_back(first + static_cast<int>(i));
  }
  shapes_->surfaces.push_back(a.contact);
  if (spheres_) return;
  if (a.triangles.empty())
    for (const Assembly::Bond& b : a.bonds) shapes_->edges.push_back({first + b.a, first + b.b});
  for (const MeshEdge& e : edges_of(Mesh{{}, a.triangles})) shapes_->edges.push_back({first + e.a, first + e.b});
  for (const auto& t : a.triangles) shapes_->triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

}  // namespace ls
