#include "picture/field_lines.h"

#include "picture/picture.h"

#include <gtest/gtest.h>

namespace ls::field_lines_test {

using drawing::FieldLine;
using drawing::Vec;

constexpr drawing::View front{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};

// A dipole along z.
FieldPicture one_dipole(int lines) {
  FieldPicture p;
  p.lines = lines;
  p.field = [](std::span<const Vec> places) {
    std::vector<Vec> b;
    for (const Vec& x : places) {
      const double r = drawing::norm(x), r2 = r * r;
      b.push_back(drawing::combine(3 * x[2] / (r2 * r2 * r), x, -1 / (r2 * r), {0, 0, 1}));
    }
    return b;
  };
  p.sources = {{{0, 0, 0}, {0, 0, 5}, 0.1}};
  p.sinks = {{{0, 0, 0}, 0.05}};
  return p;
}

FieldPicture uniform(const Vec& b, int lines) {
  FieldPicture p;
  p.lines = lines;
  p.field = [b](std::span<const Vec> places) { return std::vector<Vec>(places.size(), b); };
  return p;
}

// r = R sin^2 of the angle to the axis, each with its own R; two go along the axis.
TEST(FieldLines, OfADipoleAreWhatTheyAreInClosedForm) {
  const auto lines = drawing::field_lines(one_dipole(12), front, {{0, 0, 0}, 2});
  ASSERT_EQ(lines.size(), 12u);
  int straight = 0;
  for (const FieldLine& line : lines) {
    ASSERT_GT(line.points.size(), 20u);
    const bool is_straight = std::abs(line.points[line.points.size() / 2][0]) < 1e-12;
    straight += is_straight;
    double least = 1e9, most = 0;
    for (const Vec& x : line.points) {
      EXPECT_NEAR(x[1], 0, 1e-12);  // in the plane of the paper
      const double r = drawing::norm(x), sine2 = (x[0] * x[0] + x[1] * x[1]) / (r * r);
      if (is_straight) {
        EXPECT_NEAR(sine2, 0, 1e-12);
      } else {
        least = std::min(least, r / sine2), most = std::max(most, r / sine2);
      }
    }
    if (!is_straight) {
      EXPECT_LT(most / least, 1 + 1e-3);
    }
  }
  EXPECT_EQ(straight, 2);
}

// Along the field, from north to south of the dipole.
TEST(FieldLines, EndWhereDipolesAre) {
  int both = 0, one = 0;
  for (const FieldLine& line : drawing::field_lines(one_dipole(12), front, {{0, 0, 0}, 2})) {
    const Vec first = line.points.front(), last = line.points.back();
    const bool begins = drawing::norm(first) < 0.06, ends = drawing::norm(last) < 0.06;
    both += begins && ends, one += begins != ends;
    EXPECT_TRUE(!begins || first[2] > 0);
    EXPECT_TRUE(!ends || last[2] < 0);
  }
  EXPECT_EQ(both, 10);
  EXPECT_EQ(one, 2);  // along the axis
}

// Around a wire they close.
TEST(FieldLines, CloseWhereTheyMeetTheirBeginning) {
  FieldPicture p = one_dipole(3);
  p.sinks.clear();
  p.field = [](std::span<const Vec> places) {
    std::vector<Vec> b;
    for (const Vec& x : places) b.push_back({-x[2], 0, x[0]});
    return b;
  };
  const auto lines = drawing::field_lines(p, front, {{0, 0, 0}, 2});
  ASSERT_EQ(lines.size(), 3u);
  for (const FieldLine& line : lines) {
    EXPECT_TRUE(line.is_closed);
    const double radius = drawing::norm(line.points[0]);
    for (const Vec& x : line.points) EXPECT_NEAR(drawing::norm(x), radius, 1e-3 * radius);
  }
}

TEST(FieldLines, WithoutMagnetsAreSpreadAcrossTheField) {
  const auto lines = drawing::field_lines(uniform({3, 0, 0}, 5), front, {{0, 0, 0}, 1});
  ASSERT_EQ(lines.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k)
    for (const Vec& x : lines[k].points) EXPECT_NEAR(x[2], 0.4 * (static_cast<double>(k) - 2), 1e-12);
  EXPECT_TRUE(drawing::field_lines(uniform({0, 0, 0}, 5), front, {{0, 0, 0}, 1}).empty());
}

// Strong ones before weak ones, and of many no more than there are lines for.
TEST(FieldLines, BeginAtTheStrongestSources) {
  FieldPicture p = uniform({0, 0, 1}, 8);
  for (int k = 0; k < 10; ++k) p.sources.push_back({{0.1 * k, 0, 0}, {0, 0, 1.0 + k}, 0.01});
  p.sources.push_back({{-0.5, 0, 0}, {0, 0, 0.1}, 0.01});
  const auto lines = drawing::field_lines(p, front, {{0.5, 0, 0}, 2});
  ASSERT_EQ(lines.size(), 8u);
  for (const FieldLine& line : lines) EXPECT_GT(line.points.front()[0], 0.75);
}

TEST(FieldLines, AreDrawnBehindBodies) {
  Snapshot s;
  s.position = {{0, 0, 0}};
  s.radius = {0.1};
  s.is_ball = {1};
  s.body = {0};
  s.bodies = {"ball"};
  const FieldPicture field = one_dipole(8);
  PictureOptions options;
  const std::string without = picture_svg(s, options);
  options.field = &field;
  const std::string with = picture_svg(s, options);
  const auto lines = with.find("stroke=\"#3f7cac\""), ball = with.rfind("<circle");
  ASSERT_NE(lines, std::string::npos);
  EXPECT_LT(lines, ball);
  EXPECT_NE(with.find("magnetic field"), std::string::npos);
  EXPECT_EQ(without.find("#3f7cac"), std::string::npos);
  EXPECT_EQ(with.find("nan"), std::string::npos);
}

}  // namespace ls::field_lines_test
