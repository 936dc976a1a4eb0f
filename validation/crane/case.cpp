// A crane with an electromagnet carries nickel cubes from one box to another.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::crane {

namespace {

constexpr int cubes = 8;
constexpr double g = 9.81, cube_mass = 0.02, magnet_mass = 1;  // m/s^2, kg
constexpr double strain = magnet_mass * g / (1e7 * std::numbers::pi * 1e-4);

// Of the records of one stage, but for its first tenth.
double mean_in(const SceneRun& run, const std::string& stage, const std::string& column) {
  const auto& stages = run.text("stage");
  const auto values = run[column], shares = run["s"];
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (stages[i] == stage && shares[i] > 0.1 && std::isfinite(values[i])) sum += values[i], ++count;
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

// Whether a place is within the second box, which stands turned by 60 degrees about the crane.
bool is_in_box(double x, double y, double z) {
  constexpr double reach = 2.8549, turned = std::numbers::pi / 3, half = 0.5, high = 0.5;
  const double dx = x + reach - reach * std::cos(turned), dy = y - reach * std::sin(turned);
  const double along = dx * std::cos(turned) + dy * std::sin(turned);
  const double across = dy * std::cos(turned) - dx * std::sin(turned);
  return std::abs(along) < half && std::abs(across) < half && z > 0 && z < high;
}

}  // namespace

Result run(const Context& c) {
  Result r;
  const SceneRun run = run_scene(c, "case.toml", {}, "eight");
  const double weight = (magnet_mass + cubes * cube_mass) * g;
  r.rows.push_back(compared("the rope carries, while it hangs over the second box",
                            mean_in(run, "hang", "joint_hoist.force.z"), weight, 0.01 * weight, "N"));
  int carried = 0;
  for (int k = 0; k < cubes; ++k) {
    const std::string place = fmt::format("cube{}.position.", k);
    carried += is_in_box(run.last(place + "x"), run.last(place + "y"), run.last(place + "z"));
  }
  r.rows.push_back(compared("cubes in the second box at the end", carried, cubes, 0));
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
