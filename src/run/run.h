#pragma once
#include "output/folder/folder_lock.h"
#include "scene/plan.h"

#include <atomic>
#include <filesystem>
#include <functional>

namespace ls {

struct Progress {
  double done = 0;  // 0 to 1
  long long step = 0, steps = 0;
  double time = 0;          // s, simulated
  double seconds_left = 0;  // of wall time
  double energy = 0;        // J
  double energy_start = 0;  // J
  std::string stage;
};

struct RunOptions {
  std::filesystem::path out;
  int threads = 0;  // 0: as the scene says
  bool resume = false, force = false;
  double max_wall = 0;                     // s; 0: no limit
  const std::atomic<int>* stop = nullptr;  // not 0: a signal asks to stop
  std::function<bool()> asks_to_stop;      // the same, of a program: asked after every few steps, and within long ones
  std::function<void(const Progress&)> show;  // called a few times a second
  std::function<void(const State&)> frame;    // after each frame that is written
  // What the user should know, beside the warnings of the plan: before it goes on, or at its end. kind: "note" or
  // "warning"
  std::function<void(const char* kind, const std::string& text)> tell;
};

enum class RunStatus { done, lost_stability, interrupted, out_of_time, diverged };

struct RunReport {
  RunStatus status = RunStatus::done;
  std::string message;                // for the user, where the run did not get to its end
  std::vector<std::string> warnings;  // that came up in it
  std::filesystem::path folder, picture;
  long long steps = 0;
  double wall_seconds = 0;  // of the stepping alone
  bool resumed = false, nothing_to_do = false;
  double energy_drift = 0;     // of midpoint steps: EnergyWatch::drift
  bool has_checkpoint = true;  // false: stopped before there was a state to keep
};

const char* name(RunStatus status);

// Simulates a plan into a folder. Throws Error for bad input and for files that can't be written.
RunReport run(const Plan& plan, const RunOptions& options);
// The same for a caller who has locked the folder, since it writes there before or after.
RunReport run(const Plan& plan, const RunOptions& options, const FolderLock& lock);

// The plan with the start that `start.from` names, read from there; where it names none, the plan as it is.
Plan started(const Plan& plan);

}  // namespace ls
