#include "terms/dipoles/dipole_sum.h"

#include <algorithm>
#include <gtest/gtest.h>

// Sums that were asked for before.
namespace ls::remembered_sum_test {

namespace {

// Says how often it was asked; its field is the first place, and its force the first moment.
class Counting final : public DipoleSum {
 public:
  explicit Counting(int& asked) : asked_(asked) {}
  std::string_view name() const override { return "counting"; }
  std::size_t bytes() const override { return 0; }
  void find(const DipoleColumns& in, DipoleEffects& out, Team&) override {
    ++asked_;
    for (int c = 0; c < 3; ++c) {
      std::fill(out.b[c].begin(), out.b[c].end(), in.x[c][0]);
      std::fill(out.force[c].begin(), out.force[c].end(), in.m[c][0]);
    }
  }

 private:
  int& asked_;
};

struct Asker {
  int asked = 0;
  std::unique_ptr<DipoleSum> sum = make_remembered_sum(std::make_unique<Counting>(asked));
  DipoleColumns at;
  DipoleEffects out;
  Team alone;

  explicit Asker(int count) {
    at.count = count;
    for (int c = 0; c < 3; ++c) {
      at.x[c].assign(static_cast<std::size_t>(padded(count)), 1.0);
      at.m[c] = out.b[c] = out.force[c] = at.x[c];
    }
  }
  // The field and the force where the first dipole is there.
  std::pair<double, double> ask(double x, double m) {
    at.x[0][0] = x, at.m[2][0] = m;
    for (auto& b : out.b) std::fill(b.begin(), b.end(), -1.0);
    sum->find(at, out, alone);
    return {out.b[0][0], out.force[2][0]};
  }
};

using Pair = std::pair<double, double>;

}  // namespace

TEST(RememberedSum, KnowsTheLastStates) {
  Asker a(100);
  for (const double x : {1.0, 2.0, 3.0}) EXPECT_EQ(a.ask(x, 5), Pair(x, 5));
  EXPECT_EQ(a.asked, 3);
  for (const double x : {2.0, 1.0, 3.0, 3.0}) EXPECT_EQ(a.ask(x, 5), Pair(x, 5));
  EXPECT_EQ(a.asked, 3);
  EXPECT_EQ(a.ask(1, 6), Pair(1, 6));  // other moments
  EXPECT_EQ(a.asked, 4);
}

TEST(RememberedSum, ForgetsWhatWasNotAskedForTheLongest) {
  Asker a(100);
  for (int x = 1; x <= 6; ++x) a.ask(x, 5);
  a.ask(1, 5);  // by now 2 is the oldest
  EXPECT_EQ(a.asked, 6);
  a.ask(7, 5);
  EXPECT_EQ(a.ask(1, 5), Pair(1, 5));
  EXPECT_EQ(a.asked, 7);
  EXPECT_EQ(a.ask(2, 5), Pair(2, 5));
  EXPECT_EQ(a.asked, 8);
}

TEST(RememberedSum, OfManyOnlyTheLastAndOfFewNone) {
  Asker many(50000);
  for (const double x : {1.0, 1.0, 2.0, 2.0, 1.0}) EXPECT_EQ(many.ask(x, 5), Pair(x, 5));
  EXPECT_EQ(many.asked, 3);
  Asker few(8);
  for (const double x : {1.0, 1.0}) EXPECT_EQ(few.ask(x, 5), Pair(x, 5));
  EXPECT_EQ(few.asked, 2);
}

}  // namespace ls::remembered_sum_test
