#pragma once
#include "build/mesh.h"
#include "math/frame.h"
#include "model/shapes.h"
#include "model/soft_table.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

// Bodies that do not deform: one node each, at the centre of mass, with the principal axes.
namespace ls {

using Tensor = std::array<std::array<double, 3>, 3>;

// A solid of 1 kg/m^3, in the axes of its shape.
struct Solid {
  double volume = 0;      // m^3
  Vec3<double> centre{};  // m, of mass
  Tensor inertia{};       // m^5, about the centre
};

// A surface in axes of its own: points, and edges and triangles between them, all with the same radius around them. A
// point without edges is a ball.
struct RigidShape {
  std::vector<Vec3<double>> points;           // m
  double radius = 0;                          // m
  std::vector<std::array<int, 2>> edges;      // points
  std::vector<std::array<int, 3>> triangles;  // points, anticlockwise from outside
  Solid solid;
  std::optional<Vec3<double>> factor{};  // demagnetising, along its axes, where there is a closed form
  std::vector<Vec3<double>> sharp{};  // m, where its points would be if its edges were not round; empty: where they are
};

RigidShape ball_shape(double radius);
// Along z; length: between the centres of its round ends.
RigidShape capsule_shape(double radius, double length);
// rounding: radius of its edges, which leaves the size as it is and does not count in the mass.
RigidShape box_shape(const Vec3<double>& size, double rounding = 0);
// Along z, as a prism with corners on the circle; mass and inertia are those of the round one.
RigidShape cylinder_shape(double radius, double length, int sides, double rounding = 0);
// A closed mesh; rounding lies on top of it. Throws Error that names triangles where it is open or inside out.
RigidShape mesh_shape(const Mesh& mesh, double rounding = 0);

// A dipole in the shape's own axes.
struct PlacedMoment {
  Vec3<double> position{};  // m
  Vec3<double> moment{};    // A m^2
};

// kg and kg m^2: of what never moves and was given no mass, a number to divide by.
inline constexpr double weightless = 1e-30;

struct RigidSpec {
  std::string name;
  RigidShape shape;
  Frame<double> pose;     // of the shape's own axes
  double mass = 0;        // kg
  Vec3<double> centre{};  // m, of mass, in the shape's own axes
  Tensor inertia{};       // kg m^2, about the centre, in the shape's own axes
  bool fixed = false;
  Vec3<double> velocity{}, spin{};    // of the centre; world axes
  Vec3<double> moment{};              // A m^2, in the shape's own axes
  std::vector<PlacedMoment> dipoles;  // that it is the sum of; empty: all of it at the centre of mass
  SoftBody soft;                      // what fields magnetise, in the shape's own axes (build/magnets/soft_cells.h)
  Surface surface;

  // Mass, centre and inertia of a solid of uniform density, kg/m^3.
  void fill(double density);
};

}  // namespace ls
