// Compiled once per vector width; see block_ldlt_loops.h. What is fused is written so (fused.h), so that all
// widths give the same bits.
#include "math/block_ldlt_loops.h"

#include "base/loops_of_width.h"
#include "math/fused.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace ls::inline LS_ISA {
namespace {

constexpr int w = 6;

void scale(const double* __restrict l, const double* __restrict d, double* __restrict out) {
  for (int i = 0; i < w; ++i)
    for (int j = 0; j < w; ++j) out[w * i + j] = d[(w + 1) * i] * l[w * j + i];
}

#ifdef __AVX512F__
// A row of a block to a register, two lanes of which stay empty, and b in registers all along: compilers halve rows.
void subtract_products(const double* a, const int* row, int count, const double* b, const int* place, double* out) {
  constexpr __mmask8 six = 0x3f;
  __m512d right[w], sum[w];
  for (int k = 0; k < w; ++k) right[k] = _mm512_maskz_loadu_pd(six, b + w * k);
  for (int n = 0; n < count; ++n, a += w * w) {
    double* to = out + w * w * place[row[n]];
    for (int i = 0; i < w; ++i) sum[i] = _mm512_maskz_loadu_pd(six, to + w * i);
    for (int k = 0; k < w; ++k)
      for (int i = 0; i < w; ++i) sum[i] = _mm512_fnmadd_pd(_mm512_set1_pd(a[w * i + k]), right[k], sum[i]);
    for (int i = 0; i < w; ++i) _mm512_mask_storeu_pd(to + w * i, six, sum[i]);
  }
}
#else
void subtract_products(const double* __restrict a, const int* row, int count, const double* __restrict b,
                       const int* place, double* __restrict out) {
  for (int n = 0; n < count; ++n, a += w * w) {
    double* to = out + w * w * place[row[n]];
    for (int i = 0; i < w; ++i) {
      double sum[w];
      for (int j = 0; j < w; ++j) sum[j] = to[w * i + j];
      for (int k = 0; k < w; ++k)
        for (int j = 0; j < w; ++j) sum[j] = fused(-a[w * i + k], b[w * k + j], sum[j]);
      for (int j = 0; j < w; ++j) to[w * i + j] = sum[j];
    }
  }
}
#endif

// In place, of the lower triangle; what stands above the diagonal is not looked at.
void factor_diagonal(double* d) {
  for (int k = 0; k < w; ++k) {
    const double inverse = 1.0 / d[(w + 1) * k];
    double row[w];
    for (int j = 0; j < w; ++j) row[j] = j > k ? d[w * j + k] : 0.0;  // D_k times column k of L
    for (int i = k + 1; i < w; ++i) {
      const double l = row[i] * inverse;
      for (int j = k + 1; j <= i; ++j) d[w * i + j] = fused(-l, row[j], d[w * i + j]);
      d[w * i + k] = l;
    }
  }
}

void divide(double* __restrict l, const double* __restrict d) {
  double t[w][w];  // columns as rows: the six rows of l go side by side
  for (int i = 0; i < w; ++i)
    for (int j = 0; j < w; ++j) t[j][i] = l[w * i + j];
  for (int j = 0; j < w; ++j)
    for (int k = 0; k < j; ++k)
      for (int i = 0; i < w; ++i) t[j][i] = fused(-d[w * j + k], t[k][i], t[j][i]);
  for (int j = 0; j < w; ++j) {
    const double inverse = 1.0 / d[(w + 1) * j];
    for (int i = 0; i < w; ++i) t[j][i] *= inverse;
  }
  for (int i = 0; i < w; ++i)
    for (int j = 0; j < w; ++j) l[w * i + j] = t[j][i];
}

void solve_lower(const double* d, double* x) {
  for (int i = 0; i < w; ++i)
    for (int j = 0; j < i; ++j) x[i] = fused(-d[w * i + j], x[j], x[i]);
}
void solve_upper(const double* d, double* x) {
  for (int i = w - 1; i >= 0; --i)
    for (int j = i + 1; j < w; ++j) x[i] = fused(-d[w * j + i], x[j], x[i]);
}
void subtract_apply(const double* __restrict l, const double* __restrict x, double* __restrict y) {
  for (int i = 0; i < w; ++i) {
    double sum = 0;
    for (int j = 0; j < w; ++j) sum = fused(l[w * i + j], x[j], sum);
    y[i] -= sum;
  }
}
void subtract_apply_transposed(const double* __restrict l, const double* __restrict x, double* __restrict y) {
  for (int i = 0; i < w; ++i)
    for (int j = 0; j < w; ++j) y[j] = fused(-l[w * i + j], x[i], y[j]);
}

}  // namespace

template <>
const BlockLoops& loops_of_width<BlockLoops>() {
  static constexpr BlockLoops loops{scale,       subtract_products, factor_diagonal, divide,
                                    solve_lower, solve_upper,       subtract_apply,  subtract_apply_transposed};
  return loops;
}

}  // namespace ls::inline LS_ISA
