#pragma once
#include "math/vec.h"
#include "terms/dipoles/dipole_sum.h"
#include "terms/dipoles/direct_loops.h"

#include <cstdint>

namespace ls {

// Two sets of dipoles, each pair of one of the first and one of the second, exact to rounding: what magnets and soft
// cells do to each other. Dipoles of one node, or of two that are apart, do not act.
class BetweenSum {
 public:
  // [dipole] nodes, ascending in both; apart as in DipoleRules.
  BetweenSum(const std::vector<int>& first, const std::vector<int>& second,
             const std::vector<std::pair<int, int>>& apart);

  // Of the first set's dipole i, then of the second's.
  void place_first(int i, const Vec3<double>& x, const Vec3<double>& moment) { place(i, x, moment); }
  void place_second(int j, const Vec3<double>& x, const Vec3<double>& moment) { place(offset_ + j, x, moment); }
  void find(Team& team);
  Vec3<double> field_at_first(int i) const { return triple(out_.b, i); }  // T
  Vec3<double> field_at_second(int j) const { return triple(out_.b, offset_ + j); }
  Vec3<double> force_on_first(int i) const { return triple(out_.force, i); }  // N
  Vec3<double> force_on_second(int j) const { return triple(out_.force, offset_ + j); }
  std::size_t bytes() const { return (shares_.size() + 2) * 6 * in_.x[0].size() * sizeof(double); }

 private:
  struct Masks {
    int tile = 0;  // of the first
    std::vector<std::uint64_t> bits;
  };
  void place(int k, const Vec3<double>& x, const Vec3<double>& m);
  void add_share(int share);
  static Vec3<double> triple(const Column (&c)[3], int i) { return {c[0][i], c[1][i], c[2][i]}; }

  int firsts_, seconds_, offset_;          // how many, and where the second begin in the columns
  std::vector<std::vector<Masks>> masks_;  // [tile of the second] by tile of the first, where some pairs do not act
  DipoleColumns in_;
  DipoleEffects out_;
  std::vector<DipoleEffects> shares_;
  const DirectLoops& loops_ = direct_loops();
};

}  // namespace ls
