// Moments that fields induce: chains and cubes of soft matter, saturation, and a chain of beads in a field that turns.
#include "build/magnets/soft_cells.h"
#include "physics/magnets.h"
#include "terms/make_terms.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::induction {

namespace {

using V = Vec3<double>;

constexpr double pi = 3.141592653589793;
constexpr double h0 = 1e4;  // A/m

class Uniform final : public Field {
 public:
  explicit Uniform(const V& b) : b_(b) {}
  void add(const V*, int points, int, FieldSample* out) const override {
    for (int k = 0; k < points; ++k) out[k].b += b_;
  }
  bool is_uniform() const override { return true; }

 private:
  V b_;
};

SoftMatter matter_of(double chi) {
  SoftMatter m;
  m.susceptibility = {chi, chi, chi};
  return m;
}

// Bodies in a row along z, in a uniform field.
struct RowOfBodies {
  Builder::Result made;
  Terms terms;
  Inputs in;
  Team alone;

  RowOfBodies(const RigidShape& shape, const SoftBody& soft, int count, double apart, const V& field)
      : made(built(shape, soft, count, apart)), terms(make_terms(made.model)) {
    in.fields.push_back(std::make_shared<Uniform>(mu0 * field));
  }
  std::vector<V> moments() { return terms.induction->moments(made.state, in, alone); }
  double energy() { return energies_of(terms, made.state, in, Energies::Wanted::all, alone)[EnergyKind::induction]; }
  double force_on_first() {
    const Wrenches w = magnetic_wrenches(made.model, terms, made.state, in, alone);
    return w.force[2][0];
  }
  long long iterations() {
    terms.induction->advance(made.state, in, made.state.memory);
    return made.state.memory.induction_iterations;
  }

