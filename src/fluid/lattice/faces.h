#pragma once
#include "fluid/lattice/d3q19.h"
#include "fluid/lattice/lattice.h"

#include <array>
#include <cstddef>
#include <vector>

namespace ls {

// Where populations lie, counted in numbers: column i of them at i * column, in it row z * ny + y at row * row, x
// fastest.
struct LatticeStrides {
  std::ptrdiff_t row = 0, column = 0;
};

// A run of cells of a row that lose what goes in one direction through a face, and get something back for it:
//   wall                  what comes back goes the opposite way
//   free-slip, pressure   it goes on along the face, as from a mirror
// Both are a value in one place, which is written as what left and read as what comes back.
struct FaceLink {
  FaceKind kind = FaceKind::wall;
  int direction = 0, back = 0;  // of what leaves and of what comes back
  int cell = 0, count = 0;      // x of the first cell, and how many there are
  std::ptrdiff_t at = 0;        // of the first cell's value, from the row's first cell of population 0
  std::ptrdiff_t from = 0;      // where the loops left it: the padding, or the same
  int faces[2] = {-1, -1};      // that it goes through, 2 axis + side, none of them periodic
};

// In odd steps what leaves the last cell of a row goes to a place off the row. The loops write it to the padding beside
// the row: it is brought there before, and back after them, on the way through the face if there is one.
struct EndCell {
  std::ptrdiff_t pad = 0, place = 0;
};

// What all rows have in common that lie alike between the faces.
struct RowKind {
  std::array<std::ptrdiff_t, d3q19::count> slot{};  // [direction] of the cell x = 0: see RowLoops
  std::array<std::ptrdiff_t, d3q19::count> end{};   // [direction] of the last cell that way; where there is none, 0
  std::vector<EndCell> ends;
  bool is_ring = false;         // the ends meet: nothing but `ends` brings values back
  std::vector<FaceLink> links;  // along the row first, then of its end cells
  std::size_t long_links = 0;   // of them along the row
};

// [odd][place between the y faces + 4 * between the z faces], a place being 1 at the low and 2 at the high face, or
// both.
using RowKinds = std::array<std::array<RowKind, 16>, 2>;

RowKinds row_kinds(const LatticeSpec& spec, const LatticeStrides& strides);

}  // namespace ls
