// Compiled once per vector width; see drag_loops.h. No product is fused with a sum, so that nodes in packs and nodes
// one by one (drag_term.cpp) get the same bits.
#include "terms/drag_loops.h"

#include "base/loops_of_width.h"
#include "math/pack.h"
#include "physics/drag.h"

namespace ls::inline LS_ISA {
namespace {

constexpr int lanes_per_block = 8;

Vec3<Pack> load(const double* const (&p)[3], int i) {
  return {Pack::load(p[0] + i), Pack::load(p[1] + i), Pack::load(p[2] + i)};
}
void add_to(double* const (&p)[3], int i, const Vec3<Pack>& a) {
  (Pack::load(p[0] + i) + a.x).store(p[0] + i);
  (Pack::load(p[1] + i) + a.y).store(p[1] + i);
  (Pack::load(p[2] + i) + a.z).store(p[2] + i);
}

void add(const DragRun& run, int first, int last) {
  const Drag::Params<Pack> law{run.law[0], run.law[1], run.law[2], run.law[3]};
  const Vec3<Pack> own{run.law[4], run.law[5], run.law[6]};
  for (int i = first * lanes_per_block; i < last * lanes_per_block; i += Pack::width) {
    const Quat<Pack> q{Pack::load(run.q[0] + i),
                       {Pack::load(run.q[1] + i), Pack::load(run.q[2] + i), Pack::load(run.q[3] + i)}};
    const Wrench<Pack> w = Drag::wrench(law, rotate(q, own), Twist<Pack>{load(run.v, i), load(run.w, i)});
    add_to(run.force, i, w.force);
    add_to(run.torque, i, w.torque);
  }
}

}  // namespace

template <>
const DragLoops& loops_of_width<DragLoops>() {
  static constexpr DragLoops loops{add};
  return loops;
}

}  // namespace ls::inline LS_ISA
