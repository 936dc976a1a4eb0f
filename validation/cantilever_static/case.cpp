// A clamped rod under a dead load: the elastica, and why the paper found an error that is none.
#include "step/energy.h"
#include "step/explicit_step.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <stdexcept>

namespace ls::validation::cantilever_static {

namespace {

using std::numbers::pi;

constexpr double diameter = 0.01;      // of L = 1; with EI = 1 this makes EI/(EA L^2) = 6.25e-6
constexpr double lowest_mode = 3.516;  // rad/s of a clamped rod with EI = L = 1 and a mass of 1 per length

struct Load {
  std::string name;
  double tip, spread;  // force at the tip; per length
  double linear_energy;
};
// The paper's: a linear beam would bend by a tenth of its length.
const Load at_tip{"point", 0.3, 0, 0.3 * 0.3 / 6}, uniform_load{"uniform", 0, 0.8, 0.8 * 0.8 / 40};

struct Rest {
  std::vector<Vec3<double>> x;  // [node]
  double energy = 0;            // of all bonds
  double motion = 0;            // kinetic energy left, as a share of the elastic one
  const Vec3<double>& tip() const { return x.back(); }
};
double excess(const Rest& r, const Load& load) {
  return r.energy / load.linear_energy - 1;
}

Builder::Result cantilever(const std::string& model, int bonds, Weights weights) {
  RodSpec r;
  r.name = "rod";
  r.model = model;
  r.line = line({0, 0, 0}, {1, 0, 0}, bonds, {0, 0, 1});
  const double young = 64 / (pi * std::pow(diameter, 4));
  r.section = [](double) { return circular_section(diameter, 0.5); };
  r.material = [young](double) { return Elasticity{young, young / 3}; };
  r.density = [](double) { return 4 / (pi * diameter * diameter); };
  r.weights = weights;
  // Inertia does not matter at rest. Heavy spheres keep the turning of the nodes from setting the time step.
  r.inertia = NodeInertia::sphere;
  r.sphere_diameter = 2.0 / bonds;
  r.hold_start = hold_all;
  Builder b;
  b.add(r);
  return b.finish();
}

Inputs inputs(const Builder::Result& r, const Load& load) {
  const Body& body = r.model.bodies[0];
  Inputs in;
  in.dt = 0.5 * critical_step_of(r.model, r.state);
  in.damping_rate = in.spin_damping_rate = 2 * lowest_mode;  // critical: the shortest way to rest
  in.held = {{0, hold_all, r.state.nodes.frame(0), {}}};
  if (load.tip != 0) in.loads.push_back({{body.nodes.back()}, {1.0}, {0, load.tip, 0}, {}, false});
  if (load.spread != 0) in.loads.push_back({body.nodes, body.weight, {0, load.spread, 0}, {}, false});
  return in;
}

// Damped motion until nothing moves: explicit on purpose, so that the bonds alone decide where the rod comes to rest.
Rest rest(const std::string& model, int bonds, const Load& load, Weights weights = Weights::trapezoidal) {
  auto r = cantilever(model, bonds, weights);
  Inputs in = inputs(r, load);
  Work work(r.model, 1);
  start_explicit(r.model, in, r.state, work);
  const int steps = static_cast<int>(1 / (lowest_mode * in.dt));
  Rest out;
  for (int round = 0; round < 60; ++round) {
    for (int n = 0; n < steps; ++n)
      if (step_explicit(r.model, in, r.state, work) != Outcome::done)
        throw std::runtime_error("the cantilever diverged");
    const auto e = energies(r.model, {}, r.state, work);
    const double moving = energy_of(e, "kinetic") + energy_of(e, "spin");
    out.energy = energy_of(e, "total") - moving;
    out.motion = moving / out.energy;
    if (out.motion < 1e-19) break;
  }
  for (int i = 0; i < r.model.nodes; ++i) out.x.push_back(r.state.nodes.frame(i).x);
  return out;
}

// The elastica with the stretch of a real rod: the second row of each load.
struct Elastica {
  double y, energy;
};
Elastica elastica(const Context& c, const Load& load) {
  const Table t(c.folder / "cantilever_static.csv");
  const auto number = [&](const char* name) { return t[name].at(load.tip != 0 ? 1 : 3); };
  return {number("y_tip"), number("U_bend") + number("U_axial")};
}

// One bond model and load for several numbers of bonds.
struct Sweep {
  std::string model;
  Load load;
  std::vector<double> bonds;
  std::vector<Rest> rests;

