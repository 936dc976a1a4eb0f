#pragma once
#include "math/vec.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

// What bodies are where they touch: points with a radius, edges and triangles between them, and walls. All of it hangs
// on nodes; a wall is a node that is held.
namespace ls {

// A ball of `radius` at a place fixed in the frame of a node.
struct ShapePoint {
  int node = 0;
  Vec3<double> offset{};  // m, in the node's own axes
  double radius = 0;      // m
};

// A capsule between two points, whose radii are the same.
struct ShapeEdge {
  int a = 0, b = 0;  // points
};

// A triangle with the thickness of its points.
struct ShapeTriangle {
  int a = 0, b = 0, c = 0;  // points
};

// A surface that everything else stays on one side of.
enum class HollowKind { plane, sphere, cylinder };
struct Hollow {
  HollowKind kind = HollowKind::plane;
  int node = 0;
  Vec3<double> at{};           // m, in the node's own axes: a point of the plane, the centre, a point of the axis
  Vec3<double> axis{0, 0, 1};  // unit: normal of the plane towards the free side; axis of the cylinder
  double radius = 0;           // m, of the sphere or the cylinder, free inside
};

// How a body behaves where it is touched.
struct Surface {
  double friction = 0;     // Coulomb's coefficient; of two bodies the smaller one holds
  double restitution = 1;  // likewise
  double young = 0;        // Pa; 0: rigid
  double poisson = 0.3;
};

// Two nodes that a bond joins, and its length at rest: neighbours along it do not touch.
struct ShapeLink {
  int node1 = 0, node2 = 0;
  double length = 0;  // m
};

enum class ContactLaw : std::uint8_t { none, hertz_mindlin, barrier };

struct ContactSettings {
  double thickness = 0;        // m: from this gap on surfaces push each other apart (barrier)
  double stiffness = 0;        // N/m, of the barrier to begin with; 0: from the stiffness and weight of what touches
  double slip_speed = 1e-3;    // m/s: contacts of the barrier that slide by this times a step give way
  bool slip_is_given = false;  // in so many words; else contacts are stretched by a share of the thickness at least
  double rolling = 0;          // coefficient of rolling resistance (Hertz-Mindlin)
  double exclude = -1;         // m along bonds: nearer neighbours do not touch; -1: from the radii
  int exclude_bonds = -1;      // likewise in bonds; -1: not given
};

// What the strength of the barrier is chosen by.
struct BodyScale {
  double elastic = 0;    // N/m, of its typical bonds; 0: it has none
  double mass = 0;       // kg, of what is not held; 0: all is
  double node_mass = 0;  // kg, of the heaviest node that is not held
};
struct BarrierScale {
  std::vector<BodyScale> bodies;  // [body]
};

// What holds between the bodies of two groups, beside what their surfaces say.
struct PairRule {
  int a = 0, b = 0;                   // groups, a <= b
  bool touch = true;                  // false: they pass through each other
  std::optional<double> friction;     // none: of their surfaces
  std::optional<double> restitution;  // likewise
};

struct Shapes {
  std::vector<ShapePoint> points;
  std::vector<int> spheres;  // points that stand alone
  std::vector<ShapeEdge> edges;
  std::vector<ShapeTriangle> triangles;
  std::vector<Hollow> hollows;
  std::vector<Surface> surfaces;  // [body]
  std::vector<ShapeLink> links;
  std::vector<std::pair<int, int>> joined;  // nodes that a joint joins: they do not touch
  std::vector<std::uint8_t> is_wall;        // [node] walls do not touch each other
  std::vector<int> body_of;                 // [node]
  ContactSettings settings;
  // Bodies about which all rules say the same are one group: so that rules stay few however many bodies they are about.
  std::vector<int> group_of;    // [body]; empty: there are no rules
  std::vector<PairRule> rules;  // ascending by their groups, each pair of groups once

  bool empty() const { return points.empty(); }
  // Of two bodies; null where there is none.
  const PairRule* rule(int body_a, int body_b) const;
  // Whether two nodes may touch as far as rules go.
  bool may_touch(int node_a, int node_b) const {
    if (rules.empty()) return true;
    const PairRule* r = rule(body_of[node_a], body_of[node_b]);
    return !r || r->touch;
  }
};

// Two bodies that could touch though neither yields, so that the law has no stiffness to go by.
std::optional<std::pair<int, int>> rigid_pair(const Shapes& shapes);

// Two bodies that could touch though neither has a radius anywhere: surfaces without thickness never overlap, so this
// law would let them pass through each other.
std::optional<std::pair<int, int>> sharp_pair(const Shapes& shapes);

}  // namespace ls
