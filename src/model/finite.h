#pragma once
#include "model/state.h"

namespace ls {

// The first node whose pose, motion or wrench is not finite; -1: all are.
int first_without_numbers(const Nodes& nodes);

// Whether all are, and none moves faster than light: that has diverged as well, though it still is a number.
bool is_finite(const Nodes& nodes);

}  // namespace ls
