#include "run/simulation/written_state.h"

#include "base/error.h"
#include "model/node_name.h"

#include <cmath>
#include <cstring>

namespace ls {

namespace {

bool same(const Column& a, const Column& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

bool is_finite(const Frame<double>& p, const Twist<double>& t) {
  return std::isfinite(norm(p.x) + norm(p.q.v) + std::abs(p.q.w) + norm(t.v) + norm(t.w));
}

}  // namespace

bool is_in_one_block(Nodes& nodes, const ColumnBlock& block) {
  const double* at = block.first();
  for (auto* triple : {nodes.x, nodes.v, nodes.w, nodes.f, nodes.t})
    for (int k = 0; k < 3; ++k, at += block.distance())
      if (triple[k].data() != at) return false;
  for (int k = 0; k < 4; ++k, at += block.distance())
    if (nodes.q[k].data() != at) return false;
  return true;
}

bool same_motion(const Nodes& a, const Nodes& b) {
  for (int k = 0; k < 3; ++k)
    if (!same(a.x[k], b.x[k]) || !same(a.v[k], b.v[k]) || !same(a.w[k], b.w[k])) return false;
  for (int k = 0; k < 4; ++k)
    if (!same(a.q[k], b.q[k])) return false;
  return true;
}

void accept_motion(const Model& m, const Nodes& before, Nodes& now) {
  constexpr double least_length = 1e-6;
  for (int i = 0; i < now.count; ++i) {
    Frame<double> p = now.frame(i);
    if (!is_finite(p, now.twist(i)))
      throw Error("what was written into the state is no finite number at " + node_name(m, i) +
                  ": the state is again as it was before");
    const Frame<double> was = before.frame(i);
    if (p.q.w == was.q.w && p.q.v.x == was.q.v.x && p.q.v.y == was.q.v.y && p.q.v.z == was.q.v.z) continue;
    if (!(std::sqrt(p.q.w * p.q.w + dot(p.q.v, p.q.v)) > least_length))
      throw Error("what was written into the state gives " + node_name(m, i) +
                  " a quaternion of no length: the state is again as it was before");
    p.q = normalized(p.q);
    now.set(i, p);
  }
}

}  // namespace ls
