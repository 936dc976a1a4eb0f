#include "step/richardson.h"

#include <cmath>

namespace ls {

namespace {
// q after an Euler step of dq/dt = w q/2, brought back to unit length.
Quat<double> euler(const Quat<double>& q, const Vec3<double>& w, const Quat<double>& at, double dt) {
  const Quat<double> rate = Quat<double>{0.0, (0.5 * dt) * w} * at;
  return normalized(Quat<double>{q.w + rate.w, q.v + rate.v});
}
}  // namespace

void kick_and_drift_richardson(const Model& m, const Inputs& in, State& s, const Work& work) {
  const double h = 0.5 * in.dt;
  const double keep_v = std::exp(-h * in.damping_rate), keep_w = std::exp(-h * in.spin_damping_rate);
  for (int i = 0; i < m.nodes; ++i) {
    const auto f = s.nodes.frame(i);
    const auto t = s.nodes.twist(i);
    const auto a = s.nodes.wrench(i);
    const Vec3<double> v = keep_v * t.v + (h * work.inv_mass[i]) * a.force;
    const Vec3<double> w = keep_w * t.w + (h * work.inv_inertia[i]) * a.torque;
    const Quat<double> full = euler(f.q, w, f.q, in.dt);
    const Quat<double> half = euler(f.q, w, f.q, h);
    const Quat<double> both = euler(half, w, half, h);
    const Quat<double> q = normalized(Quat<double>{2 * both.w - full.w, 2.0 * both.v - full.v});
    s.nodes.set(i, Frame<double>{f.x + in.dt * v, q});
    s.nodes.set(i, Twist<double>{v, w});
  }
}

}  // namespace ls
