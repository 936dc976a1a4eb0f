// Newton's method on a rod: what an iteration costs and where the time goes, and that it grows linearly.
#include "base/isa.h"
#include "bench/clock.h"
#include "build/builder.h"
#include "math/rotation.h"
#include "step/explicit_step.h"
#include "step/newton/static_step.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace {

using namespace ls;

// A soft heavy rod between two clamps, pushed together by a quarter.
struct Rod {
  Builder::Result made;
  Inputs in;
  Frame<double> first, last;

  Rod(const std::string& model, int bonds) {
    RodSpec r;
    r.name = "rod";
    r.model = model;
    r.line = line({0, 0, 0}, {0.3, 0, 0}, bonds, {0, 0, 1});
    const Elasticity e{1.3e6, 433e3};
    r.section = [e](double) { return circular_section(3.1e-3, e.poisson()); };
    r.material = [e](double) { return e; };
    r.density = [](double) { return 1200.0; };
    r.hold_start = r.hold_end = hold_all;
    Builder b;
    b.add(r);
    made = b.finish();
    first = made.state.nodes.frame(0), last = made.state.nodes.frame(bonds);
    in.gravity = {0, -9.81, 0};
  }
  const Inputs& at(double pushed, double turned) {
    const int end = made.model.nodes - 1;
    in.held = {{0, hold_all, first, {}},
               {end, hold_all, {last.x + Vec3<double>{-pushed, 0, 0}, turn({turned, 0, 0}) * last.q}, {}}};
    return in;
  }
};

double now() {
  return bench::now(1);
}
// Of so many in a row.
template <class F>
double best_ms(int repeats, F&& f) {
  double best = 1e300;
  for (int round = 0; round < 7; ++round) {
    const double start = now();
    for (int i = 0; i < repeats; ++i) f();
    best = std::min(best, 1e3 * (now() - start) / repeats);
  }
  return best;
}

void measure(const std::string& model, int bonds) {
  Rod rod(model, bonds);
  const Model& m = rod.made.model;
  State& s = rod.made.state;
  Work work(m, 1);
  NewtonWork newton(m, work.terms);
  const StaticSettings settings;
  const auto step = [&](double from, double to, double turn_from, double turn_to) {
    return step_static(
        m,
        [&](double u) -> const Inputs& {
          return rod.at(from + u * (to - from), turn_from + u * (turn_to - turn_from));
        },
        s, work, newton, settings);
  };
  (void)find_equilibrium(
      m, [&](double) -> const Inputs& { return rod.at(0, 0); }, s, work, newton, settings);
  for (int i = 0; i < 20; ++i) (void)step(0.004 * i, 0.004 * (i + 1), 0, 0);
  const long long before = s.memory.iterations;
  const double start = now(), angle = 0.0628;
  const int steps = bonds < 10000 ? 100 : 10, repeats = steps / 10;
  for (int i = 0; i < steps; ++i) (void)step(0.08, 0.08, angle * i, angle * (i + 1));
  const double spent = 1e3 * (now() - start);
  const auto iterations = static_cast<double>(s.memory.iterations - before);
  const Inputs& in = rod.in;
  const double both = best_ms(repeats, [&] { (void)!factor_stiffness(m, in, in.held, s, newton); });
  const double factor = best_ms(repeats, [&] { (void)!newton.ldlt.factor(newton.stiffness, newton.held); });
  const double solve = best_ms(repeats, [&] { newton.ldlt.solve(newton.solution.data()); });
  const double wrenches = best_ms(repeats, [&] { sum_wrenches(m, in, s, work); });
  std::printf("%s,%s,%d,%.2f,%.4f,%.4f,%.4f,%.4f,%.4f,%.0f\n", name(chosen_isa()).c_str(), model.c_str(), bonds,
              iterations / steps, spent / iterations, both - factor, factor, solve, wrenches,
              static_cast<double>(newton.bytes()) / bonds);
}

}  // namespace

int main() {
  std::printf(
      "isa,model,bonds,iterations_per_load_step,ms_per_iteration,assemble_ms,factor_ms,solve_ms,wrenches_ms,bytes_per_"
      "bond\n");
  for (const char* model : {"exact", "vector", "corotational"}) measure(model, 300);
  for (const int bonds : {75, 150, 600, 1200, 2400, 30000}) measure("exact", bonds);
}
