#pragma once
// Rods for the tests of the stepper.
#include "build/builder.h"
#include "step/explicit_step.h"

namespace ls::test {

inline RodSpec soft_rod(const std::string& model, int bonds) {
  RodSpec r;
  r.name = "rod";
  r.model = model;
  r.line = line({0, 0, 0}, {0.1, 0, 0}, bonds, {0, 0, 1});
  const Elasticity e{1e6, 4e5};
  r.section = [e](double) { return circular_section(4e-3, e.poisson()); };
  r.material = [e](double) { return e; };
  r.density = [](double) { return 1000.0; };
  return r;
}

inline Builder::Result built(const RodSpec& rod) {
  Builder b;
  b.add(rod);
  return b.finish();
}

inline Inputs clamped_at(const Builder::Result& r, int node, double dt) {
  Inputs in;
  in.dt = dt;
  if (node >= 0) in.held = {{node, hold_all, r.state.nodes.frame(node), {}}};
  return in;
}

inline BondDamping::Params<double> damping_time(const ElasticBond& b, double t) {
  return {t * b.kr, t * b.ks1, t * b.ks2, t * b.kb1, t * b.kb2, t * b.kt, b.l};
}

// Clamped at its start, with nodes that each move their own way.
inline Builder::Result long_rod(int bonds) {
  auto spec = soft_rod("exact", bonds);
  spec.line = line({0, 0, 0}, {0.005 * bonds, 0, 0}, bonds, {0, 0, 1});
  spec.random = {0.05, 5, true, true, true, 2};
  spec.hold_start = hold_all;
  return built(spec);
}

inline bool same_bits(const Nodes& a, const Nodes& b) {
  for (int k = 0; k < 3; ++k)
    if (a.x[k] != b.x[k] || a.v[k] != b.v[k] || a.w[k] != b.w[k]) return false;
  for (int k = 0; k < 4; ++k)
    if (a.q[k] != b.q[k]) return false;
  return true;
}
// What contact remembers as well.
inline bool same_bits(const State& a, const State& b) {
  return same_bits(a.nodes, b.nodes) && a.memory.touching == b.memory.touching && a.memory.slip == b.memory.slip;
}

inline void advance(const Model& m, const Inputs& in, State& s, Work& work, int steps) {
  for (int i = 0; i < steps; ++i)
    if (step_explicit(m, in, s, work) != Outcome::done) throw std::runtime_error("diverged");
}

}  // namespace ls::test
