#pragma once
#include "math/vec.h"
#include "model/dipole_table.h"
#include "terms/dipoles/dipole_sum.h"

#include <memory>

namespace ls {

// Two sets of dipoles, each pair of one of the first and one of the second: what magnets and soft cells do to each
// other. Dipoles of one node, or of two that are apart, do not act; with copies in a periodic box, none but their
// copies.
class BetweenSum {
 public:
  virtual ~BetweenSum() = default;
  // Of the first set's dipole i, then of the second's; world axes.
  virtual void place_first(int i, const Vec3<double>& x, const Vec3<double>& moment) = 0;
  virtual void place_second(int j, const Vec3<double>& x, const Vec3<double>& moment) = 0;
  // The fields of the first at the second, whose moments do not matter.
  virtual void find_fields_of_first(Team& team) = 0;
  // And all the rest.
  virtual void find(Team& team) = 0;
  virtual Vec3<double> field_at_first(int i) const = 0;   // T
  virtual Vec3<double> field_at_second(int j) const = 0;  // T
  virtual Vec3<double> force_on_first(int i) const = 0;   // N
  virtual Vec3<double> force_on_second(int j) const = 0;  // N
  // What fast sums know besides: those of the first set on each other.
  virtual Vec3<double> field_among_first(int) const { return {}; }
  virtual Vec3<double> force_among_first(int) const { return {}; }
  virtual std::size_t bytes() const = 0;
};

// As the table says. [dipole] nodes, ascending in both, apart is as in DipoleRules.
std::unique_ptr<BetweenSum> make_between_sum(const DipoleTable& table, const std::vector<int>& first,
                                             const std::vector<int>& second,
                                             const std::vector<std::pair<int, int>>& apart);
std::unique_ptr<BetweenSum> make_direct_between(const std::vector<int>& first, const std::vector<int>& second,
                                                const std::vector<std::pair<int, int>>& apart);

}  // namespace ls
