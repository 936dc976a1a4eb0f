#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// A claim of a paper, checked: each folder of validation/ holds one case with its references and a page about it.
namespace ls::validation {

// One checked number. It passes where error <= limit; NaN never passes.
struct Row {
  std::string quantity;
  double ours, reference;
  double error, limit;
  std::string unit;  // of error and limit: "", "m", "of L"
  bool pass() const { return error <= limit; }
};

// Points of one curve. Ours are drawn as lines, references as marks.
struct Series {
  std::string name;
  std::vector<double> x, y;
  bool reference = false;
};
struct Plot {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  bool log_x = false, log_y = false;
};

struct Result {
  std::vector<Row> rows;
  std::vector<Plot> plots;
  std::vector<std::string> remarks;  // measured facts that the page should state, a sentence each
};

// How the cases are run.
struct Manner {
  bool fast = false;    // smaller cases that take seconds
  bool resume = false;  // runs of scenes that were finished before are taken as they are, others go on
  int threads = 1;      // of runs of scenes: no result depends on it
};

struct Context {
  std::filesystem::path folder;   // of the case: its references
  std::filesystem::path scratch;  // a folder for runs, empty unless they are resumed
  Manner manner;
};

struct Case {
  std::string name;  // of its folder
  std::function<Result(const Context&)> run;
};

// All cases, in the order of the page. Each is defined in validation/NAME/case.cpp.
const std::vector<Case>& cases();

}  // namespace ls::validation
