#include "dipoles/tree/derivatives.h"

namespace ls {

namespace {

// Of degree l; step -1: regular, 1: irregular.
void add_derivatives(int l, int step, std::vector<Derivative>& table) {
  const int other = l + step;
  if (other < 0) return;
  const int of = l * l, in = other * other;
  const double along = step < 0 ? 1.0 : -1.0;
  const auto real_part = [in](int m) { return m == 0 ? in : in + 2 * m - 1; };
  const auto add = [&table](int axis, int to, int from, double factor) { table.push_back({axis, to, from, factor}); };
  if (other >= 1) {
    add(0, in + 1, of, -1.0);
    add(1, in + 2, of, -1.0);
  }
  add(2, in, of, along);
  for (int m = 1; m <= l; ++m) {
    const int re = of + 2 * m - 1, im = of + 2 * m;
    add(0, real_part(m - 1), re, 0.5);
    add(1, real_part(m - 1), im, 0.5);
    if (m > 1) {
      add(0, in + 2 * m - 2, im, 0.5);
      add(1, in + 2 * m - 2, re, -0.5);
    }
    if (m + 1 <= other) {
      add(0, real_part(m + 1), re, -0.5);
      add(0, in + 2 * m + 2, im, -0.5);
      add(1, in + 2 * m + 2, re, -0.5);
      add(1, real_part(m + 1), im, 0.5);
    }
    if (m <= other) {
      add(2, in + 2 * m - 1, re, along);
      add(2, in + 2 * m, im, along);
    }
  }
}

std::vector<Derivative> derivatives(int from, int to, int step) {
  std::vector<Derivative> table;
  for (int l = from; l <= to; ++l) add_derivatives(l, step, table);
  return table;
}

}  // namespace

std::vector<Derivative> regular_derivatives(int from, int to) {
  return derivatives(from, to, -1);
}
std::vector<Derivative> irregular_derivatives(int from, int to) {
  return derivatives(from, to, 1);
}

}  // namespace ls
