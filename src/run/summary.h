#pragma once
#include "run/estimates/time_scales.h"
#include "run/run.h"
#include "scene/schedule.h"
#include "step/work.h"

#include <nlohmann/json_fwd.hpp>

namespace ls {

// What summary.json says. Wall times and the machine stand in keys of their own ("wall_seconds", "machine"): all else
// is the same for the same scene.
nlohmann::json summary(const Plan& plan, const TimeScales& scales, const Schedule& schedule, const State& s,
                       const Inputs& in, double first_energy, const RunReport& report, Work& work);

std::string cpu_name();
extern const char* const version;

}  // namespace ls
