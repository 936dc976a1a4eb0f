#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::tumbling {

namespace {

using V = Vec3<double>;

constexpr V inertia{1, 2, 3}, first_spin{0.3, 1, 0.2};  // nearly about the middle axis: it turns over again and again
constexpr int steps_a_turn = 200, turns_compared = 20;
const double turn_time = 2 * 3.141592653589793 / norm(first_spin);

V momentum(const V& own_spin) {
  return {inertia.x * own_spin.x, inertia.y * own_spin.y, inertia.z * own_spin.z};
}

// One free body on which nothing acts, made by hand: a Builder makes rods.
Builder::Result body() {
  Builder::Result r;
  Model& m = r.model;
  const auto size = static_cast<std::size_t>(padded(1));
  m.nodes = 1;
  m.mass.assign(size, 0.0);
  for (auto& column : m.inertia) column.assign(size, 1.0);
  m.mass[0] = 1;
  m.inertia[0][0] = inertia.x, m.inertia[1][0] = inertia.y, m.inertia[2][0] = inertia.z;
  m.held = {0}, m.radius = {0}, m.body_of = {0};
  m.bodies.resize(1);
  m.bodies[0].name = "body", m.bodies[0].kind = BodyKind::rigid, m.bodies[0].nodes = {0};
  r.state.nodes = Nodes(1);
  r.state.nodes.set(0, Twist<double>{{}, first_spin});
  return r;
}

// Euler's equations in the body's own axes, I w' = (I w) x w, by the classical Runge-Kutta method.
V rate(const V& w) {
  const V l = cross(momentum(w), w);
  return {l.x / inertia.x, l.y / inertia.y, l.z / inertia.z};
}
V advanced(const V& w, double h) {
  const V a = rate(w), b = rate(w + (0.5 * h) * a), c = rate(w + (0.5 * h) * b), d = rate(w + h * c);
  return w + (h / 6) * (a + 2.0 * b + 2.0 * c + d);
}
// The spin `parts` times a turn, 8000 Runge-Kutta steps a turn: half as many would change it by 6e-12.
std::vector<V> euler_solution(int parts) {
  std::vector<V> spin{first_spin};
  const int fine = std::max(1, 8000 / parts);
  for (int k = 0; k < turns_compared * parts; ++k) {
    V w = spin.back();
    for (int i = 0; i < fine; ++i) w = advanced(w, turn_time / parts / fine);
    spin.push_back(w);
  }
  return spin;
}

struct History {
  std::vector<double> energy;  // at every step, over that of the start
  double momentum_error = 0;   // largest, over the momentum
  std::vector<V> spin;         // in the body's axes at every step of the first turns
};

History watch(int parts, int turns) {
  Flight flight(body(), turn_time / parts);
  const double first = flight.energy();
  const V l0 = momentum(first_spin);
  History h{{1.0}, 0, {first_spin}};
  for (int k = 1; k <= turns * parts; ++k) {
    flight.fly(1);
    const Quat<double> q = flight.nodes().frame(0).q;
    const V own = rotate(conj(q), flight.nodes().twist(0).w);
    h.momentum_error = worse(h.momentum_error, norm(rotate(q, momentum(own)) - l0) / norm(l0));
    h.energy.push_back(flight.energy() / first);
    if (k <= turns_compared * parts) h.spin.push_back(own);
  }
  return h;
}

double spin_error(const History& h, int parts) {
  const auto right = euler_solution(parts);
  double worst = 0;
  for (std::size_t k = 0; k < right.size(); ++k) worst = worse(worst, norm(h.spin[k] - right[k]) / norm(first_spin));
  return worst;
}

Plot spins(const History& h) {
  Plot p{"Spin in the body's axes", "turns", "spin (rad/s)", {}};
  const auto right = euler_solution(10);
  const std::pair<const char*, double V::*> axes[] = {{"axis 1", &V::x}, {"axis 2", &V::y}, {"axis 3", &V::z}};
  for (const bool reference : {false, true})
    for (const auto& [name, component] : axes) {
      Series s{reference ? std::string("Euler, ") + name : name, {}, {}, reference};
      const auto& from = reference ? right : h.spin;
      const int parts = reference ? 10 : steps_a_turn, every = reference ? 1 : 4;
      for (int k = 0; k <= 6 * parts; k += every)
        s.x.push_back(static_cast<double>(k) / parts), s.y.push_back(from[k].*component);
      p.series.push_back(s);
    }
  return p;
}

Series first_energies(const std::string& name, const History& h, int parts) {
  Series s{name, {}, {}};
  for (int k = 0; k <= 10 * parts; k += parts / steps_a_turn) {
    s.x.push_back(static_cast<double>(k) / parts);
    s.y.push_back(h.energy[k] - 1);
  }
  return s;
}

}  // namespace

Result run(const Context& context) {
  Result r;
  const int turns = context.manner.fast ? 100 : 1000;
  const auto coarse = watch(steps_a_turn, turns), fine = watch(2 * steps_a_turn, turns);
  const double ratio = band(coarse.energy) / band(fine.energy);
  const std::string during = fmt::format(", {} turns", turns);
  r.rows = {small("angular momentum" + during, coarse.momentum_error, 1e-10, "of L"),
            small("angular momentum, half the step" + during, fine.momentum_error, 1e-10, "of L"),
            small("band of the energy" + during, band(coarse.energy), 2e-4, "of E0"),
            compared("band over band at half the step", ratio, 4, 0.5)};
  const double h[] = {1, 0.5}, errors[] = {spin_error(coarse, steps_a_turn), spin_error(fine, 2 * steps_a_turn)};
  r.rows.push_back(compared("order of the spin's error", convergence_order(h, errors), 2, 0.1));
  const std::span energy(coarse.energy);
  const auto quarter = energy.size() / 4;
  const double drift = mean(energy.last(quarter)) - mean(energy.first(quarter));
  r.remarks = {
      fmt::format("From the first quarter of the run to the last the mean energy changes by {:.1g} of itself.", drift),
      fmt::format("In the first {} turns the spin is off by up to {:.2g} of itself, at half the step by {:.2g}: "
                  "a delay that grows with time.",
                  turns_compared, errors[0], errors[1])};
  r.plots = {spins(coarse),
             {"Energy",
              "turns",
              "energy over that of the start, less 1",
              {first_energies("200 steps a turn", coarse, steps_a_turn),
               first_energies("400 steps a turn", fine, 2 * steps_a_turn)}}};
  return r;
}

}  // namespace ls::validation::tumbling
