#pragma once
#include "dipoles/tree/harmonics.h"

#include <vector>

namespace ls {

// The derivatives of the harmonics of degrees [from, to] (harmonics.h).
std::vector<Derivative> regular_derivatives(int from, int to);
std::vector<Derivative> irregular_derivatives(int from, int to);

// Sum of the squares of the coefficients of one degree, weighted so that it does not depend on the axes. `first` is the
// coefficient of degree 1, m = 0: degree 0 is left out.
template <class R>
double degree_power(const R* first, int degree) {
  double sum = 0, weight = 1;  // (l - m)! (l + m)!
  for (int i = 2; i <= degree; ++i) weight *= double(i) * i;
  const R* a = first + degree * degree - 1;
  for (int m = 0; m <= degree; ++m) {
    if (m == 0) {
      sum += weight * double(a[0]) * double(a[0]);
      continue;
    }
    weight *= double(degree + m) / (degree - m + 1);
    sum += 2 * weight * (double(a[2 * m - 1]) * double(a[2 * m - 1]) + double(a[2 * m]) * double(a[2 * m]));
  }
  return sum;
}

}  // namespace ls
