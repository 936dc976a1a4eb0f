#pragma once
#include <cstddef>
#include <vector>

// Plain lists of numbers as vectors of a linear space: what iterative solvers do with them. Sums run in one order.
namespace ls {

using Numbers = std::vector<double>;

inline double product(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline void add(double factor, const Numbers& a, Numbers& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * a[i];
}

}  // namespace ls
