#pragma once

// What the factorisation does with 6x6 blocks ([row][column]), as plain functions: each vector width has its own copy.
// d is the LDL^T of a diagonal block: its unit lower L below the diagonal, the pivots on it.
namespace ls {

struct BlockLoops {
  void (*scale)(const double* l, const double* d, double* out);             // out = D l^T
  void (*subtract_product)(const double* a, const double* b, double* out);  // out -= a b
  void (*factor_diagonal)(double* d);
  void (*divide)(double* l, const double* d);  // l = l L^-T D^-1
  void (*solve_lower)(const double* d, double* x);
  void (*solve_upper)(const double* d, double* x);
  void (*subtract_apply)(const double* l, const double* x, double* y);             // y -= l x
  void (*subtract_apply_transposed)(const double* l, const double* x, double* y);  // y -= l^T x
};

const BlockLoops& block_loops();

}  // namespace ls
