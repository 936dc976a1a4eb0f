#pragma once
#include "base/parallel.h"
#include "fluid/lattice/fluid.h"
#include "model/inputs.h"
#include "picture/flow_picture.h"

namespace ls {

FlowPicture take_flow_picture(const Fluid& fluid, const FluidState& s, const Inputs& in, const Snapshot& shot,
                              Team& team);

}  // namespace ls
