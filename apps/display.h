#pragma once
#include "run/run.h"

#include <string>

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

}  // namespace ls::app
