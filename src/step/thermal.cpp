#include "step/thermal.h"

#include "base/rng.h"

#include <cmath>

namespace ls {

namespace {
constexpr double boltzmann = 1.380649e-23;  // J/K, exact by definition

Vec3<double> noise(const Inputs& in, const State& s, int node, int which) {
  const auto step = static_cast<std::uint64_t>(s.clock.step);
  const auto a = normal_pair(in.seed, step, static_cast<std::uint64_t>(node), static_cast<std::uint64_t>(which));
  const auto b = normal_pair(in.seed, step, static_cast<std::uint64_t>(node), static_cast<std::uint64_t>(which) + 2);
  return {a.a, a.b, b.a};
}
}  // namespace

void damp_bodies(const Model& m, const Inputs& in, State& s) {
  for (const NodeDamping& d : m.damping) {
    const auto t = s.nodes.twist(d.node);
    s.nodes.set(d.node,
                Twist<double>{std::exp(-0.5 * in.dt * d.rate) * t.v, std::exp(-0.5 * in.dt * d.spin_rate) * t.w});
  }
}

void add_heat(const Model& m, const Inputs& in, State& s, int half) {
  const double kt = boltzmann * in.temperature;
  const double cv = std::exp(-0.5 * in.dt * in.damping_rate), cw = std::exp(-0.5 * in.dt * in.spin_damping_rate);
  for (int i = 0; i < m.nodes; ++i) {
    const auto t = s.nodes.twist(i);
    const auto q = s.nodes.frame(i).q;
    const Vec3<double> a = noise(in, s, i, 16 * half), b = noise(in, s, i, 16 * half + 8);
    const auto size = [&](int k) { return std::sqrt((1 - cw * cw) * kt / m.inertia[k][i]); };
    const Vec3<double> kick{size(0) * b.x, size(1) * b.y, size(2) * b.z};  // in the node's own axes
    s.nodes.set(i, Twist<double>{cv * t.v + std::sqrt((1 - cv * cv) * kt / m.mass[i]) * a, cw * t.w + rotate(q, kick)});
  }
}

}  // namespace ls
