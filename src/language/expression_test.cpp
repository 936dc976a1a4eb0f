#include "language/test_expressions.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <random>

namespace ls::expression_test {

constexpr double pi = std::numbers::pi;

using namespace expression_samples;

TEST(Expression, Arithmetic) {
  EXPECT_DOUBLE_EQ(value("1 + 2*3 - 4/2"), 5);
  EXPECT_DOUBLE_EQ(value("(1 + 2)*3"), 9);
  EXPECT_DOUBLE_EQ(value("10 - 4 - 3"), 3);
  EXPECT_DOUBLE_EQ(value("24/4/3"), 2);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 512);
  EXPECT_DOUBLE_EQ(value("-2^2"), -4);
  EXPECT_DOUBLE_EQ(value("2^-2"), 0.25);
  EXPECT_DOUBLE_EQ(value("--3"), 3);
  EXPECT_DOUBLE_EQ(value("+3"), 3);
  EXPECT_DOUBLE_EQ(value("2*-3"), -6);
  EXPECT_DOUBLE_EQ(value("2^0.5"), std::sqrt(2));
  EXPECT_DOUBLE_EQ(value("2^1.7"), std::pow(2, 1.7));
  EXPECT_DOUBLE_EQ(value("2^100"), std::pow(2, 100));
  EXPECT_DOUBLE_EQ(value("2^(t/1 s)"), std::pow(2, 0.25));
  EXPECT_DOUBLE_EQ(value("2 × 3 − 1"), 5);
}

TEST(Expression, ScenesExamples) {
  EXPECT_DOUBLE_EQ(value("80 mT * cos(omega*t)"), 0.08 * std::cos(0.5));
  EXPECT_DOUBLE_EQ(value("-80 mm * s"), -0.04);
  EXPECT_DOUBLE_EQ(value("9 * 360 deg * s"), 9 * 2 * pi * 0.5);
  EXPECT_DOUBLE_EQ(value("2*(L - 3 mm)/4"), 0.0135);
  EXPECT_DOUBLE_EQ(value("if(t < 1 s, 2 N, 0 N)"), 2);
  EXPECT_DOUBLE_EQ(value("45 * s"), 22.5);
  EXPECT_DOUBLE_EQ(value("x^2 - y^2"), -5);
  EXPECT_EQ(parse("x^2 - y^2").dimension(), dim::area);
  EXPECT_EQ(parse("80 mT * cos(omega*t)").dimension(), dim::field);
  EXPECT_EQ(parse("94.1 kA/m * mu0").dimension(), dim::field);
  EXPECT_DOUBLE_EQ(value("mu0 * 1 A/m"), 4e-7 * pi);
  EXPECT_EQ(parse("sqrt(x*y)").dimension(), dim::length);
  EXPECT_EQ(parse("sqrt(x)^2 + y").dimension(), dim::length);
}

TEST(Expression, Functions) {
  EXPECT_DOUBLE_EQ(value("sin(30 deg)"), std::sin(30 * (pi / 180)));
  EXPECT_DOUBLE_EQ(value("tan(0.3) + asin(0.3) + acos(0.3) + atan(0.3)"), std::tan(0.3) + pi / 2 + std::atan(0.3));
  EXPECT_DOUBLE_EQ(value("atan2(-x, y)"), std::atan2(-2, 3));
  EXPECT_DOUBLE_EQ(value("exp(s) * log(3)"), std::exp(0.5) * std::log(3));
  EXPECT_DOUBLE_EQ(value("sinh(s) + cosh(s) + tanh(s)"), std::sinh(0.5) + std::cosh(0.5) + std::tanh(0.5));
  EXPECT_DOUBLE_EQ(value("abs(-x)"), 2);
  EXPECT_DOUBLE_EQ(value("min(x, y, z, 1 m)"), 1);
  EXPECT_DOUBLE_EQ(value("max(x, 7 m, y, z)"), 7);
  EXPECT_DOUBLE_EQ(value("max(0, x - y)"), 0);
  EXPECT_DOUBLE_EQ(value("step(x - y)"), 0);
  EXPECT_DOUBLE_EQ(value("step(x - x)"), 1);
  EXPECT_DOUBLE_EQ(value("sign(x - y) + sign(0) + sign(x)"), 0);
  EXPECT_DOUBLE_EQ(value("floor(-1.5)"), -2);
  EXPECT_DOUBLE_EQ(value("pow(x, 3)"), 8);
  EXPECT_EQ(parse("pow(x, 3)").dimension(), dim::volume);
  EXPECT_DOUBLE_EQ(value("clamp(x, 0, 1 m) + clamp(x, 3 m, 4 m) + clamp(x, 1 m, 3 m)"), 6);
  EXPECT_DOUBLE_EQ(value("mod(-1 s, 3 s)"), 2);
  EXPECT_DOUBLE_EQ(value("mod(7.5, 2)"), 1.5);
  EXPECT_EQ(parse("step(x)").dimension(), dim::number);
}

