#pragma once

// Screened pairs of an Ewald sum, as plain functions: each vector width has its own copy (screened_loops.cpp).
namespace ls {

inline constexpr int erfc_terms = 24;

// Of the square of the cut: dipoles that are as near as that are in one place, and must not act on each other.
inline constexpr double one_place = 1e-18;

// The law of ewald_error.h. erfc(x) = exp(-x^2)/(1 + 2x) times a polynomial in (x - 3.75)/(x + 3.75), as Shepherd and
// Laframboise (1981) have it; screened_law() finds its coefficients.
struct ScreenedLaw {
  double alpha, cut;
  double erfc[erfc_terms];  // of falling powers
};

// Dipoles in the order of their cells.
struct ScreenedDipoles {
  const double* x[3];
  const double* m[3];
};

// Those near one target: distances to it and their moments.
struct ScreenedNeighbours {
  double* d[3];
  double* m[3];
  int count;
};

struct ScreenedSums {
  double field[3];
  double force[3];
  double along;  // times the target's moment it is part of the force
};

struct ScreenedLoops {
  // Adds those of [begin, end) that are within the cut of a place, but for `itself`; `squares` and `found` are room for
  // as many numbers.
  void (*find)(const ScreenedDipoles&, const double (&place)[3], int itself, int begin, int end, double cut,
               double* squares, int* found, ScreenedNeighbours&);
  // The columns have room for whole lanes after the last neighbour, which it fills.
  void (*sum)(const ScreenedLaw&, const double (&moment)[3], ScreenedNeighbours&, ScreenedSums&);
};
const ScreenedLoops& screened_loops();

ScreenedLaw screened_law(double alpha, double cut);

}  // namespace ls
