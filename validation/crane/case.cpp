// A crane with an electromagnet carries nickel cubes from one box to another.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::crane {

namespace {

constexpr double g = 9.81, cube_mass = 0.02, magnet_mass = 1;  // m/s^2, kg
constexpr double strain = magnet_mass * g / (1e7 * std::numbers::pi * 1e-4);

// Of the records of one stage, in its second half: what swings sinks at first.
double mean_in(const SceneRun& run, const std::string& stage, const std::string& column) {
  const auto& stages = run.text("stage");
  const auto values = run[column], shares = run["s"];
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (stages[i] == stage && shares[i] > 0.5 && std::isfinite(values[i])) sum += values[i], ++count;
  return count > 0 ? sum / count : std::nan("");
}

double last_in(const SceneRun& run, const std::string& stage, const std::string& column) {
  const auto& stages = run.text("stage");
  const auto values = run[column];
  double last = std::nan("");
  for (std::size_t i = 0; i < values.size(); ++i)
    if (stages[i] == stage && std::isfinite(values[i])) last = values[i];
  return last;
}

// What rests in the second box weighs on its plates, all of them together.
double weight_in_box(const SceneRun& run) {
  double sum = 0;
  for (const char* plate : {"bottom", "right", "left", "back", "front"})
    sum -= run.last(fmt::format("other_{}.net_contact_force.z", plate));
  return sum;
}

}  // namespace

Result run(const Context& c) {
  Result r;
  std::vector<std::string> sets;
  if (c.manner.fast)
    sets = {"rigid.cube.grid.n=[1, 1, 1]", "define.falling=0.5 s", "define.turning=2 s", "define.pause=0.5 s",
            "define.dropping=1.5 s"};
  const int cubes = c.manner.fast ? 1 : 8;
  const SceneRun run = run_scene(c, "case.toml", sets, "cubes");
  const double load = cubes * cube_mass * g, weight = magnet_mass * g + load;
  r.rows.push_back(compared("the rope carries, while it hangs over the second box",
                            mean_in(run, "hang", "joint_hoist.force.z"), weight, 0.01 * weight, "N"));
  r.rows.push_back(
      compared("what lies in the second box at the end weighs", weight_in_box(run), load, 1e-3 * load, "N"));
  const auto gaps = run.recorded("system.min_gap");
  const double least = gaps.empty() ? std::nan("") : *std::min_element(gaps.begin(), gaps.end());
  r.rows.push_back(small("how far anything is within anything else", least > 0 ? 0 : -least, 0, "m"));
  const double high = last_in(run, "fall", "magnet.position.z"), low = last_in(run, "lower", "magnet.position.z");
  r.rows.push_back(compared("the magnet comes down by", high - low, 0.72 * (1 + strain), 0.01, "m"));
  const double back = last_in(run, "drop", "magnet.position.z");
  r.rows.push_back(small("how far from its first height it ends", std::abs(back - high), 1e-3, "m"));
  const double done = std::abs(run.last("system.ledger.motors")) + std::abs(run.last("system.ledger.fields"));
  r.rows.push_back(small("energy that the ledger does not explain, of the work of motors and of the switch",
                         std::abs(run.last("system.ledger.balance")) / done, 1e-4));
  r.plots.push_back({"What hangs on the rope",
                     "time (s)",
                     "force (N)",
                     {{"the rope", run.recorded("time", "joint_hoist.force.z"), run.recorded("joint_hoist.force.z")}}});
  return r;
}

}  // namespace ls::validation::crane