TEST(Expression, Conditions) {
  EXPECT_EQ(value("1 < 2"), 1);
  EXPECT_EQ(value("2 <= 1"), 0);
  EXPECT_EQ(value("x >= 2 m and y != 4 m"), 1);
  EXPECT_EQ(value("x == 2 m && !(y > 3 m)"), 1);
  EXPECT_EQ(value("x > 2 m || y > 2 m"), 1);
  EXPECT_EQ(value("not x > 2 m or 1 > 2"), 1);
  EXPECT_EQ(value("1 > 2 and 1 > 2 or 1 < 2"), 1) << "and binds tighter than or";
  EXPECT_EQ(value("x > 0"), 1);
  EXPECT_DOUBLE_EQ(value("2 N * (t < 1 s)"), 2);
  EXPECT_TRUE(parse("x > 0").is_condition());
  EXPECT_FALSE(parse("2 * (x > 0)").is_condition());
  EXPECT_FALSE(parse("-(x > 0)").is_condition());
  EXPECT_TRUE(parse("x > 0").expect_condition(place).is_condition());
  EXPECT_ERROR("0 < x < 1 m", "comparisons don't chain");
  EXPECT_ERROR("if(t, 1, 2)", "found a time (s) in \"t\", expected a condition such as t < 1 s for if");
  EXPECT_ERROR("not 3", "expected a condition");
  EXPECT_ERROR("x > 0 and 3", "expected a condition");
  EXPECT_EQ(
      error_from([] { parse("t").expect_condition(place); }),
      "scene.toml:12:9: rod.beam.length: found a time (s) in \"t\", expected a condition, for example \"t > 1 s\"");
}

TEST(Expression, AWordAfterANumberIsAUnit) {
  EXPECT_EQ(parse("3 s").dimension(), dim::time);
  EXPECT_EQ(parse("3 t").dimension(), dim::mass);
  EXPECT_EQ(parse("5 N m").dimension(), dim::torque) << "though N is a name";
  EXPECT_EQ(parse("3 min").dimension(), dim::time);
  EXPECT_DOUBLE_EQ(value("3 * min(1, 2)"), 3);
  EXPECT_EQ(parse("1 / 2 mm").dimension(), dim::curvature);
  EXPECT_EQ(parse("80 mm^2").dimension(), dim::area);
  EXPECT_DOUBLE_EQ(value("80 mm^2"), 80e-6);
  EXPECT_DOUBLE_EQ(value("(80 mm)^2"), 6400e-6);
}

TEST(Expression, ATightSlashBindsAUnitThoughTheNameExists) {
  EXPECT_EQ(parse("30 deg/s").dimension(), dim::rate);
  EXPECT_EQ(parse("9.81 m/s^2").dimension(), dim::acceleration);
  EXPECT_EQ(parse("2 kg/(m s^2)").dimension(), dim::pressure);
  EXPECT_EQ(parse("1 / 2 m/s").dimension(), dim::time / dim::length);
  EXPECT_EQ(parse("3 mm/L").dimension(), dim::number) << "there is no unit L";
}

TEST(Expression, ElsewhereANameWins) {
  EXPECT_EQ(parse("-80 mm * s").dimension(), dim::length);
  EXPECT_EQ(parse("-80 mm*s").dimension(), dim::length);
  EXPECT_EQ(parse("30 deg / s").dimension(), dim::number);
  EXPECT_EQ(parse("1/N").dimension(), dim::number);
  EXPECT_EQ(parse("1/t").dimension(), dim::rate);
  EXPECT_EQ(parse("2 m/(s)").dimension(), dim::length);
  EXPECT_EQ(parse("2 m/(2*s)").dimension(), dim::length);
  // Without such a name the unit is meant.
  EXPECT_EQ(parse("5 kg * m / ms").dimension(), dim::mass * dim::velocity);
  EXPECT_EQ(parse("L/mm").dimension(), dim::number);
  EXPECT_DOUBLE_EQ(value("L/mm"), 30);
  EXPECT_EQ(Expression::parse("1/s", {}, place).dimension(), dim::rate);
  EXPECT_EQ(Expression::parse("80 mm * s", {}, place).dimension(), dim::length * dim::time);
}

