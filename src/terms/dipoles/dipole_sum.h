#pragma once
#include "base/column.h"
#include "base/parallel.h"
#include "dipoles/periodic/periodic_box.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace ls {

// Dipoles as they are at one time, world axes.
struct DipoleColumns {
  int count = 0;
  Column x[3];  // [dipole] m
  Column m[3];  // [dipole] A m^2
};

// What all others do to each of them: torques are m x b, and the energy of all pairs, each once, is -sum(m.b)/2.
struct DipoleEffects {
  Column b[3];      // [dipole] T
  Column force[3];  // [dipole] N, the slope of m.b
};

// Which dipoles act on each other.
struct DipoleRules {
  std::vector<int> node;                   // [dipole] ascending; those of one node do not
  std::vector<std::pair<int, int>> apart;  // nodes whose dipoles do not either: lower first, ascending, each once
};

// A way to sum over all pairs: the one thing that methods differ in. Results do not depend on the team.
class DipoleSum {
 public:
  virtual ~DipoleSum() = default;
  virtual std::string_view name() const = 0;
  // Sets b and force, which have room for the columns' length; both columns are padded to whole blocks and one more.
  virtual void find(const DipoleColumns& in, DipoleEffects& out, Team& team) = 0;
  virtual std::size_t bytes() const = 0;
};

// Each pair by itself, exact to rounding.
std::unique_ptr<DipoleSum> make_direct_sum(const DipoleRules& rules);
// By fast multipoles, to that share of the rms field and of the rms force (dipoles/tree/dipole_tree.h).
std::unique_ptr<DipoleSum> make_tree_sum(const DipoleRules& rules, double accuracy);
// With all copies in a periodic box: few, or to a high accuracy, by a plain Ewald sum, many on a mesh.
std::unique_ptr<DipoleSum> make_periodic_sum(const DipoleRules& rules, const PeriodicBox& box, double accuracy);

// The same, but that of states which it was asked for lately it knows the answer.
std::unique_ptr<DipoleSum> make_remembered_sum(std::unique_ptr<DipoleSum> sum);

// Pairs of dipoles that do not act on each other, one by one, as the fast sums have them.
std::vector<std::array<int, 2>> excluded_pairs(const DipoleRules& rules);

}  // namespace ls
