#pragma once
#include "output/checkpoint.h"
#include "scene/schedule.h"

#include <filesystem>

// A run that goes on: from which checkpoint, whether that is the same run, and what may have changed since.
namespace ls {

bool has_checkpoint(const std::filesystem::path& folder);

struct LastCheckpoint {
  Checkpoint checkpoint;
  std::string warning;     // why it is the one before the last; empty: it is the last
  bool is_before = false;  // it is the one before the last
};

// The last one of a folder; where that is damaged or missing, the one before it. Throws Error (Fault::io) where neither
// can be read.
LastCheckpoint last_checkpoint(const std::filesystem::path& folder);

struct Resumption {
  bool finished = false;              // nothing is left to do
  std::vector<std::string> notes;     // what is another than it was, for the user
  std::vector<Schedule::Span> spans;  // of the stages so far, and of those to come
};

// Whether a plan can go on from a checkpoint. Throws Error: for a change of the scene that would make it another run
// (Fault::input, with the key and what it was), for a file that the scene uses and that is another now, and for a state
// that does not fit the model (Fault::io).
Resumption resumption(const Checkpoint& c, const Plan& plan, const std::filesystem::path& folder);

// Whether what a stage does depends on s, the share of it that is over.
bool uses_share(const Plan& plan, int stage);

}  // namespace ls
