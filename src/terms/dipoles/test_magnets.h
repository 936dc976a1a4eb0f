#pragma once
// A few magnets in random poses, for tests of what they do to each other.
#include "base/rng.h"
#include "math/rotation.h"
#include "terms/dipoles/dipole_term.h"

namespace ls::test_magnets {

using V = Vec3<double>;

inline constexpr int bodies = 4;

inline V random_vector(std::uint64_t k) {
  const auto draw = [&](std::uint64_t c) { return 2 * uniform(11, 0, k, c) - 1; };
  return {draw(0), draw(1), draw(2)};
}

// Two bodies with a dipole at their middle, one with three, one with two.
inline Model some_magnets() {
  Model m;
  m.nodes = bodies;
  const auto room = static_cast<std::size_t>(padded(bodies));
  m.mass.assign(room, 1.0);
  for (Column& c : m.inertia) c.assign(room, 1.0);
  for (Column& c : m.moment) c.assign(room, 0.0);
  m.held.assign(bodies, 0);
  m.radius.assign(bodies, 0.1);
  for (int i = 0; i < bodies; ++i) {
    V sum = 1e3 * random_vector(static_cast<std::uint64_t>(i));
    if (i >= 2) sum = {};
    for (int k = 0; i >= 2 && k < 5 - i; ++k) {
      const auto id = 20 + 4 * static_cast<std::uint64_t>(i) + static_cast<std::uint64_t>(k);
      m.dipoles.samples.push_back({i, 0.2 * random_vector(id), 1e3 * random_vector(id + 50)});
      sum += m.dipoles.samples.back().moment;
    }
    m.moment[0][i] = sum.x, m.moment[1][i] = sum.y, m.moment[2][i] = sum.z;
  }
  m.dipoles.interact = true;
  return m;
}
inline State some_poses() {
  State s;
  s.nodes = Nodes(bodies);
  for (int i = 0; i < bodies; ++i)
    s.nodes.set(
        i, Frame<double>{V{static_cast<double>(i), 0, 0} + 0.3 * random_vector(100 + static_cast<std::uint64_t>(i)),
                         turn(2.0 * random_vector(200 + static_cast<std::uint64_t>(i)))});
  return s;
}
inline State moved(const State& from, int node, int dof, double by) {
  State s = from;
  auto f = s.nodes.frame(node);
  const V e{dof % 3 == 0 ? by : 0, dof % 3 == 1 ? by : 0, dof % 3 == 2 ? by : 0};
  if (dof < 3)
    f.x += e;
  else
    f.q = turn(e) * f.q;
  s.nodes.set(node, f);
  return s;
}
inline double energy(Term& term, const State& s) {
  Team alone;
  Energies e;
  term.add_energy(s, {}, e, alone);
  return e.total();
}
// start: that of a step that has come to the state; null: there is none
inline std::vector<double> wrenches(Term& term, const State& s, const Nodes* start = nullptr) {
  Team alone;
  Inputs in;
  in.rule.start = start;
  Wrenches w(bodies);
  w.need_node_columns(bodies);
  term.add_wrenches(s, in, Blocks::all(bodies, alone), w);
  std::vector<double> all;
  for (int i = 0; i < bodies; ++i)
    for (const auto* triple : {w.force, w.torque})
      for (int c = 0; c < 3; ++c) all.push_back(triple[c][i]);
  return all;
}

inline NodePairs all_pairs() {
  NodePairs pairs;
  for (int a = 0; a < bodies; ++a)
    for (int b = a + 1; b < bodies; ++b) pairs.emplace_back(a, b);
  return pairs;
}
// So that nothing is made up about the spins of balls.
inline StiffnessRequest moving() {
  StiffnessRequest r;
  r.rate = 1;
  return r;
}

}  // namespace ls::test_magnets
