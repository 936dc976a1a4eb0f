#include "language/test_expressions.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <random>

namespace ls::expression_errors_test {

using namespace expression_samples;

TEST(ExpressionErrors, DimensionErrorsNameBothSides) {
  EXPECT_EQ(error_of("3 mm + 2 s"),
            "scene.toml:12:15: rod.beam.length: can't add \"3 mm\", a length (m), and \"2 s\", a time (s)");
  EXPECT_ERROR("L - 0.3", "can't subtract \"L\", a length (m), and \"0.3\", a pure number; give \"0.3\" a unit");
  EXPECT_ERROR("sin(x)", "found a length (m) in \"x\", expected a pure number (or an angle) for sin");
  EXPECT_ERROR("min(x, t)", "can't use min on \"x\", a length (m), and \"t\", a time (s)");
  EXPECT_ERROR("if(t < 1 s, x, t)", "can't choose between \"x\", a length (m), and \"t\", a time (s)");
  EXPECT_ERROR("x < t", "can't compare \"x\", a length (m), and \"t\", a time (s)");
  EXPECT_ERROR("2^x", "found a length (m) in \"x\", expected a pure number as exponent");
  EXPECT_ERROR("x^s", "the exponent of a length (m) must be constant, \"s\" is not");
  EXPECT_ERROR("x^0.3", "a length (m) to the power 0.3 has no unit");
  EXPECT_ERROR("sqrt(sqrt(x))", "to the power 0.5 has no unit");
  EXPECT_ERROR("exp(t)", "a time (s)");
}

TEST(ExpressionErrors, AmbiguousWordsAreMentioned) {
  EXPECT_ERROR("3 mm/t + 2 mm/s", "(read as a unit: t, s; for the name of that spelling put spaces around the /)");
  EXPECT_ERROR("2 Hz + 1/s", "(read as a name: s; a unit stands right after a number, as in \"1 s\")");
  EXPECT_ERROR("sin(m*x)", "(read as a unit, there being no such name: m)");
}

TEST(ExpressionErrors, UnknownWordsGetASuggestion) {
  EXPECT_EQ(error_of("2 * omga"), "scene.toml:12:14: rod.beam.length: unknown name \"omga\"; did you mean `omega`?");
  EXPECT_ERROR("3 mpa", "unknown unit \"mpa\"; did you mean `MPa`?");
  for (const char* text : {"20 degC", "20 °C", "20 ° C", "20 C"}) EXPECT_ERROR(text, "0 degrees Celsius are 273.15 K");
  EXPECT_ERROR("1,5 mm", "found \",\", expected a point in a decimal number, as in 1.5");
  EXPECT_ERROR("3 Kg", "did you mean `kg`?");
  EXPECT_ERROR("3 kpa/m", "did you mean `kPa`?");
  EXPECT_ERROR("3 hz", "did you mean `Hz`?");
  EXPECT_ERROR("sine(2)", "unknown function \"sine\"; did you mean `sin`?");
  EXPECT_ERROR("2 omega", "found \"omega\" right after a number or unit; write * before it");
  EXPECT_ERROR("2 sin(3)", "write * before it");
  EXPECT_ERROR("3 min(1, 2)", "write * before it");
  EXPECT_ERROR("2 * something_else", "unknown name \"something_else\"; names here are t, s, x, y, z, L, omega, n, N");
  EXPECT_ERROR("sin", "expected ( after a function");
}

TEST(ExpressionErrors, SyntaxErrorsPointAtTheCharacter) {
  EXPECT_EQ(error_of("1 + "), "scene.toml:12:14: rod.beam.length: found the end, expected a value");
  EXPECT_EQ(error_of("µ + $"), "scene.toml:12:14: rod.beam.length: unexpected character $");
  EXPECT_ERROR("", "found an empty text");
  EXPECT_ERROR("  ", "found an empty text");
  EXPECT_ERROR("(1 + 2", "found the end, expected an operator or )");
  EXPECT_ERROR("1 + 2)", "found \")\", expected an operator such as * or the end");
  EXPECT_ERROR("2(3)", "found \"(\", expected an operator");
  EXPECT_ERROR("L L", "found \"L\", expected an operator");
  EXPECT_ERROR("1,5 mm", "found \",\"");
  EXPECT_ERROR("2**3", "expected ^");
  EXPECT_ERROR("x = 3", "expected ==");
  EXPECT_ERROR("sin(1, 2)", "sin takes 1 argument, found 2");
  EXPECT_ERROR("atan2()", "atan2 takes 2 arguments, found 0");
  EXPECT_ERROR("min(1)", "min takes at least 2 arguments, found 1");
  EXPECT_ERROR("2 m^x", "expected a number as the power of a unit");
  EXPECT_ERROR("2 m^2^2", "needs parentheses");
  EXPECT_ERROR("2 m^99", "too high");
  EXPECT_ERROR("x^40 * y^40", "too high a power");
  EXPECT_ERROR("2 mm(3)", "found ( after the unit \"mm\"");
  EXPECT_ERROR(std::string("1 + \xff"), "unexpected byte 0xff");
  EXPECT_ERROR(std::string("1 \0 2", 5), "unexpected byte 0x00");
}

TEST(ExpressionErrors, WithoutALineTheMessageQuotesTheText) {
  const std::string text = error_from([] { Expression::parse("1 + $", {}, Place{"", 0, 0, "solver.dt"}); });
  EXPECT_EQ(text, "solver.dt: unexpected character $ (character 5 of \"1 + $\")");
}

TEST(ExpressionErrors, ConstantsMustBeFinite) {
  EXPECT_ERROR("1/0", "\"1/0\" is not a finite number");
  EXPECT_ERROR("t/0", "\"t/0\" is not a finite number: it divides by zero");
  EXPECT_ERROR("3 + 1/(2 - 2)", "\"1/(2 - 2)\" is not a finite number");
  EXPECT_ERROR("sqrt(-1)", "\"sqrt(-1)\" is not a finite number");
  EXPECT_ERROR("pow(0, -1)", "\"pow(0, -1)\" is not a finite number");
  EXPECT_ERROR("log(0)", "not a finite number");
  EXPECT_ERROR("1e300 * 1e300", "not a finite number");
  EXPECT_ERROR("mod(1, 0)", "not a finite number");
  EXPECT_ERROR("1e999", "\"1e999\" is too large or too small");
  EXPECT_ERROR("1e99999999999999999999", "too large or too small");
  EXPECT_ERROR("1e-99999999999999999999", "too large or too small");
  EXPECT_ERROR("1e300 Gm", "too large or too small");
  NameScope scope;
  scope.constant("bad", {INFINITY, dim::number});
  EXPECT_THROW(Expression::parse("bad", scope, place), Error);
}

TEST(ExpressionErrors, DeepNestingIsAnError) {
  for (const char* unit : {"(", "-", "not ", "2^", "sin(", "min(1,", "1+(", "clamp(1,2,", "+"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += unit;
    EXPECT_ERROR(text, "nested");
  }
  std::string text = "1";
  for (int i = 0; i < 90; ++i) text.insert(0, "(").append(")");
  EXPECT_EQ(value(text), 1);
  text = "x";
  for (int i = 0; i < 20; ++i) text.insert(0, "x + (").append(")");
  EXPECT_EQ(value(text), 42);
  text = "x";
  for (int i = 0; i < 5000; ++i) text += " + x";
  EXPECT_EQ(value(text), 10002) << "long is not deep";
  text = "max(x";
  for (int i = 0; i < 100; ++i) text += ", x";
  EXPECT_ERROR(text + ")", "nested too deeply");
}

TEST(ExpressionErrors, CyclesAreNoAngle) {
  EXPECT_ERROR("cos(5 Hz*t)", "write 2*pi times as much");
  EXPECT_ERROR("1 + sin(t * 2 kHz)", "write 2*pi times as much");
  EXPECT_NEAR(value("cos(2*pi*5 Hz*t)"), std::cos(2 * std::numbers::pi * 5 * at[0]), 1e-12);
  EXPECT_NEAR(value("sin(5 rad/s*t)"), std::sin(5 * at[0]), 1e-12);
  EXPECT_NEAR(value("sin(6.2832*5 Hz*t)"), std::sin(6.2832 * 5 * at[0]), 1e-12) << "someone's own 2 pi";
  EXPECT_NEAR(value("exp(-5 Hz*t)"), std::exp(-5 * at[0]), 1e-12) << "a rate";
}

// Whatever stands in the string: a value or an Error, never anything else.
TEST(ExpressionErrors, SurvivesGarbage) {
  const std::vector<std::string> pieces = {"1",        "0",
                                           "2.5",      "1e9",
                                           "1e",       ".",
                                           "..",       "mm",
                                           "s",        "t",
                                           "x",        "L",
                                           "N",        "deg",
                                           "/",        "/",
                                           "*",        "+",
                                           "-",        "^",
                                           "(",        ")",
                                           "(",        ")",
                                           ",",        "<",
                                           "<=",       "==",
                                           "!",        "and",
                                           "or",       "not",
                                           "if(",      "min(",
                                           "sin(",     "sqrt(",
                                           "pow(",     "atan2(",
                                           "%",        "²",
                                           "µ",        "°",
                                           "\xff",     "\xc2",
                                           "\xe2\x88", " ",
                                           " ",        "\t",
                                           "\n",       std::string(1, '\0'),
                                           "[",        "]",
                                           "\"",       "$",
                                           "&&",       "||",
                                           "=",        "1e308",
                                           "1e-308",   "99999999999999999999",
                                           "_",        "pi",
                                           "mu0",      "m^",
                                           "^-",       "^0.5",
                                           "×",        "\xed\xa0\x80",
                                           "x.y",      "[3]"};
  std::mt19937 random(20240607);
  const NameScope scope = scene_scope();
  int parsed = 0;
  for (int i = 0; i < 40000; ++i) {
    std::string text;
    const int count = static_cast<int>(random() % 14);
    for (int k = 0; k < count; ++k) text += pieces[random() % pieces.size()];
    try {
      const Expression e = Expression::parse(text, scope, i % 2 ? place : Place{});
      EXPECT_TRUE(!e.is_constant() || std::isfinite(e.quantity().value)) << text;
      (void)e(at);
      ++parsed;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(parsed, 500) << "the alphabet should make some sense now and then";
}

TEST(ExpressionErrors, RandomBytesToo) {
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text(random() % 20, ' ');
    for (char& c : text) c = static_cast<char>(random() % 256);
    try {
      Expression::parse(text, {}, place);
    } catch (const Error&) {
    }
  }
}

}  // namespace ls::expression_errors_test
