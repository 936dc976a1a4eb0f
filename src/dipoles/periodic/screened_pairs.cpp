#include "dipoles/periodic/screened_pairs.h"

#include "dipoles/periodic/screened_loops.h"

#include <algorithm>

namespace ls {

namespace {

constexpr int cells_per_share = 64;

// Between a place and a row of cells, across it.
double square_of_gap(const BoxCells::Run& run, double x, double y) {
  const double dx = std::max({run.low[0] - x, x - run.high[0], 0.0});
  const double dy = std::max({run.low[1] - y, y - run.high[1], 0.0});
  return dx * dx + dy * dy;
}

}  // namespace

// Room for the neighbours of one dipole; one thread's.
struct ScreenedPairs::Room {
  std::vector<BoxCells::Run> runs;
  std::vector<double> squares, columns;
  std::vector<int> found;
  ScreenedNeighbours near{};

  void prepare() {
    std::size_t longest = 0, all = 0;
    for (const auto& run : runs) {
      const auto length = static_cast<std::size_t>(run.end - run.begin);
      longest = std::max(longest, length);
      all += length;
    }
    squares.resize(longest + 1);
    found.resize(longest + 1);
    const std::size_t column = all + 16;
    if (columns.size() < 6 * column) columns.resize(6 * column);
    for (std::size_t k = 0; k < 3; ++k) {
      near.d[k] = columns.data() + k * column;
      near.m[k] = columns.data() + (3 + k) * column;
    }
  }

  void sum_pairs(const BoxCells& cells, const ScreenedLaw& law, int cell, DipoleFields& out);
};

void ScreenedPairs::Room::sum_pairs(const BoxCells& cells, const ScreenedLaw& law, int cell, DipoleFields& out) {
  if (cells.begin(cell) == cells.begin(cell + 1)) return;
  cells.near(cell, runs);
  prepare();
  const auto &x = cells.position(), &m = cells.moment();
  const ScreenedDipoles all{{x[0].data(), x[1].data(), x[2].data()}, {m[0].data(), m[1].data(), m[2].data()}};
  const ScreenedLoops& loops = screened_loops();
  for (int i = cells.begin(cell); i < cells.begin(cell + 1); ++i) {
    const auto at = static_cast<std::size_t>(i);
    near.count = 0;
    for (const auto& run : runs) {
      if (square_of_gap(run, x[0][at], x[1][at]) > law.cut * law.cut * (1 + 1e-9)) continue;
      const double place[3] = {x[0][at] - run.shift[0], x[1][at] - run.shift[1], x[2][at] - run.shift[2]};
      const bool is_own_copy = run.shift[0] == 0 && run.shift[1] == 0 && run.shift[2] == 0;
      loops.find(all, place, is_own_copy ? i : -1, run.begin, run.end, law.cut, squares.data(), found.data(), near);
    }
    const double moment[3] = {m[0][at], m[1][at], m[2][at]};
    ScreenedSums sums;
    loops.sum(law, moment, near, sums);
    const auto to = static_cast<std::size_t>(cells.order()[at]);
    for (std::size_t k = 0; k < 3; ++k) {
      out.field[k][to] += dipole_constant * sums.field[k];
      out.force[k][to] += dipole_constant * (sums.force[k] + sums.along * moment[k]);
    }
  }
}

ScreenedPairs::ScreenedPairs() = default;
ScreenedPairs::~ScreenedPairs() = default;
ScreenedPairs::ScreenedPairs(ScreenedPairs&&) noexcept = default;
ScreenedPairs& ScreenedPairs::operator=(ScreenedPairs&&) noexcept = default;

void ScreenedPairs::add(const BoxCells& cells, double alpha, double cut, Team& team, DipoleFields& out) {
  rooms_.resize(static_cast<std::size_t>(team.size()));
  const ScreenedLaw law = screened_law(alpha, cut);
  const int shares = (cells.cells() + cells_per_share - 1) / cells_per_share, workers = std::min(team.active(), shares);
  team.run(workers, 2, [&](int begin, int end) {
    for (int worker = begin; worker < end; ++worker)
      for (int share = worker; share < shares; share += workers)
        for (int c = share * cells_per_share; c < std::min(cells.cells(), (share + 1) * cells_per_share); ++c)
          rooms_[static_cast<std::size_t>(worker)].sum_pairs(cells, law, c, out);
  });
}

}  // namespace ls
