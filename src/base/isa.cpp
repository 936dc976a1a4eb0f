#include "base/isa.h"

#include "base/error.h"

#include <cstdlib>

namespace ls {

namespace {
Isa widest() {
#if defined(__x86_64__) && defined(LODESTONE_WIDE)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw"))
    return Isa::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Isa::avx2;
#endif
  return Isa::portable;
}

Isa choose() {
  const Isa best = widest();
  const char* wish = std::getenv("LODESTONE_ISA");
  if (!wish || !*wish) return best;
  for (const Isa isa : {Isa::portable, Isa::avx2, Isa::avx512})
    if (name(isa) == wish) {
      if (isa > best) throw Error("LODESTONE_ISA=" + name(isa) + ": this CPU or build has no more than " + name(best));
      return isa;
    }
  throw Error("LODESTONE_ISA=" + std::string(wish) + ": expected portable, avx2 or avx512");
}
}  // namespace

Isa chosen_isa() {
  static const Isa isa = choose();
  return isa;
}

std::string name(Isa isa) {
  return isa == Isa::avx512 ? "avx512" : isa == Isa::avx2 ? "avx2" : "portable";
}

}  // namespace ls
