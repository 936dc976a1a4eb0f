#include "step/model_size.h"

#include <algorithm>
#include <cmath>

namespace ls {

double model_size(const Model& model, const Nodes& nodes) {
  double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  bool any = false;
  for (int i = 0; i < model.nodes; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const BodyKind kind = model.bodies[model.body_of[k]].kind;
    if (kind == BodyKind::wall) continue;
    const double beside = kind == BodyKind::rigid ? model.radius[k] : 0;
    for (int c = 0; c < 3; ++c) {
      const double x = nodes.x[c][i];
      low[c] = any ? std::min(low[c], x - beside) : x - beside;
      high[c] = any ? std::max(high[c], x + beside) : x + beside;
    }
    any = true;
  }
  return std::sqrt((high[0] - low[0]) * (high[0] - low[0]) + (high[1] - low[1]) * (high[1] - low[1]) +
                   (high[2] - low[2]) * (high[2] - low[2]));
}

}  // namespace ls
