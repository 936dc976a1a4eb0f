#pragma once
#include "base/column.h"
#include "base/parallel.h"
#include "model/inputs.h"

#include <span>

namespace ls {

// B as it is in a state: of the fields, of all dipoles and of what is induced, with all their copies where the box is
// periodic.
class MagneticField {
 public:
  // model and in must outlive it.
  MagneticField(const Model& model, const State& state, const Inputs& in);

  // [place] T, whatever the number of threads; no number where a dipole sits.
  std::vector<Vec3<double>> at(std::span<const Vec3<double>> places, Team& team) const;
  // Of one place.
  Vec3<double> at(const Vec3<double>& place) const;

  int dipoles() const { return static_cast<int>(place_.size()); }
  const Vec3<double>& place(int dipole) const { return place_[dipole]; }    // m
  const Vec3<double>& moment(int dipole) const { return moment_[dipole]; }  // A m^2
  int node(int dipole) const { return node_[dipole]; }

 private:
  bool is_periodic() const;
  Vec3<double> of_dipoles(const Vec3<double>& x) const;
  std::vector<Vec3<double>> in_box(std::span<const Vec3<double>> places, Team& team) const;

  const Model& model_;
  const Inputs& in_;
  std::vector<Vec3<double>> place_, moment_;  // [dipole]
  std::vector<int> node_;                     // [dipole]
};

}  // namespace ls
