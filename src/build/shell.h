#pragma once
#include "build/assembly.h"
#include "build/surfaces.h"

namespace ls {

// A shell in numbers: a surface whose bonds stand for a plate of some thickness.
struct ShellSpec : BondedSpec {
  DrawnSurface surface;
  double thickness = 0;  // m
  NodeInertia inertia = NodeInertia::section;
  double sphere_diameter = 0;  // m
  double node_mass = 0;        // kg; 0: from density, thickness and area
};

// Poisson's ratio that a lattice of bonds can have: that of the material up to a little below 1/3. There the bonds
// resist shear and twist no more, and nothing would hold the nodes' turns about the normal.
double lattice_poisson(double poisson);

// The stiffnesses of a bond of that length which stands for `area` of a plate (docs/theory/shells.md). Its section has
// x in the surface and y along the normal: kb1 bends out of the surface, kb2 in it.
ElasticBond plate_bond(const Elasticity& material, double thickness, double length, double area);

Assembly assembled(const ShellSpec& shell);

}  // namespace ls
