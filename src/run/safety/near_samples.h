#pragma once
#include "model/model.h"
#include "model/state.h"

#include <string>
#include <vector>

namespace ls {

// Bodies whose magnets are samples, and where two of them are so near that points are no magnet any more: gaps below
// 0.8 of a spacing, where forces between cubes are off by more than a percent.
class NearSamples {
 public:
  using Pairs = std::vector<std::int32_t>;  // nodes, two by two

  explicit NearSamples(const Model& model);

  // Those that came near for the first time, beside what is known, to which they are added. When it has found so many
  // that nobody would read of more, it looks no longer.
  Pairs look(const State& s, Pairs& known) const;
  // What there is to tell of a pair.
  std::string warning(int node, int other) const;

 private:
  struct Sampled {
    int node = 0;
    double spacing = 0;                // m, between its samples; 0: it has but one
    double reach = 0;                  // m, from a sample to the surface
    double extent = 0;                 // m, from the node to its farthest sample
    std::vector<Vec3<double>> places;  // m, in its own axes
  };
  // How near samples of the two may come.
  static double least_distance(const Sampled& a, const Sampled& b);
  bool are_near(const Sampled& a, const Sampled& b, const State& s) const;
  Vec3<double> apart(const Vec3<double>& a, const Vec3<double>& b) const;
  const Sampled& of(int node) const;

  const Model& model_;
  std::vector<Sampled> bodies_;  // by node; none where dipoles do not act on each other, or there are too many
};

}  // namespace ls
