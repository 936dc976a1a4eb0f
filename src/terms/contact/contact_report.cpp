#include "terms/contact/contact_report.h"

#include <algorithm>

namespace ls {

void note_pair(const Shapes& shapes, const ShapePair& pair, const Nearness& n, bool pushes, ContactReport& report) {
  report.contacts += pushes ? 1 : 0;
  report.min_gap = std::min(report.min_gap, n.gap());
  if (report.gap.empty()) return;
  const PairNodes nodes = nodes_of(shapes, pair, n);
  for (int k = 0; k < nodes.count; ++k) {
    const auto i = static_cast<std::size_t>(nodes.node[k]);
    report.gap[i] = std::min(report.gap[i], n.gap());
    report.touching[i] += pushes ? 1 : 0;
  }
}

ContactReport contact_report(const Model& model, const State& state, const Inputs& inputs) {
  ContactReport r;
  const auto nodes = static_cast<std::size_t>(model.nodes);
  r.force.assign(nodes, {});
  if (model.shapes) r.gap.assign(nodes, model.shapes->settings.thickness), r.touching.assign(nodes, 0.0);
  for (const auto& term : model.terms) term->report(state, inputs, r);
  return r;
}

}  // namespace ls
