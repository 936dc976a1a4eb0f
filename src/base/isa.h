#pragma once
#include <string>

namespace ls {

// Vector widths for which the hot loops exist.
enum class Isa { portable, avx2, avx512 };

// The widest that this CPU runs, unless the environment variable LODESTONE_ISA names a narrower one.
Isa chosen_isa();
std::string name(Isa isa);

}  // namespace ls
