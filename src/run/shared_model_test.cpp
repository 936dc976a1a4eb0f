#include "base/sanitized.h"
#include "output/files.h"
#include "run/run.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sstream>
#include <thread>
#include <unistd.h>

// Any number of runs may share one plan: no run writes to it.
namespace ls::shared_model_test {

namespace fs = std::filesystem;

const std::string touching = R"(
[material.rubber]
young = "1 MPa"
poisson = 0.4
density = 1000
friction = 0.3
restitution = 0.7
magnetisation = "50 kA/m"
[[rod]]
name = "low"
material = "rubber"
section = { diameter = "2 mm" }
line = { from = [0, 0, "1.1 mm"], to = ["30 mm", 0, "1.1 mm"] }
bonds = 24
clamp = ["start"]
magnetisation_direction = [1, 0, 0]
[[rod]]
name = "high"
material = "rubber"
section = { diameter = "2 mm" }
line = { from = ["20 mm", "-15 mm", "3.3 mm"], to = ["20 mm", "15 mm", "3.3 mm"] }
bonds = 24
clamp = ["start"]
magnetisation_direction = [0, 1, 0]
[[wall]]
name = "floor"
plane = { normal = [0, 0, 1] }
[contact]
[[field]]
uniform = [0, 0, "-40 mT * s"]
[[field]]
magnet = { shape = "dipole", moment = [0, 0, "0.05 A m^2"], position = ["25 mm", 0, "-20 mm"] }
[[probe]]
of = "system"
record = ["energy", "contacts", "min_gap"]
every = 1
[[probe]]
of = "low.end"
record = ["position", "contact_force"]
every = 1
[[probe]]
of = "high"
record = "energy"
every = 1
)";

struct Case {
  const char* name;
  std::string head;  // of the scene
};
void PrintTo(const Case& c, std::ostream* out) {  // NOLINT: googletest looks for this name
  *out << c.name;
}

class ThreadedRuns : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("lodestone_shared_{}_{}", GetParam().name, getpid());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  RunStatus go(const Plan& plan, const std::string& name, int threads) const {
    RunOptions o;
    o.out = folder_ / name;
    o.threads = threads;
    return run(plan, o).status;
  }
  std::string probes(const std::string& name) const { return read_file(folder_ / name / "probes.csv"); }

  fs::path folder_;
};

// How often the column is above 0.
int count_positive(const std::string& csv, const std::string& column) {
  const auto cells = [](const std::string& line) {
    std::vector<std::string> all(1);
    for (const char c : line) c == ',' ? void(all.emplace_back()) : all.back().push_back(c);
    return all;
  };
  std::istringstream in(csv);
  std::string line;
  std::getline(in, line);
  const auto names = cells(line);
  const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
  EXPECT_LT(at, names.size()) << line;
  int count = 0;
  while (at < names.size() && std::getline(in, line)) count += std::atof(cells(line).at(at).c_str()) > 0 ? 1 : 0;
  return count;
}

TEST_P(ThreadedRuns, ShareOnePlan) {
  const Plan plan = read_text(GetParam().head + touching, "scene.toml");
  ASSERT_EQ(go(plan, "alone", 1), RunStatus::done);
  const std::string right = probes("alone");
  EXPECT_GT(count_positive(right, "system.contacts"), 3) << "something touches";
  for (const int threads : {1, 2}) {
    if (is_sanitized && threads == 1) continue;
    RunStatus status[2] = {RunStatus::diverged, RunStatus::diverged};
    const auto name = [threads](int k) { return fmt::format("{}_{}", k, threads); };
    {
      std::thread first([&] { status[0] = go(plan, name(0), threads); });
      std::thread second([&] { status[1] = go(plan, name(1), threads); });
      first.join();
      second.join();
    }
    for (const int k : {0, 1}) {
      EXPECT_EQ(status[k], RunStatus::done) << threads;
      EXPECT_EQ(probes(name(k)), right) << threads;
    }
  }
  if (is_sanitized) return;
  // Nor did it change meanwhile.
  ASSERT_EQ(go(plan, "again", 1), RunStatus::done);
  EXPECT_EQ(probes("again"), right);
}

const Case cases[] = {
    {"explicit_dynamics", "[solver]\nduration = \"8 ms\"\n[damping]\ntime = \"20 ms\"\n"},
    {"implicit_dynamics", "[solver]\nkind = \"implicit\"\nduration = \"20 ms\"\nsteps = 20\n"},
    {"statics", "[solver]\nkind = \"static\"\nsteps = 10\non_instability = \"jump\"\n"},
};
INSTANTIATE_TEST_SUITE_P(All, ThreadedRuns, testing::ValuesIn(cases), [](const auto& c) { return c.param.name; });

}  // namespace ls::shared_model_test
