// Dipoles on each other: pairs, a chain in flight, and cubes made of samples.
#include "build/magnets/sampling.h"
#include "physics/dipole_pair.h"
#include "step/energy.h"
#include "step/explicit_step.h"
#include "terms/dipoles/dipole_sum.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::dipole_pairs {

namespace {

using V = Vec3<double>;

V triple(const Table& t, const std::string& name, std::size_t i) {
  return {t[name + "x"][i], t[name + "y"][i], t[name + "z"][i]};
}

void add_pairs(const Context& context, std::vector<Row>& rows) {
  const Table t(context.folder / "dipole_pairs.csv");
  double energy = 0, force = 0, torque = 0, balance = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const V r = triple(t, "r", i), m1 = triple(t, "m1", i), m2 = triple(t, "m2", i);
    const auto p = dipole_pair(r, m1, m2);
    const V f = triple(t, "F1", i), t1 = triple(t, "T1", i), t2 = triple(t, "T2", i);
    const double size = norm(m1) * norm(m2) / std::pow(norm(r), 3);
    energy = worse(energy, std::abs(-dot(m1, p.b1) - t["E"][i]) / size);
    force = worse(force, norm(p.force - f) / norm(f));
    torque = worse(torque, norm(cross(m1, p.b1) - t1) / norm(t1));
    torque = worse(torque, norm(cross(m2, p.b2) - t2) / norm(t2));
    balance = worse(balance, norm(cross(r, p.force) + cross(m1, p.b1) + cross(m2, p.b2)) / size);
  }
  rows.push_back(small("25 pairs: energy", energy, 1e-13, "of m1 m2/r^3"));
  rows.push_back(small("25 pairs: force", force, 1e-13, "of itself"));
  rows.push_back(small("25 pairs: both torques", torque, 1e-13, "of themselves"));
  rows.push_back(small("25 pairs: balance of torques", balance, 1e-14, "of m1 m2/r^3"));
}

// The reference has mu0/(4 pi) = 1: moments are larger here by this, and the field smaller.
const double unit = std::sqrt(1e7);
constexpr int particles = 6;
constexpr double step = 1e-3;

// B = 0.3 (-2x, 4y, -2z)/4 + 0.2 y.
class OracleField final : public Field {
 public:
  void add(const V* x, int points, int order, FieldSample* out) const override {
    for (int k = 0; k < points; ++k) {
      out[k].b += (1 / unit) * V{-0.15 * x[k].x, 0.3 * x[k].y + 0.2, -0.15 * x[k].z};
      if (order < 1) continue;
      out[k].gradient.c1.x -= 0.15 / unit, out[k].gradient.c2.y += 0.3 / unit, out[k].gradient.c3.z -= 0.15 / unit;
    }
  }
};

Builder::Result magnetic_chain(const Table& t) {
  constexpr double diameter = 0.5, density = 2;
  std::vector<V> points;
  for (std::size_t i = 0; i < particles; ++i) points.push_back(triple(t, "", i));
  RodSpec rod;
  rod.name = "chain";
  rod.model = "corotational";
  rod.line = through_points(points, particles - 1, {0, 0, 1});
  rod.section = [](double) { return circular_section(diameter, 0.3); };
  rod.material = [](double) { return Elasticity{1, 0.4}; };
  rod.density = [](double) { return density; };
  rod.adjust = [](ElasticBond& b) { b.kr = 100, b.ks1 = b.ks2 = 40, b.kt = 7, b.kb1 = b.kb2 = 11; };
  rod.node_mass = density * 3.141592653589793 * diameter * diameter * diameter / 6;
  rod.inertia = NodeInertia::sphere;
  rod.sphere_diameter = diameter;
  Builder builder;
  builder.add(rod);
  auto made = builder.finish();
  made.model.dipoles.interact = true;
  for (Column& c : made.model.moment) c.assign(static_cast<std::size_t>(padded(particles)), 0.0);
  for (int i = 0; i < particles; ++i) {
    const auto k = static_cast<std::size_t>(i);
    made.state.nodes.set(i, Twist<double>{triple(t, "v", k), triple(t, "w", k)});
    const V own = rotate(conj(made.state.nodes.frame(i).q), unit * triple(t, "mu", k));
    made.model.moment[0][i] = own.x, made.model.moment[1][i] = own.y, made.model.moment[2][i] = own.z;
  }
  return made;
}

void add_flight(const Context& context, Result& r) {
  const Table t(context.folder / "trajectory_oracle_magnetic.csv"),
      energy(context.folder / "trajectory_oracle_magnetic_energy.csv");
  auto made = magnetic_chain(t);
  Inputs in;
  in.dt = step;
  in.fields = {std::make_shared<OracleField>()};
  Work work(made.model, 1);
  start_explicit(made.model, in, made.state, work);
  Series off{"distance from LAMMPS's", {}, {}};
  double worst = 0, potential = 0;
  int now = 0;
  const auto at = t["step"], pe = energy["pe"];
  for (std::size_t k = 0; particles * k < t.size(); ++k) {
    for (; now < static_cast<int>(at[particles * k]); ++now)
      if (step_explicit(made.model, in, made.state, work) != Outcome::done) worst = std::nan("");
    double here = 0;
    for (int i = 0; i < particles; ++i)
      here =
          worse(here, norm(made.state.nodes.frame(i).x - triple(t, "", particles * k + static_cast<std::size_t>(i))));
    worst = worse(worst, here);
    off.x.push_back(step * now), off.y.push_back(here);
    const auto parts = energies(made.model, in, made.state, work);
    const double ours = energy_of(parts, "total") - energy_of(parts, "kinetic") - energy_of(parts, "spin");
    potential = worse(potential, std::abs(ours - pe[k]));
  }
  r.rows.push_back(small("chain of six in a field: positions at all outputs", worst, 1e-3, "(length)"));
  r.rows.push_back(small("chain of six in a field: potential energy at all outputs", potential, 1e-3, "(energy)"));
  r.plots.push_back(
      {"Distance of the trajectory from LAMMPS's", "time", "largest distance of a particle", {off}, false, true});
}

