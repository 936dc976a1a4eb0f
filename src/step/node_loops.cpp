// Compiled once per vector width; see node_loops.h. Includes only headers that live in ls::inline LS_ISA.
#include "step/node_loops.h"

#include "base/loops_of_width.h"
#include "math/frame.h"
#include "math/pack.h"
#include "math/rotation.h"

#include <cmath>

namespace ls::inline LS_ISA {
namespace {

constexpr int lanes_per_block = 8;
constexpr double half_turn = 2.4674011002723395;  // (pi/2)^2, of half the angle

using PackVec = Vec3<Pack>;

PackVec load3(const double* const (&p)[3], int i) {
  return {Pack::load_aligned(p[0] + i), Pack::load_aligned(p[1] + i), Pack::load_aligned(p[2] + i)};
}
PackVec load3_unaligned(const double* const (&p)[3], int i) {
  return {Pack::load(p[0] + i), Pack::load(p[1] + i), Pack::load(p[2] + i)};
}
void store3(double* const (&p)[3], int i, const PackVec& a) {
  a.x.store_aligned(p[0] + i);
  a.y.store_aligned(p[1] + i);
  a.z.store_aligned(p[2] + i);
}
Quat<Pack> load4(double* const (&p)[4], int i) {
  return {Pack::load_aligned(p[0] + i),
          {Pack::load_aligned(p[1] + i), Pack::load_aligned(p[2] + i), Pack::load_aligned(p[3] + i)}};
}

// cos and sinc of half an angle given its square. Large angles, rare, go lane by lane through the library.
struct HalfAngle {
  Pack cos, sinc;
  bool lost = false;
};
HalfAngle half_angle(const Pack& z) {
  HalfAngle r{small_cos(z), small_sinc(z)};
  if (!all(z < small_turn)) [[unlikely]]
    for (int lane = 0; lane < Pack::width; ++lane) {
      const double a = z[lane];
      if (a < small_turn) continue;
      if (!(a < half_turn)) r.lost = true;
      const double angle = __builtin_sqrt(a);
      r.cos.set(lane, __builtin_cos(angle));
      r.sinc.set(lane, __builtin_sin(angle) / angle);
    }
  return r;
}

// q * exp(angle * axis), axis x or z of the body.
template <bool AxisX>
Quat<Pack> turned_about(const Quat<Pack>& q, const Pack& angle, bool& lost) {
  const Pack half = 0.5 * angle;
  const HalfAngle a = half_angle(half * half);
  lost = lost || a.lost;
  const Pack c = a.cos, s = a.sinc * half;
  if constexpr (AxisX)
    return {c * q.w - s * q.v.x, {c * q.v.x + s * q.w, c * q.v.y + s * q.v.z, c * q.v.z - s * q.v.y}};
  else
    return {c * q.w - s * q.v.z, {c * q.v.x + s * q.v.y, c * q.v.y - s * q.v.x, c * q.v.z + s * q.w}};
}

// Free rotation for a time dt at constant angular momentum; l = momentum/I2, in world axes.
// A symmetric top turns about l by |l| dt and about its own axis by (I2/I3 - 1) l3 dt: exact. Of any other body the
// rest of the energy, (1/I1 - 1/I2) L1^2/2, turns it about axis 1 before and after, half each: second order,
// symplectic.
template <bool Symmetric>
Quat<Pack> rotated(Quat<Pack> q, const PackVec& l, const Pack& inverse1, const Pack& inverse3, double dt, bool& lost) {
  if constexpr (!Symmetric) q = turned_about<true>(q, (0.5 * dt) * inverse1 * dot(l, axis_x(q)), lost);
  const Pack spin = dt * inverse3 * dot(l, axis_z(q));
  const PackVec half = (0.5 * dt) * l;
  const HalfAngle a = half_angle(dot(half, half));
  lost = lost || a.lost;
  q = turned_about<false>(Quat<Pack>{a.cos, a.sinc * half} * q, spin, lost);
  if constexpr (!Symmetric) q = turned_about<true>(q, (0.5 * dt) * inverse1 * dot(l, axis_x(q)), lost);
  const Pack scale = 1.5 - 0.5 * dot(q, q);  // one Newton step back to unit length
  return {scale * q.w, scale * q.v};
}

template <bool Symmetric>
[[gnu::flatten]] int kick_and_drift(const NodeBatch& b, int first_block, int last_block) {
  const double h = 0.5 * b.dt;
  int lost_node = -1;
  for (int i = first_block * lanes_per_block; i < last_block * lanes_per_block; i += Pack::width) {
    const PackVec v = b.keep_v * load3(b.v, i) + (h * Pack::load_aligned(b.inv_mass + i)) * load3(b.f, i);
    store3(b.v, i, v);
    store3(b.x, i, load3(b.x, i) + b.dt * v);

    const Quat<Pack> q = load4(b.q, i);
    const Pack inverse3 = Pack::load_aligned(b.inverse3 + i);
    const Pack inverse1 = Symmetric ? Pack(0.0) : Pack::load_aligned(b.inverse1 + i);
    const PackVec w = b.keep_w * load3(b.w, i), z = axis_z(q);
    PackVec l = w + (Pack::load_aligned(b.excess3 + i) * dot(w, z)) * z;
    if constexpr (!Symmetric) {
      const PackVec x = axis_x(q);
      l = l + (Pack::load_aligned(b.excess1 + i) * dot(w, x)) * x;
    }
    l = l + (h * Pack::load_aligned(b.inv_inertia + i)) * load3(b.t, i);
    bool lost = false;
    const Quat<Pack> p = rotated<Symmetric>(q, l, inverse1, inverse3, b.dt, lost);
    if (lost && lost_node < 0) lost_node = i;
    p.w.store_aligned(b.q[0] + i);
    p.v.x.store_aligned(b.q[1] + i);
    p.v.y.store_aligned(b.q[2] + i);
    p.v.z.store_aligned(b.q[3] + i);
    const PackVec pz = axis_z(p);
    PackVec spin = l + (inverse3 * dot(l, pz)) * pz;
    if constexpr (!Symmetric) {
      const PackVec px = axis_x(p);
      spin = spin + (inverse1 * dot(l, px)) * px;
    }
    store3(b.w, i, spin);
  }
  return lost_node;
}

template <bool Symmetric>
[[gnu::flatten]] void gather_and_kick(const NodeBatch& b, int first_block, int last_block) {
  const double h = 0.5 * b.dt;
  const PackVec gravity{Pack(b.gravity[0]), Pack(b.gravity[1]), Pack(b.gravity[2])};
  for (int i = first_block * lanes_per_block; i < last_block * lanes_per_block; i += Pack::width) {
    PackVec f = load3(b.bond_force, i) - load3_unaligned(b.bond_force, i - 1);
    PackVec t = load3(b.bond_torque1, i) + load3_unaligned(b.bond_torque2, i - 1);
    if (b.force[0]) f = f + load3(b.force, i), t = t + load3(b.torque, i);
    f = f + Pack::load_aligned(b.mass + i) * gravity;
    store3(b.f, i, f);
    store3(b.t, i, t);

    const PackVec v = load3(b.v, i) + (h * Pack::load_aligned(b.inv_mass + i)) * f;
    store3(b.v, i, b.keep_v * v);

    const Quat<Pack> q = load4(b.q, i);
    const PackVec z = axis_z(q);
    PackVec turn = t + (Pack::load_aligned(b.inverse3 + i) * dot(t, z)) * z;
    if constexpr (!Symmetric) {
      const PackVec x = axis_x(q);
      turn = turn + (Pack::load_aligned(b.inverse1 + i) * dot(t, x)) * x;
    }
    const PackVec w = load3(b.w, i) + (h * Pack::load_aligned(b.inv_inertia + i)) * turn;
    store3(b.w, i, b.keep_w * w);
  }
}

// The root of the largest of some squares: a root for every node would cost a twelfth of a step.
template <class F>
double root_of_largest(int first_block, int last_block, const F& square_at) {
  Pack most(0.0);
  for (int i = first_block * lanes_per_block; i < last_block * lanes_per_block; i += Pack::width) {
    const Pack square = square_at(i);
    most = pick(square > most, square, most);
  }
  double r = 0;
  for (int lane = 0; lane < Pack::width; ++lane) r = most[lane] > r ? most[lane] : r;
  return std::sqrt(r);
}

[[gnu::flatten]] double fastest(const NodeBatch& b, int first_block, int last_block) {
  return root_of_largest(first_block, last_block, [&](int i) {
    const PackVec v = load3(b.v, i);
    return dot(v, v);
  });
}

[[gnu::flatten]] double hardest(const NodeBatch& b, int first_block, int last_block) {
  return root_of_largest(first_block, last_block, [&](int i) {
    const PackVec f = load3(b.f, i);
    const Pack inverse = Pack::load(b.inv_mass + i);
    return inverse * inverse * dot(f, f);
  });
}

int choose_drift(const NodeBatch& b, int first, int last) {
  return b.symmetric ? kick_and_drift<true>(b, first, last) : kick_and_drift<false>(b, first, last);
}
void choose_kick(const NodeBatch& b, int first, int last) {
  b.symmetric ? gather_and_kick<true>(b, first, last) : gather_and_kick<false>(b, first, last);
}

}  // namespace

template <>
const NodeLoops& loops_of_width<NodeLoops>() {
  static constexpr NodeLoops loops{&choose_drift, &choose_kick, &fastest, &hardest};
  return loops;
}

}  // namespace ls::inline LS_ISA
