#pragma once
#include <string_view>

namespace ls {

// The stiffnesses of one bond at small strain: the common tongue of all bond models.
struct ElasticBond {
  double kr = 0;              // [N/m] stretch
  double ks1 = 0, ks2 = 0;    // [N/m] shear along the section's x, along y
  double kb1 = 0, kb2 = 0;    // [N m] bending about x, about y
  double kt = 0;              // [N m] twist
  double l = 0;               // [m]   rest length between the bonded points
  double arm1 = 0, arm2 = 0;  // [m]   node centre to bonded point (vector bond)
};

// A bond of the same section and material that is `share` times as long: EA, EI and GJ are as they were.
inline ElasticBond with_length(const ElasticBond& b, double share) {
  const double cubed = share * share * share;
  return {b.kr / share, b.ks1 / cubed, b.ks2 / cubed,  b.kb1 / share, b.kb2 / share,
          b.kt / share, b.l * share,   b.arm1 * share, b.arm2 * share};
}

// A cross-section. Bending about x has i1 (the section's extent along y counts cubed), about y i2.
struct Section {
  double area = 0;          // [m^2]
  double i1 = 0, i2 = 0;    // [m^4]
  double torsion = 0;       // [m^4] J of the torsional stiffness GJ
  double shear_factor = 1;  // kappa of Timoshenko's theory
  double radius = 0;        // [m] half the thickness, for drawing and contact
};

struct Elasticity {
  double young = 0;  // [Pa]
  double shear = 0;  // [Pa]
  double poisson() const { return young / (2 * shear) - 1; }
};

Section circular_section(double diameter, double poisson);
Section rectangular_section(double along_x, double along_y, double poisson);

// How the bond stands for the piece of material between its nodes (V-model paper: eqs. 20, 29, 33-36).
enum class Calibration { bernoulli_euler, timoshenko, short_cylinder };

ElasticBond elastic_bond(Calibration calibration, const Section& section, const Elasticity& material, double length);

}  // namespace ls
