#include "fluid/lattice/row_loops.h"

#include "base/loops_of_width.h"
#include "fluid/lattice/d3q19.h"

#include <array>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

using namespace ls;
using d3q19::count;

namespace {

// A row of nineteen columns with something else on both sides of each.
template <class T>
struct Row {
  static constexpr int margin = 20;
  int cells;
  std::vector<T> values;
  std::vector<T> force;
  T* slot[count];

  explicit Row(int n) : cells(n), values(static_cast<std::size_t>(count * (n + 2 * margin))) {
    std::mt19937 random(10);
    std::uniform_real_distribution<double> part(-0.01, 0.01);
    for (T& v : values) v = static_cast<T>(part(random));
    for (int k = 0; k < 3 * n; ++k) force.push_back(static_cast<T>(0.01 * part(random)));
    aim();
  }
  Row(const Row& other) : cells(other.cells), values(other.values), force(other.force) { aim(); }

  void aim() {
    for (int i = 0; i < count; ++i) slot[i] = values.data() + i * (cells + 2 * margin) + margin;
  }
  bool is_own(std::size_t k) const {
    const int x = static_cast<int>(k) % (cells + 2 * margin) - margin;
    return x >= 0 && x < cells;
  }
  RowForce<T> forces(int first, int last) const {
    return {{force.data(), force.data() + cells, force.data() + 2 * cells}, first, last};
  }
};

template <class T>
Collision<T> rates() {
  const double even = 1.3, odd = 0.9;
  const auto t = [](double x) { return static_cast<T>(x); };
  return {{t(1e-4), t(-2e-4), t(3e-4)},
          t(even),
          t(even / 2),
          t(odd / 2),
          t(even / 8),
          t((1 - even / 2) / 4),
          t(even / 36),
          t(even / 3),
          t((1 - even / 2) / 12),
          t(1 - even / 2),
          t(odd / 12),
          t((1 - odd / 2) / 12)};
}

template <class T>
class RowLoopsOf : public testing::Test {};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(RowLoopsOf, Numbers);

}  // namespace

TYPED_TEST(RowLoopsOf, LeaveAloneWhatIsBesideTheRow) {
  using T = TypeParam;
  for (int cells = 1; cells < 50; ++cells) {
    Row<T> row(cells);
    const Row<T> before = row;
    const RowForce<TypeParam> force = row.forces(cells / 3, cells);
    row_loops<T>().collide(row.slot, {cells, 1, 0, false}, rates<T>(), cells % 2 ? &force : nullptr);
    for (std::size_t k = 0; k < row.values.size(); ++k)
      ASSERT_EQ(row.values[k] != before.values[k], row.is_own(k)) << cells << " " << k;
  }
}

// Rows that are done in one call give what each gives by itself, to the last bit, and what lies between them stays.
TYPED_TEST(RowLoopsOf, RowsOfOneCallDoNotSeeEachOther) {
  using T = TypeParam;
  const int rows = 3, beside = 5;
  for (const int cells : {3, 16, 37}) {
    Row<T> together(rows * (cells + beside)), alone = together;
    const std::ptrdiff_t apart = cells + beside;
    row_loops<T>().collide(together.slot, {cells, rows, apart, true}, rates<T>(), nullptr);
    for (int row = 0; row < rows; ++row) {
      T* at[count];
      for (int i = 0; i < count; ++i) at[i] = alone.slot[i] + row * apart;
      row_loops<T>().collide(at, {cells, 1, 0, false}, rates<T>(), nullptr);
    }
    EXPECT_EQ(together.values, alone.values) << cells;
  }
}

// Each cell by itself gives what it gives among others: so the result depends on neither length nor alignment.
TYPED_TEST(RowLoopsOf, CellsDoNotSeeEachOther) {
  using T = TypeParam;
  const double close = std::is_same_v<T, float> ? 2e-9 : 1e-17;
  for (const int cells : {5, 16, 37, 48}) {
    Row<T> row(cells), alone = row;
    const RowForce<TypeParam> force = row.forces(0, cells);
    row_loops<T>().collide(row.slot, {cells, 1, 0, false}, rates<T>(), &force);
    for (int x = 0; x < cells; ++x) {
      T* at[count];
      for (int i = 0; i < count; ++i) at[i] = alone.slot[i] + x;
      const RowForce<T> one{{force.column[0] + x, force.column[1] + x, force.column[2] + x}, 0, 1};
      row_loops<T>().collide(at, {1, 1, 0, false}, rates<T>(), &one);
    }
    for (std::size_t k = 0; k < row.values.size(); ++k) ASSERT_NEAR(row.values[k], alone.values[k], close);
  }
}

