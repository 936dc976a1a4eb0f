#include "math/block_matrix.h"
#include "terms/joints/joint_term.h"

#include <algorithm>
#include <cmath>

// Rows whose forces have bounds: which of them are at theirs, a solve finds out by its linear model.
namespace ls {

bool Joints::may_choose(std::size_t r) const {
  const JointRowEntry& row = rows_[r];
  return (std::isfinite(row.least) || std::isfinite(row.most)) && row.least < row.most && now_[r].k > 0 &&
         !std::isfinite(row.stiffness) && !is_given_[r];
}

std::vector<BoundedRow> Joints::bounded(const std::vector<double>& move) const {
  std::vector<BoundedRow> found;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!may_choose(r)) continue;
    const RowNow& now = from_[r];
    const double gone = this->gone(now, joint(rows_[r].joint), move);
    const Side bound = now.force >= rows_[r].most ? Side::high : Side::low;
    const Side side = now.stiffness > 0 ? Side::between : bound;
    found.push_back({r, now.force + now.stiffness * gone, now.c + gone, now.c, now.k, side});
  }
  return found;
}

// Errors of rows that are at a bound have the sign that goes with it, and forces are within theirs.
bool Joints::agrees(const BoundedRow& b) const {
  constexpr double rounding = 1e-9, little = 1e-3;
  const JointRowEntry& row = rows_[b.row];
  if (b.side == Side::between)
    return b.force <= row.most + rounding * std::abs(row.most) && b.force >= row.least - rounding * std::abs(row.least);
  return static_cast<double>(b.side) * b.error >= -little * std::abs(b.before);
}

void Joints::choose(const std::vector<BoundedRow>& rows, BlockMatrix& out) {
  for (const BoundedRow& b : rows) {
    const double after = b.side == Side::between ? now_[b.row].k : 0;
    if (after != now_[b.row].stiffness) add_row(b.row, after - now_[b.row].stiffness, out);
    now_[b.row].stiffness = after;
    chosen_[b.row] = b.side;
  }
}

void Joints::leave_closed_alone(const std::vector<BoundedRow>& rows, double factor, BlockMatrix& out) const {
  for (const BoundedRow& b : rows)
    if (now_[b.row].stiffness > 0) add_row(b.row, -now_[b.row].stiffness, out);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (now_[r].stiffness > 0 && !may_choose(r) && !std::isfinite(rows_[r].stiffness))
      add_row(r, (factor - 1) * now_[r].stiffness, out);
}

}  // namespace ls
