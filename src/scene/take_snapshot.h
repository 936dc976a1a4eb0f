#pragma once
#include "model/model.h"
#include "scene/snapshot.h"

namespace ls {

Snapshot take_snapshot(const Model& m, const State& s, const std::string& stage);

}  // namespace ls
