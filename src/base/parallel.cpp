#include "base/parallel.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace ls {

namespace {
void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Waits awake for a little while, longer than the gap between two loops of a step. By the clock: how long a pause of
// the processor takes differs by a factor of twenty between makes. False where the time was up first.
template <class Condition>
bool spin_until(const Condition& is_met) {
  constexpr int pauses_a_look = 32;
  constexpr std::chrono::microseconds long_enough(20);
  const auto begin = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < pauses_a_look; ++i) {
      if (is_met()) return true;
      relax();
    }
  } while (std::chrono::steady_clock::now() - begin < long_enough);
  return is_met();
}
}  // namespace

// Threads wait for each other by spinning a little (a step has several loops a few microseconds apart) and then
// asleep. A round is over when every worker has counted itself down.
struct Team::Crew {
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, done;
  std::atomic<unsigned> round{0};
  std::atomic<int> busy{0};
  bool stop = false;
  const std::function<void(int, int)>* body = nullptr;
  int count = 0;
  int threads = 1;

  void part(int rank) const {
    const int begin = static_cast<int>(static_cast<long long>(count) * rank / threads);
    const int end = static_cast<int>(static_cast<long long>(count) * (rank + 1) / threads);
    if (begin < end) (*body)(begin, end);
  }
  void work(int rank) {
    unsigned seen = 0;
    for (;;) {
      const auto has_begun = [&] { return round.load(std::memory_order_acquire) != seen; };
      if (!spin_until(has_begun)) {
        std::unique_lock lock(mutex);
        wake.wait(lock, has_begun);
      }
      seen = round.load(std::memory_order_acquire);
      if (stop) return;
      part(rank);
      if (busy.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        const std::lock_guard lock(mutex);
        done.notify_one();
      }
    }
  }
  // On a machine with other work to do a worker may have lost its core: whoever waits for it should give up its own.
  void finish_round() {
    const auto is_over = [&] { return busy.load(std::memory_order_acquire) == 0; };
    if (spin_until(is_over)) return;
    std::unique_lock lock(mutex);
    done.wait(lock, is_over);
  }
  void start_round() {
    busy.store(threads - 1, std::memory_order_relaxed);
    {
      const std::lock_guard lock(mutex);
      round.fetch_add(1, std::memory_order_release);
    }
    wake.notify_all();
  }
};

Team::Team(int threads) : threads_(threads < 1 ? 1 : threads), active_(threads_) {
  if (threads_ == 1) return;
  crew_ = std::make_unique<Crew>();
  crew_->threads = threads_;
  for (int rank = 1; rank < threads_; ++rank) crew_->workers.emplace_back([this, rank] { crew_->work(rank); });
}

Team::~Team() {
  if (!crew_) return;
  crew_->stop = true;
  crew_->start_round();
  for (auto& w : crew_->workers) w.join();
}

void Team::run(int count, int least, const std::function<void(int, int)>& body) {
  if (active_ == 1 || count < least || count == 1) {
    if (count > 0) body(0, count);
    return;
  }
  crew_->body = &body;
  crew_->count = count;
  crew_->start_round();
  crew_->part(0);
  crew_->finish_round();
}

}  // namespace ls
