#pragma once
#include "math/vec.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ls {

// How many particles half a sphere takes with that spacing.
double hemisphere_particles(double radius, double spacing);

// Particles spread evenly over the half z >= 0 of a sphere about the origin: first those on the rim, then the others
// from below to the top, where the last one sits. Throws Error where so many do not fit or are too few.
std::vector<Vec3<double>> particles_on_half_sphere(int count, double radius, double spacing, std::uint64_t seed);

// Their Delaunay triangulation, anticlockwise from outside: on a sphere this is the convex hull. The rim is closed by
// a helper point at the bottom of the sphere, whose triangles are left out again.
std::vector<std::array<int, 3>> triangles_on_half_sphere(const std::vector<Vec3<double>>& points);

}  // namespace ls
