#include "terms/contact/contact_report.h"

#include <algorithm>

namespace ls {

void note_pair(const Shapes& shapes, const ShapePair& pair, const Nearness& n, bool pushes, ContactReport& report) {
  report.contacts += pushes ? 1 : 0;
  report.min_gap = std::min(report.min_gap, n.gap());
  if (report.gap.empty()) return;
  const PairNodes nodes = nodes_of(shapes, pair, n);
  for (int k = 0; k < nodes.count; ++k) {
    const int i = nodes.node[k];
    report.gap[i] = std::min(report.gap[i], n.gap());
    report.touching[i] += pushes ? 1 : 0;
  }
}

}  // namespace ls
