#pragma once
#include "output/frame_writer.h"
#include "scene/plan.h"

namespace ls {

struct FrameFormat {
  bool is_wanted;  // by the plan; the others are named so that --force clears what they left
  std::unique_ptr<const FrameWriter> writer;
};

// Every format of frames there is: the one list of them.
std::vector<FrameFormat> frame_formats(const Plan& plan);

// What they leave, whatever the plan.
std::vector<FrameFiles> files_of_all_formats();

}  // namespace ls
