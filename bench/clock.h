#pragma once
#include <chrono>
#include <ctime>

namespace ls::bench {

// Seconds. Of one thread: its own time, so that a busy machine counts less; of more: on the wall.
inline double now(int threads) {
  if (threads == 1) {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace ls::bench
