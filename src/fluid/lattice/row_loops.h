#pragma once
#include <cstddef>

// The hot loops over a row of cells as plain functions on plain arrays: each vector width has its own copy, compiled
// from row_loops.cpp into a namespace of its own, and the best one for this CPU is chosen at start.
namespace ls {

// What a collision multiplies with, for relaxation rates `even` and `odd` of the two halves of opposite populations.
// "far" are the populations that go to the edges of a cube, with weight 1/36; those to its faces have twice that.
// "rest" is the one that stays, with 1/3.
template <class T>
struct Collision {
  T body[3];                              // force on every cell
  T even, half_even, half_odd;            // the rates
  T square, force_square;                 // 9/2 even/36, 9 (1 - even/2)/36
  T far_energy, rest_energy;              // even/36, even/3
  T far_force_energy, rest_force_energy;  // 3 (1 - even/2)/36, 1 - even/2
  T linear, force_linear;                 // 3 odd/36, 3 (1 - odd/2)/36
};

// Forces on cells first..last-1 of a row, on top of the body force. The columns have zeros around them, as far as a
// register that begins or ends there may reach.
template <class T>
struct RowForce {
  const T* column[3];
  int first, last;
};

// Rows side by side.
struct RowRun {
  int cells, rows;       // of each, and how many
  std::ptrdiff_t apart;  // each so many numbers behind the one before
  bool streams;          // from memory: it pays to fetch ahead
};

// slot[i] + x is the one place where what leaves cell x in direction i is written, and where what came to it in the
// opposite direction was read from.
template <class T>
struct RowLoops {
  int width;  // of a register, in cells
  // force: null for none; else on one row.
  void (*collide)(T* const* slot, const RowRun& run, const Collision<T>& c, const RowForce<T>* force);
  // Density - 1 and momentum of cells first..last-1; out[k][0] is of the first. Fewer than `width` cells are done one
  // by one.
  void (*moments)(const T* const* slot, int first, int last, double* const* out);
  // Velocity and 1 / density of the same, four numbers a cell; `last - first` is `width` at least.
  void (*flow)(const T* const* slot, int first, int last, T* cells);
  // p -> sign p + shift for a run of populations that met a face, sign being 1 or -1; shifts: one each on top, or null.
  // sums: of what they were and of what they are now, in an order that does not depend on the vector width.
  void (*reflect)(T* p, int count, T sign, T shift, const T* shifts, double* sums);
};

template <class T>
const RowLoops<T>& row_loops();

}  // namespace ls
