// A catheter that a magnet leads round the bend of a tube: it gets there, and friction holds its pull back as a
// capstan.
#include "output/files.h"
#include "validation/meshes.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::catheter {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double straight = 0.12, bend = 0.04, behind = 0.06;  // m: before the bend, its radius, after it
constexpr double inner = 5e-3, outer = 6e-3;                   // m, radii of the tube
constexpr int sides = 16, parts = 24;

Context with_tube(const Context& c) {
  Path way;
  for (int i = 0; i < parts; ++i) way.places.push_back({straight * (static_cast<double>(i) / parts - 1), 0, 0});
  for (int i = 0; i <= parts; ++i) {
    const double a = 0.5 * pi * i / parts;
    way.places.push_back({bend * std::sin(a), bend * (1 - std::cos(a)), 0});
  }
  for (int i = 1; i <= parts / 2; ++i) way.places.push_back({bend, bend + behind * i / (0.5 * parts), 0});
  Context own = c;
  own.folder = c.scratch / "scene";
  std::filesystem::create_directories(own.folder);
  write_obj(own.folder / "tube.obj", pipe(way, inner, outer, sides));
  write_atomically(own.folder / "case.toml", read_file(c.folder / "case.toml"));
  return own;
}

struct Way {
  Series wall, hand;      // N over s: on the wall, and what holds the catheter back at its end
  double held = NAN;      // N, the latter at last
  double tip = NAN;       // m, how far behind the bend it came
  double within = NAN;    // m, how far it is within the wall
  double off_axis = NAN;  // m, of the tip from the axis of the tube, where it came to
};

Way led(const Context& c, const std::string& set, const std::string& name) {
  const SceneRun run = run_scene(c, "case.toml", {set}, name);
  Way w;
  const auto t = run["time"], x = run["tube.net_contact_force.x"], y = run["tube.net_contact_force.y"],
             z = run["tube.net_contact_force.z"], hand = run["hand.reaction_force.x"], gap = run["system.min_gap"];
  std::vector<double> wall, back;
  for (std::size_t i = 0; i < t.size(); ++i) wall.push_back(std::hypot(x[i], y[i], z[i])), back.push_back(-hand[i]);
  w.wall = {name, t, wall}, w.hand = {name, t, back};
  if (run.status != RunStatus::done) return w;
  const double nearest = *std::min_element(gap.begin(), gap.end());
  w.held = back.back(), w.tip = run.last("tip.position.y") - bend, w.within = nearest > 0 ? 0 : -nearest;
  w.off_axis = std::hypot(run.last("tip.position.x") - bend, run.last("tip.position.z"));
  return w;
}

void add_rows(const Way& w, const std::string& name, Result& r) {
  r.rows.push_back({name + ": the tip comes behind the bend, at least 10 mm", 1e3 * w.tip, 10,
                    w.tip >= 0.01 ? 0 : worse(0.01 - w.tip, 0), 0, "m"});
  r.rows.push_back(small(name + ": from the axis of the tube there", w.off_axis, inner, "m"));
  r.rows.push_back(small(name + ": how far it is within the wall", w.within, 0, "m"));
}

}  // namespace

Result run(const Context& c) {
  Result r;
  const Context own = with_tube(c);
  Plot wall{"Force on the wall", "time (s)", "N", {}};
  Plot hand{"What holds the catheter back at its end", "time (s)", "N", {}};
  Plot friction{
      "At the end, over friction", "coefficient of friction", "N", {{"on the wall", {}, {}}, {"held back", {}, {}}}};
  double free_pull = NAN;  // N, without friction
  for (const double mu : {0.0, 0.1, 0.2, 0.3, 0.5}) {
    const std::string name = fmt::format("friction {}", mu);
    const Way w = led(own, fmt::format("contact.friction={}", mu), name);
    add_rows(w, name, r);
    wall.series.push_back(w.wall), hand.series.push_back(w.hand);
    friction.series[0].x.push_back(mu), friction.series[0].y.push_back(w.wall.y.back());
    friction.series[1].x.push_back(mu), friction.series[1].y.push_back(w.held);
    if (mu == 0)
      free_pull = w.held;
    else
      r.rows.push_back(compared(name + ": angle of the bend, by Euler and Eytelwein, of 90 degrees",
                                std::log(free_pull / w.held) / mu / (0.5 * pi), 1, 0.12));
    if (c.manner.fast && mu > 0) break;
  }
  const Way pushed = led(own, "rigid.magnet.moment_factor=0", "without the magnet");
  wall.series.push_back(pushed.wall), hand.series.push_back(pushed.hand);
  r.rows.push_back(small("without the magnet: how far it is within the wall", pushed.within, 0, "m"));
  r.rows.push_back(
      {"without the magnet it is pushed, not held back", pushed.held, 0, std::max(0.0, pushed.held), 0, "N"});
  r.plots = {wall, hand, friction};
  return r;
}

}  // namespace ls::validation::catheter
