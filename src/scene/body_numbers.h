#pragma once
#include "scene/plan.h"

namespace ls {

// A body in the numbers that tell a slip of the unit, mm for m or mPa for MPa, at a glance. 0: does not apply.
struct BodyNumbers {
  std::string name;
  int alike = 1;           // bodies of the same grid; the numbers are those of the first
  double length = 0;       // m, of a rod; else its largest extent
  double mass = 0;         // kg; 0 too: fixed, and none was given
  double moment = 0;       // A m^2, of the whole
  double ea = 0;           // N, of a rod, as of its bonds in a row
  double ei = 0, gj = 0;   // N m^2; of bending the softer way
  double slenderness = 0;  // length over diameter
  double magnetic = 0;     // M B A L^2/EI: torque of the field over that of bending
  double gravity = 0;      // rho g A L^3/EI: weight over what bending can carry
  double young = 0;        // Pa, of a uniform rod with that EA
  double density = 0;      // kg/m^3
};

// Of all bodies but walls. Fields and gravity count at their strongest in any stage.
std::vector<BodyNumbers> body_numbers(const Plan& plan);

// What of it is absurd, in words.
std::vector<std::string> absurdities(const BodyNumbers& n);

}  // namespace ls
