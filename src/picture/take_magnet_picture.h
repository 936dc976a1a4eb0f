#pragma once
#include "math/frame.h"
#include "physics/magnets.h"
#include "picture/picture.h"

namespace ls {

// The edges of a magnet or coil that stands at a pose; of a dipole no more than its direction.
PictureMagnet take_magnet_picture(const Magnet& magnet, const Frame<double>& pose);

}  // namespace ls
