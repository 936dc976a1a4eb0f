#pragma once
#include "run/run.h"
#include "validation/validation.h"

#include <map>

namespace ls::validation {

// What a run of a scene left behind: probes.csv by columns, and the figures of its summary.
class SceneRun {
 public:
  SceneRun(const RunReport& report, long long iterations, double unexplained);

  RunStatus status = RunStatus::done;
  std::string message;  // where the run did not get to its end
  std::filesystem::path folder;
  long long steps = 0, newton_iterations = 0;
  double wall_seconds = 0;  // of the stepping alone
  double balance = 0;       // J, energy that the ledger does not explain at the end; NaN: no ledger was kept

  std::size_t size() const { return records_; }
  // "stage", "event", "tip.displacement.x"; an empty cell is an empty text, and as a number NaN.
  const std::vector<std::string>& text(const std::string& column) const;
  std::vector<double> operator[](const std::string& column) const;
  double last(const std::string& column) const;
  // The records of a probe that is not due every time: those where the column has a value, of this and of another one.
  std::vector<double> recorded(const std::string& column) const { return recorded(column, column); }
  std::vector<double> recorded(const std::string& column, const std::string& where) const;

 private:
  std::size_t records_ = 0;
  std::map<std::string, std::vector<std::string>> columns_;
};

// Reads a scene of the case's folder with `sets` as of the command line, runs it into scratch/name and reads what it
// left. A scene that is bad is an Error; one that ends early is not: look at the status.
SceneRun run_scene(const Context& context, const std::string& scene, const std::vector<std::string>& sets,
                   const std::string& name);

}  // namespace ls::validation