  Series curve(const std::string& name, double (*value)(const Rest&, const Load&)) const {
    Series s{name, bonds, {}};
    for (const auto& r : rests) s.y.push_back(value(r, load));
    return s;
  }
  Series tip_error(const std::string& name, double truth) const {
    Series s = curve(name, [](const Rest& r, const Load&) { return r.tip().y; });
    for (double& y : s.y) y = std::abs(y - truth);
    return s;
  }
  Series energy_excess(const std::string& name) const { return curve(name, excess); }
  // What the last two say about infinitely many bonds, the error going with the square of the bond length.
  double excess_limit() const {
    const std::size_t n = rests.size();
    return (4 * excess(rests[n - 1], load) - excess(rests[n - 2], load)) / 3;
  }
};

Sweep sweep(const std::string& model, const Load& load, const std::vector<double>& bonds,
            Weights weights = Weights::trapezoidal) {
  Sweep s{model, load, bonds, {}};
  for (const double n : bonds) s.rests.push_back(rest(model, static_cast<int>(n), load, weights));
  return s;
}

// From N = 8 on: the coarser ones are not yet on the line.
double order(const Series& error) {
  std::vector<double> h, e;
  for (std::size_t i = 0; i < error.x.size(); ++i)
    if (error.x[i] >= 8) h.push_back(1 / error.x[i]), e.push_back(error.y[i]);
  return convergence_order(h, e);
}

Plot shape_plot(const Context& c, const Sweep& s) {
  const Table t(c.folder / fmt::format("cantilever_{}_shape.csv", s.load.name));
  Plot p{fmt::format("Shape under the {} load", s.load.name), "x/L", "y/L", {}};
  for (const std::size_t i : {s.rests.size() - 1, std::size_t{0}}) {
    Series ours{fmt::format("{}, N = {}", s.model, s.bonds[i]), {}, {}};
    for (const auto& x : s.rests[i].x) ours.x.push_back(x.x), ours.y.push_back(x.y);
    p.series.push_back(ours);
  }
  p.series.push_back({"linear beam, the paper's reference", t["s/L"], t["y_linear(s)"]});
  Series elastic{"elastica", {}, {}, true};
  const auto x = t["x/L"], y = t["y/L"];
  for (std::size_t i = 0; i < x.size(); i += 5) elastic.x.push_back(x[i]), elastic.y.push_back(y[i]);
  p.series.push_back(elastic);
  return p;
}

// All bond models under one load, lumped with trapezoidal weights. Returns the plot of errors for others to add to.
Plot check_load(const Elastica& truth, const std::vector<Sweep>& sweeps, Result& out) {
  const Load& load = sweeps[0].load;
  Plot errors{
      fmt::format("Error of the tip, {} load", load.name), "bonds N", "|y - y of the elastica| / L", {}, true, true};
  Plot energy{fmt::format("Elastic energy, {} load", load.name), "bonds N", "U / U of the linear beam - 1", {}, true};
  for (const auto& s : sweeps) {
    const std::string what = fmt::format("{} load, {}: ", load.name, s.model);
    const Series e = s.tip_error(s.model, truth.y);
    out.rows.push_back(compared(fmt::format("{}y of the tip, N = {}", what, s.bonds.back()), s.rests.back().tip().y,
                                truth.y, 1e-4, "of L"));
    out.rows.push_back({what + "order of convergence from N = 8 on", order(e), 2, 2 - order(e), 0.1, ""});
    out.rows.push_back(compared(what + "U/U_linear - 1, to N = infinity", s.excess_limit(),
                                truth.energy / load.linear_energy - 1, 1e-5));
    errors.series.push_back(e);
    energy.series.push_back(s.energy_excess(s.model));
  }
  const auto& n = sweeps[0].bonds;
  energy.series.push_back({"elastica", n, std::vector<double>(n.size(), truth.energy / load.linear_energy - 1), true});
  out.plots.push_back(energy);
  return errors;
}

// LAMMPS's own answers, which bend downwards.
void check_against_lammps(const Context& c, const Sweep& s, double truth, const std::string& what, Plot& plot,
                          Result& out) {
  const Table t(c.folder / "lammps_static_cantilever.csv");
  const auto n = t["N"], dx = t["dx_over_L"], dy = t["dy_over_L"];
  std::vector<double> ours, theirs;
  Series errors{"LAMMPS", {}, {}, true};
  for (std::size_t i = 0; i < n.size(); ++i)
    for (std::size_t k = 0; k < s.bonds.size(); ++k) {
      if (t.text("load")[i] != s.load.name || n[i] != s.bonds[k]) continue;
      ours.push_back(s.rests[k].tip().x - 1), theirs.push_back(dx[i]);
      ours.push_back(s.rests[k].tip().y), theirs.push_back(-dy[i]);
      errors.x.push_back(n[i]), errors.y.push_back(std::abs(-dy[i] - truth));
    }
  out.rows.push_back(small(fmt::format("{}, corotational against LAMMPS: x and y of the tip, N = {} to {}", what,
                                       errors.x.front(), errors.x.back()),
                           max_abs_difference(ours, theirs), 1e-6, "of L"));
  plot.series.push_back(errors);
}

// The load of the paper's scripts: end nodes carry that of a whole bond.
void check_full_weights(const Sweep& full, double truth, Plot& plot, Result& out) {
  const Series e = full.tip_error("corotational, full end weights", truth);
  plot.series.insert(plot.series.begin(), e);
  out.rows.push_back(compared("uniform load, full end weights: order of convergence from N = 8 on", order(e), 1, 0.1));
  const std::size_t n = full.rests.size();
  out.remarks.push_back(fmt::format(
      "With full end weights the energy under the uniform load is {:+.2f} % off the linear beam's at N = {} "
      "and {:+.2f} % at N = {}.",
      100 * excess(full.rests[n - 2], full.load), full.bonds[n - 2], 100 * excess(full.rests[n - 1], full.load),
      full.bonds[n - 1]));
}

}  // namespace

Result run(const Context& c) {
  const std::vector<double> bonds =
      c.manner.fast ? std::vector<double>{8, 16, 32} : std::vector<double>{4, 8, 16, 32, 64};
  const std::vector<double> more = c.manner.fast ? bonds : std::vector<double>{4, 8, 16, 32, 64, 128};
  Result out;
  std::vector<double> motion;
  for (const Load& load : {at_tip, uniform_load}) {
    const Elastica truth = elastica(c, load);
    std::vector<Sweep> sweeps;
    for (const char* model : {"exact", "corotational", "vector"}) sweeps.push_back(sweep(model, load, bonds));
    out.plots.push_back(shape_plot(c, sweeps[0]));
    Plot errors = check_load(truth, sweeps, out);
    if (load.spread == 0) {
      std::swap(errors.series[0], errors.series[1]);  // marks belong to the first line
      check_against_lammps(c, sweeps[1], truth.y, "point load", errors, out);
    } else {
      sweeps.push_back(sweep("corotational", load, more, Weights::full));
      check_full_weights(sweeps.back(), truth.y, errors, out);
      check_against_lammps(c, sweeps.back(), truth.y, "uniform load, full end weights", errors, out);
    }
    out.plots.push_back(errors);
    for (const auto& s : sweeps)
      for (const auto& r : s.rests) motion.push_back(r.motion);
  }
  const std::vector<double> still(motion.size(), 0.0);
  out.rows.push_back(
      small("kinetic over elastic energy at rest, worst of all runs", max_abs_difference(motion, still), 1e-16));
  return out;
}

}  // namespace ls::validation::cantilever_static
