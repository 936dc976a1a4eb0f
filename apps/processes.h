#pragma once
#include <csignal>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ls::app {

// Copies of this program at work side by side. Processes rather than threads: the HDF5 library that Debian ships is for
// one thread only, and a run that crashes or runs out of memory takes no other with it.
//
// While an object of this class lives, Ctrl-C and SIGTERM don't end this program: they are passed on to the copies,
// once each, so that these can leave their checkpoints. There must be no more than one object.
class Processes {
 public:
  struct Ended {
    std::size_t id = 0;
    int code = 0;      // exit code; 128 + signal where that ended it
    std::string said;  // on stdout and stderr
  };

  Processes();
  ~Processes();  // asks those that still run to stop, and waits for them
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  void start(std::size_t id, const std::vector<std::string>& arguments);
  // Waits until one has ended, a signal came, or so much time has passed; the last two give nothing.
  std::optional<Ended> wait(double seconds);
  std::size_t running() const { return children_.size(); }
  int signal() const { return signal_; }  // the first one that asked to stop; 0: none

 private:
  struct Child {
    std::size_t id;
    int output;  // descriptor
  };
  std::optional<Ended> ended();
  void pass_on(int signal);

  std::map<pid_t, Child> children_;
  sigset_t watched_, before_;
  int signal_ = 0;
};

}  // namespace ls::app