// Two cubes of 0.1 m and 5 A m^2 along x, coaxial, of n^3 samples each: the pull, N.
double pull_of_cubes(int n, double distance) {
  constexpr double side = 0.1;
  const RigidShape cube = box_shape({side, side, side});
  const auto samples = sampled(cube, sample_grid(cube, side / n), {5, 0, 0});
  const auto count = static_cast<int>(samples.size());
  DipoleRules rules;
  DipoleColumns at;
  DipoleEffects out;
  at.count = 2 * count;
  const auto room = static_cast<std::size_t>(padded(at.count));
  for (int c = 0; c < 3; ++c) at.x[c].assign(room, 0.0), at.m[c] = out.b[c] = out.force[c] = at.x[c];
  for (int i = 0; i < at.count; ++i) {
    const PlacedMoment& d = samples[static_cast<std::size_t>(i % count)];
    const int body = i / count;
    rules.node.push_back(body);
    at.x[0][i] = d.position.x + body * distance, at.x[1][i] = d.position.y, at.x[2][i] = d.position.z;
    at.m[0][i] = d.moment.x, at.m[1][i] = d.moment.y, at.m[2][i] = d.moment.z;
  }
  for (std::size_t k = static_cast<std::size_t>(at.count); k < room; ++k) at.x[0][k] = 1e12 * static_cast<double>(k);
  Team alone;
  make_direct_sum(rules)->find(at, out, alone);
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += out.force[0][i];
  return sum;
}

// Theirs by another way: of two grids of points only their differences count, each as often as it stands there.
double pull_of_differences(int n, double distance) {
  const double spacing = 0.1 / n, m = 5.0 / (n * n * n);
  double sum = 0;
  for (int i = 1 - n; i < n; ++i)
    for (int j = 1 - n; j < n; ++j)
      for (int k = 1 - n; k < n; ++k) {
        const double x = distance + i * spacing, y = j * spacing, z = k * spacing, r2 = x * x + y * y + z * z;
        const int often = (n - std::abs(i)) * (n - std::abs(j)) * (n - std::abs(k));
        sum += often * x * (15 * x * x / r2 - 9) / (r2 * r2 * std::sqrt(r2));
      }
  return mu0_over_4pi * m * m * sum;
}

void add_cubes(const Context& context, Result& r) {
  const Table t(context.folder / "cube_force.csv");
  const auto distance = t["r_m"], exact = t["F_exact_N"];
  Plot plot{"Error of the pull of two cubes of n³ samples", "gap, sides", "share", {}, true, true};
  for (const int n : {4, 8, 16}) {
    double worst = 0, by_hand = 0;
    Series line{fmt::format("n = {}", n), {}, {}};
    for (std::size_t i = 0; i < t.size(); ++i) {
      const double pull = pull_of_cubes(n, distance[i]), gap = distance[i] / 0.1 - 1,
                   error = std::abs(pull / exact[i] - 1);
      by_hand = worse(by_hand, std::abs(pull / pull_of_differences(n, distance[i]) - 1));
      if (gap * n >= 0.8 - 1e-9) worst = worse(worst, error);
      if (n == 8 && std::abs(gap - 0.1) < 1e-9)
        r.remarks.push_back(
            fmt::format("Of 8³ samples the pull at a gap of a tenth of a side is off by {:.3g} %.", 100 * error));
      if (gap > 1e-3) line.x.push_back(gap), line.y.push_back(error);
      if (n == 8 && gap < 1e-9)
        r.remarks.push_back(fmt::format("Of 8³ samples the pull of cubes that touch is off by {:.0f} %.", 100 * error));
    }
    plot.series.push_back(line);
    r.rows.push_back(
        small(fmt::format("cubes of {}³ samples, gaps of 0.8 spacings and more", n), worst, 0.01, "of the pull"));
    r.rows.push_back(small(fmt::format("cubes of {}³ samples beside a sum over differences of points", n), by_hand,
                           1e-11, "of the pull"));
  }
  r.plots.push_back(plot);
}

// From rest at 0.25 m they are 0.1 m apart after 7.79750 s/(m/(A m^2)), of cubes of 0.1 kg: one integral over the way.
void add_fall(const Context& context, std::vector<Row>& rows) {
  for (const std::string kind : {"implicit", "explicit"}) {
    const SceneRun run =
        run_scene(context, "two_cubes.toml", {fmt::format("solver.kind=\"{}\"", kind)}, "two_cubes-" + kind);
    const double apart = run.last("right.position.x") - run.last("left.position.x");
    rows.push_back(compared(fmt::format("two cubes, {}: distance when they meet (m)", kind), apart, 0.1, 1e-6, "m"));
    rows.push_back(
        small(fmt::format("two cubes, {}: momentum", kind), std::abs(run.last("system.momentum.x")), 1e-15, "kg m/s"));
  }
}

}  // namespace

Result run(const Context& context) {
  Result r;
  add_pairs(context, r.rows);
  add_flight(context, r);
  add_fall(context, r.rows);
  add_cubes(context, r);
  return r;
}

}  // namespace ls::validation::dipole_pairs
