#pragma once
#include <cstdint>

// Sums over the pairs of two tiles of dipoles: each vector width has its own copy.
namespace ls {

inline constexpr int dipole_tile = 64;

// Columns of dipoles, and the sums so far over mu0/(4 pi).
struct DipoleTiles {
  const double* x[3];  // [dipole] m
  const double* m[3];  // [dipole] A m^2
  double* b[3];        // [dipole] to add to
  double* force[3];    // [dipole]
};

// Some dipoles from `first` on, a tile at most, with some from `second` on, a multiple of eight. Of the second it may
// be several tiles, unless there are masks: the sums over lanes are then taken less often.
struct TilePair {
  int first = 0, firsts = dipole_tile, second = 0, seconds = dipole_tile;
  const std::uint64_t* masks = nullptr;  // [of the first] which of the second it acts on, a bit each; null: all
};

struct DirectLoops {
  void (*add)(const DipoleTiles&, const TilePair&);
};
const DirectLoops& direct_loops();

}  // namespace ls
