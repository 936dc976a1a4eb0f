#pragma once
#include "dipoles/periodic/periodic_box.h"

namespace ls {

// Estimates of the error of Ewald sums: rms over all dipoles if positions and directions were random (Kolafa and Perram
// 1992 for charges; Wang and Holm 2001, Cerda et al. 2008 for dipoles), over the rms field and force of a jittered grid
// of as many dipoles. Neither the moments nor the places enter: parameters that follow from these never change in a
// run.
struct SumErrors {
  double field = 0, force = 0;
  double larger() const { return std::fmax(field, force); }
};

// The screened interaction between dipoles at a distance r, for a splitting alpha (1/m). With these
//   B_i = sum_j - b m_j + c (m_j.r) r,   F_i = sum_j c [(m_i.m_j) r + (m_i.r) m_j + (m_j.r) m_i] - d (m_i.r)(m_j.r) r.
struct Screened {
  double b, c, d;
};
Screened screened(double r, double alpha);

// Of cutting it at r = cut.
SumErrors cut_error(const PeriodicBox& box, int count, double alpha, double cut);
// Of leaving out wave vectors longer than `longest` (1/m) in the plain sum.
SumErrors wave_error(const PeriodicBox& box, int count, double alpha, double longest);
// Of a mesh with this spacing and splines of this order, with the influence function of mesh_ewald.cpp.
SumErrors mesh_error(const PeriodicBox& box, int count, double alpha, double spacing, int order);

// The least value in [low, high], within a hundredth, at which error(value) <= limit, for an error that falls; `high`
// where none does.
template <class Error>
double least_that_serves(double low, double high, double limit, const Error& error) {
  while (high / low > 1.01) {
    const double middle = std::sqrt(low * high);
    (error(middle) <= limit ? high : low) = middle;
  }
  return high;
}

}  // namespace ls
