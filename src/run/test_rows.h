#pragma once
#include "output/files.h"
#include "run/run.h"
#include "scene/read/reader.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

// Scenes that are run in a folder of their own, and what they leave in probes.csv.
namespace ls::test_rows {

using Row = std::map<std::string, double>;  // of probes.csv, by its columns

class SceneRows : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string(testing::UnitTest::GetInstance()->current_test_info()->test_suite_name()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  RunReport go(const std::string& scene) {
    RunOptions o;
    o.out = folder_;
    return run(read_text(scene + "[output]\npicture = false\nvtk = false\nhdf5 = false\n", "scene.toml"), o);
  }
  std::vector<Row> rows_of(const std::string& scene) {
    const RunReport report = go(scene);
    EXPECT_EQ(report.status, RunStatus::done) << report.message;
    return rows_in(folder_ / "probes.csv");
  }
  static std::vector<Row> rows_in(const std::filesystem::path& file) {
    const auto cells_of = [](const std::string& line) {
      std::vector<std::string> cells;
      std::istringstream in(line);
      for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
      return cells;
    };
    std::istringstream in(read_file(file));
    std::string line;
    std::getline(in, line);
    const auto header = cells_of(line);
    std::vector<Row> rows;
    while (std::getline(in, line)) {
      const auto cells = cells_of(line);
      rows.emplace_back();
      for (std::size_t k = 1; k < cells.size(); ++k)
        if (!cells[k].empty()) rows.back()[header[k]] = std::stod(cells[k]);
    }
    return rows;
  }

  std::filesystem::path folder_;
};

}  // namespace ls::test_rows
