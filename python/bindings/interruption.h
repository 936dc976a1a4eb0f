#pragma once
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <pybind11/pybind11.h>

namespace ls::python {

// While something is computed without the interpreter's lock: whether it is to stop, since a signal (Ctrl-C) came in or
// a function of the caller's has raised, and which exception is then to be raised.
class Interruption {
 public:
  // Takes the lock some twenty times a second; signals are looked at in the main thread alone, as Python has it.
  bool asks() {
    if (stops_.load(std::memory_order_relaxed)) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_look_ < std::chrono::milliseconds(50)) return false;
    last_look_ = now;
    const pybind11::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) note(std::make_exception_ptr(pybind11::error_already_set()));
    return stops_.load(std::memory_order_relaxed);
  }
  // With the lock. The first one counts.
  void note(std::exception_ptr why) {
    const std::lock_guard guard(mutex_);
    if (!why_) why_ = std::move(why);
    stops_ = true;
  }
  bool stops() const { return stops_; }
  // With the lock: raises it, and forgets it.
  void raise() {
    if (!stops_) return;
    stops_ = false;
    std::rethrow_exception(std::exchange(why_, nullptr));
  }

 private:
  std::atomic<bool> stops_{false};
  std::exception_ptr why_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point last_look_ = std::chrono::steady_clock::now();
};

// A call of the caller's function from what is computed: what it raises stops that.
template <class Call>
void call_back(Interruption& interruption, const Call& call) {
  const pybind11::gil_scoped_acquire lock;
  if (interruption.stops()) return;
  try {
    call();
  } catch (...) {  // of Python, or of what was made of its answer
    interruption.note(std::current_exception());
  }
}

}  // namespace ls::python
