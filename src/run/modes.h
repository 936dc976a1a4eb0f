#pragma once
#include "run/run.h"
#include "step/newton/vibrations.h"

namespace ls {

struct ModesOptions {
  RunOptions run;
  int count = 10;
};

struct ModesReport {
  RunReport run;
  bool found = false;            // else `message` says why
  std::string message;           // for the user
  std::string left_out;          // what they know only in part, for the user; empty: nothing
  double moved = 0;              // m, from where the run ended to the equilibrium
  std::vector<Vibration> modes;  // lowest first: what is unstable, what floats, then the vibrations
  double floor = 0;              // 1/s^2: an omega^2 below this is 0 but for rounding
  int unstable = 0;              // modes among them that grow
  int floating = 0;              // modes among them without any stiffness, as far as rounding lets us tell
  std::filesystem::path table, picture;
};

// Runs a plan into a folder, goes to the equilibrium where its last state is, finds the lowest natural vibrations with
// all that holds at the end of the schedule, and adds them to the folder: modes.csv, modes.svg, modes/.
ModesReport find_modes(const Plan& given, const ModesOptions& o);

}  // namespace ls
