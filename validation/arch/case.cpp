// Where arches of stones and cards that lean on each other stand, and where they fall: friction that holds.
#include "output/files.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::arch {

namespace {

constexpr double pi = 3.141592653589793;
constexpr double thickness = 1e-4;  // m, of the barrier, beside a mean radius of 1 m
constexpr double settling = 1;      // s
constexpr double falling = 0.8;     // s, in which what falls has fallen by more than `fallen`
constexpr double fallen = 0.02;     // m

const char* const header = R"(title = "Stones"
[solver]
kind = "implicit"
dt = "{dt} s"
duration = "{duration} s"
[gravity]
g = [0, 0, "-9.81 m/s^2"]
[contact]
thickness = "{thickness} m"
friction = {friction}
[output]
vtk = false
hdf5 = false
picture = false
[[wall]]
plane = {{ normal = [0, 0, 1] }}
[[probe]]
name = "top"
of = "{top}"
record = ["position"]
[[probe]]
name = "all"
of = "system"
record = ["max_speed"]
)";

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  write_atomically(file, text);
}

// A block between two radial joints of a semicircle of mean radius 1 m. Joints are open by half the barrier's
// thickness at the start, also those on the floor, the
// first a little more: a perfectly symmetric arch stands on a knife's edge of micrometres, and would wait for rounding
// to tell it which way to lean.
std::string voussoir(int n, int k, double thick) {
  std::array<std::array<double, 3>, 8> corner{};
  for (int c = 0; c < 8; ++c) {
    const bool second = c % 4 == 1 || c % 4 == 2, outer = c % 4 >= 2;
    const double angle = pi * (k + (second ? 1 : 0)) / n, r = 1 + (outer ? 0.5 : -0.5) * thick;
    const bool on_floor = (k == 0 && !second) || (k == n - 1 && second);
    const double in = (second ? -1 : 1) * (k == 0 && on_floor ? 0.6 : on_floor ? 0.5 : 0.25) * thickness;
    corner[static_cast<std::size_t>(c)] = {r * std::cos(angle) - in * std::sin(angle), c < 4 ? -0.2 : 0.2,
                                           r * std::sin(angle) + in * std::cos(angle)};
  }
  std::string text;
  for (const auto& p : corner) text += fmt::format("v {:.15g} {:.15g} {:.15g}\n", p[0], p[1], p[2]);
  return text + "f 4 3 2 1\nf 5 6 7 8\nf 2 6 5 1\nf 3 7 6 2\nf 4 8 7 3\nf 1 5 8 4\n";
}

struct Fate {
  double drop = std::nan("");   // m, of the top over all of the run
  double speed = std::nan("");  // m/s, of the fastest after settling
  double moved = std::nan("");  // m, of the top after settling
  Series line;
};

Fate watch(const Context& c, const std::string& scene, const std::string& name) {
  Context own = c;
  own.folder = c.scratch / (name + "-scene");
  write(own.folder / "case.toml", scene);
  const SceneRun run = run_scene(own, "case.toml", {}, name);
  const auto t = run["time"], x = run["top.position.x"], z = run["top.position.z"], v = run["all.max_speed"];
  Fate f;
  f.line = {name, {}, {}};
  if (run.status != RunStatus::done || t.empty()) return f;
  f.drop = z.front() - z.back(), f.speed = 0, f.moved = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    f.line.x.push_back(t[i]), f.line.y.push_back(1e3 * (z.front() - z[i]));
    if (t[i] < settling) continue;
    f.speed = std::max(f.speed, v[i]);
    f.moved = std::max(f.moved, std::hypot(x[i] - x.back(), z[i] - z.back()));
  }
  return f;
}

struct Stones {
  int n;
  double thick, friction;
};
Fate stand(const Context& c, const Stones& s, double duration, const std::string& name) {
  std::string scene = fmt::format(fmt::runtime(header), fmt::arg("dt", 0.01), fmt::arg("duration", duration),
                                  fmt::arg("thickness", thickness), fmt::arg("friction", s.friction),
                                  fmt::arg("top", fmt::format("s{}", s.n / 2)));
  for (int k = 0; k < s.n; ++k) {
    write(c.scratch / (name + "-scene") / fmt::format("s{}.obj", k), voussoir(s.n, k, s.thick));
    scene += fmt::format("[[rigid]]\nname = \"s{0}\"\nmesh = \"s{0}.obj\"\nmass = \"10 kg\"\n", k);
  }
  return watch(c, scene, name);
}

