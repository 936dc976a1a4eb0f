// Twisted rods beyond the snap: plectonemes held open by contact, by three solvers.
#include "validation/curves.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::plectoneme {

namespace {

constexpr double diameter = 3.1e-3;
constexpr double apart = 0.75 * 3.141592653589793 * diameter;  // along the rod: nearer neighbours always are near

constexpr Vec3<double> from_the_side{0.02, 0.03, 1};

// Angles are over pi.
struct Shape {
  double angle;
  Curve curve;
};
struct Twist {
  std::vector<double> angle, sag, aside, torque;
  std::vector<double> energy;  // uJ, of all bonds
  std::vector<std::string> event;
  std::vector<Shape> shapes;
  double least_gap = 1e300;  // m, of all recorded shapes, by comparing all segments
  double said_gap = 1e300;   // m, as the simulator says
};

Twist twist_of(const SceneRun& run, const std::string& end,
               const std::function<double(const std::string&, double)>& angle_at) {
  Twist t;
  const auto& stage = run.text("stage");
  const auto& event = run.text("event");
  const auto s = run["s"], y = run["rod.max_abs.y"], z = run["rod.max_abs.z"], m = run[end + ".reaction_torque.x"];
  const auto gap = run["all.min_gap"];
  std::vector<double> energy(run.size(), 0.0);
  for (const char* mode : {"stretch", "shear", "bend", "twist"}) {
    const auto part = run[fmt::format("rod.energy.{}", mode)];
    for (std::size_t k = 0; k < run.size(); ++k) energy[k] += part[k];
  }
  std::vector<std::vector<double>> x;
  for (int i = 0; i <= 300; ++i)
    for (const char* c : {"x", "y", "z"}) x.push_back(run[fmt::format("shape.position[{}].{}", i, c)]);
  for (std::size_t k = 0; k < run.size(); ++k) {
    const double angle = angle_at(stage[k], s[k]);
    if (std::isfinite(m[k])) {
      t.angle.push_back(angle), t.sag.push_back(1e3 * y[k]), t.aside.push_back(1e3 * z[k]);
      t.torque.push_back(std::abs(1e6 * m[k])), t.event.push_back(event[k]);
      t.energy.push_back(1e6 * energy[k]);
    }
    if (std::isfinite(gap[k])) t.said_gap = std::min(t.said_gap, gap[k]);
    if (!std::isfinite(x[0][k])) continue;
    Shape shape{angle, {}};
    for (std::size_t i = 0; i <= 300; ++i) shape.curve.push_back({x[3 * i][k], x[3 * i + 1][k], x[3 * i + 2][k]});
    t.least_gap = std::min(t.least_gap, nearest_approach(shape.curve, apart) - diameter);
    t.shapes.push_back(std::move(shape));
  }
  return t;
}

const Shape& nearest_to(const Twist& t, double angle) {
  return *std::min_element(t.shapes.begin(), t.shapes.end(), [&](const Shape& a, const Shape& b) {
    return std::abs(a.angle - angle) < std::abs(b.angle - angle);
  });
}

std::size_t nearest(const std::vector<double>& angles, double angle) {
  const auto at = std::min_element(angles.begin(), angles.end(),
                                   [&](double a, double b) { return std::abs(a - angle) < std::abs(b - angle); });
  return static_cast<std::size_t>(at - angles.begin());
}

// The first angle at which the sag has fallen by a third: where it snapped.
double snap_of(const Twist& t) {
  for (std::size_t i = 1; i < t.angle.size(); ++i)
    if (t.angle[i] > 3 && t.sag[i] < 0.75 * 83) return t.angle[i];
  return std::nan("");
}

void add_gap_rows(const char* what, const Twist& t, Result& out) {
  // Rows pass where the error is no larger than the limit: how deep shapes are inside each other must be nothing.
  out.rows.push_back({fmt::format("{}: smallest gap of all outputs", what), 1e3 * t.least_gap, 0,
                      t.least_gap > 0 ? 0.0 : 1.0 - 1e3 * t.least_gap, 0, "mm"});
}

Series seen_from_the_side(const std::string& name, const Shape& s) {
  Series line{name, {}, {}};
  for (const auto& p : s.curve) line.x.push_back(1e3 * p.x), line.y.push_back(1e3 * p.y);
  return line;
}
Series count_of_crossings(const std::string& name, const Twist& t) {
  Series line{name, {}, {}};
  for (const Shape& s : t.shapes) line.x.push_back(s.angle), line.y.push_back(crossings(s.curve, from_the_side));
  return line;
}

double angle_of_static(const std::string& stage, double s) {
  return stage == "twist" ? 18 * s : 0.0;
}

Twist straight_rod(const Context& c, Result& out) {
  const SceneRun run = run_scene(c, "straight.toml", {}, "straight");
  Twist t = twist_of(run, "end", angle_of_static);
  const auto jump = static_cast<std::size_t>(std::find(t.event.begin(), t.event.end(), "jump") - t.event.begin());
  out.rows.push_back(small("straight: gets to nine turns", run.status == RunStatus::done ? 0 : 1, 0));
  add_gap_rows("straight", t, out);
  const bool jumped = jump > 0 && jump < t.angle.size();
  const auto at = [&](const std::vector<double>& values, std::size_t i) { return jumped ? values[i] : std::nan(""); };
  out.rows.push_back(compared("straight: snaps at", at(t.angle, jump), 11.39, 0.03, "pi"));
  out.rows.push_back(compared("straight: end torque a step before", at(t.torque, jump - 1), 444.3, 2, "uN m"));
  out.rows.push_back(compared("straight: end torque after", at(t.torque, jump), 312, 5, "uN m"));
  out.remarks.push_back(
      fmt::format("Straight rod: {} load steps of 3.6 degrees through the snap to nine turns, {} Newton iterations, "
                  "{:.1f} s. LAMMPS takes 17.4 days with the paper's step, perhaps 25 minutes with its step at the "
                  "limit of stability.",
                  run.steps, run.newton_iterations, run.wall_seconds));
  return t;
}

Twist in_time(const Context& c, const Twist& still, Result& out) {
  const std::vector<std::string> shorter = {"stage.2.duration=\"5 s\"",
                                            "stage.2.drive.0.turn.angle=\"36 deg/s * 5 s * s\""};
  const SceneRun run = run_scene(c, "implicit.toml", c.manner.fast ? shorter : std::vector<std::string>{}, "implicit");
  const double far = c.manner.fast ? 1.0 : 2.0;
  Twist t = twist_of(run, "end", [&](const std::string& stage, double s) {
    return stage == "compress" ? 0.0 : stage == "before" ? 11 * s : 11 + far * s;
  });
  add_gap_rows("implicit", t, out);
  out.rows.push_back(compared("implicit, 36 deg/s: snaps at", snap_of(t), 11.56, 0.1, "pi"));
  // Where along the rod its loop stands is all but indifferent, so that rounding may decide it; how it winds is not.
  const Shape &end = t.shapes.back(), &same = nearest_to(still, end.angle);
  out.rows.push_back(compared("implicit: crossings at the end, right-handed less left-handed",
                              handedness(end.curve, from_the_side), handedness(same.curve, from_the_side), 0));
  out.rows.push_back(compared("implicit: crossings at the end", crossings(end.curve, from_the_side),
                              crossings(same.curve, from_the_side), 0));
  const auto beside = [&](const std::vector<double>& ours, const std::vector<double>& theirs) {
    return ours.back() / theirs[nearest(still.angle, end.angle)];
  };
  out.rows.push_back(compared("implicit: energy of the bonds at the end beside the static one",
                              beside(t.energy, still.energy), 1, 0.01));
  out.rows.push_back(
      compared("implicit: end torque at the end beside the static one", beside(t.torque, still.torque), 1, 0.02));
  out.remarks.push_back(fmt::format("Implicit: the shape at the end is {:.2f} diameters from the static one.",
                                    farthest(end.curve, same.curve) / diameter));
  out.remarks.push_back(
      fmt::format("Implicit: {} steps, of which those in time last 5 ms, in {:.1f} s.", run.steps, run.wall_seconds));
  return t;
}

void by_spheres(const Context& c, const Twist& still, Result& out) {
  const SceneRun run = run_scene(c, "explicit.toml", {}, "explicit");
  const Twist t = twist_of(run, "end", [&](const std::string& stage, double s) {
    return stage == "compress" ? 0.0 : stage == "before" ? 11.35 * s : stage == "twist" ? 11.35 + 0.25 * s : 11.6;
  });
  const Shape &end = t.shapes.back(), &same = nearest_to(still, 11.6);
  out.rows.push_back(small("explicit, Hertz-Mindlin spheres: shape beside the static one",
                           farthest(end.curve, same.curve) / diameter, 1.0, "diameters"));
  out.rows.push_back(compared("explicit: crossings, seen from the side", crossings(end.curve, from_the_side),
                              crossings(same.curve, from_the_side), 0));
  out.remarks.push_back(fmt::format("Explicit: {} steps in {:.1f} s for 4 s of motion from just before the snap.",
                                    run.steps, run.wall_seconds));
  out.plots.push_back(
      {"Plectoneme at 11.6 pi, seen from the side",
       "mm",
       "mm",
       {seen_from_the_side("static, capsules", same), seen_from_the_side("explicit, Hertz-Mindlin spheres", end)}});
}

Twist curved_rod(const Context& c, Result& out) {
  const SceneRun run = run_scene(c, "curved.toml", {}, "curved");
  Twist t = twist_of(run, "start", angle_of_static);
  out.rows.push_back(small("curved: gets to nine turns", run.status == RunStatus::done ? 0 : 1, 0));
  add_gap_rows("curved", t, out);
  std::vector<double> jumps;
  for (std::size_t i = 0; i < t.event.size(); ++i)
    if (t.event[i] == "jump" && t.angle[i] > 0) jumps.push_back(t.angle[i]);
  out.rows.push_back(compared("curved: snaps at", jumps.empty() ? std::nan("") : jumps.front(), 2.19, 0.03, "pi"));
  out.rows.push_back(
      compared("curved: the plectoneme forms at", jumps.size() < 2 ? std::nan("") : jumps[1], 16.15, 0.04, "pi"));
  out.remarks.push_back(fmt::format("Curved rod: {} load steps, {} iterations, {:.1f} s, snaps included.", run.steps,
                                    run.newton_iterations, run.wall_seconds));
  return t;
}

}  // namespace

