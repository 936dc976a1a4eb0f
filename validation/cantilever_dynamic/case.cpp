// A steel beam shaken at its tip until it is bent by two thirds of its length, against a spectral beam and LAMMPS.
#include "step/explicit_step.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace ls::validation::cantilever_dynamic {

namespace {

constexpr double length = 10, width = 0.5, depth = 0.25;  // m; it bends about the width
constexpr double young = 210e9, poisson = 0.3;            // Pa; only Timoshenko's bonds see Poisson's ratio here
constexpr double density = 7850;                          // kg/m^3
constexpr double amplitude = 10e6, frequency = 50;        // N, rad/s of the force at the tip
constexpr double judged_until = 0.5;                      // s; the differences of any two methods keep growing

struct Beam {
  std::string model;
  int bonds;
  NodeInertia inertia = NodeInertia::section;
  Calibration calibration = Calibration::bernoulli_euler;
};

Builder::Result built(const Beam& beam) {
  RodSpec r;
  r.name = "beam";
  r.model = beam.model;
  r.line = line({0, 0, 0}, {length, 0, 0}, beam.bonds, {0, 0, 1});
  r.section = [](double) { return rectangular_section(width, depth, poisson); };
  r.material = [](double) { return Elasticity{young, young / (2 * (1 + poisson))}; };
  r.density = [](double) { return density; };
  r.calibration = beam.calibration;
  r.inertia = beam.inertia;
  r.sphere_diameter = 0.25;
  r.hold_start = hold_all;
  Builder b;
  b.add(r);
  return b.finish();
}

struct History {
  std::vector<double> t, u, v;  // s; m along the beam, m across it
};

// The tip at every `interval`. Small steps, a tenth of the largest stable one: only the bonds' own error is left.
History shaken(const Beam& beam, double interval, double end) {
  auto r = built(beam);
  const int tip = r.model.nodes - 1;
  const auto steps = static_cast<long long>(std::ceil(interval / (0.1 * critical_step_of(r.model, r.state))));
  Inputs in;
  in.dt = interval / static_cast<double>(steps);
  in.held = {{0, hold_all, r.state.nodes.frame(0), {}}};
  in.loads = {{{tip}, {1.0}, {}, {}, false}};
  Work work(r.model, 1);
  start_explicit(r.model, in, r.state, work);
  History h;
  const auto samples = static_cast<long long>(std::lround(end / interval));
  for (long long n = 0; n <= samples * steps; ++n) {
    if (n > 0) {
      in.t = static_cast<double>(n) * in.dt;
      in.loads[0].force.y = amplitude * std::sin(frequency * in.t);
      if (step_explicit(r.model, in, r.state, work) != Outcome::done) throw std::runtime_error("the beam diverged");
    }
    if (n % steps != 0) continue;
    const auto x = r.state.nodes.frame(tip).x;
    h.t.push_back(static_cast<double>(n) * in.dt), h.u.push_back(x.x - length), h.v.push_back(x.y);
  }
  return h;
}

// Largest |a - b| over the samples up to a time.
double worst_until(double end, const std::vector<double>& t, const std::vector<double>& a,
                   const std::vector<double>& b) {
  const auto count = static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), end + 1e-9) - t.begin());
  const auto first = [count](const std::vector<double>& values) { return std::span(values).first(count); };
  return max_abs_difference(first(a), first(b));
}
std::vector<double> times_length(std::vector<double> values) {
  for (double& x : values) x *= length;
  return values;
}
std::vector<double> gap(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out;
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back(std::abs(a[i] - b[i]));
  return out;
}
Series marks(const std::string& name, const std::vector<double>& t, const std::vector<double>& y, double end) {
  Series s{name, {}, {}, true};
  for (std::size_t i = 0; i < t.size() && t[i] <= end + 1e-9; i += 10) s.x.push_back(t[i]), s.y.push_back(y[i]);
  return s;
}

