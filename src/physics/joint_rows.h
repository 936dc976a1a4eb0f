#pragma once
#include "math/frame.h"

// Joints: functions of the poses of two nodes, one a row, that are zero where a joint is closed. Each is a product of
// vectors that are fixed to one node or the other, so that for the straight way between two poses
//   c(end) - c(start) = J(mean vectors) . (end - start)
// holds exactly, which is what keeps a step of the midpoint rule from doing work on a linkage. None changes where both
// nodes move as one: forces and torques are in balance wherever the joint stands.
namespace ls::inline LS_ISA {

// One half of a joint, in the axes of the node that has it.
struct JointHalf {
  Vec3<double> arm{};   // m, from the node
  Quat<double> axes{};  // z is the axis of the joint
};

// The same in world axes.
template <class T>
struct JointPlaces {
  Vec3<T> arm[2]{};
  Vec3<T> axis[2][3]{};
  Vec3<T> apart{};  // m, from the first half to the second
};

enum class RowShape : unsigned char {
  along,     // the way from the first half to the second, along axis i of the first
  across,    // axis i of the first times axis j of the second
  distance,  // (d^2 - l^2)/2l of the way d: the distance less l, to first order
  angle      // of the second half about z, from the first; its value is that of joint_angle
};
struct JointRow {
  RowShape shape = RowShape::along;
  int i = 0, j = 0;
};

template <class T>
LS_HD JointPlaces<T> joint_places(const JointHalf (&half)[2], const Frame<T> (&node)[2]) {
  JointPlaces<T> p;
  for (int n = 0; n < 2; ++n) {
    p.arm[n] = rotate(node[n].q, half[n].arm);
    const Mat3<double> axes = matrix(half[n].axes);
    p.axis[n][0] = rotate(node[n].q, axes.c1);
    p.axis[n][1] = rotate(node[n].q, axes.c2);
    p.axis[n][2] = rotate(node[n].q, axes.c3);
  }
  p.apart = (node[1].x - node[0].x) + (p.arm[1] - p.arm[0]);
  return p;
}

template <class T>
LS_HD JointPlaces<T> mean_of(const JointPlaces<T>& a, const JointPlaces<T>& b) {
  JointPlaces<T> p;
  for (int n = 0; n < 2; ++n) {
    p.arm[n] = 0.5 * (a.arm[n] + b.arm[n]);
    for (int k = 0; k < 3; ++k) p.axis[n][k] = 0.5 * (a.axis[n][k] + b.axis[n][k]);
  }
  p.apart = 0.5 * (a.apart + b.apart);
  return p;
}

// Of all shapes but the angle. l: m, of a distance.
template <class T>
LS_HD T row_value(const JointRow& row, const JointPlaces<T>& p, double l) {
  if (row.shape == RowShape::along) return dot(p.axis[0][row.i], p.apart);
  if (row.shape == RowShape::across) return dot(p.axis[0][row.i], p.axis[1][row.j]);
  return (0.5 / l) * (dot(p.apart, p.apart) - l * l);
}

// J: the wrenches whose work is a change of the row.
template <class T>
LS_HD void row_slope(const JointRow& row, const JointPlaces<T>& p, double l, Wrench<T> (&w)[2]) {
  if (row.shape == RowShape::across) {
    const Vec3<T> turn = cross(p.axis[0][row.i], p.axis[1][row.j]);
    w[0] = {{}, turn}, w[1] = {{}, -turn};
  } else if (row.shape == RowShape::angle) {
    w[0] = {{}, -p.axis[0][2]}, w[1] = {{}, p.axis[0][2]};
  } else {
    const bool is_distance = row.shape == RowShape::distance;
    const Vec3<T> e = is_distance ? (1 / l) * p.apart : p.axis[0][row.i];
    w[0] = {-e, -cross(p.arm[0], e)}, w[1] = {e, cross(p.arm[1], e)};
    if (!is_distance) w[0].torque += cross(e, p.apart);  // the axis turns with its node
  }
}

}  // namespace ls::inline LS_ISA
