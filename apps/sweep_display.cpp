#include "apps/sweep_display.h"

#include "apps/display.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ls::app {

SweepDisplay::SweepDisplay(bool quiet, bool json) : quiet_(quiet), json_(json), terminal_(isatty(STDOUT_FILENO) != 0) {}

void SweepDisplay::progress(std::size_t done, std::size_t failed, std::size_t runs, double seconds_left) {
  if (quiet_ || json_) return;
  const double share = static_cast<double>(done + failed) / static_cast<double>(runs);
  if (!terminal_ && share < next_) return;
  next_ = share < 1 ? std::min(share + 0.1, 1.0) : 2.0;
  std::string text = fmt::format("{} of {} runs done, ", done, runs);
  if (failed > 0) text += fmt::format("{} failed, ", failed);
  text += duration(seconds_left) + " left";
  std::printf(terminal_ ? "\r\033[K%s" : "%s\n", text.c_str());
  std::fflush(stdout);
  drawn_ = terminal_;
}

void SweepDisplay::line(const nlohmann::json& j) {
  if (!json_) return;
  std::printf("%s\n", j.dump().c_str());
  std::fflush(stdout);
}

void SweepDisplay::say(const std::string& text) {
  leave_line();
  if (!quiet_ && !json_) std::printf("%s\n", text.c_str());
}

void SweepDisplay::complain(const std::string& text) {
  leave_line();
  std::fprintf(stderr, "error: %s\n", text.c_str());
}

void SweepDisplay::leave_line() {
  if (drawn_) std::printf("\n");
  drawn_ = false;
  std::fflush(stdout);
}

}  // namespace ls::app
