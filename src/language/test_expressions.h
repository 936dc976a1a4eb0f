#pragma once
// A scope, and what expressions in it come to or fail with: for the tests of expressions.
#include "language/expression.h"

#include <array>
#include <string>

namespace ls::expression_samples {

inline const Place place{"scene.toml", 12, 9, "rod.beam.length"};

// t, s, x, y, z in slots 0 to 4, and some constants.
inline NameScope scene_scope() {
  NameScope scope;
  scope.variable("t", dim::time);
  scope.variable("s", dim::number);
  scope.variable("x", dim::length);
  scope.variable("y", dim::length);
  scope.variable("z", dim::length);
  scope.constant("L", {0.03, dim::length});
  scope.constant("omega", {2.0, dim::rate});
  scope.constant("n", {4.0, dim::number});
  scope.constant("N", {10.0, dim::number});
  return scope;
}
inline const std::array<double, 5> at = {0.25, 0.5, 2.0, 3.0, 5.0};

inline Expression parse(const std::string& text) {
  return Expression::parse(text, scene_scope(), place);
}

inline double value(const std::string& text) {
  return parse(text)(at);
}

inline std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

template <class F>
std::string error_from(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

#define EXPECT_ERROR(text, part) EXPECT_TRUE(contains(error_of(text), part)) << (text) << " -> " << error_of(text)

}  // namespace ls::expression_samples
