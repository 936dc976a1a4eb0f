#pragma once
#include "math/rotation.h"
#include "step/move.h"
#include "step/newton/newton.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

// How an iteration of Newton's method is judged.
namespace ls {

// Moves that are smaller than this, beside the size or in rad, go by the exact stiffness of contact.
// Projected, it leads downhill from anywhere but lacks what the turning of normals takes away, so that moves shrink
// only by half each. Where a pivot of the exact one is negative the matrix is factored once more, projected there; to
// wait after that until moves have shrunk saves factorings but takes more iterations than it saves.
inline constexpr double exact_below = 1e-2;

// Friction goes by normal forces that were noted; where they have changed since, the solve goes on with new ones. It is
// asked as soon as moves are this small beside the step's own: the tail of a round that is not the last is not needed.
inline constexpr int most_rounds = 2;
inline constexpr double round_tolerance = 1e-3;
struct Rounds {
  Contact* contact;
  const Inputs& in;
  int count = 0, began = 0;  // the latter in iterations
  bool has_asked = false;    // in this round

  bool needs_another(const State& s, int iterations) {
    has_asked = true;
    if (!contact || count == most_rounds || !contact->needs_again(s, in)) return false;
    ++count, began = iterations, has_asked = false;
    return true;
  }
};

// Of what may be left of a step whose own move is `first`.
inline double tolerance_in_time(const NewtonSettings& settings, bool guarded, double first) {
  const double tolerance = settings.tolerance * std::clamp(first, 1e-4, 1.0);
  return guarded ? std::max(tolerance, settings.touching_tolerance * std::clamp(first, 1e-3, 1.0)) : tolerance;
}

// Newton's error goes down at least as fast as its last two moves did: what is left is now * (now/before).
inline double error_left(double now, double before) {
  return before > 0 ? now * std::min(1.0, now / before) : now;
}

// How much of a move one iteration may make.
inline double most_share(const LargestMove& move, const NewtonSettings& settings, double size) {
  if (!(move.length > 0 || move.turn > 0)) return 1;
  return std::min({1.0, settings.longest_move * size / move.length, settings.largest_turn / move.turn});
}

// The farthest that a node has gone, beside the size or in rad.
inline double way_gone(const Nodes& from, const Nodes& to, double size) {
  double most = farthest(from, to) / size;
  for (int i = 0; i < from.count; ++i) {
    const auto turned = nearer(to.frame(i).q * conj(from.frame(i).q), {1.0, {}});
    most = std::max(most, norm(rotation_vector(turned)));
  }
  return most;
}

// The node whose residual is no number; -1: none.
inline int first_not_finite(const std::vector<double>& residual) {
  const auto bad = std::find_if(residual.begin(), residual.end(), [](double a) { return !std::isfinite(a); });
  return bad == residual.end() ? -1 : static_cast<int>(bad - residual.begin()) / dofs;
}

}  // namespace ls
