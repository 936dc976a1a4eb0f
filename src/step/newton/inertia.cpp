#include "step/newton/inertia.h"

#include "math/rotation.h"
#include "model/inertia.h"

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
  const int a = s.a_of(i);
  const Vec3<T> now = (a / s.half(i)) * rotate(conj(start), phi_of(s.by_cayley(i), pose, start));
  return now - (a - 1.0) * before;
}

// P (V_p - V_n)
Twist<double> kept_motion(const ImplicitScheme& s, int i, const Nodes& start, const Frame<double>& pose) {
  const Matrix6* p = s.kept(i);
  if (!p) return {};
  const auto now = twist_at(s, i, start.frame(i), pose), before = start.twist(i);
  const Vec3<double> v = now.v - before.v, w = now.w - before.w;
  const double d[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
  double sum[6] = {};
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) sum[r] += (*p)[6 * r + c] * d[c];
  return {{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}};
}

// What node i has gained of angular momentum by the step, with q the orientation at p; kept: of its spin.
template <class T>
Vec3<T> spin_gained(const Model& m, int i, const ImplicitScheme& s, const Nodes& start, const Quat<T>& q,
                    const Vec3<double>& kept) {
  const auto momentum = [&](const auto& w) {
    using U = std::decay_t<decltype(w.x)>;
    return Vec3<U>{m.inertia[0][i] * w.x, m.inertia[1][i] * w.y, m.inertia[2][i] * w.z};
  };
  const Quat<double> q0 = start.frame(i).q;
  const Vec3<double> spin0 = body_spin(start, i), l0 = rotate(q0, momentum(spin0));
  const Vec3<double> more = rotate(conj(q0), kept);
  const Vec3<T> spin = end_spin(s, i, q, q0, spin0);
  const Vec3<T> l =
      rotate(end_turn(s.a_of(i), q, q0), momentum(Vec3<T>{spin.x + more.x, spin.y + more.y, spin.z + more.z}));
  return {l.x - l0.x, l.y - l0.y, l.z - l0.z};
}

Vec3<double> push_needed(const Model& m, int i, const ImplicitScheme& s, const Nodes& start, const Vec3<double>& x,
                         const Vec3<double>& kept) {
  const double half = s.half(i);
  return (m.mass[i] / half) * ((1 / half) * (x - start.frame(i).x) - start.twist(i).v + kept);
}

}  // namespace

Wrench<double> inertia_wrench(const Model& m, int i, const ImplicitScheme& s, const Nodes& start,
                              const Frame<double>& pose) {
  const Twist<double> kept = kept_motion(s, i, start, pose);
  return {push_needed(m, i, s, start, pose.x, kept.v), (1 / s.dt) * spin_gained(m, i, s, start, pose.q, kept.w)};
}

NodeInertiaForce inertia_force(const Model& m, int i, const ImplicitScheme& s, const Nodes& start,
                               const Frame<double>& pose) {
  using D = Dual<double, 3>;
  NodeInertiaForce r;
  const Twist<double> kept = kept_motion(s, i, start, pose);
  r.force.force = push_needed(m, i, s, start, pose.x, kept.v);
  Quat<D> q{D(pose.q.w), {D(pose.q.v.x), D(pose.q.v.y), D(pose.q.v.z)}};
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> e{k == 0 ? 0.5 : 0.0, k == 1 ? 0.5 : 0.0, k == 2 ? 0.5 : 0.0};
    const Quat<double> d = Quat<double>{0.0, e} * pose.q;
    q.w.d[k] = d.w, q.v.x.d[k] = d.v.x, q.v.y.d[k] = d.v.y, q.v.z.d[k] = d.v.z;
  }
  const Vec3<D> l = spin_gained(m, i, s, start, q, kept.w);
  r.force.torque = (1 / s.dt) * Vec3<double>{l.x.val, l.y.val, l.z.val};
  const D* const row[3] = {&l.x, &l.y, &l.z};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) r.slope[a][b] = 0.5 / s.dt * (row[a]->d[b] + row[b]->d[a]);
  r.gyro = 0.5 / s.dt * Vec3<double>{l.z.d[1] - l.y.d[2], l.x.d[2] - l.z.d[0], l.y.d[0] - l.x.d[1]};
  return r;
}

void add_kept_inertia(const Model& m, int i, const ImplicitScheme& s, const Quat<double>& start, double* diagonal) {
  const Matrix6& p = *s.kept(i);
  Matrix6 mass{};
  for (int c = 0; c < 3; ++c) mass[7 * c] = m.mass[i];
  add_inertia(m, i, start, 1, mass.data());
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) {
      double sum = 0;
      for (int k = 0; k < 6; ++k) sum += mass[6 * r + k] * p[6 * k + c] + mass[6 * c + k] * p[6 * k + r];
      diagonal[6 * r + c] += 0.5 * sum / (s.dt * s.dt);
    }
}

Twist<double> twist_at(const ImplicitScheme& s, int i, const Frame<double>& start, const Frame<double>& pose) {
  const double rate = 1 / s.half(i);
  return {rate * (pose.x - start.x), rate * phi_of(s.by_cayley(i), pose.q, start.q)};
}

bool is_within_reach(const ImplicitScheme& s, int i, const Frame<double>& start, const Frame<double>& pose) {
  const Quat<double> p = pose.q * conj(start.q);
  return !s.by_cayley(i) || p.w * p.w - dot(p.v, p.v) > least_cayley;
}

NodeEnd end_of_step(const ImplicitScheme& s, const Nodes& start, int i, const Frame<double>& pose) {
  const Frame<double> f0 = start.frame(i);
  const Twist<double> t0 = start.twist(i);
  const double a = s.a_of(i);
  const Twist<double> kept = kept_motion(s, i, start, pose);
  NodeEnd r;
  r.frame.x = f0.x + a * (pose.x - f0.x);
  r.frame.q = normalized(end_turn(s.a_of(i), pose.q, f0.q));
  r.twist.v = (a / s.half(i)) * (pose.x - f0.x) - (a - 1) * t0.v + kept.v;
  const Vec3<double> spin = end_spin(s, i, pose.q, f0.q, body_spin(start, i)) + rotate(conj(f0.q), kept.w);
  r.twist.w = rotate(r.frame.q, spin);
  return r;
}

}  // namespace ls
