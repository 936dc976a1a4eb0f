#pragma once
#include <array>
#include <cmath>

namespace ls {

// A box that repeats in all three directions, filled with dipoles; and what is around all its copies.
struct PeriodicBox {
  // Metal around it leaves no field of the whole ("tin foil"); vacuum around a large ball of copies has that of the
  // magnetised ball, which shifts every field by - mu0/3 times the mean magnetisation.
  enum class Surround { tin_foil, vacuum };

  std::array<double, 3> length{};  // m
  Surround surround = Surround::tin_foil;

  double volume() const { return length[0] * length[1] * length[2]; }
  double shortest() const { return std::fmin(length[0], std::fmin(length[1], length[2])); }
  // The copy of a distance that is nearest to zero.
  std::array<double, 3> nearest(std::array<double, 3> d) const {
    for (std::size_t k = 0; k < 3; ++k) d[k] -= length[k] * std::round(d[k] / length[k]);
    return d;
  }
};

}  // namespace ls
