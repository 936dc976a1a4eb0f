#pragma once
#include "math/sym3.h"

namespace ls {

// The mean demagnetising tensor between two equal cuboids of uniform magnetisation whose axes are parallel: of the one
// at the origin the mean field in the other, at r, is -N M. By the closed form of A. J. Newell, W. Williams and D. J.
// Dunlop, Journal of Geophysical Research 98 (1993) 9551; far apart, where that loses its digits, by Gaussian points.
// At r = 0 it is the magnetometric factor of one cuboid: its trace is 1.
Sym3 cuboid_tensor(const Vec3<double>& size, const Vec3<double>& r);

// The magnetometric demagnetising factor of a cylinder along its axis (R. I. Joseph, Journal of Applied Physics 37
// (1966) 4639); across it is half of what is left to 1.
double cylinder_factor(double radius, double length);

}  // namespace ls
