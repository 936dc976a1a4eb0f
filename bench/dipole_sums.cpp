// Fast sums of dipoles: seconds a sum and errors beside the plain sum over all pairs.
#include "base/isa.h"
#include "bench/clock.h"
#include "dipoles/periodic/mesh_ewald.h"
#include "dipoles/test_dipoles.h"
#include "dipoles/tree/dipole_tree.h"
#include "terms/dipoles/dipole_sum.h"

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

// Each pair once, fields and forces of both; millions of pairs a second in the column after the seconds.
void measure_direct(int count, int threads) {
  const test::Dipoles d = scene("grid", count, false);
  Team team(threads);
  DipoleRules rules;
  DipoleColumns in;
  DipoleEffects out;
  in.count = d.count();
  const auto room = static_cast<std::size_t>(padded(in.count));
  for (std::size_t c = 0; c < 3; ++c) {
    for (Column* column : {&in.x[c], &in.m[c], &out.b[c], &out.force[c]}) column->assign(room, 0.0);
    std::ranges::copy(d.x[c], in.x[c].begin());
    std::ranges::copy(d.m[c], in.m[c].begin());
  }
  for (int i = 0; i < in.count; ++i) rules.node.push_back(i);
  for (std::size_t k = d.x[0].size(); k < room; ++k) in.x[0][k] = 1e12 * static_cast<double>(k);
  const auto sum = make_direct_sum(rules);
  double best = 1e300;
  for (int round = 0; round < 8; ++round) {
    const double start = now(threads);
    sum->find(in, out, team);
    best = std::min(best, now(threads) - start);
  }
  std::printf("direct,%s,grid,%d,random,0,%d,%.4f,%.0f\n", name(chosen_isa()).c_str(), in.count, threads, best,
              0.5e-6 * in.count * (in.count - 1.0) / best);
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

// dipole_sums [grid|rods|clouds COUNT aligned|random ACCURACY THREADS], [mesh ACROSS aligned|random ACCURACY THREADS]
// or [direct COUNT THREADS]
int main(int argc, char** argv) {
  std::printf(
      "method,isa,scene,dipoles,moments,accuracy,threads,s,field_error,force_error,field_median,force_median\n");
  if (argc > 3 && argv[1] == std::string("direct")) {
    measure_direct(std::atoi(argv[2]), std::atoi(argv[3]));
    return 0;
  }
  if (argc > 5 && argv[1] == std::string("mesh")) {
    measure_mesh(std::atoi(argv[2]), argv[3] == std::string("aligned"), std::atof(argv[4]), std::atoi(argv[5]));
    return 0;
  }
  if (argc > 5) {
    measure_tree(argv[1], std::atoi(argv[2]), argv[3] == std::string("aligned"), std::atof(argv[4]), std::atoi(argv[5]),
                 300);
    return 0;
  }
  measure_direct(20000, 1);
  for (const bool is_aligned : {false, true}) {
    for (const double accuracy : {1e-3, 1e-4, 1e-5, 1e-7}) measure_tree("grid", 100000, is_aligned, accuracy, 1, 1000);
    for (const std::string kind : {"grid", "rods", "clouds"}) measure_tree(kind, 1000000, is_aligned, 1e-4, 1, 200);
    measure_tree("grid", 1000000, is_aligned, 1e-4, 2, 200);
    measure_tree("grid", 4000000, is_aligned, 1e-4, 1, 100);
    for (const double accuracy : {1e-3, 1e-4, 1e-5}) measure_mesh(46, is_aligned, accuracy, 1);
    measure_mesh(46, is_aligned, 1e-4, 2);
  }
}
