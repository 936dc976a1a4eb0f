#pragma once
#include "model/model.h"

// Inertia of nodes in world axes.
namespace ls {

inline Vec3<double> principal_inertia(const Model& m, int node) {
  return {m.inertia[0][node], m.inertia[1][node], m.inertia[2][node]};
}

// I w, kg m^2 rad/s, of a node turned by q.
inline Vec3<double> angular_momentum(const Model& m, int node, const Quat<double>& q, const Vec3<double>& spin) {
  const Vec3<double> own = rotate(conj(q), spin), i = principal_inertia(m, node);
  return rotate(q, Vec3<double>{i.x * own.x, i.y * own.y, i.z * own.z});
}

// Adds factor times the inertia to the lower right 3x3 of a node's 6x6 block.
inline void add_inertia(const Model& m, int node, const Quat<double>& q, double factor, double* diagonal) {
  const Mat3<double> axes = matrix(q);
  const Vec3<double> column[3] = {axes.c1, axes.c2, axes.c3};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      double sum = 0;
      for (int c = 0; c < 3; ++c) {
        const double e[3] = {column[c].x, column[c].y, column[c].z};
        sum += m.inertia[c][node] * e[a] * e[b];
      }
      diagonal[6 * (3 + a) + 3 + b] += factor * sum;
    }
}

}  // namespace ls
