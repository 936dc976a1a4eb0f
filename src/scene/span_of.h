#pragma once
#include "scene/schedule.h"

namespace ls {

// How long stage k is, and its steps. dt: of where neither stage nor solver gives one; with a fluid, the longest for
// the solids.
Schedule::Span span_of(const Plan& plan, int k, double dt);

}  // namespace ls
