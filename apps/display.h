#pragma once
#include "run/run.h"

#include <optional>
#include <string>
#include <thread>

namespace ls::app {

// "12.3 ms", "4.5 kB": numbers as people read them.
std::string with_prefix(double value, const char* unit);
std::string bytes(double count);
std::string duration(double seconds);

// Progress on a terminal (one line, redrawn), in a pipe (a line now and then), or as JSON lines.
class ProgressDisplay {
 public:
  enum class Style { quiet, people, json };
  explicit ProgressDisplay(Style style);
  void operator()(const Progress& p);
  void done();  // leaves the terminal's line

 private:
  Style style_;
  bool terminal_, colour_, drawn_ = false;
  double next_ = 0;  // share at which a pipe gets its next line
};

// Tells a terminal what is under way and for how long, once it takes more than a second: a line that is gone in the
// end.
class WaitingLine {
 public:
  explicit WaitingLine(std::string what);

 private:
  std::jthread teller_;  // ends with the line
};

// What `work` gives, told while it lasts unless the command is to be quiet.
template <class Work>
auto while_telling(std::string what, bool is_quiet, const Work& work) {
  std::optional<WaitingLine> line;
  if (!is_quiet) line.emplace(std::move(what));
  return work();
}

}  // namespace ls::app
