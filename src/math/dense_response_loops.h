#pragma once
#include <cstddef>

// What DenseResponse does with rows of numbers: each vector width has its own copy, all with the same bits.
namespace ls {

struct DenseLoops {
  // rows: [unknown][stride], the upper triangle of A and behind it all else that goes with a row. Each row from its
  // diagonal on becomes D times that of L^T (of G: L^-1 G), scaled that over the pivot. False: a pivot is next to
  // nothing.
  bool (*eliminate)(double* rows, double* scaled, std::ptrdiff_t stride, int unknowns);
  // out[r][c] = sum over rows of scaled[k][first + r] rows[k][first + c] for c <= r, and of a few beyond.
  void (*multiply)(const double* rows, const double* scaled, std::ptrdiff_t stride, int unknowns, int first,
                   int columns, double* out);
};

const DenseLoops& dense_loops();

}  // namespace ls
