#include "math/block_matrix.h"
#include "terms/joints/joint_term.h"
#include "terms/joints/row_strength.h"

#include <algorithm>
#include <cmath>

// How hard the rows of joints pull in the matrix of a solve.
namespace ls {

namespace {

constexpr int width = BlockMatrix::width;
constexpr double strength = 1e3;  // of a row in a solve, beside what else resists it: c falls by as much per iteration

std::array<double, width> flat(const Wrench<double>& w) {
  return {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
}

}  // namespace

// Where nothing else resists a node, as in a linkage of rigid bodies at rest, its weight does: that much for its size.
void Joints::choose_strength(const BlockMatrix& matrix) {
  constexpr double weight = 10;  // m/s^2
  RowStrength of(strength);
  for (std::size_t k = 0; k < views_.size(); ++k)
    for (int n = 0; n < 2; ++n)
      if (const int node = joint(static_cast<int>(k)).end[n].node; node >= 0)
        for (const Vec3<double>& lever : {views_[k].mean.arm[n], views_[k].mean.apart})  // sliders go far
          of.see(matrix.diagonal(node), held_[node], lever);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Joint& j = joint(rows_[r].joint);
    double yields = 0;
    for (int n = 0; n < 2; ++n) {
      const int node = j.end[n].node;
      if (node < 0) continue;
      const double* d = matrix.diagonal(node);
      const auto slope = flat(now_[r].slope[n]);
      double stiff[2] = {weight * model_.mass[node] / size_, 0};  // of moves, of turns
      stiff[1] = 1e-2 * size_ * size_ * stiff[0];
      for (int c = 0; c < width; ++c)
        if (!((held_[node] >> c) & 1)) yields += slope[c] * slope[c] / (std::abs(d[(width + 1) * c]) + stiff[c / 3]);
    }
    now_[r].k = of(rows_[r].row, yields);
  }
}

void Joints::subtract_pull(const double* move, double* out) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (now_[r].stiffness == 0 || std::isfinite(rows_[r].stiffness)) continue;
    const Joint& j = joint(rows_[r].joint);
    double gone = 0;
    for (int n = 0; n < 2; ++n) {
      if (j.end[n].node < 0) continue;
      const auto slope = flat(now_[r].slope[n]);
      const double* u = move + static_cast<std::ptrdiff_t>(width) * j.end[n].node;
      for (int c = 0; c < width; ++c) gone += slope[c] * u[c];
    }
    for (int n = 0; n < 2; ++n) {
      if (j.end[n].node < 0) continue;
      const auto slope = flat(now_[r].slope[n]);
      double* to = out + static_cast<std::ptrdiff_t>(width) * j.end[n].node;
      for (int c = 0; c < width; ++c) to[c] -= now_[r].stiffness * gone * slope[c];
    }
  }
}

}  // namespace ls
