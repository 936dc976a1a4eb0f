#pragma once
#include <functional>

namespace ls {

// Thrown where a computation is given up because the run is to stop: by a signal, or at the end of its wall time. Not
// an Error, since nothing is wrong, and not an Outcome, which solvers answer by trying again with a shorter step.
// Whoever began the step puts the state back.
struct Interrupted {};

// Where a step may take long, its solver asks now and then whether to go on: once an iteration, a try, a short step.
// The clock on the wall decides no result: a step that is given up is taken again as if it had never been begun.
class Pulse {
 public:
  Pulse() = default;  // goes on for ever
  explicit Pulse(std::function<bool()> may_go_on) : may_go_on_(std::move(may_go_on)) {}
  void beat() const {
    if (may_go_on_ && !may_go_on_()) throw Interrupted();
  }

 private:
  std::function<bool()> may_go_on_;
};

}  // namespace ls