// Two cards of 100 mm that lean on each other at 30 degrees from the vertical, half a thickness from each other and
// from the floor.
Fate cards(const Context& c, double friction, double duration, const std::string& name) {
  constexpr double alpha = pi / 6, length = 0.1, thick = 0.002, reach = 1e-4;
  const double x = 0.5 * (length * std::sin(alpha) + thick * std::cos(alpha)) + 0.25 * reach;
  const double z = 0.5 * (length * std::cos(alpha) + thick * std::sin(alpha)) + 0.5 * reach;
  std::string scene = fmt::format(fmt::runtime(header), fmt::arg("dt", 0.005), fmt::arg("duration", duration),
                                  fmt::arg("thickness", reach), fmt::arg("friction", friction), fmt::arg("top", "l"));
  for (const int side : {-1, 1})
    scene += fmt::format(
        "[[rigid]]\nname = \"{}\"\nshape = \"box\"\nsize = [{}, 0.06, {}]\nmass = \"2 g\"\nposition = [{}, 0, {}]\n"
        "orientation = [0, {}, 0]\n",
        side < 0 ? "l" : "r", thick, length, side * x, z, -side * alpha);
  return watch(c, scene, name);
}

void judge(const std::string& what, const Fate& above, const Fate& below, Result& out) {
  out.rows.push_back(small(what + ", 5 % above: speed after a second", above.speed, 1e-6, "m/s"));
  out.rows.push_back(small(what + ", 5 % above: moved from then on", 1e6 * above.moved, 10, "um"));
  out.rows.push_back({what + ", 5 % below: falls by", below.drop, fallen, std::max(0.0, fallen - below.drop), 0, "m"});
  if (std::isnan(below.drop)) out.rows.back().error = below.drop;
}

}  // namespace

Result run(const Context& c) {
  Result out;
  const Table limits(c.folder / "arch_limits.csv");
  const auto n = limits["voussoirs"], thick = limits["thickness"], friction = limits["friction"];
  const double standing = settling + (c.manner.fast ? 2 : 10);
  Plot plot{"15 voussoirs, 5 % above and below", "s", "drop of the crown, mm", {}};
  for (std::size_t k = 0; k < limits.size(); ++k) {
    if (c.manner.fast && n[k] > 10) continue;
    const bool slides = friction[k] > 0;  // else the thickness is what is looked for, and nothing slides
    const int stones = static_cast<int>(n[k]);
    const auto scaled = [&](double by) {
      return slides ? Stones{stones, thick[k], by * friction[k]} : Stones{stones, by * thick[k], 2};
    };
    const std::string what = slides ? fmt::format("{} voussoirs, friction at thickness {}", stones, thick[k])
                                    : fmt::format("{} voussoirs, thickness", stones);
    const std::string name = fmt::format("{}-{}-{}", stones, slides ? "friction" : "thickness", thick[k]);
    const Fate above = stand(c, scaled(1.05), standing, name + "-above");
    const Fate below = stand(c, scaled(0.95), falling, name + "-below");
    judge(what, above, below, out);
    if (stones != 15 && !c.manner.fast) continue;
    plot.series.push_back(below.line);
    Series start = above.line;
    const auto shown =
        static_cast<std::size_t>(std::upper_bound(start.x.begin(), start.x.end(), falling) - start.x.begin());
    start.x.resize(shown), start.y.resize(shown);
    plot.series.push_back(start);
  }
  const double least = 0.5 * std::tan(pi / 6);
  judge("two cards, friction", cards(c, 1.05 * least, standing, "cards-above"),
        cards(c, 0.95 * least, falling, "cards-below"), out);
  out.plots = {plot};
  return out;
}

}  // namespace ls::validation::arch
