#include "language/expression.h"

#include <gtest/gtest.h>

// Names that are found when they are asked for, and how far a comparison is from holding.
namespace ls::expression_names_test {

const Place here{"scene.toml", 3, 7, "event.when"};

// Knows of one body: where it is along x, and whether it touches the floor.
NameScope with_a_ball() {
  NameScope scope;
  scope.variable("t", dim::time);
  scope.set_finder([](std::string_view word) -> NameScope::Found {
    if (word == "ball.position.x") return {NameScope::Name{"ball.position.x", 1, {0, dim::length}}, ""};
    if (word == "contact(ball,floor)" || word == "contact(ball[*],floor)")
      return {NameScope::Name{"contact", 2, {0, dim::number}, true}, ""};
    if (word.starts_with("ball.")) return {std::nullopt, "a ball has no such thing"};
    return {};
  });
  return scope;
}
double value(const std::string& text, double x, double touches) {
  const double values[] = {2, x, touches};
  return Expression::parse(text, with_a_ball(), here)(values);
}
std::string error_of(const std::string& text) {
  try {
    (void)Expression::parse(text, with_a_ball(), here);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(FoundNames, AreVariablesWithADimension) {
  EXPECT_EQ(value("ball.position.x", 0.5, 0), 0.5);
  EXPECT_EQ(value("2*ball.position.x/t", 0.5, 0), 0.5);
  EXPECT_EQ(value("ball.position.x > 40 cm", 0.5, 0), 1);
  EXPECT_EQ(Expression::parse("ball.position.x^2", with_a_ball(), here).dimension(), dim::length * dim::length);
  EXPECT_NE(error_of("ball.position.x > 1 s").find("can't compare"), std::string::npos)
      << error_of("ball.position.x > 1 s");
}

TEST(FoundNames, CallsTakeNames) {
  EXPECT_EQ(value("contact(ball, floor)", 0, 1), 1);
  EXPECT_EQ(value("2*contact( ball ,floor )+1", 0, 1), 3);
  EXPECT_EQ(value("contact(ball[*], floor)", 0, 1), 1);
  EXPECT_EQ(value("not contact(ball, floor) and t > 1 s", 0, 0), 1);
  EXPECT_TRUE(Expression::parse("contact(ball, floor)", with_a_ball(), here).is_condition());
  EXPECT_NE(error_of("contact(ball, 3)").find("unknown function \"contact\""), std::string::npos);
  EXPECT_NE(error_of("contact(ball").find("unknown function"), std::string::npos);
  EXPECT_NE(error_of("contact()").find("unknown function"), std::string::npos);
}

TEST(FoundNames, RefusalsHaveTheirColumn) {
  EXPECT_EQ(error_of("1 m + ball.colour"), "scene.toml:3:14: event.when: a ball has no such thing");
  EXPECT_NE(error_of("cube.position.x").find("unknown name \"cube.position.x\""), std::string::npos);
}

TEST(Margin, IsHowFarAComparisonHolds) {
  const auto margin = [](const std::string& text) { return Expression::parse(text, with_a_ball(), here).margin(); };
  const double values[] = {2, 0.5, 1};
  for (const auto& [text, by] : {std::pair{"ball.position.x > 0.4 m", 0.1},
                                 {"ball.position.x >= 0.4 m", 0.1},
                                 {"ball.position.x < 0.4 m", -0.1},
                                 {"0.4 m <= ball.position.x", 0.1},
                                 {"ball.position.x + 0.1 m > 2*ball.position.x - 0.1 m", -0.3}}) {
    ASSERT_TRUE(margin(text)) << text;
    EXPECT_NEAR((*margin(text))(values), by, 1e-15) << text;
    EXPECT_EQ(margin(text)->dimension(), dim::length) << text;
    EXPECT_FALSE(margin(text)->is_condition()) << text;
  }
  for (const char* text : {"t > 1 s and ball.position.x > 1 m", "not t > 1 s", "contact(ball, floor)", "t == 1 s",
                           "t != 1 s", "3 > 2", "t", "ball.position.x + 1 m"})
    EXPECT_FALSE(margin(text)) << text;
}

}  // namespace ls::expression_names_test
