#pragma once
#include <chrono>
#include <ctime>

namespace ls {

// How long some work takes, in seconds since the clock was made. Of one thread that is its own processor time: on a
// busy machine a thread waits for its turn for as long as thousands of small steps take. Of several it is wall time,
// since processor time does not tell whether they wait for each other.
class WorkClock {
 public:
  explicit WorkClock(int threads) : one_thread_(threads <= 1), start_(now()) {}
  double seconds() const { return now() - start_; }

 private:
  double now() const {
    timespec t;
    if (one_thread_ && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0)
      return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  bool one_thread_;
  double start_;
};

}  // namespace ls
