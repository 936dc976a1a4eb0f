#include "dipoles/periodic/box_cells.h"

#include <algorithm>

namespace ls {

namespace {

// a/b, rounded down.
int floored(int a, int b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

}  // namespace

void BoxCells::build(const PeriodicBox& box, const DipoleSet& set, double cut) {
  box_ = box;
  constexpr int most_across = 256;
  for (std::size_t k = 0; k < 3; ++k) {
    across_[k] = std::clamp(static_cast<int>(2 * box.length[k] / cut), 1, most_across);
    reach_[k] = static_cast<int>(std::ceil(cut * across_[k] / box.length[k] * (1 + 1e-12)));
  }
  const auto n = static_cast<std::size_t>(set.count);
  cell_.resize(n);
  order_.resize(n);
  begin_.assign(static_cast<std::size_t>(cells()) + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    int cell = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double at = wrapped(set.position[k][i], box.length[k]) / box.length[k];
      cell = cell * across_[k] + std::min(static_cast<int>(at * across_[k]), across_[k] - 1);
    }
    cell_[i] = cell;
    ++begin_[static_cast<std::size_t>(cell) + 1];
  }
  for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t i = 0; i < n; ++i)
    order_[static_cast<std::size_t>(next[static_cast<std::size_t>(cell_[i])]++)] = static_cast<int>(i);
  for (std::size_t k = 0; k < 3; ++k) {
    position_[k].resize(n);
    moment_[k].resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      position_[k][i] = wrapped(set.position[k][order_[i]], box.length[k]);
      moment_[k][i] = set.moment[k][order_[i]];
    }
  }
}

// Cells along z lie side by side, so a row of them is one run for each copy of the box.
void BoxCells::near(int cell, std::vector<Run>& runs) const {
  runs.clear();
  const std::array<double, 2> width{box_.length[0] / across_[0], box_.length[1] / across_[1]};
  const int z = cell % across_[2], y = cell / across_[2] % across_[1], x = cell / across_[2] / across_[1];
  for (int i = x - reach_[0]; i <= x + reach_[0]; ++i)
    for (int j = y - reach_[1]; j <= y + reach_[1]; ++j)
      for (int first = z - reach_[2]; first <= z + reach_[2];) {
        const std::array<int, 3> copy{floored(i, across_[0]), floored(j, across_[1]), floored(first, across_[2])};
        const int last = std::min(z + reach_[2], (copy[2] + 1) * across_[2] - 1);
        const int row = ((i - copy[0] * across_[0]) * across_[1] + j - copy[1] * across_[1]) * across_[2];
        const Run run{begin(row + first - copy[2] * across_[2]),
                      begin(row + last - copy[2] * across_[2] + 1),
                      {copy[0] * box_.length[0], copy[1] * box_.length[1], copy[2] * box_.length[2]},
                      {i * width[0], j * width[1]},
                      {(i + 1) * width[0], (j + 1) * width[1]}};
        if (run.begin < run.end) runs.push_back(run);
        first = last + 1;
      }
}

}  // namespace ls
