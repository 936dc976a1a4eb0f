#include "base/memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#ifdef __unix__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace ls {

double memory_there() {
#ifdef LODESTONE_MOST_MEMORY
  double there = LODESTONE_MOST_MEMORY;
#else
  double there = std::numeric_limits<double>::infinity();
#endif
#ifdef __unix__
  const double machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (machine > 0) there = std::min(there, machine);
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    there = std::min(there, static_cast<double>(space.rlim_cur));
#endif
  for (const char* limit : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    double bytes = 0;
    if (std::ifstream(limit) >> bytes && bytes > 0) there = std::min(there, bytes);  // "max" is no number
  }
  return there;
}

}  // namespace ls
