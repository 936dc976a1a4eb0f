#pragma once
#include "output/frame_writer.h"

#include <memory>

namespace ls {

// One frame of a LAMMPS text dump, to be appended to the file. Column names are those OVITO maps to its own
// (Orientation, Angular velocity, Dipole orientation, Torque, …); OVITO and LAMMPS's read_dump take the order.
// type: 1 = node of a bond, 2 = free node; mol: body + 1. Values with 17 digits: read back to the last bit.
std::string dump_frame(const Snapshot& snapshot);

// All frames in one file, states.lammpstrj: it is its own index. Tracers and surfaces are left out.
std::unique_ptr<const FrameWriter> dump_frames(const FrameContents& contents);

}  // namespace ls
