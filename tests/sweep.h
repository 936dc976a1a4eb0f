#pragma once
// What tests of sweeps look at: the table, and whether two runs are the same.
#include "tests/program.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace ls::program {

using Row = std::map<std::string, std::string>;

inline std::vector<Row> table(const fs::path& file) {
  std::istringstream in(contents(file));
  const auto cells = [](const std::string& line) {
    std::vector<std::string> parts(1);
    for (const char c : line) c == ',' ? (void)parts.emplace_back() : parts.back().push_back(c);
    return parts;
  };
  std::vector<Row> rows;
  std::string line;
  std::getline(in, line);
  const auto header = cells(line);
  while (std::getline(in, line)) {
    const auto values = cells(line);
    EXPECT_EQ(values.size(), header.size()) << line;
    Row& row = rows.emplace_back();
    for (std::size_t k = 0; k < std::min(values.size(), header.size()); ++k) row[header[k]] = values[k];
  }
  return rows;
}

// All files of a run but for the wall times in them.
inline void expect_same_run(const fs::path& a, const fs::path& b) {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(a)) {
    const fs::path name = fs::relative(entry.path(), a);
    if (name == "checkpoint-before.h5") continue;  // is there where a run took long enough
    ASSERT_TRUE(fs::exists(b / name)) << b / name;
    if (!entry.is_regular_file() || name == "log.jsonl" || name == "checkpoint.h5") continue;
    ++files;
    if (name == "summary.json") {
      auto sa = nlohmann::json::parse(contents(a / name)), sb = nlohmann::json::parse(contents(b / name));
      for (auto* s : {&sa, &sb}) s->erase("wall_seconds");
      EXPECT_EQ(sa, sb);
    } else {
      EXPECT_EQ(contents(a / name), contents(b / name)) << name;
    }
  }
  EXPECT_GT(files, 5u);
}

}  // namespace ls::program
