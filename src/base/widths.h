#pragma once
#include "base/isa.h"
#include "base/loops_of_width.h"

// The one choice between the copies of hot loops that the build makes for each vector width. Not for files that are
// compiled once per width themselves.
namespace ls {

#ifdef LODESTONE_WIDE
namespace avx2 {
template <class Loops>
const Loops& loops_of_width();
}
namespace avx512 {
template <class Loops>
const Loops& loops_of_width();
}
#endif

template <class Loops>
const Loops& widest() {
  static const Loops& loops = []() -> const Loops& {
#ifdef LODESTONE_WIDE
    if (chosen_isa() == Isa::avx512) return avx512::loops_of_width<Loops>();
    if (chosen_isa() == Isa::avx2) return avx2::loops_of_width<Loops>();
#endif
    return portable::loops_of_width<Loops>();
  }();
  return loops;
}

}  // namespace ls
