#pragma once
#include <string>
#include <vector>

namespace ls {

// The names of the bond models (physics/kernels.h), the default first.
std::vector<std::string> bond_models();

}  // namespace ls
