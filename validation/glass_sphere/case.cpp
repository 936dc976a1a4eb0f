// Meshes in a glass sphere that follow a magnet, hang from it and fall when it is switched off.
#include "base/error.h"
#include "output/files.h"
#include "validation/meshes.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::glass_sphere {

namespace {

using V = Vec3<double>;

constexpr double glass = 0.8;  // m
constexpr int each = 9;        // of jacks, rings and stars
const char* const sorts[] = {"jack", "ring", "star"};

// Six arms along the axes.
double jack_radius(const V& d) {
  const auto sixth = [](double a) { return std::pow(a, 6); };
  return 0.03 + 0.045 * std::max(0.0, sixth(d.x) + sixth(d.y) + sixth(d.z) - 0.1);
}
// Twelve spikes towards the corners of an icosahedron.
double star_radius(const V& d) {
  const double g = std::numbers::phi;
  double sum = 0;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-g, g})
      for (const V& corner : {V{0, a, b}, V{a, b, 0}, V{b, 0, a}})
        sum += std::pow(std::max(0.0, dot(d, normalized(corner))), 24);
  return 0.035 + 0.03 * sum;
}

Context with_bodies(const Context& c) {
  Context own = c;
  own.folder = c.scratch / "scene";
  std::filesystem::create_directories(own.folder);
  constexpr int frequency = 6;
  write_obj(own.folder / "jack.obj", star_shaped(frequency, jack_radius));
  write_obj(own.folder / "star.obj", star_shaped(frequency, star_radius));
  write_obj(own.folder / "ring.obj", torus(0.05, 0.02, 27, 12));
  std::string text = read_file(c.folder / "case.toml");
  // Up the side and no farther, and down again: the whole way takes minutes. A fast run is the fall alone.
  const auto left_out = text.find(c.manner.fast ? "[[stage]]\nname = \"up the side\"" : "[[stage]]\nname = \"round\"");
  const auto drop = text.find("[[stage]]\nname = \"drop\"");
  if (left_out == std::string::npos || drop == std::string::npos) throw Error("case.toml: its stages have other names");
  text.erase(left_out, drop - left_out);
  for (const char* sort : sorts)
    for (int k = 0; k < each; ++k)
      text += fmt::format(
          "\n[[probe]]\nname = \"{0}{1}\"\nof = \"{0}[{1}]\"\nrecord = \"position\"\nevery = \"30 ms\"\n", sort, k);
  write_atomically(own.folder / "case.toml", text);
  return own;
}

std::vector<V> places(const SceneRun& run, const std::string& name) {
  const auto x = run.recorded(name + ".position.x"), y = run.recorded(name + ".position.y"),
             z = run.recorded(name + ".position.z");
  std::vector<V> out;
  for (std::size_t i = 0; i < x.size(); ++i) out.push_back({x[i], y[i], z[i]});
  return out;
}

// At each record, of all bodies.
struct Swarm {
  std::vector<double> t;
  std::vector<std::string> stage;
  std::vector<double> off;      // degrees between the magnet and the mean place, seen from the middle
  std::vector<double> height;   // m, of the mean place
  std::vector<double> lowest;   // m
  std::vector<double> outside;  // m, how far a centre is outside of the glass; below 0: inside

  explicit Swarm(const SceneRun& run) : t(run.recorded("time", "magnet.position.x")) {
    for (std::size_t i = 0; i < run.size(); ++i)
      if (!run.text("magnet.position.x")[i].empty()) stage.push_back(run.text("stage")[i]);
    const auto magnet = places(run, "magnet");
    std::vector<V> sum(magnet.size());
    lowest.assign(magnet.size(), glass), outside.assign(magnet.size(), -glass);
    for (const char* sort : sorts)
      for (int k = 0; k < each; ++k) {
        const auto at = places(run, fmt::format("{}{}", sort, k));
        for (std::size_t i = 0; i < magnet.size(); ++i) {
          sum[i] += at[i];
          lowest[i] = std::min(lowest[i], at[i].z), outside[i] = std::max(outside[i], norm(at[i]) - glass);
        }
      }
    for (std::size_t i = 0; i < magnet.size(); ++i) {
      const double cosine = dot(normalized(sum[i]), normalized(magnet[i]));
      off.push_back(std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi);
      height.push_back(sum[i].z / (3 * each));
    }
  }
  // m/s, of the mean place, up, on the way from the record before.
  double speed_before(std::size_t i) const { return (height[i] - height[i - 1]) / (t[i] - t[i - 1]); }
  // The last record of a stage.
  std::size_t end_of(const std::string& name) const {
    const auto last = std::find(stage.rbegin(), stage.rend(), name);
    return last == stage.rend() ? 0 : static_cast<std::size_t>(stage.rend() - last) - 1;
  }
};

constexpr double dropped = 0.15;  // s
std::vector<std::string> short_form(bool fast) {
  if (fast) return {"stage.fall.duration=0.45 s", "stage.drop.duration=3 ms", "solver.dt=3 ms"};
  return {"stage.fall.duration=0.5 s", "stage.up the side.duration=0.7 s",
          fmt::format("stage.drop.duration={}", dropped), "solver.dt=3 ms"};
}

void add_ways(const Swarm& swarm, Result& r) {
  const std::size_t up = swarm.end_of("up the side");
  r.rows.push_back(small("led up the side: between the magnet and the middle of all", swarm.off[up], 10, "degrees"));
  r.rows.push_back({"led up the side: the lowest of them, at least", swarm.lowest[up], -0.45,
                    std::max(0.0, -0.45 - swarm.lowest[up]), 0, "m"});
  // They may be on their way up or down when the magnet is switched off, so that speeds count, not heights.
  const std::size_t last = swarm.height.size() - 1;
  const double fall = (swarm.speed_before(up + 1) - swarm.speed_before(last)) /
                      (0.5 * (swarm.t[last] + swarm.t[last - 1] - swarm.t[up + 1] - swarm.t[up]));
  r.rows.push_back(compared("after the magnet was switched off: acceleration downwards, over g", fall / 9.81, 1, 0.3));
}

}  // namespace

Result run(const Context& c) {
  Result r;
  const SceneRun run = run_scene(with_bodies(c), "case.toml", short_form(c.manner.fast), "glass");
  r.rows.push_back(small("it runs to the end (0) or not (1)", run.status == RunStatus::done ? 0 : 1, 0));
  const auto gap = run.recorded("system.min_gap");
  const double nearest = *std::min_element(gap.begin(), gap.end());
  r.rows.push_back(small("how far bodies are within each other or the glass", nearest > 0 ? 0 : -nearest, 0, "m"));
  const Swarm swarm(run);
  const double outside = *std::max_element(swarm.outside.begin(), swarm.outside.end());
  r.rows.push_back(small("how far the centre of one is outside of the glass", std::max(0.0, outside), 0, "m"));
  if (!c.manner.fast) add_ways(swarm, r);
  r.plots.push_back({"Middle of all bodies and the lowest of them",
                     "time (s)",
                     "height (m)",
                     {{"middle", swarm.t, swarm.height}, {"lowest", swarm.t, swarm.lowest}}});
  r.plots.push_back(
      {"Between the magnet and the middle of all", "time (s)", "degrees", {{"angle", swarm.t, swarm.off}}});
  r.remarks.push_back(fmt::format("{} steps, {:.1f} iterations and {:.0f} ms a step.", run.steps,
                                  static_cast<double>(run.newton_iterations) / static_cast<double>(run.steps),
                                  1e3 * run.wall_seconds / static_cast<double>(run.steps)));
  return r;
}

}  // namespace ls::validation::glass_sphere
