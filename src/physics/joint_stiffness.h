#pragma once
#include "math/component.h"
#include "physics/joint_rows.h"

// Second derivatives of the rows of joints, over [x, turn of node 1, x, turn of node 2]: what a joint under load adds
// to the stiffness. A vector u that turns with its node is u + t x u + t x (t x u)/2 after a small turn t.
namespace ls::inline LS_ISA {

using PairMatrix = double[12][12];

// weight (sym(a b^T) - (a.b) 1): second derivative of b.(t x (t x a))/2 times 2.
inline void add_turned(double weight, const Vec3<double>& a, const Vec3<double>& b, int first, PairMatrix& h) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      h[first + r][first + c] +=
          weight *
          (0.5 * (component(a, r) * component(b, c) + component(b, r) * component(a, c)) - (r == c ? dot(a, b) : 0.0));
}
// Block (row, column) and its mirror image.
inline void add_mirrored(int row, int column, const double (&m)[3][3], double weight, PairMatrix& h) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      h[row + r][column + c] += weight * m[r][c];
      h[column + c][row + r] += weight * m[r][c];
    }
}
// [a]: m b = a x b.
inline void set_cross(const Vec3<double>& a, double (&m)[3][3]) {
  const double rows[3][3] = {{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) m[r][c] = rows[r][c];
}
// Of u.v, with u on node 1 and v on node 2: (t1 x u).(t2 x v) = t1.((u.v) - v u^T) t2.
inline void add_both_turned(double weight, const Vec3<double>& u, const Vec3<double>& v, PairMatrix& h) {
  add_turned(weight, u, v, 3, h);
  add_turned(weight, u, v, 9, h);
  double m[3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) m[r][c] = (r == c ? dot(u, v) : 0.0) - component(v, r) * component(u, c);
  add_mirrored(3, 9, m, weight, h);
}

// Adds weight times the second derivative of the row.
inline void add_row_curvature(const JointRow& row, const JointPlaces<double>& p, double l, double weight,
                              PairMatrix& h) {
  double m[3][3];
  switch (row.shape) {
    case RowShape::across:
      add_both_turned(weight, p.axis[0][row.i], p.axis[1][row.j], h);
      return;
    case RowShape::angle:  // z.(t2 - t1 - t1 x t2/2)
      set_cross(p.axis[0][2], m);
      add_mirrored(3, 9, m, 0.5 * weight, h);
      return;
    case RowShape::along: {  // e.(x2 - x1 + arm 2), e on node 1; e.(arm 1) does not change
      const Vec3<double>& e = p.axis[0][row.i];
      add_both_turned(weight, e, p.arm[1], h);
      add_turned(weight, e, p.apart + p.arm[0] - p.arm[1], 3, h);
      set_cross(e, m);  // (t1 x e).dx = t1.(e x dx)
      add_mirrored(3, 6, m, weight, h);
      add_mirrored(3, 0, m, -weight, h);
      return;
    }
    case RowShape::distance: {
      const double w = weight / l;
      double j[3][12] = {};  // of the way between the halves
      for (int n = 0; n < 2; ++n) {
        const double sign = n == 0 ? -1 : 1;
        set_cross(p.arm[n], m);
        for (int r = 0; r < 3; ++r) {
          j[r][6 * n + r] = sign;
          for (int c = 0; c < 3; ++c) j[r][6 * n + 3 + c] = -sign * m[r][c];
        }
        add_turned(sign * w, p.arm[n], p.apart, 6 * n + 3, h);
      }
      for (int r = 0; r < 12; ++r)
        for (int c = 0; c < 12; ++c) h[r][c] += w * (j[0][r] * j[0][c] + j[1][r] * j[1][c] + j[2][r] * j[2][c]);
      return;
    }
  }
}

}  // namespace ls::inline LS_ISA
