#pragma once
#include "output/frame_writer.h"

#include <memory>

namespace ls {

// One frame as HDF5: datasets node/position, node/orientation, …, bond/nodes, bond/strain_stretch, … with the
// attribute unit; attributes of the root: format, version, step, time, stage, bodies (names, one a line).
// The same snapshot gives the same bytes.
void write_frame_h5(const std::filesystem::path& path, const Snapshot& snapshot);

struct XdmfEntry {
  double time;       // [s]
  std::string file;  // the HDF5 frame, relative to the index
  std::size_t nodes, bonds;
};

// What an index needs to know of a frame that was written earlier, perhaps by a run that this one resumes.
XdmfEntry read_xdmf_entry(const std::filesystem::path& frame, std::string relative_file);

// The index of HDF5 frames for ParaView (any of its XDMF readers) and VTK. A frame without nodes is left out: their
// readers take an empty grid for a damaged one.
void write_xdmf(const std::filesystem::path& path, std::span<const XdmfEntry> entries);

// An HDF5 file of all that a frame has; an XDMF index of its nodes and bonds.
std::unique_ptr<const FrameWriter> hdf5_frames(const FrameContents& contents);

}  // namespace ls
