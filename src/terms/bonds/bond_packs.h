#pragma once
#include "math/frame.h"
#include "math/pack.h"
#include "physics/bond_damping.h"
#include "terms/bonds/bond_loops.h"

#include <type_traits>

// How the hot loops over bonds read nodes and classes into packs. For files compiled once per vector width only.
namespace ls::inline LS_ISA {

inline constexpr int lanes_per_block = 8;

template <class K>
using Law = typename K::template Params<Pack>;
using Viscosity = BondDamping::Params<Pack>;

// A row of the class table: the numbers of the law, of the damping and of the two rest turns, one after the other.
template <class K>
struct BondClassPack {
  Law<K> law;
  Viscosity viscosity;
  Quat<Pack> rest1, rest2;
};
template <class K, class F>
BondClassPack<K> class_pack(F&& number) {
  BondClassPack<K> c;
  static_assert(sizeof(c) % sizeof(Pack) == 0 && std::is_standard_layout_v<BondClassPack<K>>);
  Pack* p = reinterpret_cast<Pack*>(&c);
  for (unsigned k = 0; k < sizeof(c) / sizeof(Pack); ++k) p[k] = number(k);
  return c;
}

inline Vec3<Pack> load3(const double* const (&p)[3], int i) {
  return {Pack::load(p[0] + i), Pack::load(p[1] + i), Pack::load(p[2] + i)};
}
inline void store3(double* const (&p)[3], int i, const Vec3<Pack>& a) {
  a.x.store_aligned(p[0] + i);
  a.y.store_aligned(p[1] + i);
  a.z.store_aligned(p[2] + i);
}

// The wrenches of the bonds in slots i.., where there are any; the other slots keep what another term left there.
[[gnu::always_inline]] inline void store_wrenches(const BondBatch& b, int i, const PackMask& active,
                                                  const Wrench<Pack> (&w)[2]) {
  const double* const force[3] = {b.force[0], b.force[1], b.force[2]};
  const double* const torque1[3] = {b.torque1[0], b.torque1[1], b.torque1[2]};
  const double* const torque2[3] = {b.torque2[0], b.torque2[1], b.torque2[2]};
  store3(b.force, i, pick(active, w[0].force, load3(force, i)));
  store3(b.torque1, i, pick(active, w[0].torque, load3(torque1, i)));
  store3(b.torque2, i, pick(active, w[1].torque, load3(torque2, i)));
}

// Frames and twists of the two nodes of the bonds in slots i.. of a chain: two loads, one node apart.
struct ChainLoad {
  static void frames(const BondBatch& b, int i, Frame<Pack> (&f)[2]) {
    for (int a = 0; a < 2; ++a)
      f[a] = {load3(b.x, i + a),
              {Pack::load(b.q[0] + i + a),
               {Pack::load(b.q[1] + i + a), Pack::load(b.q[2] + i + a), Pack::load(b.q[3] + i + a)}}};
  }
  static void twists(const BondBatch& b, int i, Twist<Pack> (&t)[2]) {
    for (int a = 0; a < 2; ++a) t[a] = {load3(b.v, i + a), load3(b.w, i + a)};
  }
};

// The same for bonds between any two nodes.
struct IndexedLoad {
  static Pack gather(const double* p, const int* index) {
    return Pack::from_lanes([&](int lane) { return p[index[lane]]; });
  }
  static Vec3<Pack> gather3(const double* const (&p)[3], const int* index) {
    return {gather(p[0], index), gather(p[1], index), gather(p[2], index)};
  }
  static void frames(const BondBatch& b, int i, Frame<Pack> (&f)[2]) {
    for (int a = 0; a < 2; ++a) {
      const int* n = (a == 0 ? b.node1 : b.node2) + i;
      f[a] = {gather3(b.x, n), {gather(b.q[0], n), {gather(b.q[1], n), gather(b.q[2], n), gather(b.q[3], n)}}};
    }
  }
  static void twists(const BondBatch& b, int i, Twist<Pack> (&t)[2]) {
    for (int a = 0; a < 2; ++a) {
      const int* n = (a == 0 ? b.node1 : b.node2) + i;
      t[a] = {gather3(b.v, n), gather3(b.w, n)};
    }
  }
};

// Classes of the bonds in slots i..; slots without one take the first.
template <class K>
inline BondClassPack<K> classes_at(const BondBatch& b, int i) {
  return class_pack<K>([&](int k) {
    return Pack::from_lanes([&](int lane) {
      const int cls = b.cls[i + lane];
      return b.table[(cls < 0 ? 0 : cls) * b.stride + k];
    });
  });
}

template <class K>
void read_frames(const BondBatch& b, int i, const BondClassPack<K>& c, Frame<Pack> (&f)[2]) {
  b.node1 ? IndexedLoad::frames(b, i, f) : ChainLoad::frames(b, i, f);
  f[0].q = f[0].q * c.rest1, f[1].q = f[1].q * c.rest2;
}

inline void read_twists(const BondBatch& b, int i, Twist<Pack> (&t)[2]) {
  b.node1 ? IndexedLoad::twists(b, i, t) : ChainLoad::twists(b, i, t);
}

// A stress as the loops hand it on: [stress number][slot in block].
inline void store_stress(const Stress<Pack>& s, double* to) {
  const Pack* const numbers[stress_numbers] = {&s.tension,  &s.shear.x,  &s.shear.y, &s.shear.z,
                                               &s.moment.x, &s.moment.y, &s.moment.z};
  for (int k = 0; k < stress_numbers; ++k) numbers[k]->store(to + lanes_per_block * k);
}

}  // namespace ls::inline LS_ISA
