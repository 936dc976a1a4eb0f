#pragma once
#include "validation/validation.h"

namespace ls::validation {

// The plot as an SVG element that fills the width it gets. Ours are lines, references hollow marks in the colour of the
// line they belong to: the first reference to the first line, and so on. Points that an axis can't show are left out.
std::string svg(const Plot& plot);

}  // namespace ls::validation
