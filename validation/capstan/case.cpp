// A rope that is pulled over a drum: its tension grows with the angle as Euler and Eytelwein say.
#include "output/files.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <cmath>
#include <fmt/format.h>

namespace ls::validation::capstan {

namespace {

constexpr double pi = 3.141592653589793;
constexpr double drum = 50e-3, rope = 0.1e-3, thickness = 5e-5, leg = 15e-3;  // m: radii, the barrier's, straight ends
constexpr double load = 0.5;                                                  // N, at the slack end

const char* const scene = R"(title = "A rope over a drum"
[solver]
kind = "implicit"
dt = "5 ms"
[material.nylon]
young = "100 MPa"
poisson = 0.3
density = 1000
[contact]
thickness = {thickness}
friction = {mu}
[[rigid]]
name = "drum"
shape = "capsule"
radius = {drum}
length = 0.02
orientation = ["90 deg", 0, 0]
fixed = true
[[rod]]
name = "rope"
material = "nylon"
section = {{ diameter = "1 mm" }}
contact_radius = {rope}
bonds = {bonds}
points = [{points}]
[[hold]]
on = "rope"
axes = ["y", "rx", "rz"]
[damping]
time = "5 ms"
[[stage]]
name = "pull"
duration = "1 s"
[[stage.load]]
on = "rope.start"
force = [{start_x}, 0, {start_z}]
[[stage.drive]]
on = "rope.end"
move = ["{end_x} m * s", "free", "{end_z} m * s"]
[[probe]]
name = "end"
of = "rope.end"
record = ["reaction_force"]
every = 2
[output]
vtk = false
hdf5 = false
picture = false
)";

struct Pull {
  double ratio = std::nan("");  // of the tensions, at the end
  Series line;
};

// The rope lies over the drum by the angle `wrap`, with straight ends along the tangents; one is loaded, the other is
// pulled by 6 mm.
Pull pull(const Context& c, double mu, double wrap, int turns, const std::string& name) {
  const double r = drum + rope + 0.5 * thickness, spacing = r * wrap / turns;
  const int straight = static_cast<int>(leg / spacing);
  const double s = std::sin(0.5 * wrap), w = std::cos(0.5 * wrap);  // the start leaves along (-w, -s), the end (w, -s)
  std::string points;
  const auto add = [&](double x, double z) { points += fmt::format("[{:.15g}, 0, {:.15g}], ", x, z); };
  for (int k = straight; k > 0; --k) add(-r * s - spacing * k * w, r * w - spacing * k * s);
  for (int k = 0; k <= turns; ++k) {
    const double a = wrap * (static_cast<double>(k) / turns - 0.5);
    add(r * std::sin(a), r * std::cos(a));
  }
  for (int k = 1; k <= straight; ++k) add(r * s + spacing * k * w, r * w - spacing * k * s);
  const double way = 6e-3;
  const std::string text =
      fmt::format(fmt::runtime(scene), fmt::arg("thickness", thickness), fmt::arg("mu", mu), fmt::arg("drum", drum),
                  fmt::arg("rope", rope), fmt::arg("bonds", turns + 2 * straight), fmt::arg("points", points),
                  fmt::arg("start_x", -load * w), fmt::arg("start_z", -load * s), fmt::arg("end_x", way * w),
                  fmt::arg("end_z", -way * s));
  Context own = c;
  own.folder = c.scratch / (name + "-scene");
  std::filesystem::create_directories(own.folder);
  write_atomically(own.folder / "case.toml", text);
  const SceneRun run = run_scene(own, "case.toml", {}, name);
  const auto x = run["end.reaction_force.x"], z = run["end.reaction_force.z"], t = run["time"];
  Pull p;
  p.line = {fmt::format("friction {}, {:.0f} degrees", mu, wrap * 180 / pi), {}, {}};
  for (std::size_t i = 0; i < t.size(); ++i) {
    p.line.x.push_back(1e3 * way * t[i]);
    p.line.y.push_back((x[i] * w - z[i] * s) / load);
  }
  if (run.status == RunStatus::done && !p.line.y.empty()) p.ratio = p.line.y.back();
  return p;
}

}  // namespace

Result run(const Context& c) {
  struct Setup {
    double mu, wrap;
  };
  Result out;
  Plot plot{"Tension at the pulled end over that at the other", "pulled by, mm", "", {}};
  const std::vector<Setup> all = {{0.3, pi}, {0.1, pi}, {0.5, pi}, {0.3, pi / 2}, {0.5, pi / 4}};
  for (const auto& [mu, wrap] : all) {
    const Pull p =
        pull(c, mu, wrap, static_cast<int>(std::lround(60 * wrap / pi)), fmt::format("{}-{:.0f}", mu, wrap * 180 / pi));
    const double expected = std::exp(mu * wrap);
    out.rows.push_back({p.line.name, p.ratio, expected, std::abs(p.ratio / expected - 1), 0.01, "of itself"});
    plot.series.push_back(p.line);
    if (c.manner.fast) break;
  }
  out.plots = {plot};
  return out;
}

}  // namespace ls::validation::capstan
