#pragma once
#include "model/shapes.h"

namespace ls {

// [node] 0 where rules leave its body nothing to touch: however it moves, contact need not look.
std::vector<std::uint8_t> touches_something(const Shapes& shapes);

}  // namespace ls
