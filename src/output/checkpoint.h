#pragma once
#include "model/state.h"
#include "output/run_folder.h"

#include <vector>

namespace ls {

// All that a run needs to go on as if it had never stopped: the state, and how far its files had come.
struct Checkpoint {
  State state;
  std::string scene;                // the scene's text and --set assignments: a changed scene is another run
  std::string isa;                  // which vector width made it
  FileLengths lengths;              // of probes.csv and whatever else grows by its end
  std::vector<double> frame_times;  // [frame] s, of the frames written so far
  std::vector<double> fluid_times;  // [frame of the fluid] likewise
  double fluid_spacing = 0;         // m, which with the next one gives its populations a unit; 0: there is no fluid
  double fluid_dt = 0;              // s
  double first_energy = 0;          // J, at the start of the run
  double wall_seconds = 0;          // spent stepping so far
  bool finished = false;
};

// HDF5 with a version and the fields of checkpoint_fields.h, written under a temporary name and renamed. Throws Error
// (Fault::io) with the path.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& c);
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace ls
