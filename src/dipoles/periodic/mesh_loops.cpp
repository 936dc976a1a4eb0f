// Compiled once per vector width; see mesh_loops.h and registers.h. Lanes are nodes along z, always eight.
#include "dipoles/periodic/mesh_loops.h"

#include "base/loops_of_width.h"
#include "dipoles/registers.h"
#include "math/fused.h"

namespace ls::inline LS_ISA {
namespace {

using V = Register<double>;
constexpr int lanes = register_lanes<double>;
static_assert(sum_lanes<double> == most_spline);

// M_n at the n nodes around a dipole that is `offset` (0 to 1) beyond the last of them: values[i] belongs to the node
// i after the first one. M_n(u) = (u M_(n-1)(u) + (n - u) M_(n-1)(u - 1))/(n - 1) (de Boor).
void raise(int n, double offset, double* values) {
  const double divide = 1.0 / (n - 1);
  values[n - 1] = offset * values[n - 2] * divide;
  for (int i = n - 2; i > 0; --i)
    values[i] = ((offset + (n - 1 - i)) * values[i - 1] + (i + 1 - offset) * values[i]) * divide;
  values[0] = (1 - offset) * values[0] * divide;
}

// Derivatives are differences of splines of lower order: with u = (x - node)/h + n/2, d/dx M_n = (M_(n-1)(u) -
// M_(n-1)(u - 1))/h.
void weights(int order, const double (&offset)[3], const double (&inverse_spacing)[3], SplineWeights& out) {
  for (int axis = 0; axis < 3; ++axis) {
    double* const value = out.w[axis][0];
    double* const first = out.w[axis][1];
    double* const second = out.w[axis][2];
    for (int i = 0; i < most_spline; ++i) value[i] = first[i] = second[i] = 0;
    value[0] = 1 - offset[axis];
    value[1] = offset[axis];
    const double s = inverse_spacing[axis];
    for (int n = 3; n <= order; ++n) {
      if (n == order - 1)
        for (int i = 0; i < order; ++i) {
          const double at = i < order - 2 ? value[i] : 0, one = i > 0 && i - 1 < order - 2 ? value[i - 1] : 0;
          const double two = i > 1 ? value[i - 2] : 0;
          second[i] = (at - 2 * one + two) * s * s;
        }
      if (n == order)
        for (int i = 0; i < order; ++i) {
          const double at = i < order - 1 ? value[i] : 0, one = i > 0 ? value[i - 1] : 0;
          first[i] = (one - at) * s;
        }
      raise(n, offset[axis], value);
    }
  }
}

void spread(const SplineWeights& s, const MeshStencil& at, const double (&m)[3], const MeshRows& mesh) {
  for (int i = 0; i < at.order; ++i) {
    if (at.x[i] < 0) continue;
    const double along_x = m[0] * s.w[0][1][i], across_x = s.w[0][0][i];
    for (int j = 0; j < at.order; ++j) {
      double* const row = mesh.values + (static_cast<long>(at.x[i]) * mesh.columns + at.y[j]) * mesh.stride + at.z;
      const double flat = fused(along_x, s.w[1][0][j], across_x * (m[1] * s.w[1][1][j]));
      const double steep = across_x * (s.w[1][0][j] * m[2]);
      const V a = broadcast<double>(flat), b = broadcast<double>(steep);
      for (int k = 0; k < most_spline; k += lanes)
        store<double>(row + k, fused(b, load(s.w[2][1] + k), fused(a, load(s.w[2][0] + k), load(row + k))));
    }
  }
}

// Sums along z stay in lanes until the end: [derivative along z][...] times what belongs to x and y.
void read(const SplineWeights& s, const MeshStencil& at, const MeshRows& mesh, MeshEffect& out) {
  V sums[9][rounds<double>];
  for (int round = 0; round < rounds<double>; ++round) {
    V total[9] = {};
    for (int i = 0; i < at.order; ++i) {
      V by_y[3] = {};  // of the values, their first and second derivatives along y
      for (int j = 0; j < at.order; ++j) {
        const double* const row =
            mesh.values + (static_cast<long>(at.x[i]) * mesh.columns + at.y[j]) * mesh.stride + at.z;
        const V value = load(row + round * lanes);
        for (int d = 0; d < 3; ++d) by_y[d] = fused(broadcast<double>(s.w[1][d][j]), value, by_y[d]);
      }
      const V w0 = broadcast<double>(s.w[0][0][i]), w1 = broadcast<double>(s.w[0][1][i]);
      const V w2 = broadcast<double>(s.w[0][2][i]);
      // Derivatives along x and y: 00, 10, 01, 20, 11, 02.
      total[0] = fused(w0, by_y[0], total[0]);
      total[1] = fused(w1, by_y[0], total[1]);
      total[2] = fused(w0, by_y[1], total[2]);
      total[3] = fused(w2, by_y[0], total[3]);
      total[4] = fused(w1, by_y[1], total[4]);
      total[5] = fused(w0, by_y[2], total[5]);
    }
    const V z0 = load(s.w[2][0] + round * lanes), z1 = load(s.w[2][1] + round * lanes);
    const V z2 = load(s.w[2][2] + round * lanes);
    const V parts[9] = {total[1] * z0, total[2] * z0, total[0] * z1, total[3] * z0, total[4] * z0,
                        total[1] * z1, total[5] * z0, total[2] * z1, total[0] * z2};
    for (int k = 0; k < 9; ++k) sums[k][round] = parts[k];
  }
  for (int k = 0; k < 3; ++k) out.gradient[k] = sum_of_lanes<double>(sums[k]);
  for (int k = 0; k < 6; ++k) out.second[k] = sum_of_lanes<double>(sums[3 + k]);
}

}  // namespace

template <>
const MeshLoops& loops_of_width<MeshLoops>() {
  static constexpr MeshLoops loops{weights, spread, read};
  return loops;
}

}  // namespace ls::inline LS_ISA
