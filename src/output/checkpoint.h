#pragma once
#include "base/used_file.h"
#include "model/state.h"
#include "output/run_folder.h"

#include <vector>

namespace ls {

// All that a run needs to go on as if it had never stopped: the state, and how far its files had come.
struct Checkpoint {
  State state;
  std::string scene;                       // the scene's text
  std::vector<std::string> sets;           // its --set assignments
  std::vector<UsedFile> files;             // what else it was read from
  std::vector<double> spans;               // [stage][duration s, step s, steps], as the schedule had them
  std::string isa;                         // which vector width made it
  FileLengths lengths;                     // of probes.csv and whatever else grows by its end
  std::vector<UsedFile> hashes;            // of the same
  std::vector<double> frame_times;         // [frame] s, of the frames written so far
  std::vector<double> fluid_times;         // [frame of the fluid] likewise
  std::vector<double> field_times;         // [frame of the magnetic field] likewise
  std::vector<std::int32_t> near_samples;  // [pair][node] of magnets that a warning was given of
  double fluid_spacing = 0;  // m, which with the next one gives its populations a unit; 0: there is no fluid
  double fluid_dt = 0;       // s
  double first_energy = 0;   // J, at the start of the run
  double wall_seconds = 0;   // spent stepping so far
  int modes = 0;             // written so far, with events
  bool finished = false;
};

// HDF5 with the fields of checkpoint_fields.h behind a seal, which has a version and the hash of all bytes. Written
// under a temporary name and renamed; what was there before gets the name `before`, where one is given. Throws Error
// (Fault::io) with the path: a file that is damaged in any bit is refused.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& c, const std::filesystem::path& before = {});
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace ls
