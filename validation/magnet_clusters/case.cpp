// Balls with a dipole each, drawn together until they touch: chains and rings.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>

namespace ls::validation::magnet_clusters {

namespace {

using V = Vec3<double>;

constexpr double diameter = 0.01, moment = 0.1, pi = 3.141592653589793;
constexpr double unit = 1e-7 * moment * moment / (diameter * diameter * diameter);  // J

struct Ball {
  V x, m;  // m; a direction
};

std::vector<Ball> chain_of(int n, double apart) {
  std::vector<Ball> all;
  all.reserve(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) all.push_back({{k * apart, 0, 0}, {1, 0, 0}});
  return all;
}
// The first `count` of a ring of n, at a height, turned by an angle.
std::vector<Ball> part_of_ring(int n, int count, double apart, double height = 0, double turned = 0) {
  const double radius = apart / (2 * std::sin(pi / n));
  std::vector<Ball> all;
  for (int k = 0; k < count; ++k) {
    const double a = 2 * pi * k / n + turned;
    all.push_back({{radius * std::cos(a), radius * std::sin(a), height}, {-std::sin(a), std::cos(a), 0}});
  }
  return all;
}
std::vector<Ball> ring_of(int n, double apart) {
  return part_of_ring(n, n, apart);
}
// One on the other, its balls over the gaps between theirs.
std::vector<Ball> two_rings_of(int n, double apart) {
  const double across = apart * std::sin(pi / (2 * n)) / std::sin(pi / n);
  auto all = ring_of(n, apart);
  for (const Ball& b : part_of_ring(n, n, apart, std::sqrt(apart * apart - across * across), pi / n)) all.push_back(b);
  return all;
}

// All but the first are a little out of place, and their moments turned by a few degrees.
std::string scene_of(const std::vector<Ball>& balls) {
  std::string s =
      "[solver]\nkind = \"static\"\non_instability = \"jump\"\nsteps = 1\n[contact]\nthickness = \"2 um\"\n[dipoles]\n";
  for (std::size_t k = 0; k < balls.size(); ++k) {
    const double i = static_cast<double>(k), shift = k > 0 ? 1e-3 * diameter : 0, tilt = k > 0 ? 0.03 : 0;
    const V x = balls[k].x + shift * V{std::sin(3 * i), std::cos(5 * i), std::sin(7 * i)};
    const V m = moment * normalized(balls[k].m + tilt * V{std::cos(2 * i), std::sin(4 * i), std::cos(6 * i)});
    s += fmt::format(
        "[[rigid]]\nname = \"ball{}\"\nshape = \"sphere\"\nradius = {}\nmass = \"4 g\"\nposition = [{:.17g}, {:.17g}, "
        "{:.17g}]\nmoment = [{:.17g}, {:.17g}, {:.17g}]\nfixed = {}\n",
        k, 0.5 * diameter, x.x, x.y, x.z, m.x, m.y, m.z, k == 0);
    s += fmt::format("[[probe]]\nof = \"ball{}\"\nrecord = \"position\"\nevery = \"stage\"\n", k);
  }
  return s + "[[probe]]\nof = \"system\"\nrecord = [\"energy\", \"min_gap\", \"negative_pivots\"]\nevery = \"stage\"\n";
}

struct Rest {
  double energy = std::nan("");  // of the dipoles, in units of mu0 m^2/(4 pi d^3), d as far apart as they are
  double gap = 0;                // m, that the barrier leaves
};

Rest rest_of(const Context& c, const std::vector<Ball>& balls, const std::string& name) {
  Context here = c;
  here.folder = c.scratch / ("scene-" + name);
  std::filesystem::create_directories(here.folder);
  std::ofstream(here.folder / "scene.toml") << scene_of(balls);
  const SceneRun run = run_scene(here, "scene.toml", {}, name);
  Rest r;
  if (run.status != RunStatus::done) return r;
  std::vector<V> places;
  for (std::size_t k = 0; k < balls.size(); ++k) {
    const std::string ball = fmt::format("ball{}.position.", k);
    places.push_back({run.last(ball + "x"), run.last(ball + "y"), run.last(ball + "z")});
  }
  double sum = 0;
  int touching = 0;
  for (std::size_t k = 0; k < places.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (const double d = norm(places[k] - places[j]); d < 1.01 * diameter) sum += d, ++touching;
  const double apart = sum / touching;
  r.gap = apart - diameter;
  r.energy = run.last("system.energy.dipole") / unit * std::pow(apart / diameter, 3);
  return r;
}

void add_energy(const std::string& what, double energy, double right, Result& r, double limit = 1e-6) {
  r.rows.push_back({what + ": energy (μ₀m²/4πd³)", energy, right, std::abs(energy / right - 1), limit, "of itself"});
}

}  // namespace

Result run(const Context& c) {
  Result r;
  const Table t(c.folder / "dipole_clusters.csv");
  const auto count = t["N"];
  const auto &chains = t.text("E_chain"), &rings = t.text("E_ring");
  Plot plot{"Energy of N balls", "N", "μ₀m²/4πd³ a ball", {{"chain", {}, {}}, {"ring", {}, {}}}};
  constexpr double near = 1.004 * diameter;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const int n = static_cast<int>(count[i]);
    const bool is_ring = n >= 4;
    if (n > (c.manner.fast ? 5 : 13)) continue;
    const double right = std::stod(is_ring ? rings[i] : chains[i]);
    const Rest rest =
        rest_of(c, is_ring ? ring_of(n, near) : chain_of(n, near), fmt::format("{}-{}", is_ring ? "ring" : "chain", n));
    add_energy(fmt::format("{} of {}", is_ring ? "ring" : "chain", n), rest.energy, right, r);
    plot.series[is_ring].x.push_back(n), plot.series[is_ring].y.push_back(rest.energy / n);
  }
  const auto row = [&](double n) {
    return static_cast<std::size_t>(std::find(count.begin(), count.end(), n) - count.begin());
  };
  // A chain whose ends are a ball apart.
  const Rest closed = rest_of(c, part_of_ring(7, 6, near), "bent-6");
  add_energy("bent chain of 6, which closes", closed.energy, std::stod(rings[row(6)]), r);
  // What has less energy than what it could be instead, and by how much.
  const Rest chain = rest_of(c, chain_of(3, near), "straight-3"), ring = rest_of(c, ring_of(3, near), "ring-3");
  add_energy("ring of 3, above the chain by", ring.energy - chain.energy,
             std::stod(rings[row(3)]) - std::stod(chains[row(3)]), r);
  if (!c.manner.fast) {
    const Rest one = rest_of(c, ring_of(14, near), "ring-14"), two = rest_of(c, two_rings_of(7, near), "rings-7-7");
    add_energy("ring of 14, above two rings of 7 by", one.energy - two.energy,
               std::stod(rings[row(14)]) - std::stod(t.text("E_two_rings")[row(14)]), r, 5e-3);
  }
  r.plots = {plot};
  return r;
}

}  // namespace ls::validation::magnet_clusters
