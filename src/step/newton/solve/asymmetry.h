#pragma once
#include "math/numbers.h"
#include "step/newton/newton_work.h"

#include <functional>

// Solutions by what the matrix leaves out because it is symmetric.
namespace ls {

// x = right at first, then the solution of apply(x) = right to a share of it, by GMRES; returns what is left, a share
// too. Operators whose eigenvalues are near 1 but for a few take few rounds. What it makes less of than `least` is
// left.
double solve_near_one(const std::function<Numbers(const Numbers&)>& apply, int most, double enough, double least,
                      Numbers& x);

// Whether the moment counts beside what else resists the node's own turning, which stands in its 6x6 block. To leave it
// out makes the error of each iteration that share of the one before, or more than the one before.
bool is_gyroscope(const Vec3<double>& moment, const double* block);
// Stiffness across the axis as large as the moment, to the block. Without it A^-1 B is as large as the moment is beside
// all else, some 1000 in a thin sheet, with it at most 1: so GMRES takes few rounds whatever the number of such nodes.
void stiffen(const Gyroscope& g, double* block);

// x = (A + B)^-1 x, with B what the matrix leaves out, or has too much of: of joints and of gyroscopes.
void solve_whole(NewtonWork& newton, Numbers& x);

}  // namespace ls
