// A rod that is pushed through a tube with a bend in load steps, with friction.
#include "output/files.h"
#include "validation/meshes.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::tube {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double straight = 0.1, bend = 0.04, behind = 0.03;  // m: before the bend, its radius, after it
constexpr double inner = 4e-3, outer = 5e-3, rod = 0.5e-3;    // m, radii of the tube and of the rod
constexpr int sides = 14, before = 16, around = 26, after = 7;
constexpr double push = 70e-3;  // m

Context with_tube(const Context& c) {
  Path way;
  for (int i = 0; i < before; ++i) way.places.push_back({straight * (static_cast<double>(i) / before - 1), 0, 0});
  for (int i = 0; i <= around; ++i) {
    const double a = 0.5 * pi * i / around;
    way.places.push_back({bend * std::sin(a), bend * (1 - std::cos(a)), 0});
  }
  for (int i = 1; i <= after; ++i) way.places.push_back({bend, bend + behind * i / after, 0});
  Context own = c;
  own.folder = c.scratch / "scene";
  std::filesystem::create_directories(own.folder);
  write_obj(own.folder / "tube.obj", pipe(way, inner, outer, sides));
  write_atomically(own.folder / "case.toml", read_file(c.folder / "case.toml"));
  return own;
}

// What a rod that bends by a right angle along a circle of radius r has at least.
double bending_energy(double r) {
  const double stiffness = 2e9 * pi * std::pow(2 * rod, 4) / 64;
  return 0.5 * stiffness * (0.5 * pi) / r;
}

struct Pushed {
  std::vector<double> way, force, friction;  // m; N, of the hand; J
  double drives = NAN, stored = NAN;         // J, at last
};

Pushed pushed(const Context& own, double mu, Result& r) {
  const SceneRun run =
      run_scene(own, "case.toml", {fmt::format("contact.friction={}", mu)}, fmt::format("friction-{}", mu));
  const auto named = [&](const char* what) { return fmt::format("friction {}: {}", mu, what); };
  r.rows.push_back(small(named("it goes all the way"), run.status == RunStatus::done ? 0 : 1, 0));
  Pushed p;
  if (run.status != RunStatus::done) return p;
  for (const double t : run["time"]) p.way.push_back(push * t);
  p.force = run["hand.reaction_force.x"], p.friction = run["system.ledger.friction"];
  p.drives = run.last("system.ledger.drives"), p.stored = run.last("system.energy.total");
  const auto gap = run["system.min_gap"];
  const double nearest = *std::min_element(gap.begin(), gap.end());
  r.rows.push_back(small(named("how far it is within the wall"), std::max(0.0, -nearest), 0, "m"));
  const double aside = std::hypot(run.last("tip.position.x") - bend, run.last("tip.position.z"));
  const double ahead = run.last("tip.position.y") - bend;
  r.rows.push_back(
      {named("the tip comes behind the bend, at least"), ahead, 4e-3, std::max(0.0, 4e-3 - ahead), 0, "m"});
  r.rows.push_back({named("it is in the tube there: off its axis, at most"), aside, inner - rod,
                    std::max(0.0, aside - (inner - rod)), 0, "m"});
  r.rows.push_back(small(named("work of the hand that neither rod nor friction has, of all"),
                         std::abs(run.last("system.ledger.balance")) / p.drives, 0.02));
  const double bent = run.last("system.energy.bend"), most = bending_energy(bend - inner), least = 0.4 * most;
  r.rows.push_back({named("energy of bending, no more than round the inner side"), bent, most,
                    std::max({0.0, bent - most, least - bent}), 0, "J"});
  r.remarks.push_back(fmt::format("Friction {}: {} Newton iterations in {} load steps, {:.1f} s.", mu,
                                  run.newton_iterations, run.steps, run.wall_seconds));
  return p;
}

}  // namespace

Result run(const Context& c) {
  Result r;
  const Context own = with_tube(c);
  Plot force{"What it takes to push the rod", "way (mm)", "N", {}};
  std::vector<Pushed> all;
  for (const double mu : c.manner.fast ? std::vector<double>{0.2} : std::vector<double>{0, 0.1, 0.2}) {
    all.push_back(pushed(own, mu, r));
    force.series.push_back({fmt::format("friction {}", mu), all.back().way, all.back().force});
    for (double& x : force.series.back().x) x *= 1e3;
  }
  r.plots = {force};
  if (c.manner.fast) return r;
  r.rows.push_back(
      compared("without friction: work of the hand over what is stored", all[0].drives / all[0].stored, 1, 0.02));
  for (std::size_t k = 1; k < all.size(); ++k)
    r.rows.push_back({fmt::format("with more friction it takes more work ({} of {})", k, all.size() - 1), all[k].drives,
                      all[k - 1].drives, std::max(0.0, all[k - 1].drives - all[k].drives), 0, "J"});
  return r;
}

}  // namespace ls::validation::tube
