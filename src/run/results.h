#pragma once
#include "output/checkpoint.h"
#include "output/snapshot.h"
#include "picture/picture.h"
#include "run/fluid_files.h"
#include "run/frame_formats.h"
#include "scene/plan.h"

#include <nlohmann/json_fwd.hpp>

namespace ls {

// What a run leaves in its folder: probes.csv, log.jsonl, frames of every format, the picture, the checkpoint.
class Results {
 public:
  // Makes the folder. A non-empty one is an Error unless `force`, which empties it of what a run leaves there.
  Results(const Plan& plan, std::filesystem::path folder, bool force);
  // Goes on after a checkpoint: cuts the files to the lengths it knew and drops later frames.
  Results(const Plan& plan, std::filesystem::path folder, const Checkpoint& c);
  Results(const Results&) = delete;  // its files of the fluid know its folder
  Results& operator=(const Results&) = delete;

  static bool has_checkpoint(const std::filesystem::path& folder);
  const std::filesystem::path& folder() const { return folder_.path(); }

  void add_probes(const std::string& lines);
  void add_log(const nlohmann::json& entry);
  void add_frame(const Snapshot& shot);
  FluidFiles& fluid() { return fluid_; }
  void write_picture(const Snapshot& first, const Snapshot& last, const Vec3<double>& gravity, const FlowPicture* flow,
                     std::vector<PictureMagnet> magnets);
  void write_summary(const nlohmann::json& summary);
  void save(Checkpoint& c);  // fills in the lengths

  std::filesystem::path picture() const { return folder_ / "picture.svg"; }

 private:
  void write_indices() const;
  void clear() const;

  const Plan& plan_;
  RunFolder folder_;
  std::vector<FrameFormat> formats_;
  std::vector<double> frame_times_;  // [frame] s
  FluidFiles fluid_;
};

// Scene text and assignments as one string: what makes two runs the same.
std::string scene_identity(const Plan& plan);

}  // namespace ls
