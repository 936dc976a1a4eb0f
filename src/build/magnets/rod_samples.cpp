#include "build/builder.h"

#include <algorithm>
#include <cmath>

namespace ls {

using V = Vec3<double>;

// The dipole of a node in parts along the halves of the bonds beside it: equal lengths, each with a dipole in its
// middle. Where the bonds are no longer than what is asked for, the one at the node is enough.
void Builder::spread_moment(const RodSpec& rod, const Body& body, std::size_t i, const V& moment) {
  const auto& frames = rod.line.frames;
  const int node = body.nodes[i];
  struct Half {
    V way{};  // m, to the middle of the bond
    double length = 0;
  };
  Half halves[2];
  for (int side = 0; side < 2; ++side) {
    if (side == 0 ? i == 0 : i + 1 == frames.size()) continue;
    const std::size_t other = side == 0 ? i - 1 : i + 1;
    halves[side] = {0.5 * (frames[other].x - frames[i].x), 0.5 * std::abs(body.arc[other] - body.arc[i])};
  }
  const double longest = std::max(halves[0].length, halves[1].length);
  if (!(2 * longest > rod.sampling * (1 + 1e-9))) return;
  for (const Half& half : halves) {
    if (half.length == 0) continue;
    const int parts = std::max(1, static_cast<int>(std::ceil(half.length / rod.sampling * (1 - 1e-9))));
    const double share = half.length / (halves[0].length + halves[1].length) / parts;
    const Quat<double> to_own = conj(nodes_[node].frame.q);
    for (int j = 0; j < parts; ++j) {  // in order along the rod
      const int k = &half == halves ? parts - 1 - j : j;
      samples_.push_back({node, rotate(to_own, ((k + 0.5) / parts) * half.way), share * rotate(to_own, moment)});
    }
  }
}

// By node. What rods without parts of their own leave at a node that they share with those that have some is one more.
void Builder::finish_samples(Model& model) {
  std::ranges::stable_sort(samples_, {}, &Dipole::node);
  auto& all = model.dipoles.samples;
  for (std::size_t k = 0; k < samples_.size();) {
    const int node = samples_[k].node;
    V sum{};
    double size = 0;
    for (; k < samples_.size() && samples_[k].node == node; ++k) {
      all.push_back(samples_[k]);
      sum += samples_[k].moment, size += norm(samples_[k].moment);
    }
    if (!nodes_[node].shared) continue;
    const V rest = V{model.moment[0][node], model.moment[1][node], model.moment[2][node]} - sum;
    if (norm(rest) > 1e-9 * size) all.push_back({node, {}, rest});
  }
}

}  // namespace ls
