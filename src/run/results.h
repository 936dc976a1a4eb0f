#pragma once
#include "output/checkpoint.h"
#include "output/snapshot.h"
#include "picture/picture.h"
#include "run/fields/field_files.h"
#include "run/fluid/fluid_files.h"
#include "run/frame_formats.h"
#include "scene/plan.h"

#include <nlohmann/json_fwd.hpp>

namespace ls {

// What a run leaves in its folder: probes.csv, log.jsonl, frames of every format, the picture, the checkpoint.
class Results {
 public:
  // Makes the folder. A non-empty one is an Error unless `force`, which empties it of what a run leaves there; one that
  // is no run's is an Error in any case.
  Results(const Plan& plan, std::filesystem::path path, bool force);
  // Goes on after a checkpoint: cuts the files to the lengths it knew and drops later frames.
  Results(const Plan& plan, std::filesystem::path path, const Checkpoint& c);
  Results(const Results&) = delete;  // its files of the fluid know its folder
  Results& operator=(const Results&) = delete;

  const std::filesystem::path& folder() const { return folder_.path(); }

  void add_probes(const std::string& lines);
  // Where a run goes on: with the table it had, or in another one where the columns are no longer the same. Gives the
  // name of that, else nothing.
  std::string go_on_with_probes(const std::string& header);
  // What is not as the checkpoint knew it and can't be mended, for the user: frames that are missing or empty, tables
  // that were changed.
  std::vector<std::string> damages() const;
  void add_log(const nlohmann::json& entry);
  void add_frame(const Snapshot& shot);
  FluidFiles& fluid() { return fluid_; }
  FieldFiles& field() { return field_; }
  void write_picture(const Snapshot& first, const Snapshot& last, const Vec3<double>& gravity, const FlowPicture* flow,
                     std::vector<PictureMagnet> magnets, const FieldPicture* field);
  void write_summary(const nlohmann::json& summary);
  void save(Checkpoint& c);  // fills in the lengths; the last one is kept beside it

  std::filesystem::path picture() const { return folder_ / "picture.svg"; }

 private:
  std::string missing_frames() const;
  void write_indices(bool grow) const;

  const Plan& plan_;
  RunFolder folder_;
  std::vector<FrameFormat> formats_;
  std::vector<double> frame_times_;  // [frame] s
  int probe_tables_ = 1;             // so far
  FluidFiles fluid_;
  FieldFiles field_;
};

}  // namespace ls
