// Compiled once per vector width; see translation_loops.h. A row is summed column by column, whatever the width, and
// neither rows nor targets know of each other.
#include "dipoles/tree/translation_loops.h"

#include "base/loops_of_width.h"
#include "dipoles/registers.h"

#include <utility>

namespace ls::inline LS_ISA {
namespace {

// ---- one matrix, up to four expansions: lanes are rows

// Registers of rows that are kept for four expansions: as many as there is room for.
constexpr int most_tall = register_bytes == 64 ? 5 : register_bytes == 32 ? 3 : 2;

template <int tall, int count, class R>
void add_rows(const Products<R>& p, int first) {
  Register<R> sum[count][tall] = {};
  const R* column = p.matrix + first;
  for (int j = 0; j < p.columns; ++j, column += p.height) {
    Register<R> k[tall];
    for (int r = 0; r < tall; ++r) k[r] = load(column + r * register_lanes<R>);
    for (int t = 0; t < count; ++t) {
      const Register<R> x = broadcast<R>(p.from[t][j]);
      for (int r = 0; r < tall; ++r) sum[t][r] = fused(k[r], x, sum[t][r]);
    }
  }
  for (int t = 0; t < count; ++t)
    for (int r = 0; r < tall; ++r) {
      R* const to = p.to[t] + first + r * register_lanes<R>;
      store<R>(to, load(to) + sum[t][r]);
    }
}

template <int count, class R>
void add_products(const Products<R>& p) {
  int left = p.rows / register_lanes<R>, first = 0;
  while (left > 0) {
    int tall = left < most_tall ? left : most_tall;
    if (left == most_tall + 1 && most_tall > 2) tall = most_tall - 1;  // rather than a single one at the end
    if (tall == 5) add_rows<5, count>(p, first);
    if (tall == 4) add_rows<4, count>(p, first);
    if (tall == 3) add_rows<3, count>(p, first);
    if (tall == 2) add_rows<2, count>(p, first);
    if (tall == 1) add_rows<1, count>(p, first);
    left -= tall;
    first += tall * register_lanes<R>;
  }
}

template <class R>
void add(const Products<R>& p) {
  if (p.count == 4) add_products<4>(p);
  if (p.count == 3) add_products<3>(p);
  if (p.count == 2) add_products<2>(p);
  if (p.count == 1) add_products<1>(p);
}

// ---- mirror images together: lanes are targets

constexpr int most_size = MirrorMatrix<float>::input_stride;
// Rows that are summed at once: all registers but those for a column.
constexpr int most_rows = register_bytes == 64 ? 12 : register_bytes == 32 ? 6 : 3;

template <int s, class V, int... j>
inline void exchange(V& a, V& b, std::integer_sequence<int, j...>) {
  constexpr int width = sizeof...(j);
  const V c = __builtin_shufflevector(a, b, ((j & s) ? width + j - s : j)...);
  b = __builtin_shufflevector(a, b, ((j & s) ? width + j : j + s)...);
  a = c;
}
// Rows of a square become columns.
template <class R, int s = 1>
inline void transpose(Register<R>* a) {
  constexpr int width = register_lanes<R>;
  for (int i = 0; i < width; ++i)
    if (!(i & s)) exchange<s>(a[i], a[i + s], std::make_integer_sequence<int, width>{});
  if constexpr (2 * s < width) transpose<R, 2 * s>(a);
}

// [combination of images][column][target]
template <class R>
using Inputs = R[8][most_size][MirrorProducts<R>::lanes];

// Columns [first, first + lanes of a register) of one image, of all targets.
template <class R>
inline void load_image(const MirrorProducts<R>& p, int image, int first, R (*out)[MirrorProducts<R>::lanes]) {
  constexpr int width = register_lanes<R>;
  for (int lane = 0; lane < MirrorProducts<R>::lanes; lane += width) {
    Register<R> a[width];
    for (int t = 0; t < width; ++t) {
      const R* const from = lane + t < p.count ? p.from[image][lane + t] : nullptr;
      a[t] = from ? load(from + first) * load(p.signs[lane + t] + first) : Register<R>{};
    }
    transpose<R>(a);
    for (int j = 0; j < width; ++j) store<R>(out[first + j] + lane, a[j]);
  }
}

// Sums and differences over the images: combination h has image f with the sign (-1)^(bits of h and f).
template <class R>
inline void combine(const MirrorProducts<R>& p, int first, Inputs<R>& in) {
  constexpr int width = register_lanes<R>;
  for (int bit = 1; bit < p.matrix->images; bit *= 2)
    for (int h = 0; h < p.matrix->images; ++h) {
      if (h & bit) continue;
      for (int j = first; j < first + width; ++j)
        for (int lane = 0; lane < MirrorProducts<R>::lanes; lane += width) {
          const Register<R> a = load(in[h][j] + lane), b = load(in[h | bit][j] + lane);
          store<R>(in[h][j] + lane, a + b);
          store<R>(in[h | bit][j] + lane, a - b);
        }
    }
}

template <int tall, class R>
void multiply(const typename MirrorMatrix<R>::Group& g, int first, int columns, const R* in, R* out) {
  constexpr int lanes = MirrorProducts<R>::lanes, width = register_lanes<R>;
  Register<R> sum[tall][rounds<R>] = {};
  const R* k = g.matrix + first;
  for (int c = 0; c < columns; ++c, k += g.height) {
    const R* const x = in + static_cast<long>(g.inputs[c]) * lanes;
    Register<R> input[rounds<R>];
    for (int i = 0; i < rounds<R>; ++i) input[i] = load(x + i * width);
    for (int r = 0; r < tall; ++r) {
      const Register<R> factor = broadcast<R>(k[r]);
      for (int i = 0; i < rounds<R>; ++i) sum[r][i] = fused(factor, input[i], sum[r][i]);
    }
  }
  for (int r = 0; r < tall; ++r)
    for (int i = 0; i < rounds<R>; ++i) store<R>(out + g.rows[first + r] * lanes + i * width, sum[r][i]);
}
template <class R>
using Multiply = void (*)(const typename MirrorMatrix<R>::Group&, int, int, const R*, R*);
template <class R, int... tall>
inline Multiply<R> multiply_of(int rows, std::integer_sequence<int, tall...>) {
  static constexpr Multiply<R> table[] = {multiply<tall + 1, R>...};
  return table[rows - 1];
}

template <class R>
void add_mirrored(const MirrorProducts<R>& p) {
  constexpr int lanes = MirrorProducts<R>::lanes, width = register_lanes<R>;
  alignas(64) Inputs<R> in;
  alignas(64) R out[most_size][lanes];
  const int size = p.order * (p.order + 2);
  for (int first = 0; first < size; first += width) {
    for (int image = 0; image < p.matrix->images; ++image) load_image(p, image, first, in[image]);
    combine(p, first, in);
  }
  for (const auto& g : p.matrix->group) {
    const int rows = g.rows_to[p.order], parts = (rows + most_rows - 1) / most_rows;
    for (int part = 0, row = 0; part < parts; ++part) {
      const int tall = (rows - row) / (parts - part);
      multiply_of<R>(tall, std::make_integer_sequence<int, most_rows>{})(g, row, g.columns_to[p.order], in[0][0],
                                                                         out[0]);
      row += tall;
    }
  }
  for (int row = size; row < (size + width - 1) / width * width; ++row)
    for (R& a : out[row]) a = R(0);
  for (int first = 0; first < size; first += width)
    for (int lane = 0; lane < p.count; lane += width) {
      Register<R> a[width];
      for (int r = 0; r < width; ++r) a[r] = load(out[first + r] + lane);
      transpose<R>(a);
      for (int t = 0; t < width && lane + t < p.count; ++t) {
        R* const to = p.to[lane + t] + first;
        store<R>(to, load(to) + load(p.signs[lane + t] + first) * a[t]);
      }
    }
}

}  // namespace

template <>
const TranslationLoops<float>& loops_of_width<TranslationLoops<float>>() {
  static constexpr TranslationLoops<float> loops{add<float>, add_mirrored<float>};
  return loops;
}
template <>
const TranslationLoops<double>& loops_of_width<TranslationLoops<double>>() {
  static constexpr TranslationLoops<double> loops{add<double>, add_mirrored<double>};
  return loops;
}

}  // namespace ls::inline LS_ISA
