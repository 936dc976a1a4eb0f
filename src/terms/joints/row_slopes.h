#pragma once
#include "terms/joints/joint_view.h"

#include <algorithm>
#include <cmath>

namespace ls {

inline constexpr int pose_width = 6;  // degrees of freedom of a node

inline void flatten(const Wrench<double>& w, double* out) {
  const double all[pose_width] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
  std::copy(all, all + pose_width, out);
}

// How much of a move of the state the end of a step makes, and with it the row. What gives way goes by the mean.
inline double matrix_gain(const JointRowEntry& row, const JointView& v, int n) {
  return row.use == RowUse::closed && std::isfinite(row.stiffness) ? 1 : v.gain[n];
}

}  // namespace ls
