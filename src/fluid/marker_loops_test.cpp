#include "fluid/marker_loops.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace ls {

namespace {

// Rows of ten cells, and a stencil somewhere in them.
struct Patch {
  alignas(32) double values[16][10][4];
  double more[16][10];
  std::ptrdiff_t start[16];
  int slot[4][4];
  double weight[3][4];
  int width;

  Patch(int cells, unsigned seed) : width(cells) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> part(-1, 1);
    for (int row = 0; row < 16; ++row) {
      start[row] = 10 * ((row * 5) % 16);
      slot[row / 4][row % 4] = (row * 3) % 16;
    }
    for (auto& row : values)
      for (auto& cell : row)
        for (double& v : cell) v = part(random);
    for (auto& row : more)
      for (double& v : row) v = part(random);
    for (auto& axis : weight)
      for (double& v : axis) v = part(random);
  }
  CellBlock block() { return {&values[0][0][0], start, slot, weight, width, 4}; }
  template <class F>
  void for_each(const F& visit) {
    for (int k = 0; k < width; ++k)
      for (int j = 0; j < width; ++j)
        for (int i = 0; i < width; ++i) visit(k, start[slot[k][j]] + 4 + i, weight[2][k] * weight[1][j] * weight[0][i]);
  }
};

}  // namespace

TEST(MarkerLoops, ReadWhatTheWeightsSay) {
  for (const int width : {3, 4}) {
    Patch p(width, 1);
    double expected[5] = {}, sum[5];
    p.for_each([&](int, std::ptrdiff_t at, double w) {
      for (int c = 0; c < 4; ++c) expected[c] += w * (&p.values[0][0][0])[4 * at + c];
      expected[4] += w * (&p.more[0][0])[at];
    });
    marker_loops().read(p.block(), &p.more[0][0], sum);
    for (int c = 0; c < 5; ++c) EXPECT_NEAR(sum[c], expected[c], 1e-14);
  }
}

TEST(MarkerLoops, AddToThePlanesAskedForOnly) {
  for (const int width : {3, 4})
    for (const unsigned planes : {~0U, 1U, 2U, 6U, 0U}) {
      Patch p(width, 2), q(width, 2);
      const double given[4] = {0.3, -0.7, 0.2, 1.1};
      p.for_each([&](int k, std::ptrdiff_t at, double w) {
        if (!(planes >> k & 1)) return;
        for (int c = 0; c < 4; ++c) (&p.values[0][0][0])[4 * at + c] += w * given[c];
        (&p.more[0][0])[at] += w * 0.6;
      });
      marker_loops().add(q.block(), planes, given);
      marker_loops().add_more(q.block(), planes, 0.6, &q.more[0][0]);
      for (int i = 0; i < 16 * 10 * 4; ++i) EXPECT_NEAR((&q.values[0][0][0])[i], (&p.values[0][0][0])[i], 1e-15);
      for (int i = 0; i < 16 * 10; ++i) EXPECT_NEAR((&q.more[0][0])[i], (&p.more[0][0])[i], 1e-15);
    }
}

TEST(MarkerLoops, DragIsResistanceTimesWhatIsMissing) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const int count : {1, 7, 8, 33}) {
    std::vector<std::vector<double>> columns(18, std::vector<double>(static_cast<std::size_t>(count)));
    for (auto& c : columns)
      for (double& v : c) v = any(random);
    const auto before = columns;
    DragRun run{};
    run.count = count, run.dt = 0.25;
    for (std::size_t a = 0; a < 3; ++a) {
      run.velocity[a] = columns[a].data(), run.flow[a] = columns[3 + a].data();
      run.force[a] = columns[12 + a].data(), run.impulse[a] = columns[15 + a].data();
    }
    for (std::size_t k = 0; k < 6; ++k) run.resistance[k] = columns[6 + k].data();
    marker_loops().drag(run);
    const int entry[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
      for (std::size_t a = 0; a < 3; ++a) {
        double push = 0;
        for (std::size_t b = 0; b < 3; ++b)
          push += columns[6 + static_cast<std::size_t>(entry[a][b])][i] * (columns[3 + b][i] - columns[b][i]);
        EXPECT_NEAR(columns[12 + a][i] - before[12 + a][i], push, 1e-14);
        EXPECT_NEAR(columns[15 + a][i] - before[15 + a][i], 0.25 * push, 1e-14);
      }
    auto parts = before;  // as several threads do it: the same bits
    for (const auto& [first, last] : {std::pair{0, count / 3}, {count / 3, count}}) {
      DragRun part = run;
      part.count = last - first;
      for (std::size_t a = 0; a < 3; ++a) {
        part.velocity[a] = parts[a].data() + first, part.flow[a] = parts[3 + a].data() + first;
        part.force[a] = parts[12 + a].data() + first, part.impulse[a] = parts[15 + a].data() + first;
      }
      for (std::size_t k = 0; k < 6; ++k) part.resistance[k] = parts[6 + k].data() + first;
      marker_loops().drag(part);
    }
    EXPECT_EQ(parts, columns);
    for (std::size_t a = 0; a < 3; ++a) run.impulse[a] = nullptr;
    const auto noted = columns[15];
    marker_loops().drag(run);
    EXPECT_EQ(columns[15], noted);
  }
}

}  // namespace ls
