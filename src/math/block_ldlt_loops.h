#pragma once

// What the factorisation does with 6x6 blocks ([row][column]), as plain functions: each vector width has its own copy.
// d is the LDL^T of a diagonal block: its unit lower L below the diagonal, the pivots on it.
namespace ls {

struct BlockLoops {
  void (*scale)(const double* l, const double* d, double* out);  // out = D l^T
  // Block place[row[n]] of out less the n-th of a times b, for so many in a row of a.
  void (*subtract_products)(const double* a, const int* row, int count, const double* b, const int* place, double* out);
  void (*factor_diagonal)(double* d);
  void (*divide)(double* l, const double* d);  // l = l L^-T D^-1
  void (*solve_lower)(const double* d, double* x);
  void (*solve_upper)(const double* d, double* x);
  void (*subtract_apply)(const double* l, const double* x, double* y);             // y -= l x
  void (*subtract_apply_transposed)(const double* l, const double* x, double* y);  // y -= l^T x
};

const BlockLoops& block_loops();

}  // namespace ls
