#pragma once
#include "model/model.h"

namespace ls {

// m, across what can move: nodes and, of rigid bodies, all of them. Walls do not count.
double model_size(const Model& model, const Nodes& nodes);

}  // namespace ls
