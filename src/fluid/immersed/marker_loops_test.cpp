#include "fluid/immersed/marker_loops.h"

#include "math/quat.h"
#include "math/sym3.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace ls {

namespace {

// Rows of ten cells, and a stencil somewhere in them.
template <class T>
struct Patch {
  alignas(32) T values[16][10][4];
  T more[16][10];
  int row[4][4];
  double weight[3][4];
  int width;

  Patch(int cells, unsigned seed) : width(cells) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> part(-1, 1);
    for (int i = 0; i < 16; ++i) row[i / 4][i % 4] = 10 * (i * 15 % 16);
    for (auto& line : values)
      for (auto& cell : line)
        for (T& v : cell) v = static_cast<T>(part(random));
    for (auto& numbers : more)
      for (T& v : numbers) v = static_cast<T>(part(random));
    for (auto& axis : weight)
      for (int k = 0; k < 4; ++k) axis[k] = k < width ? part(random) : 0.0;
  }
  CellBlock block() { return {std::is_same_v<T, double>, values, more, row, weight, width, 4}; }
  template <class F>
  void for_each(const F& visit) {
    for (int k = 0; k < width; ++k)
      for (int j = 0; j < width; ++j)
        for (int i = 0; i < width; ++i) visit(k, row[k][j] + 4 + i, weight[2][k] * weight[1][j] * weight[0][i]);
  }
};

template <class T>
class MarkerLoopsOf : public testing::Test {
 public:
  static constexpr double close = 100 * std::numeric_limits<T>::epsilon();
};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(MarkerLoopsOf, Numbers);

}  // namespace

TYPED_TEST(MarkerLoopsOf, ReadWhatTheWeightsSay) {
  for (const int width : {3, 4}) {
    Patch<TypeParam> p(width, 1);
    double expected[5] = {}, sum[5];
    p.for_each([&](int, int at, double w) {
      for (int c = 0; c < 4; ++c) expected[c] += w * (&p.values[0][0][0])[4 * at + c];
      expected[4] += w * (&p.more[0][0])[at];
    });
    marker_loops().read(p.block(), sum);
    for (int c = 0; c < 5; ++c) EXPECT_NEAR(sum[c], expected[c], this->close);
  }
}

TYPED_TEST(MarkerLoopsOf, AddToThePlanesAskedForOnly) {
  for (const int width : {3, 4})
    for (const unsigned planes : {~0U, 1U, 2U, 6U, 0U}) {
      Patch<TypeParam> p(width, 2), q(width, 2), before(width, 2);
      const double given[4] = {0.3, -0.7, 0.2, 0};
      p.for_each([&](int k, int at, double w) {
        if (!(planes >> k & 1)) return;
        for (int c = 0; c < 4; ++c) (&p.values[0][0][0])[4 * at + c] += static_cast<TypeParam>(w * given[c]);
        (&p.more[0][0])[at] += static_cast<TypeParam>(w * 0.6);
      });
      marker_loops().add(q.block(), planes, given[0], given[1], given[2]);
      marker_loops().add_more(q.block(), planes, 0.6);
      const auto compare = [&](TypeParam got, TypeParam expected, TypeParam old) {
        EXPECT_NEAR(got, expected, this->close);
        if (expected == old) {
          EXPECT_EQ(got, old);
        }
      };
      for (int i = 0; i < 16 * 10 * 4; ++i)
        compare((&q.values[0][0][0])[i], (&p.values[0][0][0])[i], (&before.values[0][0][0])[i]);
      for (int i = 0; i < 16 * 10; ++i) compare((&q.more[0][0])[i], (&p.more[0][0])[i], (&before.more[0][0])[i]);
    }
}

TEST(MarkerLoops, ResistanceIsTheInverseOfWhatEases) {
  constexpr int count = 13;
  std::mt19937 random(6);
  std::uniform_real_distribution<double> any(-1, 1);
  double turn[4][count], axis[3][count], ease[count], along[count], resistance[6][count];
  for (int i = 0; i < count; ++i) {
    const Quat<double> q = normalized(Quat<double>{any(random), {any(random), any(random), any(random)}});
    const Vec3<double> a{any(random), any(random), any(random)}, t = (1 / norm(a)) * a;
    turn[0][i] = q.w, turn[1][i] = q.v.x, turn[2][i] = q.v.y, turn[3][i] = q.v.z;
    axis[0][i] = t.x, axis[1][i] = t.y, axis[2][i] = t.z;
    ease[i] = 1.5 + any(random), along[i] = i == 0 ? 0.0 : 0.4 * any(random);
  }
  ResistanceRun run{count, 2.5, {}, {}, ease, along, {}};
  for (int k = 0; k < 4; ++k) run.turn[k] = turn[k];
  for (int k = 0; k < 3; ++k) run.axis[k] = axis[k];
  for (int k = 0; k < 6; ++k) run.resistance[k] = resistance[k];
  marker_loops().resist(run);
  for (int i = 0; i < count; ++i) {
    const Quat<double> q{turn[0][i], {turn[1][i], turn[2][i], turn[3][i]}};
    const Vec3<double> t = rotate(q, Vec3<double>{axis[0][i], axis[1][i], axis[2][i]});
    const Sym3 r = 2.5 * inverse(diagonal({ease[i], ease[i], ease[i]}) + outer(along[i], t));
    const double expected[6] = {r.xx, r.yy, r.zz, r.yz, r.xz, r.xy};
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(resistance[k][i], expected[k], 1e-13) << i << ' ' << k;
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
    MarkerDragRun run{};
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
      MarkerDragRun part = run;
      part.count = last - first;
      for (std::size_t a = 0; a < 3; ++a) {
        part.velocity[a] = parts[a].data() + first, part.flow[a] = parts[3 + a].data() + first;
        part.force[a] = parts[12 + a].data() + first, part.impulse[a] = parts[15 + a].data() + first;
      }
      for (std::size_t k = 0; k < 6; ++k) part.resistance[k] = parts[6 + k].data() + first;
      marker_loops().drag(part);
    }
    EXPECT_EQ(parts, columns);
    for (double*& impulse : run.impulse) impulse = nullptr;
    const auto noted = columns[15];
    marker_loops().drag(run);
    EXPECT_EQ(columns[15], noted);
  }
}

}  // namespace ls
