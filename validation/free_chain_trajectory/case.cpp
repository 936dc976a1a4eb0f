#include "base/error.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::free_chain_trajectory {

namespace {

using V = Vec3<double>;

constexpr int particles = 6;
constexpr double diameter = 0.5, density = 2, step = 1e-3;
constexpr double mass = density * 3.141592653589793 * diameter * diameter * diameter / 6;

// The reference at one of its output steps.
struct Moment {
  V x[particles], v[particles], w[particles];
};

std::map<int, Moment> read_moments(const std::filesystem::path& file) {
  const Table table(file);
  const auto at = table["step"], id = table["id"];
  std::map<std::string, std::vector<double>> columns;
  for (const auto* name : {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"}) columns[name] = table[name];
  std::map<int, Moment> moments;
  for (std::size_t i = 0; i < table.size(); ++i) {
    auto& moment = moments[static_cast<int>(at[i])];
    const int k = static_cast<int>(id[i]) - 1;
    if (k < 0 || k >= particles) throw Error(fmt::format("{}: no particle {}", file.string(), k + 1));
    moment.x[k] = {columns["x"][i], columns["y"][i], columns["z"][i]};
    moment.v[k] = {columns["vx"][i], columns["vy"][i], columns["vz"][i]};
    moment.w[k] = {columns["wx"][i], columns["wy"][i], columns["wz"][i]};
  }
  return moments;
}

// The chain at rest in its drawn shape, with the velocities of the reference times `liveliness`. Our nodes are aligned
// with the rod and those of the reference with the world: of balls, only the spins matter, and they are world vectors.
Builder::Result chain(const std::string& model, const Moment& start, double liveliness = 1) {
  RodSpec rod;
  rod.name = "chain";
  rod.model = model;
  rod.line = through_points({start.x, start.x + particles}, particles - 1, {0, 0, 1});
  rod.section = [](double) { return circular_section(diameter, 0.3); };
  rod.material = [](double) { return Elasticity{1, 0.4}; };
  rod.density = [](double) { return density; };
  rod.adjust = [](ElasticBond& b) { b.kr = 100, b.ks1 = b.ks2 = 40, b.kt = 7, b.kb1 = b.kb2 = 11; };
  rod.node_mass = mass;
  rod.inertia = NodeInertia::sphere;
  rod.sphere_diameter = diameter;
  Builder builder;
  builder.add(rod);
  auto made = builder.finish();
  for (int i = 0; i < particles; ++i)
    made.state.nodes.set(i, Twist<double>{liveliness * start.v[i], liveliness * start.w[i]});
  return made;
}

// Largest difference of a coordinate of any particle, m.
double distance(const Nodes& nodes, const Moment& reference) {
  double worst = 0;
  for (int i = 0; i < particles; ++i) {
    const V x = nodes.frame(i).x, y = reference.x[i];
    const double ours[] = {x.x, x.y, x.z}, theirs[] = {y.x, y.y, y.z};
    worst = worse(worst, max_abs_difference(ours, theirs));
  }
  return worst;
}

struct Energies {
  std::vector<double> time, potential, total;
};

Energies read_energies(const std::filesystem::path& file) {
  const Table table(file);
  Energies e;
  e.potential = table["pe"];
  const auto at = table["step"], moving = table["ke"], spinning = table["erot"];
  for (std::size_t i = 0; i < table.size(); ++i) {
    e.time.push_back(step * at[i]);
    e.total.push_back(e.potential[i] + moving[i] + spinning[i]);
  }
  return e;
}

struct Trajectory {
  Energies energies;             // at the steps of the reference
  std::vector<double> distance;  // from it
  double growth() const { return 100 * (energies.total.back() / energies.total.front() - 1); }  // %
};

Trajectory fly(const std::string& model, bool richardson, const std::map<int, Moment>& reference) {
  Flight flight(chain(model, reference.begin()->second), step, richardson);
  Trajectory t;
  int now = 0;
  for (const auto& [then, moment] : reference) {
    flight.fly(then - now);
    now = then;
    auto parts = flight.energies();
    t.energies.time.push_back(flight.time());
    t.energies.total.push_back(parts["total"]);
    t.energies.potential.push_back(parts["total"] - parts["kinetic"] - parts["spin"]);
    t.distance.push_back(distance(flight.nodes(), moment));
  }
  return t;
}

// Energy over that of the start until the time is up, or until it is of no use any more.
Series pumping(const std::string& name, const std::string& model, const Moment& start, double liveliness, double dt,
               double until) {
  Flight flight(chain(model, start, liveliness), dt);
  const double first = flight.energy();
  const auto between = std::llround(until / 1000 / dt);
  Series s{name, {0}, {1}};
  while (flight.time() < until * (1 - 1e-9) && s.y.back() < 20) {
    if (!flight.fly(between)) break;
    s.x.push_back(flight.time());
    s.y.push_back(flight.energy() / first);
  }
  return s;
}

Plot long_run(const Moment& start, bool fast, std::vector<std::string>& remarks) {
  const double until = fast ? 40 : 100;
  Plot p{"The same chain for longer", "time", "energy over that of the start", {}, false, true};
  p.series = {pumping("corotational, as above", "corotational", start, 1, step, until),
              pumping("corotational, twice as fast", "corotational", start, 2, step, until),
              pumping("the same, half the step", "corotational", start, 2, 0.5 * step, until),
              pumping("exact, twice as fast", "exact", start, 2, step, until)};
  for (const auto& s : p.series) {
    const auto twice = std::find_if(s.y.begin(), s.y.end(), [](double e) { return e >= 2; });
    const double most = 100 * (*std::max_element(s.y.begin(), s.y.end()) - 1);
    remarks.push_back(twice == s.y.end()
                          ? fmt::format("{}: up to t = {:.0f} the energy grows by {:.2g} %.", s.name, s.x.back(), most)
                          : fmt::format("{}: by t = {:.0f} the energy has doubled.", s.name, s.x[twice - s.y.begin()]));
  }
  return p;
}

}  // namespace

Result run(const Context& context) {
  Result r;
  const auto moments = read_moments(context.folder / "trajectory_oracle_free.csv");
  const auto reference = read_energies(context.folder / "trajectory_oracle_free_energy.csv");
  const auto ours = fly("corotational", false, moments), richardson = fly("corotational", true, moments),
             exact = fly("exact", false, moments);
  const double growth = 100 * (reference.total.back() / reference.total.front() - 1), first = reference.total.front();
  r.rows = {
      small("positions at step 4000", ours.distance.back(), 1e-8, "(length)"),
      small("positions at step 4000, Richardson's update", richardson.distance.back(), 1e-10, "(length)"),
      compared("growth of the energy", ours.growth(), growth, 0.02, "%"),
      small("energy at all outputs", max_abs_difference(ours.energies.total, reference.total) / first, 2e-4, "of E0"),
      small("elastic energy at all outputs", max_abs_difference(ours.energies.potential, reference.potential) / first,
            2e-4, "of E0"),
      small("exact: growth of the energy", exact.growth(), 0.05, "%")};
  Flight half(chain("corotational", moments.begin()->second), 0.5 * step);
  half.fly(2 * moments.rbegin()->first);
  r.remarks = {fmt::format("At half the step the energy grows by {:.3f} %: it is the law, not the stepper.",
                           100 * (half.energy() / first - 1))};
  const auto& t = reference.time;
  r.plots = {{"Total energy",
              "time",
              "energy",
              {{"corotational", t, ours.energies.total},
               {"exact", t, exact.energies.total},
               {"LAMMPS", t, reference.total, true}}},
             {"Distance of the trajectories from LAMMPS's",
              "time",
              "largest difference of a coordinate",
              {{"our rotations", t, ours.distance}, {"Richardson's update", t, richardson.distance}},
              false,
              true},
             long_run(moments.begin()->second, context.manner.fast, r.remarks)};
  return r;
}

}  // namespace ls::validation::free_chain_trajectory
