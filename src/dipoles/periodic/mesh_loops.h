#pragma once

// Dipoles onto a mesh and back, as plain functions: each vector width has its own copy (mesh_loops.cpp).
namespace ls {

inline constexpr int most_spline = 8;  // nodes of the mesh that a dipole touches along an axis

// A B-spline's values at the nodes around a dipole and its first and second derivatives, by axis. Beyond `order` nodes
// they are zero.
struct SplineWeights {
  double w[3][3][most_spline];  // [axis][derivative][node]
};

struct MeshStencil {
  int order;
  int x[most_spline], y[most_spline];  // nodes; x is -1 where a plane is someone else's
  int z;                               // the first, the others follow: rows go on beyond the box
};

struct MeshRows {
  double* values;  // [x][y][z]
  int columns;     // y
  int stride;      // from one row of z to the next
};

struct MeshEffect {
  double gradient[3];
  double second[6];  // xx, xy, xz, yy, yz, zz
};

struct MeshLoops {
  void (*weights)(int order, const double (&offset)[3], const double (&inverse_spacing)[3], SplineWeights&);
  // Adds the moment times the gradient of the spline.
  void (*spread)(const SplineWeights&, const MeshStencil&, const double (&moment)[3], const MeshRows&);
  // Gradient and second derivatives, with respect to the dipole's place, of the sum of values times spline.
  void (*read)(const SplineWeights&, const MeshStencil&, const MeshRows&, MeshEffect&);
};
const MeshLoops& mesh_loops();

}  // namespace ls
