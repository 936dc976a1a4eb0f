#pragma once
#include "validation/validation.h"

#include <optional>

namespace ls::validation {

// A case that has run.
struct Checked {
  std::string name;
  std::string page;  // its page.md
  Result result;
  double seconds = 0;

  std::size_t passed() const;  // rows
  bool pass() const { return passed() == result.rows.size(); }
  double worst() const;  // largest error over its limit
};

// Runs a case in validation/NAME of `folder`, with out/runs/NAME for its runs. A case that throws, or that checks
// nothing, gets a row that fails.
Checked checked(const Case& one, const std::filesystem::path& folder, const std::filesystem::path& out,
                const Manner& manner);

// Of a plot with references, how far each line is from its marks (the first line from the first reference, and so on).
// Nothing where no reference has a line whose x ascends.
std::optional<Plot> error_plot(const Plot& plot);

// One page that needs no other file, and the rows as a table.
std::string html_report(const std::vector<Checked>& all);
std::string csv_report(const std::vector<Checked>& all);

}  // namespace ls::validation
