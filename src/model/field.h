#pragma once
#include "math/vec.h"

#include <array>

namespace ls {

// A magnetic field at a point, with what the force on a dipole and its stiffness need.
struct FieldSample {
  Vec3<double> b{};                      // T
  Mat3<double> gradient{};               // T/m, column j is dB/dx_j
  std::array<Mat3<double>, 3> second{};  // T/m^2, column j of second[k] is d2B/dx_j dx_k
};

// A field in space as it is at one time: magnetic or, read in m/s, how a fluid flows.
class Field {
 public:
  virtual ~Field() = default;
  // Adds it and its derivatives up to `order` (0, 1 or 2) at some points.
  virtual void add(const Vec3<double>* x, int points, int order, FieldSample* out) const = 0;
  virtual bool is_uniform() const { return false; }  // the same everywhere
};

}  // namespace ls
