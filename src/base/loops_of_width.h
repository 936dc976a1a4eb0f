#pragma once
#include "base/hd.h"

// For files that are compiled once per vector width: each specialises this for the table of functions that it has, and
// widest<Loops>() (widths.h) finds the one for this machine.
namespace ls::inline LS_ISA {
template <class Loops>
const Loops& loops_of_width();
}
