#pragma once
#include "output/run_folder.h"
#include "output/snapshot.h"

#include <vector>

namespace ls {

// What every frame of a run has in it, as the model says before the first one is written.
struct FrameContents {
  std::size_t nodes = 0, bonds = 0;
  std::size_t skin_points = 0, skin_cells = 0;  // triangles and lines
  std::size_t tracers = 0;
};

inline constexpr const char* frames_place = "frames";  // where in the folder of a run those with a file each are

// What a format leaves in the folder of a run. By these names a run that starts afresh clears the folder, and one that
// goes on cuts it back, so that a format needs no code for either.
struct FrameFiles {
  std::vector<std::string> endings;   // of files in frames/, one a frame: "vtp"
  std::vector<std::string> indices;   // list all frames
  std::vector<std::string> appended;  // grow with every frame
};

// One format of frames. It has no memory: how far its files have come, the folder knows.
class FrameWriter {
 public:
  virtual ~FrameWriter() = default;

  virtual FrameFiles files() const = 0;
  virtual void write_frame(RunFolder& folder, std::size_t number, const Snapshot& shot) const = 0;
  // All of it, where a run begins and where it goes on: that mends what a kill has left. times: [frame] s, at least one
  virtual void write_index(const RunFolder& folder, std::span<const double> times) const = 0;
  // After each later frame, whose time is the last; it costs the same however many there are.
  virtual void grow_index(const RunFolder& folder, std::span<const double> times) const = 0;
  virtual double bytes_per_frame() const = 0;  // about, for the estimate of a run
};

}  // namespace ls
