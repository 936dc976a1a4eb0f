// Balls with a dipole each, drawn together until they touch: chains and rings.
#include "validation/scene_run.h"
#include "validation/support.h"

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
  for (int k = 0; k < n; ++k) all.push_back({{k * apart, 0, 0}, {1, 0, 0}});
  return all;
}
std::vector<Ball> ring_of(int n, double apart) {
  const double radius = apart / (2 * std::sin(pi / n));
  std::vector<Ball> all;
  for (int k = 0; k < n; ++k) {
    const double a = 2 * pi * k / n;
    all.push_back({{radius * std::cos(a), radius * std::sin(a), 0}, {-std::sin(a), std::cos(a), 0}});
  }
  return all;
}

// All but the first are a little out of place, and their moments turned by a few degrees.
std::string scene_of(const std::vector<Ball>& balls) {
  std::string s = "[solver]\nkind = \"static\"\nsteps = 1\n[contact]\nthickness = \"2 um\"\n[dipoles]\n";
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

Rest rest_of(const Context& c, const std::vector<Ball>& balls, bool is_ring, const std::string& name) {
  Context here = c;
  here.folder = c.scratch / ("scene-" + name);
  std::filesystem::create_directories(here.folder);
  std::ofstream(here.folder / "scene.toml") << scene_of(balls);
  const SceneRun run = run_scene(here, "scene.toml", {}, name);
  Rest r;
  if (run.status != RunStatus::done) return r;
  const auto n = balls.size();
  const auto place = [&](std::size_t k) {
    const std::string ball = fmt::format("ball{}.position.", k % n);
    return V{run.last(ball + "x"), run.last(ball + "y"), run.last(ball + "z")};
  };
  double apart = 0;
  const std::size_t links = is_ring ? n : n - 1;
  for (std::size_t k = 0; k < links; ++k) apart += norm(place(k + 1) - place(k)) / static_cast<double>(links);
  r.gap = apart - diameter;
  r.energy = run.last("system.energy.dipole") / unit * std::pow(apart / diameter, 3);
  return r;
}

}  // namespace

Result run(const Context& c) {
  Result r;
  const Table t(c.folder / "dipole_clusters.csv");
  const auto count = t["N"];
  const auto &chains = t.text("E_chain"), &rings = t.text("E_ring");
  Plot plot{"Energy of N balls", "N", "μ₀m²/4πd³ a ball", {{"chain", {}, {}}, {"ring", {}, {}}}};
  for (std::size_t i = 0; i < t.size(); ++i) {
    const int n = static_cast<int>(count[i]);
    const bool is_ring = n >= 4;
    if (n > (c.manner.fast ? 5 : 13)) continue;
    const double apart = 1.004 * diameter, right = std::stod(is_ring ? rings[i] : chains[i]);
    const Rest rest = rest_of(c, is_ring ? ring_of(n, apart) : chain_of(n, apart), is_ring,
                              fmt::format("{}-{}", is_ring ? "ring" : "chain", n));
    r.rows.push_back({fmt::format("{} of {}: energy (μ₀m²/4πd³)", is_ring ? "ring" : "chain", n), rest.energy, right,
                      std::abs(rest.energy / right - 1), 1e-6, "of itself"});
    plot.series[is_ring].x.push_back(n), plot.series[is_ring].y.push_back(rest.energy / n);
  }
  r.plots = {plot};
  return r;
}

}  // namespace ls::validation::magnet_clusters
