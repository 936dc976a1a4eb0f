#pragma once
#include "scene/plan.h"

#include <nlohmann/json_fwd.hpp>

namespace ls {

// The lattice in one line: "60 x 30 x 20 cells, tau 1, …".
std::string describe_fluid(const Plan& plan);
// What to know of its markers; empty where there are none.
std::string describe_markers(const Plan& plan);
// A warning where explicit solids take very many steps in each step of the fluid, dt long at most; else empty.
std::string warn_of_solid_steps(const Plan& plan, double dt);
// The same as numbers.
nlohmann::json fluid_json(const Plan& plan);

}  // namespace ls
