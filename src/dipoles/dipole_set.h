#pragma once
#include "base/column.h"

#include <array>
#include <span>
#include <vector>

namespace ls {

// mu0/(4 pi), T m/A: the field of a dipole m at r is this times (3 (m.r) r/r^2 - m)/r^3.
inline constexpr double dipole_constant = 1e-7;

// Point dipoles that act on each other.
struct DipoleSet {
  int count = 0;
  std::array<const double*, 3> position{};  // [dipole] m
  std::array<const double*, 3> moment{};    // [dipole] A m^2
  // Pairs that do not act on each other (neighbours of a rod, samples of one body), in any order, each named once.
  std::span<const std::array<int, 2>> excluded{};
};

// What they do to each other. The torque is moment x field.
struct DipoleFields {
  std::array<Column, 3> field;  // [dipole] T, of all others
  std::array<Column, 3> force;  // [dipole] N: the gradient of (moment . field)
  double energy = 0;            // J, each pair once

  void resize(int count) {
    for (auto& column : field) column.resize(static_cast<std::size_t>(count));
    for (auto& column : force) column.resize(static_cast<std::size_t>(count));
  }
};

// With whom each dipole has nothing to do.
class DipoleExclusions {
 public:
  void build(const DipoleSet& set);
  bool is_empty() const { return partners_.empty(); }
  std::span<const int> of(int dipole) const {
    if (is_empty()) return {};
    const auto i = static_cast<std::size_t>(dipole);
    return {partners_.data() + begin_[i], partners_.data() + begin_[i + 1]};
  }

 private:
  std::vector<int> begin_;     // [dipole + 1]
  std::vector<int> partners_;  // of one dipole in ascending order
};

// Makes room for what a sum finds. False where it has nothing to do: there are no dipoles, or a number in the set is
// none, and then all that is found is none either.
bool begin_sum(const DipoleSet& set, DipoleFields& out);

// - 1/2 sum moment . field, in blocks of 1024 in their order, whatever the number of threads.
double pair_energy(const DipoleSet& set, const DipoleFields& fields);

// Field at d from a dipole m, and the force on a dipole u there; over mu0/(4 pi).
struct PairEffect {
  std::array<double, 3> field, force;
};
PairEffect pair_effect(const std::array<double, 3>& d, const std::array<double, 3>& m, const std::array<double, 3>& u);

}  // namespace ls