TEST(Expression, ConstantsAreFolded) {
  EXPECT_TRUE(parse("2*(L - 3 mm)/4").is_constant());
  EXPECT_TRUE(parse("if(1 < 2, L, 0)").is_constant());
  EXPECT_FALSE(parse("L * s").is_constant());
  EXPECT_DOUBLE_EQ(parse("2*L").quantity().value, 0.06);
  EXPECT_TRUE(parse("L * s + x").uses(1));
  EXPECT_TRUE(parse("L * s + x").uses(2));
  EXPECT_FALSE(parse("L * s + x").uses(0));
  EXPECT_EQ(parse("L")({}), 0.03);
  EXPECT_TRUE(Expression().is_constant());
  EXPECT_EQ(Expression()({}), 0);
}

TEST(Expression, AZeroFitsEveryDimension) {
  EXPECT_EQ(parse("0 + L").dimension(), dim::length);
  EXPECT_EQ(parse("L - 0.0").dimension(), dim::length);
  EXPECT_EQ(parse("if(t < 1 s, 2 N, 0)").dimension(), dim::force);
  EXPECT_EQ(parse("if(t < 1 s, -0, 2 N)").dimension(), dim::force);
  EXPECT_EQ(parse("max(0, L, (0))").dimension(), dim::length);
  EXPECT_EQ(parse("if(t < 1 s, 0, 0)").expect(dim::force, place).dimension(), dim::force);
  EXPECT_ERROR("0 N + L", "can't add");
}

TEST(Expression, ExpectTakesTheDimensionOrAPlainNumber) {
  EXPECT_EQ(parse("25.8 mm").expect(dim::length, place).dimension(), dim::length);
  for (const char* plain : {"0", "0.3", "1e-3", "2*pi/3", "n*0.1", "sqrt(2)", "2^3"}) {
    EXPECT_EQ(parse(plain).expect(dim::field, place).dimension(), dim::field) << plain;
  }
  EXPECT_EQ(Expression::constant({0.3}).expect(dim::length, place).dimension(), dim::length);
  EXPECT_EQ(error_from([] { parse("25.8 mm").expect(dim::field, place); }),
            "scene.toml:12:9: rod.beam.length: found a length (m) in \"25.8 mm\", expected a magnetic field (T), for "
            "example \"80 mT\"");
  for (const char* wrong : {"45*s", "10 deg", "5 %", "L/L", "1 mm / 1 mm", "1 < 2", "x > 0", "2^s"}) {
    EXPECT_THROW(parse(wrong).expect(dim::field, place), Error) << wrong;
  }
  EXPECT_THROW(parse("0.3").expect(dim::length, place).expect(dim::time, place), Error);
  EXPECT_TRUE(contains(error_from([] { parse("45*s").expect(dim::field, place); }), "found a pure number in \"45*s\""));
  EXPECT_TRUE(contains(error_from([] { parse("10/s").expect(dim::rate, place); }), "read as a name: s"));
  EXPECT_TRUE(contains(error_from([] { parse("x > 0").expect(dim::field, place); }), "found a condition in \"x > 0\""));
  EXPECT_EQ(parse("t < 1 s").expect(dim::number, place).dimension(), dim::number);
}

TEST(NameScope, LaterNamesHideEarlierOnes) {
  NameScope scope;
  scope.constant("lambda", {3, dim::number});
  EXPECT_EQ(scope.variable("t", dim::time), 0);
  EXPECT_EQ(scope.variable("lambda", dim::number), 1);
  EXPECT_EQ(scope.variable_count(), 2);
  const Expression e = Expression::parse("2*lambda", scope, place);
  EXPECT_TRUE(e.uses(1));
  EXPECT_EQ(e(std::array{0.0, 7.0}), 14);
}

TEST(NameScope, NamesMayBeThoseOfRecordedQuantities) {
  NameScope scope;
  scope.variable("tip.displacement.x", dim::length);
  scope.variable("rod.position[17].x", dim::length);
  scope.variable("λ", dim::number);
  const Expression e = Expression::parse("tip.displacement.x > 2*rod.position[17].x and λ > 0", scope, place);
  EXPECT_EQ(e(std::array{3.0, 1.0, 1.0}), 1);
}

TEST(NameScope, ChecksNames) {
  for (const char* good : {"L", "B1", "_x", "omega_0", "s", "λ"})
    EXPECT_NO_THROW(NameScope::check_name(good, place)) << good;
  for (const char* bad : {"", "2L", "a b", "and", "sin", "if", "pi", "mu0", "a-b", "a.b", "x[1]", "%", "²", "\xff"}) {
    EXPECT_THROW(NameScope::check_name(bad, place), Error) << bad;
  }
}

}  // namespace ls::expression_test
