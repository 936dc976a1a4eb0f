// Nanoseconds per node and step of the explicit stepper, everything included: bonds, gravity, global and per-mode
// damping, rotations, integration.
#include "base/isa.h"
#include "build/builder.h"
#include "step/explicit_step.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace ls;

namespace {

Builder::Result rod(const char* model, int bonds, bool damped) {
  RodSpec r;
  r.name = "rod";
  r.model = model;
  r.line = line({0, 0, 0}, {0.3, 0, 0}, bonds, {0, 0, 1});
  const Elasticity e{1.3e6, 433e3};
  r.section = [e](double) { return circular_section(3.1e-3, e.poisson()); };
  r.material = [e](double) { return e; };
  r.density = [](double) { return 1200.0; };
  r.hold_start = hold_all;
  r.random = {0.01, 0.1, true, true, true, 5};
  if (damped)
    r.damping = [](const ElasticBond& b) {
      const double t = 1e-9;
      return BondDamping::Params<double>{t * b.kr, t * b.ks1, t * b.ks2, t * b.kb1, t * b.kb2, t * b.kt, b.l};
    };
  Builder b;
  b.add(r);
  return b.finish();
}

Inputs inputs(const Builder::Result& r) {
  Inputs in;
  const double coarse = 300.0 / r.model.nodes;
  in.dt = 1e-7 * coarse * coarse;  // the critical step goes with the square of the bond length
  in.gravity = {0, -9.81, 0};
  in.damping_rate = in.spin_damping_rate = 0.1;
  in.held = {{0, hold_all, r.state.nodes.frame(0), {}}};
  return in;
}

double ns_per_node_step(const char* model, int bonds, bool damped, int threads, int repeats) {
  auto r = rod(model, bonds, damped);
  const Inputs in = inputs(r);
  Work k(r.model, threads, false);
  start_explicit(r.model, in, r.state, k);
  const int steps = std::max(3, static_cast<int>(3e6 / bonds));
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto t0 = std::chrono::steady_clock::now();
    for (int n = 0; n < steps; ++n)
      if (step_explicit(r.model, in, r.state, k) != Outcome::done) std::abort();
    const std::chrono::duration<double, std::nano> t = std::chrono::steady_clock::now() - t0;
    times.push_back(t.count() / steps / (bonds + 1));
  }
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[static_cast<std::size_t>(repeats) / 2];
}

}  // namespace

int main() {
  std::printf("isa,model,bonds,damping,threads,ns_per_node_step\n");
  for (const char* model : {"exact", "corotational", "vector"})
    for (const int bonds : {300, 3000, 100000})
      for (const bool damped : {false, true})
        std::printf("%s,%s,%d,%s,1,%.1f\n", name(chosen_isa()).c_str(), model, bonds, damped ? "yes" : "no",
                    ns_per_node_step(model, bonds, damped, 1, 7));
  for (const int bonds : {100, 300, 1000, 3000, 10000, 30000, 100000})
    std::printf("%s,exact,%d,yes,1:2,%.1f:%.1f\n", name(chosen_isa()).c_str(), bonds,
                ns_per_node_step("exact", bonds, true, 1, 11), ns_per_node_step("exact", bonds, true, 2, 11));
}
