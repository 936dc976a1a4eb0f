// Fast sums of dipoles: seconds a sum and errors beside the plain sum over all pairs.
#include "base/isa.h"
#include "bench/clock.h"
#include "dipoles/periodic/mesh_ewald.h"
#include "dipoles/test_dipoles.h"
#include "dipoles/tree/dipole_tree.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace ls;
using bench::now;

test::Dipoles scene(const std::string& kind, int count, bool is_aligned) {
  if (kind == "rods") return test::straight_rods(count / 1000, 1000, is_aligned);
  if (kind == "clouds") return test::clouds(count, is_aligned);
  return test::jittered_grid(static_cast<int>(std::lround(std::cbrt(count))), is_aligned);
}

// The first sum is left out: it makes the room that the others use.
void measure_tree(const std::string& kind, int count, bool is_aligned, double accuracy, int threads, int samples) {
  const test::Dipoles d = scene(kind, count, is_aligned);
  Team team(threads);
  DipoleTree tree(accuracy);
  DipoleFields fields;
  double best = 1e300;
  for (int round = 0; round < 4; ++round) {
    const double start = now(threads);
    tree.compute(d.set(), team, fields);
    if (round > 0) best = std::min(best, now(threads) - start);
  }
  const test::Errors e = test::direct_errors(d, fields, samples);
  std::printf("tree,%s,%s,%d,%s,%.0e,%d,%.3f,%.1e,%.1e,%.1e,%.1e\n", name(chosen_isa()).c_str(), kind.c_str(),
              d.count(), is_aligned ? "aligned" : "random", accuracy, threads, best, e.field, e.force, e.median_field,
              e.median_force);
  std::fflush(stdout);
}

// In a periodic box; errors beside a sum that is asked for a thousandth of them.
void measure_mesh(int across, bool is_aligned, double accuracy, int threads) {
  const test::Dipoles d = test::jittered_grid(across, is_aligned);
  const double side = across;
  const PeriodicBox box{{side, side, side}};
  Team team(threads);
  MeshEwald sum(box, accuracy);
  DipoleFields fields, exact;
  double best = 1e300;
  for (int round = 0; round < 5; ++round) {
    const double start = now(threads);
    sum.compute(d.set(), team, fields);
    if (round > 0) best = std::min(best, now(threads) - start);
  }
  MeshEwald(box, 1e-3 * accuracy).compute(d.set(), team, exact);
  const test::Errors e = test::errors(d, fields, d.count(), [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    return PairEffect{{exact.field[0][at], exact.field[1][at], exact.field[2][at]},
                      {exact.force[0][at], exact.force[1][at], exact.force[2][at]}};
  });
  std::printf("mesh of %d order %d cut %.2f,%s,grid,%d,%s,%.0e,%d,%.3f,%.1e,%.1e,%.1e,%.1e\n", sum.plan().nodes[0],
              sum.plan().order, sum.plan().cut, name(chosen_isa()).c_str(), d.count(),
              is_aligned ? "aligned" : "random", accuracy, threads, best, e.field, e.force, e.median_field,
              e.median_force);
  std::fflush(stdout);
}

}  // namespace

// dipole_sums [grid|rods|clouds COUNT aligned|random ACCURACY THREADS], or [mesh ACROSS aligned|random ACCURACY
// THREADS]
int main(int argc, char** argv) {
  std::printf(
      "method,isa,scene,dipoles,moments,accuracy,threads,s,field_error,force_error,field_median,force_median\n");
  if (argc > 5 && argv[1] == std::string("mesh")) {
    measure_mesh(std::atoi(argv[2]), argv[3] == std::string("aligned"), std::atof(argv[4]), std::atoi(argv[5]));
    return 0;
  }
  if (argc > 5) {
    measure_tree(argv[1], std::atoi(argv[2]), argv[3] == std::string("aligned"), std::atof(argv[4]), std::atoi(argv[5]),
                 300);
    return 0;
  }
  for (const bool is_aligned : {false, true}) {
    for (const double accuracy : {1e-3, 1e-4, 1e-5, 1e-7}) measure_tree("grid", 100000, is_aligned, accuracy, 1, 1000);
    for (const std::string kind : {"grid", "rods", "clouds"}) measure_tree(kind, 1000000, is_aligned, 1e-4, 1, 200);
    measure_tree("grid", 1000000, is_aligned, 1e-4, 2, 200);
    measure_tree("grid", 4000000, is_aligned, 1e-4, 1, 100);
    for (const double accuracy : {1e-3, 1e-4, 1e-5}) measure_mesh(46, is_aligned, accuracy, 1);
    measure_mesh(46, is_aligned, 1e-4, 2);
  }
}
