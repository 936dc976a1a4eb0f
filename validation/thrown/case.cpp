// Rods and sheets that are flung about by implicit midpoint steps, short and long ones: what they keep.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::thrown {

namespace {

struct Scene {
  const char* name;
  const char* title;
  double critical;        // us, of the explicit stepper
  const char* model_key;  // what to set for another bond
  bool free;              // nothing holds it, and no field turns it
};
constexpr Scene scenes[] = {{"ribbon", "ribbon, 1 m/s", 134, "rod.r.model", true},
                            {"helix", "helix, 2 m/s", 120, "rod.r.model", true},
                            {"cantilever", "cantilever in gravity, 1 m/s", 134, "rod.r.model", false},
                            {"magnet", "magnet in 20 mT, 1 m/s", 134, "rod.r.model", false},
                            {"sheet", "clamped sheet in gravity, 1 m/s", 130, "shell.s.model", false}};

struct Kept {
  std::vector<double> t, energy;  // s; (E - E0) over the first kinetic energy
  double worst = NAN;             // of the energy
  double slope = NAN;             // from the first quarter's mean to the last one's
  double momentum = NAN, angular = NAN;
  double iterations = NAN;  // a step
};

double change(const SceneRun& run, const std::string& what) {
  double most = 0, size = 0;
  const auto x = run[what + ".x"], y = run[what + ".y"], z = run[what + ".z"];
  for (std::size_t i = 0; i < x.size(); ++i) {
    size = std::max(size, std::hypot(x[i], y[i], z[i]));
    most = worse(most, std::hypot(x[i] - x[0], y[i] - y[0], z[i] - z[0]));
  }
  return most / size;
}

Kept thrown(const Context& c, const Scene& scene, const std::string& model, double length, long long steps) {
  const double dt = 1e-6 * length * scene.critical;
  const auto run = run_scene(c, fmt::format("{}.toml", scene.name),
                             {fmt::format("solver.dt={}", dt), fmt::format("solver.duration={}", dt * steps),
                              fmt::format("{}=\"{}\"", scene.model_key, model)},
                             fmt::format("{}_{}_{:g}", scene.name, model, length));
  if (run.status != RunStatus::done) return {};
  Kept k;
  k.t = run["time"], k.energy = run["all.energy.total"];
  const double first = k.energy[0], kinetic = run["all.energy.kinetic"][0] + run["all.energy.spin"][0];
  k.worst = 0;
  for (double& e : k.energy) e = (e - first) / kinetic, k.worst = worse(k.worst, std::abs(e));
  const auto quarter = k.energy.size() / 4;
  k.slope = mean(std::span(k.energy).last(quarter)) - mean(std::span(k.energy).first(quarter));
  k.momentum = change(run, "all.momentum"), k.angular = change(run, "all.angular_momentum");
  k.iterations = static_cast<double>(run.newton_iterations) / static_cast<double>(run.steps);
  return k;
}

}  // namespace

Result run(const Context& c) {
  Result r;
  const long long steps = c.manner.fast ? 1500 : 50'000;
  const auto lengths = c.manner.fast ? std::vector<double>{1.5} : std::vector<double>{0.1, 0.5, 1.5, 5};
  for (const Scene& scene : scenes) {
    Plot plot{fmt::format("Energy: {}", scene.title), "time (s)", "change over the first kinetic energy", {}};
    for (const std::string model : {"exact", "corotational"}) {
      if (model != "exact" && !scene.free) continue;
      for (const double length : lengths) {
        if (model != "exact" && length > 2) continue;
        const Kept k = thrown(c, scene, model, length, steps);
        const std::string what = fmt::format("{}, {}, {:g} of the critical step: ", scene.title, model, length);
        r.rows.push_back(small(what + "energy", k.worst, 1e-3, "of K0"));
        r.rows.push_back(small(what + "its drift", std::abs(k.slope), 5e-4, "of K0"));
        if (scene.free) r.rows.push_back(small(what + "momentum", worse(k.momentum, k.angular), 1e-9, "of itself"));
        if (model == "exact") {
          plot.series.push_back(thinned(fmt::format("{:g} of the critical step", length), k.t, k.energy));
          r.remarks.push_back(fmt::format("{}{:.1f} iterations a step.", what, k.iterations));
        }
      }
    }
    r.plots.push_back(plot);
  }
  return r;
}

}  // namespace ls::validation::thrown
