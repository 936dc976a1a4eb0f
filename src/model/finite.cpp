#include "model/finite.h"

#include <cmath>

namespace ls {

namespace {

// 0 times anything that is not finite is not a number.
bool all_finite(const Nodes& n) {
  double sum = 0;
  for (const auto* triple : {n.x, n.v, n.w, n.f, n.t})
    for (int k = 0; k < 3; ++k)
      for (const double a : triple[k]) sum += a * 0.0;
  for (const Column& column : n.q)
    for (int i = 0; i < n.count; ++i) sum += column[i] * 0.0;
  return sum == 0;
}

}  // namespace

int first_without_numbers(const Nodes& n) {
  if (all_finite(n)) return -1;
  const auto is_number = [](const Vec3<double>& a) { return std::isfinite(a.x + a.y + a.z); };
  for (int i = 0; i < n.count; ++i) {
    const auto f = n.frame(i);
    const auto t = n.twist(i);
    const auto w = n.wrench(i);
    for (const Vec3<double>& a : {f.x, f.q.v, t.v, t.w, w.force, w.torque})
      if (!is_number(a) || !std::isfinite(f.q.w)) return i;
  }
  return -1;
}

bool is_finite(const Nodes& n) {
  constexpr double light = 3e8;  // m/s
  bool slow = true;
  for (const Column& column : n.v)
    for (const double v : column) slow = slow && !(std::abs(v) > light);
  return slow && all_finite(n);
}

}  // namespace ls
