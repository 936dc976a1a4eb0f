#pragma once

// Matrices times expansions, as plain functions: each vector width has its own copy (translation_loops.cpp).
namespace ls {

inline constexpr int most_at_once = 4;  // expansions that go through one matrix together

template <class R>
struct Products {
  const R* matrix;  // by columns
  int height;       // from one column to the next
  int rows;         // a multiple of 8
  int columns;
  int count;  // at most most_at_once
  const R* from[most_at_once];
  R* to[most_at_once];            // the products are added, one after the other
  const R* mirror[most_at_once];  // signs of the expansions on both sides, or null
};

template <class R>
struct TranslationLoops {
  void (*add)(const Products<R>&);
};
template <class R>
const TranslationLoops<R>& translation_loops();

}  // namespace ls
