#pragma once
#include "build/assembly.h"

namespace ls {

// Joints and the straight struts between them.
struct StrutLattice {
  std::vector<Vec3<double>> joints;        // m
  std::vector<std::array<int, 2>> struts;  // joints
  std::vector<BodyPart> parts;             // its faces, by joints: low_x, high_x, low_y, high_y, low_z, high_z
};

// Cells along x, y and z from the origin, each a cube of that size.
StrutLattice cubic_lattice(const std::array<int, 3>& cells, double size);  // struts along its edges
StrutLattice octet_lattice(const std::array<int, 3>& cells, double size);  // corners and centres of faces, nearest ones

// In the plane z = 0: triangles and hexagons with sides of half the size. A cell is one size wide and sqrt(3) high.
// Joints that hang on one strut only are left out.
StrutLattice kagome_lattice(int along_x, int along_y, double size);

// A network of round struts in numbers.
struct NetworkSpec : BondedSpec {
  StrutLattice lattice;
  int bonds_per_strut = 4;
  Calibration calibration = Calibration::bernoulli_euler;
  double diameter = 0;  // m
};

// The joints come first, as they stand in the lattice; then the nodes along the struts, strut by strut.
Assembly assembled(const NetworkSpec& network);

}  // namespace ls
