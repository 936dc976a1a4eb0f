#include "model/state.h"

namespace ls {

Nodes::Nodes(int n) : count(n) {
  const auto size = static_cast<std::size_t>(padded(n));
  for (auto* triple : {x, v, w, f, t})
    for (int k = 0; k < 3; ++k) triple[k].assign(size, 0.0);
  for (int k = 0; k < 4; ++k) q[k].assign(size, k == 0 ? 1.0 : 0.0);
}

void Nodes::set(int i, const Frame<double>& p) {
  x[0][i] = p.x.x, x[1][i] = p.x.y, x[2][i] = p.x.z;
  q[0][i] = p.q.w, q[1][i] = p.q.v.x, q[2][i] = p.q.v.y, q[3][i] = p.q.v.z;
}

void Nodes::set(int i, const Twist<double>& p) {
  v[0][i] = p.v.x, v[1][i] = p.v.y, v[2][i] = p.v.z;
  w[0][i] = p.w.x, w[1][i] = p.w.y, w[2][i] = p.w.z;
}

}  // namespace ls
