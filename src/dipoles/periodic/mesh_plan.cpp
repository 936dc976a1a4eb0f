#include "dipoles/periodic/mesh_plan.h"

#include "dipoles/periodic/ewald_error.h"
#include "dipoles/periodic/mesh_loops.h"

#include <algorithm>

namespace ls {

namespace {

// The next number of nodes that transforms go fast with: a multiple of 4 with no primes above 5, and room for a spline.
int good_size(double least) {
  int n = std::max(most_spline, static_cast<int>(std::ceil(least / 4)) * 4);
  for (;; n += 4) {
    int rest = n;
    for (const int prime : {2, 3, 5})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return n;
  }
}

// Nanoseconds. Of pairs: to look whether one is near, and to sum it.
double pair_time(const PeriodicBox& box, int count, double cut) {
  constexpr double look = 1.6, pair = 6;
  return count * (count / box.volume()) * std::pow(cut, 3) * (look * 15.6 + pair * 4.2);
}
// A row of the mesh there and back, a node's transforms.
double mesh_time(int count, const MeshPlan& plan) {
  constexpr double row = 6, node = 50;
  return count * row * plan.order * plan.order + node * double(plan.nodes[0]) * plan.nodes[1] * plan.nodes[2];
}

}  // namespace

MeshPlan mesh_plan(const PeriodicBox& box, int count, double accuracy) {
  // Moments that are aligned have smaller forces than random ones, so an error of random ones counts more there.
  constexpr double margin = 0.6;
  const double limit = margin * accuracy / std::sqrt(2.0), spacing = std::cbrt(box.volume() / count);
  MeshPlan best;
  double least = 0;
  for (double cut = 1.25 * spacing; cut < 8 * spacing; cut *= 1.1) {
    if (best.order > 0 && pair_time(box, count, cut) > least) break;
    MeshPlan plan;
    plan.cut = cut;
    plan.alpha = least_that_serves(0.3 / cut, 30 / cut, limit,
                                   [&](double alpha) { return cut_error(box, count, alpha, cut).larger(); });
    for (plan.order = 5; plan.order <= most_spline; ++plan.order) {
      const double nodes_per_length = least_that_serves(0.2 * plan.alpha, 50 * plan.alpha, limit, [&](double n) {
        return mesh_error(box, count, plan.alpha, 1 / n, plan.order).larger();
      });
      for (std::size_t k = 0; k < 3; ++k) plan.nodes[k] = good_size(nodes_per_length * box.length[k]);
      const double time = pair_time(box, count, cut) + mesh_time(count, plan);
      if (best.order == 0 || time < least) {
        best = plan;
        least = time;
      }
    }
  }
  return best;
}

}  // namespace ls
