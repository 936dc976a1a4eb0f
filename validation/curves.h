#pragma once
#include "math/vec.h"

#include <vector>

// Shapes of rods as curves: how often they cross themselves, and how near they come.
namespace ls::validation {

using Curve = std::vector<Vec3<double>>;

// How often a curve crosses itself, seen along a direction.
int crossings(const Curve& curve, const Vec3<double>& along);

// Right-handed crossings less left-handed ones: which way a plectoneme winds, and how often.
int handedness(const Curve& curve, const Vec3<double>& along);

// The smallest distance of two of its segments that lie at least `apart` from each other along the curve, m. By
// comparing all of them: a check of what the simulator says, which shares no line with it.
double nearest_approach(const Curve& curve, double apart);

// The knot that a curve forms once its ends are joined far outside, by the determinant of its colourings: 1 for none, 3
// for a trefoil, 5 for a figure eight.
int knot_determinant(const Curve& open, const Vec3<double>& along);

// The longest way from a node of one curve to the same node of the other, m.
double farthest(const Curve& a, const Curve& b);

}  // namespace ls::validation
