#pragma once
#include "base/parallel.h"
#include "dipoles/dipole_set.h"
#include "dipoles/periodic/periodic_box.h"
#include "dipoles/periodic/wave_loops.h"

#include <vector>

namespace ls {

// The smooth part of a plain Ewald sum: all waves up to a longest wave vector. exp(i k.x) is a product of three that
// are tabled for each dipole, one an axis.
class WavePart {
 public:
  void prepare(const PeriodicBox& box, double alpha, double longest);
  // Sets fields and forces.
  void compute(const DipoleSet& set, Team& team, DipoleFields& out);

 private:
  void fill_tables(const DipoleSet& set, Team& team);
  void find_totals(Team& team);

  PeriodicBox box_;
  std::array<int, 3> most_{};    // wave numbers
  std::vector<WaveRow> rows_;    // half of all: -k is not listed
  std::vector<double> weights_;  // [wave] 4 pi/V exp(-k^2/4 alpha^2)/k^2, twice for the other half
  std::vector<double> totals_;   // [wave][cosine and sine] times its weight
  std::array<Column, 3> cosine_, sine_, moment_;
  WaveTables tables_{};
};

}  // namespace ls
