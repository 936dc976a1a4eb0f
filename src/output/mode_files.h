#pragma once
#include "output/snapshot.h"
#include "step/newton/vibrations.h"

#include <filesystem>

namespace ls {

// A mode large enough to be seen: the largest displacement a tenth of the state's size, but no turn above 1 rad.
double visible_scale(const Snapshot& state, const Vibration& mode);

// The state moved by `scale` times the mode. Strains and forces are left out: they belong to small motions.
Snapshot moved_by(const Snapshot& state, const Vibration& mode, double scale);

// Writes a mode about a state as modes/NAME-NNN.vtp (the state, with the mode as the arrays of velocity and spin, at
// its visible scale), modes/NAME-NNN.csv, and modes/NAME-NNN.pvd: one period, moving. Returns the path of the VTP
// within the folder.
std::string write_mode(const std::filesystem::path& folder, int number, Snapshot state, const Vibration& mode,
                       const std::string& name = "mode");

}  // namespace ls
