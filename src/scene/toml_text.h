#pragma once
#include "scene/toml_value.h"

namespace ls {

// The text of a tree: parse_toml gives the same values back, numbers to the last bit, and tables in the same order.
// Throws Error for a date, which no scene has.
std::string toml_text(const TomlValue& root);

}  // namespace ls
