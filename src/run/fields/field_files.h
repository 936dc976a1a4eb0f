#pragma once
#include "base/parallel.h"
#include "model/inputs.h"
#include "output/checkpoint.h"
#include "output/run_folder.h"
#include "scene/plan.h"

namespace ls {

// The magnetic field along lines and on planes, in the folder of a run. It comes at times of its own, so it is no
// FrameWriter.
class FieldFiles {
 public:
  FieldFiles(const Plan& plan, RunFolder& folder) : plan_(plan), folder_(folder) {}
  // Goes on after a checkpoint: drops what came after it.
  FieldFiles(const Plan& plan, RunFolder& folder, const Checkpoint& c);

  void add_frame(const State& s, const Inputs& in, Team& team);
  void save(Checkpoint& c) const { c.field_times = times_; }

  static constexpr const char* place = "field";  // in the folder of the run, of what has a file a frame
  // What a run may have left there besides, whatever its plan was.
  static std::vector<std::string> names_in(const std::filesystem::path& folder);
  static double bytes_per_frame(const Plan& plan);  // about

 private:
  // grow: the last time is new; else all of them are written.
  void write_indices(bool grow) const;

  const Plan& plan_;
  RunFolder& folder_;
  std::vector<double> times_;  // [frame] s
};

}  // namespace ls
