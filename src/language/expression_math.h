#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

// The functions of expressions for any number type T: double, or a dual number (nested for higher derivatives).
//
// T must have T(double), + - * / and unary -, and a value_of(T) -> double found beside it. Where it also has the
// function itself (sin, exp, …), that one is used. Where not, the function is expanded about the value a = value_of(x):
//
//   f(x) = f(a) + f'(a) e + f''(a) e²/2 + f'''(a) e³/6,   e = x - a,
//
// which is exact for dual numbers nested up to three deep, since e^4 = 0 there.
namespace ls::bytecode {

inline double value_of(double x) {
  return x;
}

template <class T>
inline constexpr bool is_plain = std::is_same_v<T, double>;

template <class T>
T expansion(const T& x, double f, double f1, double f2, double f3) {
  const T e = x - T(value_of(x));
  return T(f) + e * (T(f1) + e * (T(f2 / 2) + e * T(f3 / 6)));
}

template <class T>
T sine(const T& x) {
  if constexpr (requires { sin(x); }) {
    return sin(x);
  } else {
    const double s = std::sin(value_of(x)), c = std::cos(value_of(x));
    return expansion(x, s, c, -s, -c);
  }
}

template <class T>
T cosine(const T& x) {
  if constexpr (requires { cos(x); }) {
    return cos(x);
  } else {
    const double s = std::sin(value_of(x)), c = std::cos(value_of(x));
    return expansion(x, c, -s, -c, s);
  }
}

template <class T>
T tangent(const T& x) {
  if constexpr (requires { tan(x); }) {
    return tan(x);
  } else {
    return sine(x) / cosine(x);
  }
}

template <class T>
T exponential(const T& x) {
  if constexpr (requires { exp(x); }) {
    return exp(x);
  } else {
    const double f = std::exp(value_of(x));
    return expansion(x, f, f, f, f);
  }
}

template <class T>
T logarithm(const T& x) {
  if constexpr (requires { log(x); }) {
    return log(x);
  } else {
    const double inverse = 1 / value_of(x);
    return expansion(x, std::log(value_of(x)), inverse, -inverse * inverse, 2 * inverse * inverse * inverse);
  }
}

template <class T>
T square_root(const T& x) {
  if constexpr (requires { sqrt(x); }) {
    return sqrt(x);
  } else {
    const double f = std::sqrt(value_of(x)), a = value_of(x);
    return expansion(x, f, 0.5 / f, -0.25 / (a * f), 0.375 / (a * a * f));
  }
}

// The angle of the value plus the small angle that is left after turning back by it: atan(u) = u - u³/3 + O(u^5).
template <class T>
T angle(const T& y, const T& x) {
  if constexpr (is_plain<T>) {
    return std::atan2(y, x);
  } else if constexpr (requires { atan2(y, x); }) {
    return atan2(y, x);
  } else {
    const double a = std::atan2(value_of(y), value_of(x));
    const T c(std::cos(a)), s(std::sin(a));
    const T rest = y * c - x * s;
    const T u = (rest - T(value_of(rest))) / (x * c + y * s);
    return T(a) + u - u * u * u / T(3);
  }
}

template <class T>
T arc_sine(const T& x) {
  if constexpr (requires { asin(x); }) {
    return asin(x);
  } else {
    return angle(x, square_root(T(1) - x * x));
  }
}

template <class T>
T arc_cosine(const T& x) {
  if constexpr (requires { acos(x); }) {
    return acos(x);
  } else {
    return angle(square_root(T(1) - x * x), x);
  }
}

template <class T>
T arc_tangent(const T& x) {
  if constexpr (requires { atan(x); }) {
    return atan(x);
  } else {
    return angle(x, T(1));
  }
}

template <class T>
T hyperbolic_sine(const T& x) {
  if constexpr (requires { sinh(x); }) {
    return sinh(x);
  } else {
    const double s = std::sinh(value_of(x)), c = std::cosh(value_of(x));
    return expansion(x, s, c, s, c);
  }
}

template <class T>
T hyperbolic_cosine(const T& x) {
  if constexpr (requires { cosh(x); }) {
    return cosh(x);
  } else {
    const double s = std::sinh(value_of(x)), c = std::cosh(value_of(x));
    return expansion(x, c, s, c, s);
  }
}

template <class T>
T hyperbolic_tangent(const T& x) {
  if constexpr (requires { tanh(x); }) {
    return tanh(x);
  } else {
    const double f = std::tanh(value_of(x)), slope = 1 - f * f;
    return expansion(x, f, slope, -2 * f * slope, slope * (6 * f * f - 2));
  }
}

template <class T>
T whole_power(T x, int exponent) {
  T r(1);
  for (unsigned n = exponent < 0 ? -static_cast<unsigned>(exponent) : exponent; n != 0; n >>= 1) {
    if (n & 1u) r = r * x;
    if (n > 1) x = x * x;
  }
  return exponent < 0 ? T(1) / r : r;
}

// x^c, c no whole number. At x = 0 the derivatives that don't exist are given as 0, so that x^1.5 has a slope there.
template <class T>
T real_power(const T& x, double c) {
  const double a = value_of(x);
  if constexpr (is_plain<T>) {
    return std::pow(a, c);
  } else {
    const auto derivative = [&](double factor, int order) {
      const double f = factor * std::pow(a, c - order);
      return a == 0 && !std::isfinite(f) ? 0.0 : f;
    };
    return expansion(x, std::pow(a, c), derivative(c, 1), derivative(c * (c - 1), 2),
                     derivative(c * (c - 1) * (c - 2), 3));
  }
}

// x^y, both variable.
template <class T>
T general_power(const T& x, const T& y) {
  const double a = value_of(x), b = value_of(y);
  if constexpr (is_plain<T>) {
    return std::pow(a, b);
  } else {
    if (a > 0) return exponential(y * logarithm(x));
    if (a < 0 && b == std::round(b) && std::abs(b) < 1e6) return whole_power(x, static_cast<int>(b));
    return T(std::pow(a, b));
  }
}

// As in Python: the result has the sign of y.
template <class T>
T modulo(const T& x, const T& y) {
  return x - y * T(std::floor(value_of(x) / value_of(y)));
}

}  // namespace ls::bytecode
