#pragma once
#include "scene/plan.h"

#include <nlohmann/json_fwd.hpp>

namespace ls {

// The lattice in one line: "60 x 30 x 20 cells, tau 1, …".
std::string describe_fluid(const Plan& plan);
// What to know of its markers; empty where there are none.
std::string describe_markers(const Plan& plan);
// The same as numbers.
nlohmann::json fluid_json(const Plan& plan);

}  // namespace ls
