#include "base/parallel.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace ls {

namespace {
constexpr int spins = 20000;  // some ten microseconds: longer than the gap between two loops of a step

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}
}  // namespace

// Workers wait for the next round by spinning a little (a step has several loops a few microseconds apart) and then
// asleep. A round is over when every worker has counted itself down.
struct Team::Crew {
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake;
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
      for (int i = 0; i < spins && round.load(std::memory_order_acquire) == seen; ++i) relax();
      if (round.load(std::memory_order_acquire) == seen) {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return round.load(std::memory_order_acquire) != seen; });
      }
      seen = round.load(std::memory_order_acquire);
      if (stop) return;
      part(rank);
      busy.fetch_sub(1, std::memory_order_release);
    }
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
  if (active_ == 1 || count < least) {
    if (count > 0) body(0, count);
    return;
  }
  crew_->body = &body;
  crew_->count = count;
  crew_->start_round();
  crew_->part(0);
  while (crew_->busy.load(std::memory_order_acquire) != 0) relax();
}

}  // namespace ls
