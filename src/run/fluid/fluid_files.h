#pragma once
#include "base/parallel.h"
#include "model/inputs.h"
#include "output/checkpoint.h"
#include "output/run_folder.h"
#include "scene/plan.h"

namespace ls {

// The files of a fluid in the folder of a run: volumes and slices, tracks of tracers, and how far these come in a
// cycle. They come at times of their own and are read from the lattice cell by cell, so they are no FrameWriter.
class FluidFiles {
 public:
  FluidFiles(const Plan& plan, RunFolder& folder) : plan_(plan), folder_(folder) {}
  // Goes on after a checkpoint: cuts the files to the lengths it knew and drops later ones.
  FluidFiles(const Plan& plan, RunFolder& folder, const Checkpoint& c);

  void add_frame(const State& s, const Inputs& in, Team& team);  // volumes and slices
  void add_tracks(const State& s);
  void end_cycle(State& s);  // notes how far tracers came, and marks where they are
  void save(Checkpoint& c) const;

  static constexpr const char* place = "fluid";  // in the folder of the run, of what has a file a frame
  // What a run may have left there besides, whatever its plan was.
  static std::vector<std::string> names_in(const std::filesystem::path& folder);

  // About what it writes.
  struct Bytes {
    double frame, tracks, cycle;  // of a frame of the fluid; of tracks with a frame of the run; of a cycle
  };
  static Bytes bytes(const Plan& plan);

 private:
  // grow: the last time is new; else all of them are written.
  void write_indices(bool grow) const;

  const Plan& plan_;
  RunFolder& folder_;
  std::vector<double> times_;  // [frame] s
};

}  // namespace ls
