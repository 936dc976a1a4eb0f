#include "language/expression.h"
#include "math/dual.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace ls::expression_derivatives_test {

// x, y, z in slots 2 to 4.
Expression parse(const std::string& text) {
  NameScope scope;
  scope.variable("t", dim::time);
  scope.variable("s", dim::number);
  for (const char* name : {"x", "y", "z"}) scope.variable(name, dim::length);
  scope.constant("L", {0.03, dim::length});
  return Expression::parse(text, scope, {});
}

// A dual number with nothing but arithmetic: the functions come from the expansion.
template <class T, class Tag = void>
struct Slim {
  T val{};
  T d{};
  Slim() = default;
  explicit Slim(double c) : val(c) {}
  Slim(T v, T slope) : val(v), d(slope) {}

  friend Slim operator+(const Slim& a, const Slim& b) { return {a.val + b.val, a.d + b.d}; }
  friend Slim operator-(const Slim& a, const Slim& b) { return {a.val - b.val, a.d - b.d}; }
  friend Slim operator-(const Slim& a) { return {-a.val, -a.d}; }
  friend Slim operator*(const Slim& a, const Slim& b) { return {a.val * b.val, a.d * b.val + a.val * b.d}; }
  friend Slim operator/(const Slim& a, const Slim& b) {
    const T q = a.val / b.val;
    return {q, (a.d - q * b.d) / b.val};
  }
  friend double value_of(const Slim& a) {
    if constexpr (std::is_same_v<T, double>) {
      return a.val;
    } else {
      return value_of(a.val);
    }
  }
};

// One that brings functions of its own, which must be preferred.
int own_calls = 0;
struct Own;
using Rich = Slim<double, Own>;
Rich sin(const Rich& a) {
  ++own_calls;
  return {std::sin(a.val), std::cos(a.val) * a.d};
}

// As functions of x only, smooth near x = 0.7 m.
const char* smooth[] = {
    "x^2 - y^2",
    "x^3/1 m - 2*x*y",
    "1/x",
    "sin(x/1 m)",
    "cos(3*x/y)",
    "tan(x/1 m)",
    "asin(x/1 m)",
    "acos(x/1 m)",
    "atan(x/1 m)",
    "atan2(x, -y)",
    "atan2(-y, x)",
    "exp(-x/y)",
    "log(x/y)",
    "sqrt(x)",
    "sinh(x/1 m)",
    "cosh(x/1 m)",
    "tanh(x/1 m)",
    "x^1.5",
    "x^-2",
    "(x/1 m)^(x/1 m)",
    "2^(x/1 m)",
    "abs(-x)",
    "mod(x, 0.3 m)",
    "min(x, y) * x",
    "max(x, y) + x",
    "clamp(x, 0, 1 m)",
    "if(x < y, x^2, 0)",
    "step(x) * x",
    "floor(x/1 m) + x/1 m",
    "80 mT * exp(-(x^2 + y^2)/(2*L^2)) * x/L",
};

TEST(ExpressionDerivatives, FirstOrderAgreesWithDifferences) {
  for (const char* text : smooth) {
    const Expression e = parse(text);
    auto f = [&](double x) { return e(std::array{0.0, 0.0, x, 3.0, 5.0}); };
    using D = Slim<double>;
    const std::array<D, 5> v = {D(0), D(0), D(0.7, 1), D(3), D(5)};
    const D r = e.evaluate<D>(v);
    const double h = 1e-4;
    const double slope = (8 * (f(0.7 + h) - f(0.7 - h)) - (f(0.7 + 2 * h) - f(0.7 - 2 * h))) / (12 * h);
    EXPECT_NEAR(r.val, f(0.7), 1e-14 * (1 + std::abs(r.val))) << text;
    EXPECT_NEAR(r.d, slope, 1e-9 * (1 + std::abs(slope))) << text;
  }
}

