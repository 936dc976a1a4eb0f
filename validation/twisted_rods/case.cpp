// Heavy rods pushed together and twisted until they snap, against the equations of Kirchhoff rods.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::twisted_rods {

namespace {

constexpr double straight_turns = 6, curved_turns = 9;  // of the scenes' twist stages

// A branch of equilibria: what happens as the end is turned.
struct Branch {
  std::vector<double> angle;  // over pi
  std::vector<double> z, y;   // mm, largest distances from the plane and from the axis
  std::vector<double> torque;
  std::vector<double> unstable;
  std::vector<std::string> event;
};

Branch branch_of(const SceneRun& run, double turns, const std::string& end) {
  Branch b;
  const auto& stage = run.text("stage");
  const auto s = run["s"], z = run["rod.max_abs.z"], y = run["rod.max_abs.y"], t = run[end + ".reaction_torque.x"],
             u = run["all.negative_pivots"];
  for (std::size_t i = 0; i < run.size(); ++i) {
    const bool twisting = stage[i] == "twist";
    if (!twisting && i + 1 < run.size() && stage[i + 1] != "twist") continue;  // of the first stage only its end
    b.angle.push_back(twisting ? 2 * turns * s[i] : 0.0);
    b.z.push_back(1e3 * z[i]), b.y.push_back(1e3 * y[i]), b.torque.push_back(std::abs(1e6 * t[i]));
    b.unstable.push_back(u[i]), b.event.push_back(run.text("event")[i]);
  }
  return b;
}

// The angles at which stability was lost, over pi. Of a jump, that of the last row before it is a load step off at
// most; the log knows it to a hundredth of one, but a row is what users see.
std::vector<double> losses(const Branch& b, const char* kind) {
  std::vector<double> found;
  for (std::size_t i = 1; i < b.angle.size(); ++i)
    if (b.event[i] == kind) found.push_back(b.angle[i]);
  return found;
}

struct Reference {
  std::vector<double> angle, z, y, torque, conjugate;
};
Reference reference(const Context& c, const char* name) {
  const Table t(c.folder / fmt::format("twist_{}_extensible.csv", name));
  Reference r{t["Phi_over_pi"], t["zmax_mm"], t["ymaxabs_mm"], t["Mx_Nm"], t["n_conjugate_points"]};
  for (double& m : r.torque) m = std::abs(1e6 * m);
  return r;
}

double linear(const std::vector<double>& x, const std::vector<double>& y, double at) {
  const auto i = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
  if (i == 0 || i == x.size()) return std::nan("");
  return y[i - 1] + (at - x[i - 1]) / (x[i] - x[i - 1]) * (y[i] - y[i - 1]);
}

// Largest relative difference of a quantity between two angles, at the angles of the reference's stable part.
double worst(const Reference& r, const std::vector<double>& right, const Branch& b, const std::vector<double>& ours,
             double from, double to) {
  double most = 0;
  for (std::size_t i = 0; i < r.angle.size(); ++i)
    if (r.conjugate[i] == 0 && r.angle[i] >= from && r.angle[i] <= to)
      most = worse(most, std::abs(linear(b.angle, ours, r.angle[i]) / right[i] - 1));
  return most;
}

// How far points of the reference lie from our curve in the plane of angle and deflection, each in units of its own
// range: at a fold, where the slope is infinite, a difference at one angle would say nothing.
double farthest(const Reference& r, const Branch& b, double angle_range, double z_range) {
  double most = 0;
  for (std::size_t i = 0; i < r.angle.size(); ++i) {
    double nearest = 1e300;
    for (std::size_t k = 1; k < b.angle.size(); ++k) {
      const double ax = b.angle[k - 1] / angle_range, ay = b.z[k - 1] / z_range;
      const double dx = b.angle[k] / angle_range - ax, dy = b.z[k] / z_range - ay;
      const double px = r.angle[i] / angle_range - ax, py = r.z[i] / z_range - ay;
      const double along = std::clamp((px * dx + py * dy) / (dx * dx + dy * dy + 1e-300), 0.0, 1.0);
      nearest = std::min(nearest, std::hypot(px - along * dx, py - along * dy));
    }
    most = worse(most, nearest);
  }
  return most;
}

Series marks(const std::string& name, const std::vector<double>& x, const std::vector<double>& y, std::size_t every) {
  Series s{name, {}, {}, true};
  for (std::size_t i = 0; i < x.size(); i += every) s.x.push_back(x[i]), s.y.push_back(y[i]);
  return s;
}

void straight(const Context& c, Result& out) {
  const Reference r = reference(c, "straight");
  const SceneRun run = run_scene(c, "straight.toml", {}, "straight");
  const Branch b = branch_of(run, straight_turns, "end");
  const double lost = b.angle.back();
  out.rows.push_back(
      small("straight: deflection up to 11.36 pi", worst(r, r.z, b, b.z, 0.03, 11.36), 2e-3, "of itself"));
  out.rows.push_back(
      small("straight: end torque up to 11.36 pi", worst(r, r.torque, b, b.torque, 0.03, 11.36), 2e-3, "of itself"));
  out.rows.push_back(compared("straight: stability is lost at", lost, 11.392, 0.01, "pi"));
  out.remarks.push_back(fmt::format(
      "Straight rod: {} load steps of 3.6 degrees with {:.2f} iterations each, {:.2f} s in all. LAMMPS would take 17 "
      "days "
      "with the paper's step up to nine turns (extrapolated from a measured rate), perhaps 25 minutes with its step at "
      "the "
      "limit of stability.",
      run.steps, static_cast<double>(run.newton_iterations) / static_cast<double>(run.steps), run.wall_seconds));

  std::vector<double> bonds = {75, 150, 300, 600}, angle;
  if (c.manner.fast) bonds.pop_back();
  for (const double n : bonds)
    angle.push_back(n == 300 ? lost
                             : branch_of(run_scene(c, "straight.toml", {fmt::format("rod.rod.bonds={}", n)},
                                                   fmt::format("straight-{}", n)),
                                         straight_turns, "end")
                                   .angle.back());
  const std::size_t last = angle.size() - 1;
  const double limit = (4 * angle[last] - angle[last - 1]) / 3;
  out.rows.push_back(compared("straight: that angle for infinitely many bonds", limit, 11.388, 0.002, "pi"));
  std::vector<double> h, error;
  for (std::size_t i = 0; i + 1 < angle.size(); ++i)
    h.push_back(1 / bonds[i]), error.push_back(angle[i] - angle[i + 1]);
  out.rows.push_back(compared("straight: order of convergence of that angle", convergence_order(h, error), 2, 0.2));
  out.plots.push_back(
      {"Angle at which the straight rod snaps",
       "bonds N",
       "angle / pi",
       {{"exact", bonds, angle}, {"Kirchhoff rod, extensible", bonds, std::vector(bonds.size(), 11.388), true}},
       true});

  const Branch vector =
      branch_of(run_scene(c, "straight.toml", {"rod.rod.model=\"vector\""}, "straight-vector"), straight_turns, "end");
  out.remarks.push_back(fmt::format(
      "With the vector bond, whose torsion is soft at finite twist per bond, stability is lost at {:.3f} pi (N = 300).",
      vector.angle.back()));

  const Branch around =
      branch_of(run_scene(c, "straight.toml", {"solver.arc_length=true", "stage.1.steps=300"}, "straight-around"),
                straight_turns, "end");
  out.rows.push_back(small("straight: branch through the fold and back, distance from the table",
                           farthest(r, around, 11.39, 20.5), 2e-3, "of its range"));
  out.plots.push_back({"Straight rod: deflection out of the plane",
                       "angle / pi",
                       "mm",
                       {{"load steps", b.angle, b.z},
                        {"through the fold", around.angle, around.z},
                        marks("Kirchhoff rod", r.angle, r.z, 8)}});
}

void curved(const Context& c, Result& out) {
  const Reference r = reference(c, "curved");
  const int fine = c.manner.fast ? 900 : 3600;  // the largest deflection has kinks where its place changes
  const SceneRun run = run_scene(c, "curved.toml", {fmt::format("stage.1.steps={}", fine)}, "curved");
  const Branch b = branch_of(run, curved_turns, "start");
  const auto jumps = losses(b, "jump");
  out.rows.push_back(compared("curved: at rest out of the plane by", b.z.front(), 28.3, 0.283, "mm"));
  const double step = 2 * curved_turns / fine;
  out.rows.push_back(compared("curved: snaps at", jumps.empty() ? std::nan("") : jumps.front(), 2.19, 0.02, "pi"));
  out.rows.push_back(compared("curved: second branch is lost at", jumps.size() < 2 ? std::nan("") : jumps[1] - step,
                              16.152, 0.02, "pi"));
  out.rows.push_back(small("curved: deflection on the second branch, 3 to 16.1 pi", worst(r, r.z, b, b.z, 3.0, 16.1),
                           c.manner.fast ? 1.5e-2 : 5e-3, "of itself"));
  out.rows.push_back(
      small("curved: sag on the second branch, 3 to 16.1 pi", worst(r, r.y, b, b.y, 3.0, 16.1), 5e-3, "of itself"));
  out.remarks.push_back(
      fmt::format("Curved rod: {} load steps, {} iterations, {:.1f} s, snaps included. There is no contact in it: "
                  "beyond {:.2f} pi the "
                  "loop passes through itself.",
                  run.steps, run.newton_iterations, run.wall_seconds, jumps.empty() ? 0.0 : jumps.back()));
  out.plots.push_back({"Curved rod: deflection out of the plane",
                       "angle / pi",
                       "mm",
                       {{"load steps with jumps", b.angle, b.z}, marks("Kirchhoff rod", r.angle, r.z, 24)}});
}

}  // namespace

Result run(const Context& c) {
  Result out;
  straight(c, out);
  curved(c, out);
  return out;
}

}  // namespace ls::validation::twisted_rods