 private:
  static Builder::Result built(const RigidShape& shape, const SoftBody& soft, int count, double apart) {
    Builder builder;
    for (int i = 0; i < count; ++i) {
      RigidSpec spec;
      spec.name = fmt::format("body{}", i);
      spec.shape = shape;
      spec.fill(1000);
      spec.pose.x = {0, 0, i * apart};
      spec.soft = soft;
      builder.add(spec);
    }
    Builder::Result r = builder.finish();
    r.model.dipoles.interact = true;
    return r;
  }
};

V along_or_across(const std::string& word) {
  return word == "along" ? V{0, 0, h0} : V{h0, 0, 0};
}
double part(const V& m, const std::string& word) {
  return word == "along" ? m.z : m.x;
}

void add_chains(const Context& c, Result& r) {
  const Table t(c.folder / "induced_chain.csv");
  double moments = 0, energy = 0, force = 0;
  long long most = 0;
  const auto off = [](double ours, double right) { return std::abs(ours / right - 1); };
  for (std::size_t i = 0; i < t.size(); ++i) {
    const std::string& word = t.text("field")[i];
    const int n = static_cast<int>(t["N"][i]);
    const RigidShape ball = ball_shape(1);
    RowOfBodies row(ball, soft_body(matter_of(t["chi"][i]), ball), n, 2, along_or_across(word));
    const auto m = row.moments();
    V total{};
    for (const V& one : m) total += one;
    const double unit = 4 * pi * h0;
    moments = worse(moments, off(part(m.front(), word) / unit, t["m_first"][i]));
    moments = worse(moments, off(part(m[static_cast<std::size_t>(n / 2)], word) / unit, t["m_middle"][i]));
    moments = worse(moments, off(part(total, word) / unit, t["m_total"][i]));
    energy = worse(energy, off(row.energy() / (mu0 * unit * h0), t["energy"][i]));
    force = worse(force, off(row.force_on_first() / (mu0 * unit * h0), t["force_on_first_towards_others"][i]));
    most = std::max(most, row.iterations());
  }
  r.rows.push_back(small("chains of 2, 3 and 10 balls, χ = 1 … 10⁴: moments", moments, 1e-9, "of themselves"));
  r.rows.push_back(small("chains: energy", energy, 1e-9, "of itself"));
  r.rows.push_back(small("chains: force on the first ball", force, 1e-9, "of itself"));
  r.remarks.push_back(fmt::format("From nothing, the moments of a chain take up to {} iterations.", most));
}

void add_spheres(const Context& c, Result& r) {
  const Table t(c.folder / "permeable_spheres.csv");
  double points = 0, pull = 0, moment = 0, force = 0;
  Plot plot{"Two balls of permeability 101 along the field", "gap (R)", "force (4πR²μ₀H₀²)",
            {{"dipoles", {}, {}}, {"exact", {}, {}, true}},  true,      true};
  for (std::size_t i = 0; i < t.size(); ++i) {
    const std::string& word = t.text("field")[i];
    const double gap = t["gap_over_R"][i], mu = t["mu_r"][i];
    const RigidShape ball = ball_shape(1);
    RowOfBodies row(ball, soft_body(matter_of(mu - 1), ball), 2, 2 + gap, along_or_across(word));
    const double m = part(row.moments()[0], word) / (4 * pi * h0), f = row.force_on_first() / (4 * pi * mu0 * h0 * h0);
    points = worse(points, std::abs(m / t["m_dipole"][i] - 1));
    pull = worse(pull, std::abs(f / t["force_dipole"][i] - 1));
    if (gap >= 1) {
      moment = worse(moment, std::abs(m / t["m_exact"][i] - 1));
      force = worse(force, std::abs(f / t["force_exact"][i] - 1));
    }
    if (word != "along" || mu != 101) continue;
    plot.series[0].x.push_back(gap), plot.series[0].y.push_back(f);
    plot.series[1].x.push_back(gap), plot.series[1].y.push_back(t["force_exact"][i]);
    if (gap == 0.1)
      r.remarks.push_back(
          fmt::format("At a gap of a tenth of the radius, μ_r = 101, points pull {:.1f} times too weakly.",
                      t["force_exact"][i] / f));
  }
  r.rows.push_back(small("two balls: moment of points, as tabled to eight digits", points, 3e-8, "of itself"));
  r.rows.push_back(small("two balls: force of points, as tabled to six digits", pull, 1e-5, "of itself"));
  r.rows.push_back(small("two balls, gaps of R and more: moment beside the exact one", moment, 3e-3, "of itself"));
  r.rows.push_back(small("two balls, gaps of R and more: force beside the exact one", force, 0.07, "of itself"));
  r.plots.push_back(plot);
}

void add_cubes(const Context& c, Result& r) {
  const Table t(c.folder / "induced_cube.csv");
  const RigidShape cube = box_shape({1, 1, 1});
  Plot plot{"Mean magnetisation of a cube", "cells along an edge", "M/H₀", {}};
  for (std::size_t i = 0; i < t.size(); ++i) {
    Series ours{fmt::format("χ = {:g}", t["chi"][i]), {}, {}};
    for (const int n : {2, 4, 8}) {
      if (n == 8 && c.manner.fast) continue;
      RowOfBodies row(cube, soft_body(matter_of(t["chi"][i]), cube, sample_grid(cube, 1.0 / n)), 1, 0, {0, 0, h0});
      const double m = row.moments()[0].z / h0, right = t[fmt::format("M_over_H0_{}", n)][i];
      r.rows.push_back({fmt::format("cube, χ = {:g}, {}³ cells: M/H₀", t["chi"][i], n), m, right,
                        std::abs(m / right - 1), 1e-6, "of itself"});
      ours.x.push_back(n), ours.y.push_back(m);
    }
    plot.series.push_back(ours);
  }
  r.plots.push_back(plot);
}

void add_saturation(const Context& c, Result& r) {
  const Table t(c.folder / "saturating_sphere.csv");
  constexpr double saturation = 4e5;
  double worst = 0;
  Plot plot{"A ball that saturates, χ = 10", "H₀/Mₛ", "M/Mₛ", {{"Fröhlich", {}, {}}, {"Langevin", {}, {}}}, true};
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double chi = t["chi"][i], outer = t["H0_over_Ms"][i];
    const bool is_langevin = t.text("law")[i] == "langevin";
    SoftMatter matter = matter_of(chi);
    matter.saturation = saturation, matter.curve = is_langevin ? SoftCurve::langevin : SoftCurve::froehlich;
    const RigidShape ball = ball_shape(0.01);
    RowOfBodies row(ball, soft_body(matter, ball), 1, 0, {0, 0, outer * saturation});
    const double m = row.moments()[0].z / (ball.solid.volume * saturation);
    worst = worse(worst, std::abs(m / t["M_over_Ms"][i] - 1));
    if (chi == 10) plot.series[is_langevin].x.push_back(outer), plot.series[is_langevin].y.push_back(m);
  }
  r.rows.push_back(small("a saturating ball, two curves", worst, 1e-9, "of itself"));
  r.plots.push_back(plot);
}

