#include "step/newton/inertia.h"

#include "math/rotation.h"

namespace ls {

namespace {

template <class T>
Vec3<T> phi_of(bool by_cayley, const Quat<T>& pose, const Quat<double>& start) {
  const Quat<T> p = pose * conj(start);
  if (by_cayley) return 0.5 * cayley_vector(p);
  return (2.0 * angle_over_sine(dot(p.v, p.v)) * p.w) * p.v;
}

// exp(a phi) q_n, for a = 1 or 2.
template <class T>
Quat<T> end_turn(int a, const Quat<T>& pose, const Quat<double>& start) {
  return a == 1 ? pose : pose * (conj(start) * pose);
}

Vec3<double> body_spin(const Nodes& start, int i) {
  const auto f = start.frame(i);
  return rotate(conj(f.q), start.twist(i).w);
}

template <class T>
Vec3<T> end_spin(const ImplicitScheme& s, int i, const Quat<T>& pose, const Quat<double>& start,
                 const Vec3<double>& before) {
  const Vec3<T> now = (s.a / s.half()) * rotate(conj(start), phi_of(s.by_cayley(i), pose, start));
  return now - (s.a - 1.0) * before;
}

// What node i has gained of angular momentum by the step, with q the orientation at p.
template <class T>
Vec3<T> spin_gained(const Model& m, int i, const ImplicitScheme& s, const Nodes& start, const Quat<T>& q) {
  const auto momentum = [&](const auto& w) {
    using U = std::decay_t<decltype(w.x)>;
    return Vec3<U>{m.inertia[0][i] * w.x, m.inertia[1][i] * w.y, m.inertia[2][i] * w.z};
  };
  const Quat<double> q0 = start.frame(i).q;
  const Vec3<double> spin0 = body_spin(start, i), l0 = rotate(q0, momentum(spin0));
  const Vec3<T> l = rotate(end_turn(s.a, q, q0), momentum(end_spin(s, i, q, q0, spin0)));
  return {l.x - l0.x, l.y - l0.y, l.z - l0.z};
}

Vec3<double> push_needed(const Model& m, int i, const ImplicitScheme& s, const Nodes& start, const Vec3<double>& x) {
  const double half = s.half();
  return (m.mass[i] / half) * ((1 / half) * (x - start.frame(i).x) - start.twist(i).v);
}

}  // namespace

Wrench<double> inertia_wrench(const Model& m, int i, const ImplicitScheme& s, const Nodes& start,
                              const Frame<double>& pose) {
  return {push_needed(m, i, s, start, pose.x), (1 / s.dt) * spin_gained(m, i, s, start, pose.q)};
}

NodeInertiaForce inertia_force(const Model& m, int i, const ImplicitScheme& s, const Nodes& start,
                               const Frame<double>& pose) {
  using D = Dual<double, 3>;
  NodeInertiaForce r;
  r.force.force = push_needed(m, i, s, start, pose.x);
  Quat<D> q{D(pose.q.w), {D(pose.q.v.x), D(pose.q.v.y), D(pose.q.v.z)}};
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> e{k == 0 ? 0.5 : 0.0, k == 1 ? 0.5 : 0.0, k == 2 ? 0.5 : 0.0};
    const Quat<double> d = Quat<double>{0.0, e} * pose.q;
    q.w.d[k] = d.w, q.v.x.d[k] = d.v.x, q.v.y.d[k] = d.v.y, q.v.z.d[k] = d.v.z;
  }
  const Vec3<D> l = spin_gained(m, i, s, start, q);
  r.force.torque = (1 / s.dt) * Vec3<double>{l.x.val, l.y.val, l.z.val};
  const D* const row[3] = {&l.x, &l.y, &l.z};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) r.slope[a][b] = 0.5 / s.dt * (row[a]->d[b] + row[b]->d[a]);
  return r;
}

Twist<double> twist_at(const ImplicitScheme& s, int i, const Frame<double>& start, const Frame<double>& pose) {
  const double rate = 1 / s.half();
  return {rate * (pose.x - start.x), rate * phi_of(s.by_cayley(i), pose.q, start.q)};
}

bool is_within_reach(const ImplicitScheme& s, int i, const Frame<double>& start, const Frame<double>& pose) {
  const Quat<double> p = pose.q * conj(start.q);
  return !s.by_cayley(i) || p.w * p.w - dot(p.v, p.v) > least_cayley;
}

NodeEnd end_of_step(const ImplicitScheme& s, const Nodes& start, int i, const Frame<double>& pose) {
  const Frame<double> f0 = start.frame(i);
  const Twist<double> t0 = start.twist(i);
  const double a = s.a;
  NodeEnd r;
  r.frame.x = f0.x + a * (pose.x - f0.x);
  r.frame.q = normalized(end_turn(s.a, pose.q, f0.q));
  r.twist.v = (a / s.half()) * (pose.x - f0.x) - (a - 1) * t0.v;
  r.twist.w = rotate(r.frame.q, end_spin(s, i, pose.q, f0.q, body_spin(start, i)));
  return r;
}

}  // namespace ls
