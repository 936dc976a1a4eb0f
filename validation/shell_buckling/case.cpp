// A half-spherical shell of 458 particles under a point force: its dent, and how it turns inside out.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::shell_buckling {

namespace {

using Sets = std::vector<std::string>;

constexpr double radius = 7.73;  // a

// What a lattice of equilateral triangles makes of the paper's constants, in units of c_A and a
// (docs/theory/shells.md).
struct Plate {
  double y, d, bending_poisson;
};
Plate plate() {
  constexpr double stretch = 1, shear = 2 * 15e-3, bend = -5e-3 + 0.5 * 15e-3, twist = 2.08e-3;
  const auto poisson = [](double along, double across) { return (along - across) / (3 * along + across); };
  const double root = std::sqrt(3.0), of_bending = poisson(bend, twist);
  return {root * stretch * (1 - poisson(stretch, shear)), root * bend / (1 + of_bending), of_bending};
}

// The exact bond has no constants b1 to b4, but the same stiffnesses at small strain where its length is a.
Sets of_model(const std::string& model, Sets sets) {
  if (model == "exact") {
    sets.emplace_back("shell.shell.model=\"exact\"");
    sets.emplace_back("shell.shell.stiffness={stretch=1.0,shear=0.03,bend=0.0025,twist=0.00208}");
  }
  return sets;
}
SceneRun pushed(const Context& c, const std::string& model, double force, bool at_rest) {
  Sets sets{fmt::format("define.fs=\"-{} * cA * a\"", force)};
  if (at_rest)
    for (const char* set : {"solver.kind=\"static\"", "solver.dt=\"auto\"", "stage.push.steps=1",
                            "stage.release.steps=1", "stage.push.contact=false", "stage.release.contact=false"})
      sets.emplace_back(set);
  return run_scene(c, "case.toml", of_model(model, sets),
                   fmt::format("{}-{}-{}", model, force, at_rest ? "static" : "motion"));
}
// How deep the top is when the push ends, in a.
double dent(const SceneRun& run) {
  const auto stage = run.text("stage");
  const auto z = run["top.position.z"];
  double last = NAN;
  for (std::size_t i = 0; i < stage.size(); ++i)
    if (stage[i] == "push" && std::isfinite(z[i])) last = z[i];
  return radius - last;
}

void check_dent(const Context& c, Result& out) {
  const Plate p = plate();
  const double formula = 8 * std::sqrt(p.d * p.y) / radius, force = 1e-4;
  for (const char* model : {"vector", "exact"})
    out.rows.push_back(compared(fmt::format("{}: stiffness of a small dent over 8 sqrt(D Y)/R", model),
                                force / dent(pushed(c, model, force, true)) / formula, 1, 0.05));
  const double still = dent(pushed(c, "vector", 1e-2, true));
  out.rows.push_back(compared("dent under the printed force, exact over vector",
                              dent(pushed(c, "exact", 1e-2, true)) / still, 1, 0.01));
  if (!c.manner.fast)
    out.rows.push_back(compared("dent under the printed force, motion over static",
                                dent(pushed(c, "vector", 1e-2, false)) / still, 1, 0.02));
  out.remarks.push_back(fmt::format("The printed force of 0.01 c_A a dents the shell by {:.3f} a.", still));
}

void check_inversion(const Context& c, const std::string& model, Plot& tops, Result& out) {
  const Plate p = plate();
  const SceneRun run = pushed(c, model, 0.2, false);
  const auto t = run.recorded("time", "top.position.z"), z = run.recorded("top.position.z");
  Series top{model, {}, z};
  for (const double time : t) top.x.push_back(time / (2 * std::numbers::pi));
  tops.series.push_back(top);
  out.rows.push_back(compared(model + ": where the top rests when the force is gone, over -R",
                              -run.last("top.position.z") / radius, 1, 0.005));
  // A sphere that was turned inside out is bent by 2/R in all directions.
  const double bent = 8 * std::numbers::pi * p.d * (1 + p.bending_poisson);
  out.rows.push_back(
      compared(model + ": energy then over 8 pi D (1 + nu)", run.last("shell.energy.total") / bent, 1, 0.03));
  double gap = 1e300;
  for (const double g : run.recorded("all.min_gap")) gap = std::min(gap, std::isnan(g) ? -1e300 : g);
  out.rows.push_back(
      small(model + ": how far particles that are not bonded enter each other", std::max(0.0, -gap), 0.01, "a"));
  out.remarks.push_back(fmt::format("{}: {} steps in {:.1f} s.", model, run.steps, run.wall_seconds));
}

}  // namespace

// The same by implicit steps ten times longer, onto a table: what has turned over is pressed flat against it, and
// folds.
void check_table(const Context& c, const std::string& model, Result& out) {
  const SceneRun run = run_scene(c, "table.toml", of_model(model, {}), "table-" + model);
  const auto gap = run.recorded("all.min_gap"), contacts = run.recorded("all.contacts"),
             z = run.recorded("top.position.z");
  const double least = gap.empty() ? std::nan("") : *std::min_element(gap.begin(), gap.end());
  const double most = contacts.empty() ? 0 : *std::max_element(contacts.begin(), contacts.end());
  const double lowest = z.empty() ? std::nan("") : *std::min_element(z.begin(), z.end());
  out.rows.push_back(small(model + " onto a table: gets to the end", run.status == RunStatus::done ? 0 : 1, 0));
  out.rows.push_back(
      {model + " onto a table: smallest gap of all outputs", least, 0, least > 0 ? 0.0 : 1 - least, 0, "a"});
  out.rows.push_back({model + " onto a table: top turned over and held up by it", lowest, -2.8,
                      lowest < -2.5 && lowest > -2.8 - 1e-9 ? 0.0 : 1.0, 0, "a"});
  out.remarks.push_back(fmt::format("Onto a table, `{}`: up to {:.0f} contacts, {} implicit steps in {:.1f} s.", model,
                                    most, run.steps, run.wall_seconds));
}

Result run(const Context& c) {
  Result out;
  check_dent(c, out);
  Plot tops{"The top under 0.2 c_A a, let go at 200 T0", "time (T0)", "height (a)", {}};
  check_inversion(c, "vector", tops, out);
  if (!c.manner.fast) check_inversion(c, "exact", tops, out);
  out.plots.push_back(tops);
  if (!c.manner.fast)
    for (const char* model : {"vector", "exact"}) check_table(c, model, out);
  return out;
}

}  // namespace ls::validation::shell_buckling
