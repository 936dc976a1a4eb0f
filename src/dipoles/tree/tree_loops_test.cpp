// The copies of the loops for AVX2 and AVX-512 give the same bits; the portable one, which fuses nothing, nearly.
#include "dipoles/test_widths.h"
#include "dipoles/tree/derivatives.h"
#include "dipoles/tree/expansion_loops.h"
#include "dipoles/tree/near_loops.h"
#include "dipoles/tree/translation_loops.h"
#include "dipoles/tree/translations.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace ls::tree_loops_test {

using test::random_numbers;

template <class R>
std::vector<double> near_results(const NearLoops<R>& loops) {
  constexpr int count = 77;
  std::vector<std::vector<R>> columns;
  for (int k = 0; k < 9; ++k) {
    columns.push_back(random_numbers<R>(count, k));
    if (k >= 3 && k < 6)
      for (R& low : columns.back()) low *= R(1e-8);
    columns.back().resize(count + 16, R(k < 3 ? 1e3 : 0));
  }
  const auto p = [&](int k) { return columns[static_cast<std::size_t>(k)].data(); };
  const NearSources<R> sources{{p(0), p(1), p(2)}, {p(3), p(4), p(5)}, {p(6), p(7), p(8)}, count};
  const NearTarget<R> target{{p(0)[5], p(1)[5], p(2)[5]}, {p(3)[5], p(4)[5], p(5)[5]}, {R(0.1), R(0.7), R(-0.3)}};
  NearSums<R> sums;
  loops.sum(sources, target, sums);
  std::vector<int> found(count + 16);
  EXPECT_EQ(sums.close, 1);
  EXPECT_EQ(loops.close(sources, target, found.data()), 1);
  EXPECT_EQ(found[0], 5);
  return {sums.field[0], sums.field[1], sums.field[2], sums.force[0], sums.force[1], sums.force[2], sums.along};
}

// Of orders whose rows fill registers and of others that do not, of one to four expansions; of images likewise.
template <class R>
std::vector<double> translation_results(const TranslationLoops<R>& loops) {
  std::vector<double> all;
  for (const int order : {2, 3, 5, 7, 9, 11}) {
    const int columns = order * (order + 2), rows = padded_rows(order);
    const auto matrix = random_numbers<R>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 1);
    for (int count = 1; count <= most_at_once; ++count) {
      std::vector<std::vector<R>> from, to;
      for (int t = 0; t < count; ++t) from.push_back(random_numbers<R>(static_cast<std::size_t>(columns), 10 + t));
      to.assign(static_cast<std::size_t>(count), std::vector<R>(static_cast<std::size_t>(rows), R(1)));
      Products<R> products{matrix.data(), rows, rows, columns, count, {}, {}};
      for (int t = 0; t < count; ++t) {
        products.from[t] = from[static_cast<std::size_t>(t)].data();
        products.to[t] = to[static_cast<std::size_t>(t)].data();
      }
      loops.add(products);
      for (const auto& a : to) all.insert(all.end(), a.begin(), a.end());
    }
  }
  return all;
}

// Targets fewer than lanes, of different octants; some images are not there.
template <class R>
std::vector<double> mirror_results(const TranslationLoops<R>& loops) {
  static const Translations<R> matrices(9);
  std::vector<double> all;
  for (const std::array<int, 3>& offset : {std::array{2, 0, 0}, {1, 2, 2}, {3, 1, 0}, {3, 3, 3}})
    for (const int order : {2, 5, 7}) {
      const auto& far = matrices.far(offset);
      constexpr int count = MirrorProducts<R>::lanes - 3;
      std::vector<std::vector<R>> from, to(count, std::vector<R>(static_cast<std::size_t>(matrices.height()), R(1)));
      for (int i = 0; i < 8 * count; ++i)
        from.push_back(random_numbers<R>(static_cast<std::size_t>(matrices.height()), i));
      MirrorProducts<R> p{&far.matrix, std::min(order, far.order), count, {}, {}, {}};
      for (int t = 0; t < count; ++t) {
        p.signs[t] = matrices.mirror(t % 8);
        p.to[t] = to[static_cast<std::size_t>(t)].data();
        for (int f = 0; f < far.matrix.images; ++f)
          if ((t + f) % 5 != 0)
            p.from[f][t] = from[8 * static_cast<std::size_t>(t) + static_cast<std::size_t>(f)].data();
      }
      loops.add_mirrored(p);
      for (const auto& a : to) all.insert(all.end(), a.begin(), a.end());
    }
  return all;
}

template <class R>
std::vector<double> expansion_results(const ExpansionLoops<R>& loops) {
  constexpr int order = 7, count = 45;
  std::vector<std::vector<double>> columns;
  for (int k = 0; k < 6; ++k) columns.push_back(random_numbers<double>(count, k));
  const auto p = [&](int k) { return columns[static_cast<std::size_t>(k)].data(); };
  const DipoleRun run{{p(0), p(1), p(2)}, {p(3), p(4), p(5)}, 2, count};
  const auto regular = regular_derivatives(1, order), regular_again = regular_derivatives(1, order - 1);
  const auto irregular = irregular_derivatives(1, order), irregular_again = irregular_derivatives(2, order + 1);
  const auto view = [](const auto& t) { return DerivativeTable{t.data(), static_cast<int>(t.size())}; };
  std::vector<R> inner(padded_rows(order)), outer(padded_rows(order));
  loops.add_multipoles(run, {{0, 0.1, 0}, 1}, order, view(regular), inner.data());
  loops.add_local(run, {{2, 1, 0}, 1}, order, view(irregular), outer.data());
  std::vector<std::vector<double>> out(6, std::vector<double>(count));
  double* const field[3] = {out[0].data(), out[1].data(), out[2].data()};
  double* const force[3] = {out[3].data(), out[4].data(), out[5].data()};
  loops.read_local(inner.data(), {{0, 0, 0}, 1.1}, order, {view(regular), view(regular_again)}, run, field, force);
  loops.read_multipoles(outer.data(), {{0, 3, 0}, 1.1}, order, {view(irregular), view(irregular_again)}, run, field,
                        force);
  std::vector<double> all(inner.begin(), inner.end());
  all.insert(all.end(), outer.begin(), outer.end());
  for (const auto& a : out) all.insert(all.end(), a.begin(), a.end());
  return all;
}

template <class R>
constexpr double rounding = sizeof(R) == 4 ? 1e-5 : 1e-13;

template <class R>
class TreeLoops : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(TreeLoops, Precisions);

TYPED_TEST(TreeLoops, NearOfAllWidths) {
  test::expect_widths_agree<NearLoops<TypeParam>>(rounding<TypeParam>, near_results<TypeParam>);
}
TYPED_TEST(TreeLoops, TranslationsOfAllWidths) {
  test::expect_widths_agree<TranslationLoops<TypeParam>>(rounding<TypeParam>, translation_results<TypeParam>);
}
TYPED_TEST(TreeLoops, MirroredTranslationsOfAllWidths) {
  test::expect_widths_agree<TranslationLoops<TypeParam>>(rounding<TypeParam>, mirror_results<TypeParam>);
}
TYPED_TEST(TreeLoops, ExpansionsOfAllWidths) {
  test::expect_widths_agree<ExpansionLoops<TypeParam>>(rounding<TypeParam>, expansion_results<TypeParam>);
}

}  // namespace ls::tree_loops_test
