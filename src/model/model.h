#pragma once
#include "model/bond_table.h"
#include "model/dipole_table.h"
#include "model/drag_table.h"
#include "model/joint_table.h"
#include "model/marker_table.h"
#include "model/shapes.h"
#include "model/skin.h"
#include "model/soft_table.h"
#include "model/state.h"

#include <optional>

namespace ls {

// Six bits a node, in world axes: which degrees of freedom are held.
enum Hold : std::uint8_t { hold_x = 1, hold_y = 2, hold_z = 4, hold_position = 7, hold_turn = 56, hold_all = 63 };

enum class BodyKind : std::uint8_t { rod, shell, network, rigid, wall };

// Some nodes of a body under a name of their own: "rim", "top".
struct BodyPart {
  std::string name;
  std::vector<int> nodes;  // by their places in the body
};

// A named body. The nodes of a rod are in order along it.
struct Body {
  std::string name;
  BodyKind kind = BodyKind::rod;
  std::vector<int> nodes;
  std::vector<double> arc;          // [its node] m along the rest shape
  std::vector<double> weight;       // [its node] m of length that the node stands for; of a rod only, as `arc`
  std::vector<double> flow_radius;  // [its node] m, of the round rod or ball that slow flow takes it for; else empty
  std::vector<BodyPart> parts;      // of shells and networks
  std::vector<double> area;         // [its node] m^2, of a rod's section
  double volume = 0;                // m^3, of a rigid body
  Vec3<double> volume_centre{};     // m, in the node's own axes
  double rounding = 0;              // m, how far its surface lies outside the triangles that are drawn
};

// A body that is one node: it has no parts.
inline bool is_single(const Body& body) {
  return body.kind == BodyKind::rigid || body.kind == BodyKind::wall;
}

// Everything that stays fixed during a run: plain tables, one for each kind of law. No stepper writes it, and any
// number of runs may share one. Terms (terms/term.h) are made from it; they have the caches, and the Work has them.
struct Model {  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming): the names of its own copy loops
  int nodes = 0;
  Column mass;                     // [node] kg
  Column inertia[3];               // [node] kg m^2, principal, about the node's own axes
  std::vector<std::uint8_t> held;  // [node] Hold bits of clamps and pins
  std::vector<double> radius;      // [node] m, for drawing
  std::vector<int> body_of;        // [node]
  std::vector<Body> bodies;
  Skin skin;  // for drawing

  std::vector<BondTable> bond_tables;  // one a kernel, in the order of their names
  Column moment[3];                    // [node] A m^2 in the node's own axes, of all its dipoles; empty without magnets
  DipoleTable dipoles;                 // where they are not at the node itself, and how they act on each other
  SoftTable soft;                      // what fields magnetise
  std::vector<DragPiece> drag;         // by node
  std::vector<NodeDamping> damping;    // of single bodies, by node; that of all is in the Inputs
  MarkerTable markers;                 // in a fluid
  JointTable joints;
  std::optional<Shapes> shapes;  // none where nothing touches
  BarrierScale barrier;          // of the shapes

  int bonds() const;
  std::size_t bytes() const;
};

// [node] whether it has a bond.
std::vector<std::uint8_t> bonded_nodes(const Model& m);

// The moment of a node in its own axes, A m^2.
inline Vec3<double> moment_of(const Model& m, int node) {
  return m.moment[0].empty() ? Vec3<double>{} : Vec3<double>{m.moment[0][node], m.moment[1][node], m.moment[2][node]};
}

// Whether anything in it feels a magnetic field.
inline bool is_magnetic(const Model& m) {
  return !m.moment[0].empty() || !m.soft.cells.empty();
}

// All permanent dipoles, in the order of their nodes: those of the table, and one at each other node that has a moment.
std::vector<Dipole> all_dipoles(const Model& m);

}  // namespace ls
