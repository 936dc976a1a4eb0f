// Compiled once per vector width; see dense_response_loops.h. Every number is a sum over rows in their order, with
// fused products that are written so, whatever the tile that it is in: all widths give the same bits.
#include "math/dense_response_loops.h"

#include "base/loops_of_width.h"
#include "math/fused.h"
#include "math/pack.h"

#include <algorithm>
#include <cmath>

namespace ls::inline LS_ISA {
namespace {

// A tile of the result stays in registers: so many rows, and two packs across.
constexpr int high = Pack::width == 8 ? 8 : 4, wide = 2 * Pack::width;

// out[r][c] += sign * sum over k of scaled[k][r] rows[k][c], for a tile.
template <int height>
void add_tile(const double* scaled, const double* rows, std::ptrdiff_t stride, int count, double sign, double* out) {
  Pack sum[height][2];
  for (int r = 0; r < height; ++r)
    for (int p = 0; p < 2; ++p) sum[r][p] = Pack::load(out + r * stride + p * Pack::width);
  for (int k = 0; k < count; ++k, scaled += stride, rows += stride) {
    const Pack one = Pack::load(rows), other = Pack::load(rows + Pack::width);
    for (int r = 0; r < height; ++r) {
      const Pack factor(sign * scaled[r]);
      sum[r][0] = fused(factor, one, sum[r][0]);
      sum[r][1] = fused(factor, other, sum[r][1]);
    }
  }
  for (int r = 0; r < height; ++r)
    for (int p = 0; p < 2; ++p) sum[r][p].store(out + r * stride + p * Pack::width);
}
void add_tiles(const double* scaled, const double* rows, std::ptrdiff_t stride, int count, double sign, int height,
               int width, double* out) {
  for (int c = 0; c < width; c += wide)
    if (height == high)
      add_tile<high>(scaled, rows + c, stride, count, sign, out + c);
    else
      for (int r = 0; r < height; ++r) add_tile<1>(scaled + r, rows + c, stride, count, sign, out + r * stride + c);
}

// Rows first to last - 1, from which those before `first` are taken away already.
bool eliminate_among(double* rows, double* scaled, std::ptrdiff_t stride, int first, int last, double nothing) {
  const auto width = static_cast<int>(stride);
  for (int k = first; k < last; ++k) {
    double* row = rows + k * stride;
    double* own = scaled + k * stride;
    if (!(std::abs(row[k]) > nothing)) return false;
    const double inverse = 1 / row[k];
    for (int c = k; c < width; ++c) own[c] = inverse * row[c];
    for (int i = k + 1; i < last; ++i) {
      double* below = rows + i * stride;
      for (int c = i; c < width; ++c) below[c] = fused(-own[i], row[c], below[c]);
    }
  }
  return true;
}

bool eliminate(double* rows, double* scaled, std::ptrdiff_t stride, int unknowns) {
  double largest = 0;
  for (int i = 0; i < unknowns; ++i) largest = std::max(largest, std::abs(rows[i * stride + i]));
  const auto width = static_cast<int>(stride);
  for (int first = 0; first < unknowns; first += high) {
    const int last = std::min(first + high, unknowns), from = first / wide * wide;
    add_tiles(scaled + first, rows + from, stride, first, -1, last - first, width - from, rows + first * stride + from);
    if (!eliminate_among(rows, scaled, stride, first, last, 1e-12 * largest)) return false;
  }
  return true;
}

void multiply(const double* rows, const double* scaled, std::ptrdiff_t stride, int unknowns, int first, int columns,
              double* out) {
  for (int r = 0; r < columns; r += high) {
    const int height = std::min(high, columns - r);
    add_tiles(scaled + first + r, rows + first, stride, unknowns, 1, height, r + height, out + r * stride);
  }
}

}  // namespace

template <>
const DenseLoops& loops_of_width<DenseLoops>() {
  static constexpr DenseLoops loops{eliminate, multiply};
  return loops;
}

}  // namespace ls::inline LS_ISA