Result run(const Context& c) {
  Result out;
  const Twist straight = straight_rod(c, out), dynamic = in_time(c, straight, out);
  if (!c.manner.fast) by_spheres(c, straight, out);
  const Twist curved = c.manner.fast ? Twist{} : curved_rod(c, out);
  std::vector<Series> shapes = {seen_from_the_side("straight rod", straight.shapes.back())};
  if (!c.manner.fast) shapes.push_back(seen_from_the_side("curved rod", curved.shapes.back()));
  out.plots.push_back({"After nine turns, seen from the side", "mm", "mm", shapes});
  out.plots.push_back({"End torque",
                       "angle / pi",
                       "uN m",
                       {{"straight, static", straight.angle, straight.torque},
                        thinned("straight, implicit", dynamic.angle, dynamic.torque),
                        {"curved, static", curved.angle, curved.torque}}});
  out.plots.push_back({"Largest deflection out of the plane",
                       "angle / pi",
                       "mm",
                       {{"straight", straight.angle, straight.aside}, {"curved", curved.angle, curved.aside}}});
  out.plots.push_back({"Crossings, seen from the side",
                       "angle / pi",
                       "",
                       {count_of_crossings("straight", straight), count_of_crossings("curved", curved)}});
  return out;
}

}  // namespace ls::validation::plectoneme