TYPED_TEST(RowLoopsOf, MassStaysAndMomentumChangesByTheForce) {
  using T = TypeParam;
  const int cells = 33;
  Row<T> row(cells);
  std::vector<double> before(4 * cells), after(4 * cells);
  const auto columns = [&](std::vector<double>& v) {
    return std::array<double*, 4>{v.data(), v.data() + cells, v.data() + 2 * cells, v.data() + 3 * cells};
  };
  row_loops<T>().moments(row.slot, 0, cells, columns(before).data());
  const RowForce<TypeParam> force = row.forces(7, cells);
  row_loops<T>().collide(row.slot, {cells, 1, 0, false}, rates<T>(), &force);
  T* turned[count];  // what was written at i goes in direction i
  for (int i = 0; i < count; ++i) turned[i] = row.slot[d3q19::opposite[i]];
  row_loops<T>().moments(turned, 0, cells, columns(after).data());
  const double close = 40 * std::numeric_limits<T>::epsilon() * 0.01, body[3] = {1e-4, -2e-4, 3e-4};
  for (int x = 7; x < cells; ++x) {
    const auto at = static_cast<std::size_t>(x);
    EXPECT_NEAR(after[at], before[at], close);
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(after[(1 + c) * cells + at] - before[(1 + c) * cells + at], body[c] + force.column[c][x], close);
  }
}

TYPED_TEST(RowLoopsOf, WidthsAgree) {
  using T = TypeParam;
  const double close = 8 * std::numeric_limits<T>::epsilon() * 0.01;
  for (const int cells : {3, 16, 61}) {
    Row<T> a(cells), b = a;
    const RowForce<TypeParam> force = a.forces(0, cells);
    row_loops<T>().collide(a.slot, {cells, 1, 0, false}, rates<T>(), &force);
    portable::loops_of_width<RowLoops<T>>().collide(b.slot, {cells, 1, 0, false}, rates<T>(), &force);
    for (std::size_t k = 0; k < a.values.size(); ++k) ASSERT_NEAR(a.values[k], b.values[k], close);
    double m[8], sums[4];
    double* const one[4] = {m, m + 1, m + 2, m + 3};
    double* const other[4] = {m + 4, m + 5, m + 6, m + 7};
    row_loops<T>().moments(b.slot, cells - 1, cells, one);
    portable::loops_of_width<RowLoops<T>>().moments(b.slot, cells - 1, cells, other);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(m[k], m[4 + k]);
    Row<T> c = b;
    row_loops<T>().reflect(b.slot[3], cells, T(1), T(0), nullptr, sums);
    portable::loops_of_width<RowLoops<T>>().reflect(c.slot[3], cells, T(1), T(0), nullptr, sums + 2);
    EXPECT_EQ(sums[0], sums[2]);
    EXPECT_EQ(sums[1], sums[3]);
    EXPECT_EQ(b.values, c.values);
  }
}

TYPED_TEST(RowLoopsOf, FlowIsMomentumOverDensity) {
  using T = TypeParam;
  const int width = row_loops<T>().width;
  for (const int cells : {width, width + 1, 2 * width + 3}) {
    const Row<T> row(cells + 5);
    std::vector<double> m(static_cast<std::size_t>(4 * cells));
    double* const columns[4] = {m.data(), m.data() + cells, m.data() + 2 * cells, m.data() + 3 * cells};
    row_loops<T>().moments(row.slot, 2, 2 + cells, columns);
    std::vector<T> flow(static_cast<std::size_t>(4 * cells + 4), T(7));
    row_loops<T>().flow(row.slot, 2, 2 + cells, flow.data());
    for (int x = 0; x < cells; ++x) {
      const T* const cell = flow.data() + 4 * x;
      const double density = 1 + columns[0][x];
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(cell[k], columns[k + 1][x] / density, 4 * std::numeric_limits<T>::epsilon() * 0.1);
      EXPECT_NEAR(cell[3], 1 / density, 4 * std::numeric_limits<T>::epsilon());
    }
    for (int k = 0; k < 4; ++k) EXPECT_EQ(flow[4 * cells + k], T(7));
  }
}

TYPED_TEST(RowLoopsOf, ReflectChangesARunAndSumsIt) {
  using T = TypeParam;
  const int cells = 29;
  Row<T> row(cells);
  const Row<T> before = row;
  const std::vector<T> shifts(cells, T(0.25));
  double sums[2];
  row_loops<T>().reflect(row.slot[5], cells, T(-1), T(0.5), shifts.data(), sums);
  double left = 0, came = 0;
  for (int x = 0; x < cells; ++x) {
    EXPECT_EQ(row.slot[5][x], T(-1) * before.slot[5][x] + T(0.75));
    left += before.slot[5][x], came += row.slot[5][x];
  }
  EXPECT_NEAR(sums[0], left, 1e-15);
  EXPECT_NEAR(sums[1], came, 1e-13);
}
