#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::joints {

namespace {

constexpr double pi = std::numbers::pi;
using Numbers = std::vector<double>;

// Largest difference beside the largest value of the reference.
double off(const Numbers& ours, const Numbers& reference) {
  if (ours.size() != reference.size()) return std::nan("");
  double worst = 0, most = 0;
  for (std::size_t k = 0; k < ours.size(); ++k) {
    worst = worse(worst, std::abs(ours[k] - reference[k]));
    most = std::max(most, std::abs(reference[k]));
  }
  return worst / most;
}

Numbers sum(double a, const Numbers& x, double b = 0, const Numbers& y = {}, double c = 0) {
  Numbers r;
  for (std::size_t k = 0; k < x.size(); ++k) r.push_back(a + b * x[k] + (y.empty() ? 0 : c * y[k]));
  return r;
}

double largest(const Numbers& a) {
  double most = 0;
  for (const double v : a) most = worse(most, std::abs(v));
  return most;
}

// One table by columns, ours and the reference's.
struct Compared {
  std::vector<std::pair<std::string, double>> errors;  // of the largest value
  double open = 0;                                     // the largest error of a joint
  double worst() const {
    double w = 0;
    for (const auto& e : errors) w = worse(w, e.second);
    return w;
  }
};

Compared double_pendulum(const Context& c, const std::string& dt, Plot* plot = nullptr) {
  const auto run = run_scene(c, "double_pendulum.toml", {"solver.dt=" + dt}, "double" + dt);
  const Table right(c.folder / "double_pendulum.csv");
  const Numbers a = run["joint_first.angle"], b = run["joint_second.angle"];
  const Numbers first = sum(pi / 2, a, -1), second = sum(pi / 2, a, -1, b, -1);
  if (plot)
    plot->series = {{"upper", run["time"], first, false},
                    {"lower", run["time"], second, false},
                    {"upper, reference", right["t_s"], right["angle1_rad"], true},
                    {"lower, reference", right["t_s"], right["angle2_rad"], true}};
  const Numbers ra = run["joint_first.rate"], rb = run["joint_second.rate"];
  return {{{"angle 1", off(first, right["angle1_rad"])},
           {"angle 2", off(second, right["angle2_rad"])},
           {"rate 1", off(sum(0, ra, -1), right["rate1"])},
           {"rate 2", off(sum(0, ra, -1, rb, -1), right["rate2"])}},
          worse(largest(run["joint_first.error"]), largest(run["joint_second.error"]))};
}

Compared slider_crank(const Context& c, const std::string& set, double* balance = nullptr) {
  const auto run = run_scene(c, "slider_crank.toml", {"solver." + set}, "crank" + set.substr(set.find('=') + 1));
  const Table right(c.folder / "slider_crank.csv");
  if (balance) *balance = std::abs(run.last("system.ledger.balance")) / run.last("system.ledger.motors");
  return {{{"crank", off(sum(pi / 2, run["joint_axle.angle"], 1), right["crank_rad"])},
           {"its rate", off(run["joint_axle.rate"], right["rate_rad_s"])},
           {"slider", off(sum(std::sqrt(0.08), run["joint_rail.travel"], 1), right["slider_x_m"])}},
          worse(largest(run["joint_axle.error"]), largest(run["joint_rail.error"]))};
}

Compared heavy_top(const Context& c, const std::vector<std::string>& sets, const std::string& name) {
  const auto run = run_scene(c, "heavy_top.toml", sets, name);
  const Table right(c.folder / "heavy_top.csv");
  const Numbers x = run["top.position.x"], y = run["top.position.y"], z = run["top.position.z"],
                vz = run["top.velocity.z"];
  Numbers theta, rate, precession;
  double turns = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double rho = std::hypot(x[k], y[k], z[k]);
    theta.push_back(std::acos(z[k] / rho));
    rate.push_back(-vz[k] / (rho * std::sin(theta.back())));
    double angle = std::atan2(y[k], x[k]) + turns;
    if (!precession.empty() && angle < precession.back() - pi) turns += 2 * pi, angle += 2 * pi;
    precession.push_back(angle);
  }
  return {{{"lean", off(theta, right["theta_rad"])},
           {"its rate", off(rate, right["theta_rate"])},
           {"precession", off(precession, right["precession_rad"])}},
          largest(run["joint_foot.error"])};
}

