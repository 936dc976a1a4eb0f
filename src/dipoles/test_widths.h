#pragma once
#include "base/isa.h"
#include "base/rng.h"
#include "base/widths.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

// Copies of loops for vector widths beside each other.
namespace ls::test {

template <class Loops>
const Loops& of_width([[maybe_unused]] Isa isa) {
#ifdef LODESTONE_WIDE
  if (isa == Isa::avx2) return avx2::loops_of_width<Loops>();
  if (isa == Isa::avx512) return avx512::loops_of_width<Loops>();
#endif
  return portable::loops_of_width<Loops>();
}

// results(loops) with AVX2 and AVX-512 have the same bits, as far as this machine has them; without, where nothing is
// fused, they are the same within `rounding` of the largest.
template <class Loops, class Results>
void expect_widths_agree(double rounding, const Results& results) {
  const std::vector<double> plain = results(of_width<Loops>(Isa::portable));
  if (chosen_isa() == Isa::portable) return;
  const std::vector<double> narrow = results(of_width<Loops>(Isa::avx2));
  double size = 0;
  for (const double a : plain) size = std::max(size, std::abs(a));
  ASSERT_EQ(narrow.size(), plain.size());
  for (std::size_t i = 0; i < narrow.size(); ++i) EXPECT_NEAR(narrow[i], plain[i], rounding * size);
  if (chosen_isa() == Isa::avx512) {
    EXPECT_EQ(narrow, results(of_width<Loops>(Isa::avx512)));
  }
}

// Between -1/2 and 1/2.
template <class R>
std::vector<R> random_numbers(std::size_t count, int which) {
  std::vector<R> a(count);
  for (std::size_t i = 0; i < count; ++i)
    a[i] = static_cast<R>(uniform(3, 0, i, static_cast<std::uint64_t>(which)) - 0.5);
  return a;
}

}  // namespace ls::test
