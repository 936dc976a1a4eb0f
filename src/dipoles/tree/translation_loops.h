#pragma once
#include "dipoles/tree/harmonics.h"

// Matrices times expansions, as plain functions: each vector width has its own copy (translation_loops.cpp).
namespace ls {

inline constexpr int most_at_once = 4;  // expansions that go through one matrix together

template <class R>
struct Products {
  const R* matrix;  // by columns
  int height;       // from one column to the next
  int rows;         // a multiple of 16
  int columns;
  int count;  // at most most_at_once
  const R* from[most_at_once];
  R* to[most_at_once];  // the products are added, one after the other
};

// The matrix of one offset between cells, for all of its mirror images together (docs/theory/dipole_sums.md). Rows are
// in groups by what becomes of them when x, y and z are mirrored: bits 1, 2, 4 where the sign changes. Each group has
// the columns that act on it, in the order of their degrees, so that a lower order is a beginning of each list.
template <class R>
struct MirrorMatrix {
  struct Group {
    int height;                   // rows in all
    const R* matrix;              // [column][row]
    const int* rows;              // their places in an expansion
    const int* inputs;            // of each column: which combination of the images, times input_stride, plus its place
    int rows_to[most_order + 1];  // [order]
    int columns_to[most_order + 1];
  };
  // From the columns of one combination to those of the next.
  static constexpr int input_stride = most_order * (most_order + 2) + 16;
  Group group[8];
  int size;    // of an expansion
  int images;  // 1, 2, 4 or 8: one for each sign of those axes on which the image is not the same cell
};

// Of as many targets as there are lanes: to each the images of its sources. All are seen as from a child in the lowest
// corner of its parent: `signs` mirrors the expansions of other octants.
template <class R>
struct MirrorProducts {
  static constexpr int lanes = 64 / static_cast<int>(sizeof(R));
  const MirrorMatrix<R>* matrix;
  int order;
  int count;                // of targets
  const R* from[8][lanes];  // [image][target], null where there is none
  const R* signs[lanes];    // [target]
  R* to[lanes];
};

template <class R>
struct TranslationLoops {
  void (*add)(const Products<R>&);
  void (*add_mirrored)(const MirrorProducts<R>&);
};
template <class R>
const TranslationLoops<R>& translation_loops();

}  // namespace ls
