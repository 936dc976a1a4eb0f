#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

// Many runs of one scene: which values its keys take, and one table of how the runs ended.
namespace ls {

struct SweepAxis {
  std::string key;                  // "rod.beam.bonds"
  std::vector<std::string> values;  // each as --set takes it
};

constexpr std::size_t most_runs = 100'000;  // of a sweep; more is a mistyped count

// "rod.beam.bonds=32,64,128" or "define.lambda=0:45:46" (from, to, how many), or a mixture of both. Commas and colons
// within quotes or brackets belong to the value. Throws Error.
SweepAxis sweep_axis(const std::string& text);

// All combinations of the values of all axes; the last axis changes fastest.
class ParameterSweep {
 public:
  // axes: as sweep_axis takes them. sets: assignments that hold in every run. Throws Error.
  ParameterSweep(const std::vector<std::string>& axes, std::vector<std::string> sets);

  std::size_t runs() const { return runs_; }
  const std::vector<SweepAxis>& axes() const { return axes_; }
  std::vector<std::string> values(std::size_t run) const;  // [axis]
  std::vector<std::string> sets(std::size_t run) const;    // those of every run, then one an axis
  std::string folder(std::size_t run) const;               // "007": all of one length, so that they sort
  std::string label(std::size_t run) const;                // "rod.beam.bonds=64, define.lambda=3"

 private:
  std::vector<SweepAxis> axes_;
  std::vector<std::string> sets_;
  std::size_t runs_ = 1;
};

// How a run ended, as text for the table; empty where that is not known.
struct SweepRow {
  std::string status;  // empty: not ended yet, and not in the table
  std::string steps;
  std::string wall_seconds;
  std::string newton_iterations;
  std::string header, last;  // the first and the last line of probes.csv
};

// What summary.json and probes.csv of a run's folder say. A folder without a readable summary: no status.
SweepRow sweep_row(const std::filesystem::path& folder);

// table.csv: the runs that have ended, in the order of the combinations. The columns of the probes are those of the
// first run that came to its end, then what only others have; where a run lacks one, its cell is empty.
std::string sweep_table(const ParameterSweep& sweep, const std::vector<SweepRow>& rows);

}  // namespace ls
