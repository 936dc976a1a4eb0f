#pragma once
#include "math/frame.h"
#include "model/model.h"

#include <cstdint>
#include <vector>

namespace ls {

// A part of a marker hangs on this node, at a place fixed in its frame.
struct MarkerAnchor {
  int node = 0;
  double weight = 1;      // the weights of a marker's anchors add up to 1
  Vec3<double> offset{};  // m, in the node's own axes
};

enum class MarkerKind : std::uint8_t { line, surface };

// A point of a solid that exchanges momentum with the fluid. It moves with one to three nodes.
struct Marker {
  MarkerKind kind = MarkerKind::surface;
  int anchors = 1;
  MarkerAnchor anchor[3];
  double measure = 0;  // m of a line, or m^2 of a surface, that it stands for
  double radius = 0;   // m, of the rod it is on (line)
  double volume = 0;   // m^3 of the fluid that is displaced for it
  double mass = 0;     // kg, of the solid it stands for: for the penalty coupling
  int body = 0;
};

// How fast the fluid would be at a marker without it, and how hard it is to be faster or slower: on a marker that moves
// with velocity v and spin w act
//   force = resistance (u - v) + buoyancy,   torque = turning (rotation - w)
// Set once a step of the fluid, from its places at the start of the step.
struct MarkerFlow {
  struct Point {
    Vec3<double> u{};                    // m/s
    Vec3<double> rotation{};             // rad/s, half the vorticity
    std::array<double, 6> resistance{};  // N s/m, symmetric: xx, yy, zz, yz, xz, xy
    std::array<double, 6> turning{};     // N m s, likewise
    Vec3<double> buoyancy{};             // N
  };
  std::vector<Point> points;  // [marker]
};

Vec3<double> marker_place(const Marker& marker, const Nodes& nodes);     // m
Vec3<double> marker_velocity(const Marker& marker, const Nodes& nodes);  // m/s

}  // namespace ls
