#include "terms/contact_report.h"

namespace ls {

ContactReport contact_report(const Model& model, const State& state, const Inputs& inputs) {
  ContactReport r;
  r.force.assign(static_cast<std::size_t>(model.nodes), {});
  for (const auto& term : model.terms) term->report(state, inputs, r);
  return r;
}

}  // namespace ls
