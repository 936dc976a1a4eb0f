#pragma once
#include <functional>
#include <memory>

namespace ls {

// A team of threads for loops over blocks. Which thread gets which block never changes a result: the loops that use it
// write disjoint places, and sums are taken block by block in order.
class Team {
 public:
  explicit Team(int threads = 1);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return threads_; }
  // How many of them work now, 1 to size(): results do not depend on it.
  int active() const { return active_; }
  void set_active(int threads) { active_ = threads; }

  // Calls body(begin, end) on parts of [0, count), one part a thread; serial where count < least, the size below which
  // waking the others costs more than it saves.
  void run(int count, int least, const std::function<void(int, int)>& body);

 private:
  struct Crew;
  int threads_, active_;
  std::unique_ptr<Crew> crew_;
};

}  // namespace ls
