#pragma once

// Dipoles pair by pair, as plain functions: each vector width has its own copy (near_loops.cpp).
namespace ls {

// Lengths in units of the target's leaf, from its centre. `low` is what single precision leaves of a coordinate, so
// that close pairs lose nothing; double precision has no use for it.
template <class R>
struct NearSources {
  const R* x[3];
  const R* low[3];
  const R* m[3];
  int count;  // beyond it the columns go on to a whole number of lanes, far away and without a moment
};
template <class R>
struct NearTarget {
  R x[3], low[3], m[3];
};
template <class R>
struct NearSums {
  R field[3];
  R force[3];
  R along;    // times the target's moment it is part of the force
  int close;  // sources too close for this precision (itself among them), which are left out
};

template <class R>
struct NearLoops {
  void (*sum)(const NearSources<R>&, const NearTarget<R>&, NearSums<R>&);
  // The sources that `sum` leaves out, in ascending order; their number.
  int (*close)(const NearSources<R>&, const NearTarget<R>&, int* found);
};
template <class R>
const NearLoops<R>& near_loops();

}  // namespace ls