TEST(ExpressionDerivatives, HigherOrdersByNesting) {
  using D1 = Slim<double>;
  using D2 = Slim<D1>;
  using D3 = Slim<D2>;
  for (const char* text : smooth) {
    const Expression e = parse(text);
    const auto first = [&](double x) {
      const std::array<D1, 5> v = {D1(0), D1(0), D1(x, 1), D1(3), D1(5)};
      return e.evaluate<D1>(v).d;
    };
    const auto second = [&](double x) {
      const std::array<D2, 5> v = {D2(0), D2(0), D2(D1(x, 1), D1(1)), D2(3), D2(5)};
      return e.evaluate<D2>(v).d.d;
    };
    const auto third = [&](double x) {
      const D2 seed(D1(x, 1), D1(1));
      const std::array<D3, 5> v = {D3(0), D3(0), D3(seed, D2(1)), D3(3), D3(5)};
      return e.evaluate<D3>(v).d.d.d;
    };
    const double h = 1e-4;
    const double d2 = (8 * (first(0.7 + h) - first(0.7 - h)) - (first(0.7 + 2 * h) - first(0.7 - 2 * h))) / (12 * h);
    const double d3 =
        (8 * (second(0.7 + h) - second(0.7 - h)) - (second(0.7 + 2 * h) - second(0.7 - 2 * h))) / (12 * h);
    EXPECT_NEAR(second(0.7), d2, 1e-8 * (1 + std::abs(d2))) << text;
    EXPECT_NEAR(third(0.7), d3, 1e-8 * (1 + std::abs(d3))) << text;
  }
}

TEST(ExpressionDerivatives, TheNumberTypesOwnFunctionsComeFirst) {
  own_calls = 0;
  const std::array<Rich, 5> v = {Rich(0.0), Rich(0.0), Rich(0.7, 1.0), Rich(3.0), Rich(5.0)};
  const Rich r = parse("sin(x/1 m) + cos(x/1 m)").evaluate<Rich>(v);
  EXPECT_EQ(own_calls, 1);
  EXPECT_DOUBLE_EQ(r.d, std::cos(0.7) - std::sin(0.7));
}

TEST(ExpressionDerivatives, AtZero) {
  const auto slope = [](const char* text) {
    using D = Slim<double>;
    const std::array<D, 5> v = {D(0), D(0), D(0, 1), D(3), D(5)};
    return parse(text).evaluate<D>(v).d;
  };
  EXPECT_EQ(slope("x^2"), 0);
  EXPECT_EQ(slope("x^1"), 1);
  EXPECT_EQ(slope("x^0 * x"), 1);
  EXPECT_EQ(slope("x^1.5"), 0);
  EXPECT_EQ(slope("if(x == 0, 1, sin(x/1 m)/(x/1 m))"), 0);
}

TEST(ExpressionDerivatives, GradientOfAFieldWithTheProjectsDual) {
  using D = Dual<double, 3>;
  const std::array<D, 5> v = {D(0.0), D(0.0), D::variable(2.0, 0), D::variable(3.0, 1), D::variable(5.0, 2)};
  const D r = parse("1 T/m^3 * x*y*z + 1 T * sin(z/1 m) * sqrt(x/1 m)").evaluate<D>(v);
  EXPECT_DOUBLE_EQ(r.val, 30 + std::sin(5) * std::sqrt(2));
  EXPECT_DOUBLE_EQ(r.d[0], 15 + std::sin(5) * 0.5 / std::sqrt(2));
  EXPECT_DOUBLE_EQ(r.d[1], 10);
  EXPECT_DOUBLE_EQ(r.d[2], 6 + std::cos(5) * std::sqrt(2));

  using DD = Dual<D, 3>;
  std::array<DD, 5> w = {DD(0.0), DD(0.0), DD(v[2]), DD(v[3]), DD(v[4])};
  for (int i = 0; i < 3; ++i) w[2 + i].d[i] = D(1.0);
  const DD rr = parse("x*y*z").evaluate<DD>(w);
  EXPECT_DOUBLE_EQ(rr.d[0].d[1], 5);
  EXPECT_DOUBLE_EQ(rr.d[1].d[1], 0);
}

}  // namespace ls::expression_derivatives_test
