// Compiled once per vector width; see translation_loops.h. A row is summed column by column, whatever the width, and
// rows know nothing of each other.
#include "dipoles/tree/translation_loops.h"

#include "base/loops_of_width.h"
#include "dipoles/registers.h"
#include "dipoles/tree/harmonics.h"

namespace ls::inline LS_ISA {
namespace {

constexpr int most_columns = most_order * (most_order + 2);
// Registers of rows that are kept for four expansions: as many as there is room for.
constexpr int most_tall = register_bytes == 64 ? 5 : register_bytes == 32 ? 3 : 2;

// to += sign * sum, in `rows` rows: the last register may hold some that are none.
template <class R>
inline void add_sum(R* to, const R* sign, const Register<R>& sum, int rows) {
  if (rows >= register_lanes<R>) {
    store<R>(to, load(to) + (sign ? load(sign) * sum : sum));
    return;
  }
  R lanes[register_lanes<R>];
  store<R>(lanes, sum);
  for (int i = 0; i < rows; ++i) to[i] += sign ? sign[i] * lanes[i] : lanes[i];
}

template <int tall, int count, class R>
void add_rows(const Products<R>& p, const R* const* from, int first) {
  Register<R> sum[count][tall] = {};
  const R* column = p.matrix + first;
  for (int j = 0; j < p.columns; ++j, column += p.height) {
    Register<R> k[tall];
    for (int r = 0; r < tall; ++r) k[r] = load(column + r * register_lanes<R>);
    for (int t = 0; t < count; ++t) {
      const Register<R> x = broadcast<R>(from[t][j]);
      for (int r = 0; r < tall; ++r) sum[t][r] = fused(k[r], x, sum[t][r]);
    }
  }
  for (int t = 0; t < count; ++t)
    for (int r = 0; r < tall; ++r) {
      const int row = first + r * register_lanes<R>;
      add_sum(p.to[t] + row, p.mirror[t] ? p.mirror[t] + row : nullptr, sum[t][r], p.rows - row);
    }
}

template <int count, class R>
void add_products(const Products<R>& p, const R* const* from) {
  int left = (p.rows + register_lanes<R> - 1) / register_lanes<R>, first = 0;
  while (left > 0) {
    int tall = left < most_tall ? left : most_tall;
    if (left == most_tall + 1 && most_tall > 2) tall = most_tall - 1;  // rather than a single one at the end
    if (tall == 5) add_rows<5, count>(p, from, first);
    if (tall == 4) add_rows<4, count>(p, from, first);
    if (tall == 3) add_rows<3, count>(p, from, first);
    if (tall == 2) add_rows<2, count>(p, from, first);
    if (tall == 1) add_rows<1, count>(p, from, first);
    left -= tall;
    first += tall * register_lanes<R>;
  }
}

template <class R>
void add(const Products<R>& p) {
  R mirrored[most_at_once][most_columns];
  const R* from[most_at_once] = {};
  for (int t = 0; t < p.count; ++t) {
    from[t] = p.from[t];
    if (!p.mirror[t]) continue;
    for (int j = 0; j < p.columns; ++j) mirrored[t][j] = p.mirror[t][j] * p.from[t][j];
    from[t] = mirrored[t];
  }
  if (p.count == 4) add_products<4>(p, from);
  if (p.count == 3) add_products<3>(p, from);
  if (p.count == 2) add_products<2>(p, from);
  if (p.count == 1) add_products<1>(p, from);
}

}  // namespace

template <>
const TranslationLoops<float>& loops_of_width<TranslationLoops<float>>() {
  static constexpr TranslationLoops<float> loops{add<float>};
  return loops;
}
template <>
const TranslationLoops<double>& loops_of_width<TranslationLoops<double>>() {
  static constexpr TranslationLoops<double> loops{add<double>};
  return loops;
}

}  // namespace ls::inline LS_ISA
