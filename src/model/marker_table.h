#pragma once
#include "math/frame.h"
#include "math/sym3.h"
#include "model/state.h"

#include <cstdint>
#include <vector>

namespace ls {

class RowField;

// A part of a marker hangs on this node, at a place fixed in its frame.
struct MarkerAnchor {
  int node = 0;
  double weight = 1;      // the weights of a marker's anchors add up to 1
  Vec3<double> offset{};  // m, in the node's own axes
};

// point: a body that is smaller than what the delta function makes of one marker.
enum class MarkerKind : std::uint8_t { line, surface, point };

// A point of a solid that exchanges momentum with the fluid. It moves with one to three nodes.
struct Marker {
  MarkerKind kind = MarkerKind::surface;
  int body = 0;
  int anchors = 1;
  MarkerAnchor anchor[3];
  Vec3<double> tangent{};  // unit, in the axes of the first anchor's node: of the line it is on; 0: none
  double measure = 0;      // m of a line, m^2 of a surface, that it stands for; 1 of a point
  double radius = 0;       // m, of the rod it is on, or of the ball it is
  double mass = 0;         // kg of solid it stands for: the penalty coupling goes by it
  bool is_cap = false;     // at the end of a rod: it drags along the tangent alone
  // Markers of a rod that lie closer than cells need meet the fluid at some of them only, the stations: this one at
  // those so many places before and after it in the list, the latter having this share. 0 and 0: it is one itself.
  int before = 0, after = 0;
  double share = 0;

  // It sits right on a node.
  bool is_node() const { return anchors == 1 && dot(anchor[0].offset, anchor[0].offset) == 0; }
};

// Fluid that a node displaces: with gravity it is lighter by as much.
struct Floating {
  int node = 0;
  Vec3<double> offset{};  // m, of its middle, in the node's own axes
  double mass = 0;        // kg, of the fluid
};

// What of the bodies meets a fluid.
struct MarkerTable {
  std::vector<Marker> markers;
  std::vector<Floating> floating;  // empty where nothing floats
};

// How fast the fluid would be at a marker without it, and how hard it is to be faster or slower: on a marker that moves
// with velocity v and spin w act
//   force = resistance (u - v),   torque = turning (rotation - w)
// Set once a step of the fluid, from the places of the markers at its start.
struct MarkerFlow {
  explicit MarkerFlow(std::size_t markers = 0, bool spin = false);

  struct Point {
    Vec3<double> u{};   // m/s
    Sym3 resistance{};  // N s/m
  };
  struct Spin {
    Vec3<double> rotation{};  // rad/s, half the vorticity
    Sym3 turning{};           // N m s
  };
  Point point(std::size_t i) const;  // of marker i
  void set(std::size_t i, const Point& p);

  Column u[3], resistance[6];        // [marker] of points: xx, yy, zz, yz, xz, xy
  std::vector<Spin> spins;           // [marker], or empty: nothing is turned
  const RowField* forces = nullptr;  // what markers exerted on the cells near them in the last step, in lattice units
};

Vec3<double> marker_place(const Marker& marker, const Nodes& nodes);     // m
Vec3<double> marker_velocity(const Marker& marker, const Nodes& nodes);  // m/s
Vec3<double> marker_spin(const Marker& marker, const Nodes& nodes);      // rad/s

}  // namespace ls
