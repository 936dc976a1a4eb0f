#include "apps/display.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ls::app {

std::string with_prefix(double value, const char* unit) {
  if (value == 0) return fmt::format("0 {}", unit);
  if (!std::isfinite(value)) return fmt::format("{} {}", value, unit);
  static constexpr const char* prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
  const int k = std::clamp(static_cast<int>(std::floor(std::log10(std::abs(value)) / 3)), -4, 4);
  return fmt::format("{:.3g} {}{}", value / std::pow(1000.0, k), prefixes[k + 4], unit);
}

std::string bytes(double count) {
  static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  int k = 0;
  for (; count >= 1000 && k < 4; ++k) count /= 1000;
  return fmt::format("{:.3g} {}", count, units[k]);
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 60) return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 1 : 0);
  if (seconds < 3600)
    return fmt::format("{} min {:02} s", static_cast<int>(seconds / 60), static_cast<int>(seconds) % 60);
  if (seconds < 86400)
    return fmt::format("{} h {:02} min", static_cast<int>(seconds / 3600), static_cast<int>(seconds / 60) % 60);
  return fmt::format("{:.1f} days", seconds / 86400);
}

ProgressDisplay::ProgressDisplay(Style style)
    : style_(style),
      terminal_(isatty(STDOUT_FILENO) != 0),
      colour_(terminal_ && (std::getenv("NO_COLOR") == nullptr || *std::getenv("NO_COLOR") == '\0')) {}

void ProgressDisplay::operator()(const Progress& p) {
  if (style_ == Style::quiet) return;
  if (style_ == Style::json) {
    const nlohmann::json j = {
        {"progress", p.done}, {"step", p.step},  {"steps", p.steps}, {"time", p.time}, {"seconds_left", p.seconds_left},
        {"energy", p.energy}, {"stage", p.stage}};
    std::printf("%s\n", j.dump().c_str());
    std::fflush(stdout);
    return;
  }
  const std::string text = fmt::format("{:5.1f} %  {} left  t = {}  E = {}  {}", 100 * p.done, duration(p.seconds_left),
                                       with_prefix(p.time, "s"), with_prefix(p.energy, "J"), p.stage);
  if (!terminal_) {
    if (p.done < next_ && p.done < 1) return;
    next_ = p.done + 0.1;
    std::printf("%s\n", text.c_str());
  } else {
    constexpr int width = 24;
    const int full = static_cast<int>(std::lround(width * std::clamp(p.done, 0.0, 1.0)));
    std::string bar;
    for (int i = 0; i < width; ++i) bar += i < full ? "█" : "░";
    std::printf("\r\033[K%s%s%s %s", colour_ ? "\033[36m" : "", bar.c_str(), colour_ ? "\033[0m" : "", text.c_str());
    drawn_ = true;
  }
  std::fflush(stdout);
}

void ProgressDisplay::done() {
  if (drawn_) std::printf("\n");
  drawn_ = false;
}

WaitingLine::WaitingLine(std::string what) {
  if (isatty(STDERR_FILENO) == 0) return;
  teller_ = std::jthread([what = std::move(what)](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any end;
    std::unique_lock lock(mutex);
    const auto start = std::chrono::steady_clock::now();
    for (int s = 1; !end.wait_until(lock, stop, start + std::chrono::seconds(s), [&] { return stop.stop_requested(); });
         ++s)
      std::fprintf(stderr, "\r\033[K%s: %s", what.c_str(), duration(s).c_str());
    std::fprintf(stderr, "\r\033[K");
  });
}

}  // namespace ls::app