// The bonds as they are by default, finer and finer, against a beam that does not shear.
void check_convergence(const Context& c, Result& out) {
  const Table reference(c.folder / "cantilever_dynamic_no_shear.csv");
  const auto truth = reference["v_tip_m"];
  Plot tip{"Tip across the beam", "t, s", "m", {}}, errors{"Distance to the beam without shear", "t, s", "m", {}};
  std::vector<double> bond_length, error;
  for (const int bonds : c.manner.fast ? std::vector{16, 32, 64} : std::vector{16, 32, 64, 128}) {
    const double end = c.manner.fast || bonds > 64 ? judged_until : 1.5;
    const History h = shaken({.model = "exact", .bonds = bonds}, 1e-3, end);
    const std::string name = fmt::format("exact, N = {}", bonds);
    bond_length.push_back(length / bonds);
    error.push_back(worst_until(judged_until, h.t, h.v, truth));
    tip.series.insert(tip.series.begin(), thinned(name, h.t, h.v, 1600));  // the finest first: marks belong to it
    errors.series.push_back(thinned(name, h.t, gap(h.v, truth)));
    const auto row = [&](double limit) {
      out.rows.push_back(
          small(fmt::format("{}: from the beam without shear, t <= 0.5 s", name), error.back(), limit, "m"));
    };
    if (bonds == 32) row(0.06);
    if (bonds == 64) row(0.015);
    if (end > judged_until)
      out.remarks.push_back(
          fmt::format("{}: at most {:.3f} m from the beam without shear for t <= 0.5 s, {:.3f} m for "
                      "t <= 1.5 s.",
                      name, error.back(), worst_until(end, h.t, h.v, truth)));
  }
  const double order = convergence_order(bond_length, error);
  out.rows.push_back({"exact: order of convergence", order, 2, 2 - order, 0.1, ""});
  tip.series.push_back(marks("beam without shear", reference["t_s"], truth, c.manner.fast ? judged_until : 1.5));
  out.plots.push_back(tip);
  out.plots.push_back(errors);
  out.plots.push_back({"Convergence, t <= 0.5 s",
                       "bond length, m",
                       "largest distance, m",
                       {{"exact", bond_length, error}},
                       true,
                       true});
}

// Bonds that shear, against Timoshenko's beam.
void check_shear(const Context& c, Result& out) {
  const Table reference(c.folder / "cantilever_dynamic_timoshenko.csv");
  const auto truth = reference["v_tip_m(transverse)"];
  const History h = shaken({.model = "exact", .bonds = 64, .calibration = Calibration::timoshenko}, 1e-3, judged_until);
  out.rows.push_back(small("exact, N = 64, Timoshenko's stiffness: from Timoshenko's beam, t <= 0.5 s",
                           worst_until(judged_until, h.t, h.v, truth), 0.015, "m"));
  const Table stiff(c.folder / "cantilever_dynamic_no_shear.csv");
  out.remarks.push_back(
      fmt::format("Shear itself moves the tip by up to {:.2f} m within 0.5 s: the two reference beams "
                  "differ by that much.",
                  worst_until(judged_until, stiff["t_s"], stiff["v_tip_m"], truth)));
}

// The paper's own set-up, as its code answers it.
void check_against_lammps(const Context& c, Result& out) {
  const Table lammps(c.folder / "lammps_dynamic_cantilever_N32.csv");
  const auto t = lammps["t"], u = times_length(lammps["dx/L"]), v = times_length(lammps["dy/L"]);
  const double end = c.manner.fast ? judged_until : 1.5;
  const History h = shaken({.model = "corotational", .bonds = 32, .inertia = NodeInertia::sphere}, 1.5e-3, end);
  out.rows.push_back(small("corotational, N = 32, spheres: across, from LAMMPS, t <= 0.5 s",
                           worst_until(judged_until, h.t, h.v, v), 0.005, "m"));
  out.rows.push_back(small("corotational, N = 32, spheres: along, from LAMMPS, t <= 0.5 s",
                           worst_until(judged_until, h.t, h.u, u), 0.005, "m"));
  out.remarks.push_back(
      fmt::format("Corotational bonds follow LAMMPS to {:.1e} m across and {:.1e} m along up to {} s.",
                  worst_until(end, h.t, h.v, v), worst_until(end, h.t, h.u, u), end));
  Plot p{"Tip as in the paper, N = 32", "t, s", "m", {}};
  p.series = {thinned("across, corotational", h.t, h.v, 1600), thinned("along, corotational", h.t, h.u, 1600),
              marks("across, LAMMPS", t, v, end), marks("along, LAMMPS", t, u, end)};
  out.plots.push_back(p);
}

}  // namespace

Result run(const Context& c) {
  Result out;
  check_convergence(c, out);
  check_shear(c, out);
  check_against_lammps(c, out);
  return out;
}

}  // namespace ls::validation::cantilever_dynamic
