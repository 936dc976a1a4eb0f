#pragma once
#include "math/block_matrix.h"
#include "model/joint_table.h"

#include <algorithm>
#include <cmath>

namespace ls {

// How hard rows of joints must pull for their errors to go down by a factor in each round. By what resists the nodes of
// a row themselves it would be too little where one of them is light and hangs on heavy ones by its other joints: the
// heaviest of all decides, within what a matrix bears.
class RowStrength {
 public:
  explicit RowStrength(double factor) : factor_(factor) {}

  // A node that has joints: its diagonal block, which of its degrees of freedom are held, and the arm of a joint.
  void see(const double* diagonal, std::uint8_t held, const Vec3<double>& arm) {
    for (int c = 0; c < BlockMatrix::width; ++c)
      if (!((held >> c) & 1)) {
        double& most = c < 3 ? move_ : turn_;
        most = std::max(most, std::abs(diagonal[(BlockMatrix::width + 1) * c]));
      }
    arm_ = std::max(arm_, dot(arm, arm));
  }
  // yields: what the row gives way by for a force of 1, by its own nodes alone.
  double operator()(const JointRow& row, double yields) const {
    constexpr double most_beyond = 1e5;
    if (!(yields > 0)) return 0;
    const bool turns = row.shape == RowShape::across || row.shape == RowShape::angle;
    const double own = factor_ / yields, all = factor_ * (turns ? std::max(turn_, arm_ * move_) : move_);
    return std::clamp(all, own, most_beyond * own);
  }

 private:
  double factor_;
  double move_ = 0, turn_ = 0, arm_ = 0;  // N/m, N m or kg, kg m^2; m^2
};

}  // namespace ls