// How far the line from the first bead to the last is behind the field, and how long it is, over time.
struct Turning {
  std::vector<double> time, behind, length;  // s, degrees, mm
  bool is_done = false;
};
Turning turning_chain(const Context& c, double rate, double duration) {
  const SceneRun run =
      run_scene(c, "chain.toml",
                {fmt::format("define.rate=\"{} rad/s\"", rate), fmt::format("solver.duration=\"{} s\"", duration)},
                fmt::format("chain-{}", rate));
  Turning t;
  t.is_done = run.status == RunStatus::done;
  t.time = run["time"];
  const auto x0 = run["bead_0.position.x"], y0 = run["bead_0.position.y"], x9 = run["bead_9.position.x"],
             y9 = run["bead_9.position.y"];
  for (std::size_t k = 0; k < t.time.size(); ++k) {
    const double angle = std::atan2(y9[k] - y0[k], x9[k] - x0[k]);
    t.behind.push_back(180 / pi * std::remainder(rate * t.time[k] - angle, 2 * pi));
    t.length.push_back(1e3 * std::hypot(x9[k] - x0[k], y9[k] - y0[k]));
  }
  return t;
}

void add_turning(const Context& c, Result& r) {
  const Turning slow = turning_chain(c, 0.2, c.manner.fast ? 10 : 32),
                quick = turning_chain(c, 2.0, c.manner.fast ? 1.5 : 6);
  // Once settled it keeps its angle to the field and its length.
  const auto from = std::ranges::lower_bound(slow.time, 7.0) - slow.time.begin();
  const std::vector<double> angles(slow.behind.begin() + from, slow.behind.end()),
      lengths(slow.length.begin() + from, slow.length.end());
  r.rows.push_back(small("0.2 rad/s: the chain keeps its angle behind the field", slow.is_done ? band(angles) : NAN,
                         0.2, "degrees"));
  r.rows.push_back(small("0.2 rad/s: it stays as long as its beads", slow.is_done ? band(lengths) : NAN, 0.01, "mm"));
  const double shortest = *std::ranges::min_element(quick.length);
  r.rows.push_back(small("2 rad/s: the chain breaks up, and its ends come together as near as this",
                         quick.is_done ? shortest : NAN, 15, "mm, of 18"));
  r.remarks.push_back(fmt::format("At 0.2 rad/s the chain follows {:.1f}° behind the field.", mean(angles)));
  r.plots.push_back({"Ten superparamagnetic beads in a field that turns",
                     "s",
                     "from the first bead to the last (mm)",
                     {{"0.2 rad/s", slow.time, slow.length}, {"2 rad/s", quick.time, quick.length}}});
}

// One ball of polarisability alpha in a cubic box: tin foil leaves a third of the mean magnetisation to the field at it
// (Clausius and Mossotti), vacuum around a ball of boxes nothing.
void add_lattice(const Context& c, Result& r) {
  constexpr double radius = 0.01, period = 0.025, chi = 30, field = 5e-3;
  const double alpha = 4 * pi * radius * radius * radius * chi / (3 + chi);
  for (const bool vacuum : {false, true}) {
    const std::string surround = vacuum ? "vacuum" : "tin-foil";
    const SceneRun run =
        run_scene(c, "lattice.toml", {fmt::format("dipoles.surround=\"{}\"", surround)}, "lattice-" + surround);
    const double whole = vacuum ? 0 : alpha / (3 * period * period * period);
    r.rows.push_back(compared("a cubic lattice of balls in a periodic box, " + surround,
                              std::hypot(run.last("ball.moment.x"), run.last("ball.moment.y")),
                              alpha * field / mu0 / (1 - whole), 1e-9, "A m^2"));
  }
}

// Jackson, Classical Electrodynamics, 5.12.
void add_hollow_ball(const Context& c, Result& r) {
  constexpr double mu = 301, inner = 0.0999, outer = 0.1001, field = 1e-6;
  const double ratio = std::pow(inner / outer, 3),
               left = 9 * mu / ((2 * mu + 1) * (mu + 2) - 2 * ratio * (mu - 1) * (mu - 1));
  const SceneRun run = run_scene(c, "hollow.toml", {}, "hollow");
  for (const std::string place : {"middle", "aside"})
    r.rows.push_back(compared("field inside a hollow ball of soft iron, as a shell: " + place,
                              run.last(place + ".B.z") / field, left, 0.02, "of that outside"));
}

}  // namespace

Result run(const Context& c) {
  Result r;
  add_chains(c, r);
  add_spheres(c, r);
  add_cubes(c, r);
  add_saturation(c, r);
  add_lattice(c, r);
  add_hollow_ball(c, r);
  add_turning(c, r);
  return r;
}

}  // namespace ls::validation::induction
