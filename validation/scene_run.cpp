#include "validation/scene_run.h"

#include "base/error.h"
#include "output/files.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ls::validation {

namespace {

// Unlike in a reference, the last cell may be empty: most steps have no event.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (auto comma = line.find(','); comma != std::string::npos; comma = line.find(',', begin)) {
    out.push_back(line.substr(begin, comma - begin));
    begin = comma + 1;
  }
  out.push_back(line.substr(begin));
  return out;
}

double number(const std::string& cell) {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}

}  // namespace

SceneRun::SceneRun(const RunReport& report, long long iterations, double unexplained)
    : status(report.status),
      message(report.message),
      folder(report.folder),
      steps(report.steps),
      newton_iterations(iterations),
      wall_seconds(report.wall_seconds),
      balance(unexplained) {
  std::istringstream lines(read_file(folder / "probes.csv"));
  std::string line;
  std::getline(lines, line);
  const auto header = cells(line);
  while (std::getline(lines, line)) {
    const auto values = cells(line);
    if (values.size() != header.size())
      throw Error(fmt::format("{}: record {}: found {} values, expected {}", (folder / "probes.csv").string(),
                              records_ + 1, values.size(), header.size()));
    for (std::size_t k = 0; k < values.size(); ++k) columns_[header[k]].push_back(values[k]);
    ++records_;
  }
}

const std::vector<std::string>& SceneRun::text(const std::string& column) const {
  const auto found = columns_.find(column);
  if (found == columns_.end()) throw Error(fmt::format("{}: no column `{}`", (folder / "probes.csv").string(), column));
  return found->second;
}

std::vector<double> SceneRun::operator[](const std::string& column) const {
  std::vector<double> out;
  for (const auto& cell : text(column)) out.push_back(number(cell));
  return out;
}

double SceneRun::last(const std::string& column) const {
  return number(text(column).back());
}

std::vector<double> SceneRun::recorded(const std::string& column, const std::string& where) const {
  const auto& values = text(column);
  const auto& due = text(where);
  std::vector<double> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!due[i].empty()) out.push_back(number(values[i]));
  return out;
}

SceneRun run_scene(const Context& context, const std::string& scene, const std::vector<std::string>& sets,
                   const std::string& name) {
  Plan plan = read_scene((context.folder / scene).string(), sets);
  RunOptions options;
  options.out = context.scratch / name;
  options.force = true;
  options.resume = context.manner.resume;
  options.threads = context.manner.threads;
  RunReport report = ls::run(plan, options);
  const auto summary = nlohmann::json::parse(read_file(report.folder / "summary.json"));
  if (report.nothing_to_do) report.wall_seconds = summary.at("wall_seconds").get<double>();
  const double unexplained = summary.contains("ledger") ? summary["ledger"].at("balance").get<double>() : std::nan("");
  return SceneRun(report, summary.at("newton_iterations").get<long long>(), unexplained);
}

}  // namespace ls::validation