// Twice the time between two passes through the lowest point.
double period(const Context& c) {
  const auto run = run_scene(c, "pendulum.toml", {}, "pendulum");
  const Numbers t = run["time"], angle = run["joint_hinge.angle"];
  Numbers passes;
  for (std::size_t k = 1; k < t.size(); ++k)
    if ((angle[k - 1] < pi / 2) != (angle[k] < pi / 2))
      passes.push_back(t[k - 1] + (pi / 2 - angle[k - 1]) / (angle[k] - angle[k - 1]) * (t[k] - t[k - 1]));
  return 2 * (passes.back() - passes.front()) / static_cast<double>(passes.size() - 1);
}

void add(const std::string& what, const Compared& c, double limit, double tolerance, Result& r) {
  for (const auto& [column, error] : c.errors)
    r.rows.push_back(small(what + ": " + column, error, limit, "of its largest"));
  r.rows.push_back(small(what + ": joints apart", c.open, tolerance, "m"));
}

void energy_rows(const Context& c, Result& r) {
  const int periods = c.manner.fast ? 30 : 1000;
  const double swing = 1.5;  // s, about: what a period takes at 200 steps of dt = 7.5 ms
  const auto run = run_scene(c, "four_bar.toml",
                             {"solver.dt=7.5 ms", fmt::format("solver.duration={} s", periods * swing)}, "four_bar");
  const Numbers total = run["system.energy.total"], angle = run["joint_a.angle"];
  const double depth =
      9.81 * 0.25 * (1 + 2 * 0.5 + 2) * (1 - std::cos(pi / 3));  // J, from the start to the lowest point
  r.rows.push_back(small(fmt::format("four-bar: energy over {} swings", periods), band(total) / depth, 1e-3, "of it"));
  r.rows.push_back(
      small("four-bar: the two sides stay parallel", max_abs_difference(angle, run["joint_d.angle"]), 1e-6, "rad"));
  r.rows.push_back(
      small("four-bar: joints apart", worse(largest(run["joint_a.error"]), largest(run["joint_d.error"])), 1e-6, "m"));
}

void strut_row(const Context& c, Result& r) {
  const auto run = run_scene(c, "strut.toml", {}, "strut");
  const double area_moment = pi * std::pow(2e-3, 4) / 64, euler = pi * pi * 1e9 * area_moment / (0.2 * 0.2);
  const double load = std::abs(run.last("joint_foot.force.x"));
  r.rows.push_back(compared("strut: the load at which it buckles over Euler's", load / euler, 1, 5e-3));
}

}  // namespace

Result run(const Context& context) {
  Result r;
  const Table motion(context.folder / "rigid_motion.csv");
  const double exact = motion["value"].back();
  r.rows.push_back(compared("bar on a hinge: period over the exact one", period(context) / exact, 1, 1e-3));
  Plot angles{"Double pendulum", "time (s)", "angle from hanging (rad)", {}};
  const Compared pendulum = double_pendulum(context, "1 ms", &angles);
  add("double pendulum", pendulum, 1e-3, 1.6e-6, r);
  const double h[] = {2, 1};
  const double pendulums[] = {double_pendulum(context, "2 ms").worst(), pendulum.worst()};
  r.rows.push_back(compared("double pendulum: order in dt", convergence_order(h, pendulums), 2, 0.2));
  double balance = 0;
  const Compared crank = slider_crank(context, "accuracy=2e-8", &balance);
  add("slider-crank", crank, 1e-3, 4e-7, r);
  const Compared plain = slider_crank(context, "dt=1 ms");
  const double cranks[] = {slider_crank(context, "dt=2 ms").errors[0].second, plain.errors[0].second};
  r.rows.push_back(compared("slider-crank: order in dt", convergence_order(h, cranks), 2, 0.2));
  r.rows.push_back(small("slider-crank: energy that the motor's work does not explain", balance, 1e-6, "of it"));
  add("heavy top", heavy_top(context, {"solver.dt=0.2 ms"}, "top"), 1e-3, 1e-7, r);
  const double tops[] = {heavy_top(context, {"solver.dt=1 ms"}, "top1").worst(),
                         heavy_top(context, {"solver.dt=0.5 ms"}, "top05").worst()};
  r.rows.push_back(compared("heavy top: order in dt", convergence_order(h, tops), 2, 0.2));
  energy_rows(context, r);
  strut_row(context, r);
  r.plots = {angles};
  r.remarks = {fmt::format(
      "In plain steps of 1 ms the slider-crank, which comes to nine turns a second, is off by up to {:.2g} of the "
      "largest value of a column (its rate), the top, which nods seven times a second, by {:.2g}: a phase that "
      "lags. `accuracy` or a smaller `dt` takes it away.",
      plain.worst(), tops[0])};
  return r;
}

}  // namespace ls::validation::joints
