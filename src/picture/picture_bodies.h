#pragma once
// Which bodies picture.cpp draws where, and through which of them one can see.
#include "picture/flow_picture.h"

namespace ls::drawing {

// A snapshot in which every body of a periodic box lies with its middle within the box, whole: bodies that are bonded
// stay together.
Snapshot whole_bodies(const Snapshot& s, const FlowPicture& flow);

// [body] 1 where its surface is around another body, which would not be seen.
std::vector<char> hiding_bodies(const Snapshot& s);

}  // namespace ls::drawing
