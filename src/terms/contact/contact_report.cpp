#include "terms/contact/contact_report.h"

#include <algorithm>

namespace ls {

void note_pair(const Shapes& shapes, const ShapePair& pair, const Nearness& n, bool pushes, ContactReport& report) {
  report.contacts += pushes ? 1 : 0;
  report.min_gap = std::min(report.min_gap, n.gap());
  if (report.gap.empty()) return;
  const PairNodes nodes = nodes_of(shapes, pair, n);
  if (pushes) {
    const auto [low, high] = std::minmax(shapes.body_of[nodes.node[0]], shapes.body_of[nodes.node[nodes.count - 1]]);
    report.bodies.emplace_back(low, high);
  }
  for (int k = 0; k < nodes.count; ++k) {
    const int i = nodes.node[k];
    report.gap[i] = std::min(report.gap[i], n.gap());
    report.touching[i] += pushes ? 1 : 0;
  }
}

}  // namespace ls
