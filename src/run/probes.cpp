#include "run/probes.h"

#include "run/probe_values.h"

#include <cmath>
#include <fmt/format.h>

namespace ls {

namespace {
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}
}  // namespace

bool is_due(const Every& every, const Clock& clock, double dt) {
  if (every.steps > 0 && clock.step % every.steps == 0) return true;
  if (every.time <= 0) return false;
  const auto count = [&](double t) { return std::floor(t / every.time + 1e-9); };
  return count(clock.time) != count(clock.time - dt);
}

ProbeTable::ProbeTable(const Plan& plan, Work& work) : plan_(plan) {
  for (std::size_t p = 0; p < plan.probes.size(); ++p)
    for (const auto& v : probe_values(plan, plan.probes[p], plan.start, {}, work))
      columns_.push_back({static_cast<int>(p), plan.probes[p].name + "." + v.column});
}

std::string ProbeTable::header() const {
  std::string line = "stage,step,time,s";
  for (const auto& c : columns_) line += "," + csv_cell(c.name);
  return line + ",event\n";
}

bool ProbeTable::any_due(const Clock& clock, double dt) const {
  for (const auto& p : plan_.probes)
    if (is_due(p.every, clock, dt)) return true;
  return false;
}

std::string ProbeTable::row(const State& s, const Inputs& in, double dt, bool all, const std::string& event, Work& work,
                            std::string& bad) const {
  std::string line = fmt::format("{},{},{:.17g},{:.17g}", csv_cell(plan_.stages[s.clock.stage].name), s.clock.step,
                                 s.clock.time, in.s);
  std::size_t column = 0;
  for (std::size_t p = 0; p < plan_.probes.size(); ++p) {
    if (all || is_due(plan_.probes[p].every, s.clock, dt))
      for (const auto& v : probe_values(plan_, plan_.probes[p], s, in, work)) {
        const bool nothing_near = v.value > 0 && v.column == "min_gap";
        if (!std::isfinite(v.value) && !nothing_near && bad.empty()) bad = columns_[column].name;
        line += fmt::format(",{:.17g}", v.value), ++column;
      }
    else
      for (; column < columns_.size() && columns_[column].probe == static_cast<int>(p); ++column) line += ",";
  }
  return line + "," + event + "\n";
}

}  // namespace ls
