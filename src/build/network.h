#pragma once
#include "build/assembly.h"

namespace ls {

// Joints and the straight struts between them.
struct Lattice {
  std::vector<Vec3<double>> joints;        // m
  std::vector<std::array<int, 2>> struts;  // joints
  std::vector<BodyPart> parts;             // its faces, by joints: low_x, high_x, low_y, high_y, low_z, high_z
};

// Cells along x, y and z from the origin, each a cube of that size.
Lattice cubic_lattice(const std::array<int, 3>& cells, double size);  // struts along its edges
Lattice octet_lattice(const std::array<int, 3>& cells, double size);  // corners and centres of faces, nearest ones

// In the plane z = 0: triangles and hexagons with sides of half the size. A cell is one size wide and sqrt(3) high.
// Joints that hang on one strut only are left out.
Lattice kagome_lattice(int along_x, int along_y, double size);

// A network of round struts in numbers.
struct NetworkSpec {
  std::string name;
  Lattice lattice;
  int bonds_per_strut = 4;
  std::string model = "exact";
  Calibration calibration = Calibration::bernoulli_euler;
  double diameter = 0;  // m
  Elasticity material;
  double density = 0;                        // kg/m^3
  Vec3<double> magnetisation{};              // A/m, as drawn
  std::function<void(ElasticBond&)> adjust;  // overrides of stiffnesses
  std::function<BondDamping::Params<double>(const ElasticBond&)> damping;
  bool paper_rate = false;
  Fracture fracture;
  std::vector<std::pair<std::string, std::uint8_t>> holds;  // part, Hold bits
  Vec3<double> velocity{}, spin{};
  RandomMotion random;
  double contact_radius = 0;  // m; 0: that of the struts
  Surface contact;
};

// The joints come first, as they stand in the lattice; then the nodes along the struts, strut by strut.
Assembly assembled(const NetworkSpec& network);

}  // namespace ls
