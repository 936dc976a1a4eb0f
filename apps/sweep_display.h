#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ls::app {

// How a sweep stands: a line that is redrawn on a terminal, a line now and then in a pipe, or JSON lines.
class SweepDisplay {
 public:
  SweepDisplay(bool quiet, bool json);
  void progress(std::size_t done, std::size_t failed, std::size_t runs, double seconds_left);
  void line(const nlohmann::json& j);      // where JSON was asked for
  void say(const std::string& text);       // where it was not
  void complain(const std::string& text);  // always, on stderr

 private:
  void leave_line();
  bool quiet_, json_, terminal_, drawn_ = false;
  double next_ = 0;  // share at which a pipe gets its next line
};

}  // namespace ls::app
