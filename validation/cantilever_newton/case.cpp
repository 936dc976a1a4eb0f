// The cantilever of cantilever_static once more, solved for: Newton's method, three solvers of one scene.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::cantilever_newton {

namespace {

struct Load {
  std::string name, set;
  std::size_t row;  // of the table: the rod that can stretch
  double limit;     // of the tip with 128 bonds
};
const Load loads[] = {{"point load", "define.tip=\"0.3 N\"", 1, 1e-6},
                      {"uniform load", "define.spread=\"0.8 N/m\"", 3, 2.5e-6}};
const char* const models[] = {"exact", "corotational", "vector"};

struct Elastica {
  double x, y, energy;
};
Elastica elastica(const Context& c, const Load& load) {
  const Table t(c.folder / "cantilever_static.csv");
  const auto number = [&](const char* name) { return t[name].at(load.row); };
  return {1 + number("dx_tip"), number("y_tip"), number("U_bend") + number("U_axial")};
}

struct Rest {
  std::vector<double> x;  // m, [3 * node + axis]
  double energy;
  double seconds;
  long long steps, iterations;
  double tip_x() const { return x[x.size() - 3]; }
  double tip_y() const { return x[x.size() - 2]; }
};

Rest rest(const Context& c, const Load& load, const std::string& model, int bonds, const std::string& kind = "static") {
  const SceneRun run = run_scene(c, "case.toml",
                                 {load.set, fmt::format("rod.rod.model=\"{}\"", model),
                                  fmt::format("rod.rod.bonds={}", bonds), fmt::format("solver.kind=\"{}\"", kind)},
                                 fmt::format("{}-{}-{}-{}", load.row == 1 ? "point" : "uniform", model, bonds, kind));
  Rest r{{}, run.last("system.energy.total"), run.wall_seconds, run.steps, run.newton_iterations};
  const bool done = run.status == RunStatus::done;
  for (int i = 0; i <= bonds; ++i)
    for (const char axis : {'x', 'y', 'z'})
      r.x.push_back(done ? run.last(fmt::format("all.position[{}].{}", i, axis)) : NAN);
  return r;
}

double distance(const Rest& r, const Elastica& e) {
  return worse(std::abs(r.tip_x() - e.x), std::abs(r.tip_y() - e.y));
}

// What two numbers of bonds, one twice the other, say about infinitely many: the error goes with the square of the
// bond length.
double limit_of(double coarse, double fine) {
  return (4 * fine - coarse) / 3;
}

void check_elastica(const Context& c, const Load& load, Result& out) {
  const Elastica truth = elastica(c, load);
  const auto sizes = c.manner.fast ? std::vector<int>{64, 128} : std::vector<int>{8, 16, 32, 64, 128, 256};
  Plot plot{"Error of the tip, " + load.name, "bonds", "error (of L)", {}, true, true};
  for (const char* model : models) {
    const Rest coarse = rest(c, load, model, 64), fine = rest(c, load, model, 128);
    const std::string what = fmt::format("{}, {}: ", load.name, model);
    out.rows.push_back(small(what + "tip, N = 128", distance(fine, truth), load.limit, "of L"));
    const double x = limit_of(coarse.tip_x(), fine.tip_x()), y = limit_of(coarse.tip_y(), fine.tip_y());
    out.rows.push_back(small(what + "tip, from N = 64 and 128 to infinity",
                             worse(std::abs(x - truth.x), std::abs(y - truth.y)), 1e-7, "of L"));
    const double energy = limit_of(coarse.energy, fine.energy);
    out.rows.push_back(
        small(what + "energy, likewise", std::abs(energy / truth.energy - 1), 1e-6, "of the elastica's"));
    Series error{model, {}, {}}, extrapolated{std::string(model) + ", from N/2 and N", {}, {}, true};
    double last_x = NAN, last_y = NAN;
    for (const int n : sizes) {
      const Rest r = rest(c, load, model, n);
      error.x.push_back(n), error.y.push_back(distance(r, truth));
      extrapolated.x.push_back(n);
      extrapolated.y.push_back(
          worse(std::abs(limit_of(last_x, r.tip_x()) - truth.x), std::abs(limit_of(last_y, r.tip_y()) - truth.y)));
      last_x = r.tip_x(), last_y = r.tip_y();
    }
    plot.series.push_back(error), plot.series.push_back(extrapolated);
  }
  std::stable_sort(plot.series.begin(), plot.series.end(),
                   [](const Series& a, const Series& b) { return a.reference < b.reference; });
  out.plots.push_back(plot);
}

// Only `kind` differs.
void check_kinds(const Context& c, const Load& load, Result& out) {
  const int bonds = 32;
  for (const char* model : models) {
    const Rest still = rest(c, load, model, bonds);
    std::string text = fmt::format("{}, {}, N = {}: static {} load steps, {} iterations, {:.2g} s", load.name, model,
                                   bonds, still.steps, still.iterations, still.seconds);
    for (const char* kind : {"implicit", "explicit"}) {
      if (c.manner.fast && model != models[0]) continue;
      const Rest moving = rest(c, load, model, bonds, kind);
      out.rows.push_back(
          small(fmt::format("{}, {}: static and {}, worst coordinate of a node, N = {}", load.name, model, kind, bonds),
                max_abs_difference(still.x, moving.x), 1e-9, "of L"));
      text += fmt::format("; {} {} time steps, {:.2g} s", kind, moving.steps, moving.seconds);
    }
    if (model == models[0]) out.remarks.push_back(text + ".");
  }
}

}  // namespace

Result run(const Context& c) {
  Result out;
  for (const Load& load : loads) check_elastica(c, load, out);
  for (const Load& load : loads) check_kinds(c, load, out);
  return out;
}

}  // namespace ls::validation::cantilever_newton
