// Compass needles around a bar magnet: 118 of four samples each, free to turn about y, and a bar of 988.
#include "physics/magnets.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>

namespace ls::validation::compass {

namespace {

using V = Vec3<double>;

constexpr double degree = 3.141592653589793 / 180, spacing = 0.0198;

struct Needle {
  V x;
  double rest;  // rad, from +z towards +x
};

std::vector<Needle> read_needles(const Context& c) {
  const Table t(c.folder / "compass_rest.csv");
  std::vector<Needle> all;
  const auto x = t["x_m"], z = t["z_m"], angle = t["angle_rad"];
  for (std::size_t i = 0; i < t.size(); ++i) all.push_back({{x[i], 0, z[i]}, angle[i]});
  return all;
}

std::vector<V> bar_samples() {
  std::vector<V> all;
  for (int i = 0; i < 13; ++i)
    for (int k = 0; k < 76; ++k) all.push_back({-0.125 + spacing * (i + 0.5), 0, -0.75 + spacing * (k + 0.5)});
  return all;
}
V field_of_bar(const V& at) {
  V b{};
  for (const V& x : bar_samples()) b += mu0 * dipole_field(V{0, 0, 71}, at - x);
  return b;
}

// Each needle begins along the field of the bar alone; off: so far from it, to the one side and the other in turn.
std::string scene_of(const std::vector<Needle>& needles, double off) {
  std::string s = "title = \"Compass needles\"\n[solver]\nkind = \"static\"\nsteps = 1\n[dipoles]\n";
  s += "[[rigid]]\nname = \"bar\"\nshape = \"box\"\nsize = [0.25, 0.02, 1.5]\nfixed = true\ndipoles = [\n";
  for (const V& x : bar_samples())
    s += fmt::format("{{ position = [{:.17g}, 0, {:.17g}], moment = [0, 0, 71.0] }},\n", x.x, x.z);
  s += "]\n";
  for (std::size_t i = 0; i < needles.size(); ++i) {
    const V b = field_of_bar(needles[i].x);
    s += fmt::format(
        "[[rigid]]\nname = \"needle{}\"\nshape = \"box\"\nsize = [0.05, 0.02, 0.1]\nmass = \"0.1 kg\"\n"
        "position = [{:.17g}, 0, {:.17g}]\norientation = [0, {:.17g}, 0]\ndipoles = [\n",
        i, needles[i].x.x, needles[i].x.z, std::atan2(b.x, b.z) + (i % 2 ? off : -off));
    for (const double z : {-0.03, -0.01, 0.01, 0.03})
      s += fmt::format("{{ position = [0, 0, {}], moment = [0, 0, 0.142] }},\n", z);
    s += fmt::format(
        "]\n[[hold]]\non = \"needle{0}\"\naxes = [\"x\", \"y\", \"z\", \"rx\", \"rz\"]\n"
        "[[probe]]\nof = \"needle{0}\"\nrecord = \"moment\"\nevery = \"stage\"\n",
        i);
  }
  return s;
}

}  // namespace

Result run(const Context& c) {
  Result r;
  const auto needles = read_needles(c);
  for (const double off : c.manner.fast ? std::vector<double>{0.0} : std::vector<double>{0.0, 10 * degree}) {
    const std::string name = off > 0 ? "ten degrees off" : "along the bar's field";
    Context here = c;
    here.folder = c.scratch / (off > 0 ? "off" : "along");
    std::filesystem::create_directories(here.folder);
    std::ofstream(here.folder / "scene.toml") << scene_of(needles, off);
    const SceneRun run = run_scene(here, "scene.toml", {}, off > 0 ? "run-off" : "run-along");
    double worst = run.status == RunStatus::done ? 0 : std::nan("");
    for (std::size_t i = 0; i < needles.size(); ++i) {
      const double angle =
          std::atan2(run.last(fmt::format("needle{}.moment.x", i)), run.last(fmt::format("needle{}.moment.z", i)));
      worst = worse(worst, std::abs(std::remainder(angle - needles[i].rest, 360 * degree)) / degree);
    }
    r.rows.push_back(small(fmt::format("118 needles that start {}: worst angle", name), worst, 0.02, "degrees"));
    r.remarks.push_back(fmt::format("From {} the rest took {} iterations and {:.2g} s.", name, run.newton_iterations,
                                    run.wall_seconds));
  }
  return r;
}

}  // namespace ls::validation::compass
