// Dipoles in a periodic box, from the scene file on.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <cmath>
#include <fmt/format.h>

namespace ls::validation::periodic_magnets {

namespace {

constexpr double unit = 1e-7;  // J: mu0/(4 pi) times the square of a moment over the cube of a period

void add_lattices(const Context& c, Result& r) {
  const Table t(c.folder / "ewald.csv");
  const auto right = t["E"];
  const std::vector<std::pair<std::string, std::vector<std::string>>> runs = {
      {"one.toml", {}}, {"eight.toml", {}}, {"eight.toml", {"define.odd=\"-1 A m^2\""}}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const SceneRun run = run_scene(c, runs[i].first, runs[i].second, fmt::format("lattice-{}", i));
    r.rows.push_back(compared("energy of " + t.text("name")[i], run.last("all.energy.dipole") / unit, right[i], 1e-9,
                              "mu0 m^2/4 pi a^3"));
  }
}

double apart(const SceneRun& a, const SceneRun& b, const std::vector<std::string>& columns) {
  double worst = a.status == RunStatus::done && b.status == RunStatus::done ? 0 : std::nan("");
  for (const std::string& name : columns)
    for (const char* k : {".x", ".y", ".z"}) worst = worse(worst, std::abs(a.last(name + k) - b.last(name + k)));
  return worst;
}

// Which copy of a magnet a scene names does not matter, in any solver.
void add_copies(const Context& c, Result& r) {
  const std::vector<std::string> columns = {"a.displacement", "a.turn", "b.displacement"};
  std::vector<SceneRun> beside;
  for (const std::string kind : {"explicit", "implicit"}) {
    const std::string set = fmt::format("solver.kind=\"{}\"", kind);
    beside.push_back(run_scene(c, "across.toml", {set}, kind));
    const SceneRun other = run_scene(c, "across.toml", {set, "define.away=\"-1 m\""}, kind + "-away");
    r.rows.push_back(small(kind + ": two magnets, and one of them a box away", apart(beside.back(), other, columns),
                           1e-11, "m or rad"));
    r.rows.push_back(small(kind + ": momentum", std::abs(other.last("all.momentum.x")), 1e-12, "kg m/s"));
    const double most = std::abs(other.last("all.energy.kinetic"));
    r.rows.push_back(small(kind + ": energy gained over the kinetic one",
                           std::abs(other.last("all.energy.total") - other["all.energy.total"].front()) / most, 1e-3));
  }
  r.rows.push_back(
      small("implicit beside explicit, steps of 1 ms", apart(beside[0], beside[1], columns), 1e-4, "m or rad"));
  const SceneRun middle = run_scene(c, "beam.toml", {}, "beam"),
                 across = run_scene(c, "beam.toml", {"define.away=\"50 mm\""}, "beam-across");
  r.rows.push_back(small("static: a magnetised rod across the side of the box, beside one within",
                         apart(middle, across, {"tip.displacement"}), 1e-11, "m"));
  r.remarks.push_back(
      fmt::format("The end of that rod goes {:.3g} mm because of its own dipoles and their copies.",
                  1e3 * std::hypot(middle.last("tip.displacement.y"), middle.last("tip.displacement.z"))));
}

}  // namespace

Result run(const Context& c) {
  Result r;
  add_lattices(c, r);
  add_copies(c, r);
  return r;
}

}  // namespace ls::validation::periodic_magnets
