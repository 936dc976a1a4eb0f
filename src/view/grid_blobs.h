#pragma once
#include "output/hdf5_file.h"
#include "view/frame_blobs.h"

namespace ls {

// A layer of cells of a block of fluid: the velocity in it and beside it, and the pressure. axis: across the layer, 0
// to 2; cell: along that axis, counted within the block. Throws Error where there is no such layer.
Blob fluid_slice(const Hdf5File& f, const ViewOrigin& origin, int axis, int cell);

// A plane or a line of a magnetic field, as the run wrote it: places and B.
Blob field_slice(const Hdf5File& f, const ViewOrigin& origin);

}  // namespace ls
