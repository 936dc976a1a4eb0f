// Compiled once per vector width; see field_loops.h. No product is fused with a sum, so that nodes in packs and dipoles
// one by one (field_term.cpp) get the same bits.
#include "terms/field_loops.h"

#include "base/loops_of_width.h"
#include "math/pack.h"
#include "math/quat.h"

namespace ls::inline LS_ISA {
namespace {

void add_torques(const UniformFieldRun& run, int first, int last) {
  constexpr int lanes_per_block = 8;
  const auto at = [](const double* p, int i) { return Pack::load(p + i); };
  const Vec3<Pack> b{run.b[0], run.b[1], run.b[2]};
  const Pack scale = run.scale;
  for (int i = first * lanes_per_block; i < last * lanes_per_block; i += Pack::width) {
    const Quat<Pack> q{at(run.q[0], i), {at(run.q[1], i), at(run.q[2], i), at(run.q[3], i)}};
    const Vec3<Pack> own{at(run.moment[0], i), at(run.moment[1], i), at(run.moment[2], i)};
    const Vec3<Pack> torque = cross(scale * rotate(q, own), b);
    (at(run.torque[0], i) + torque.x).store(run.torque[0] + i);
    (at(run.torque[1], i) + torque.y).store(run.torque[1] + i);
    (at(run.torque[2], i) + torque.z).store(run.torque[2] + i);
  }
}

}  // namespace

template <>
const FieldLoops& loops_of_width<FieldLoops>() {
  static constexpr FieldLoops loops{add_torques};
  return loops;
}

}  // namespace ls::inline LS_ISA
