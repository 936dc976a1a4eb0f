#include "step/energy.h"

#include "terms/field_term.h"

#include <algorithm>

namespace ls {

namespace {
constexpr int nodes_per_sum = 1024;

struct NodeSums {
  double kinetic = 0, spin = 0, gravity = 0;

  void add(const Model& m, const Inputs& in, const State& s, int i) {
    const auto f = s.nodes.frame(i);
    const auto t = s.nodes.twist(i);
    const auto w = rotate(conj(f.q), t.w);
    kinetic += 0.5 * m.mass[i] * dot(t.v, t.v);
    spin += 0.5 * (m.inertia[0][i] * w.x * w.x + m.inertia[1][i] * w.y * w.y + m.inertia[2][i] * w.z * w.z);
    gravity -= in.load_factor * m.mass[i] * dot(in.gravity, f.x);
  }
};

// All of them under their names, in the order of the probes; terms may bring names of their own.
std::vector<EnergyPart> named(const NodeSums& sum, const std::vector<EnergyPart>& of_terms) {
  std::vector<EnergyPart> all = {
      {"kinetic", sum.kinetic}, {"spin", sum.spin}, {"stretch", 0}, {"shear", 0}, {"bend", 0}, {"twist", 0},
      {"gravity", sum.gravity}, {"zeeman", 0}};
  for (const auto& e : of_terms) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const EnergyPart& a) { return a.name == e.name; });
    if (at != all.end())
      at->value += e.value;
    else
      all.push_back(e);
  }
  double total = 0;
  for (const auto& e : all) total += e.value;
  all.push_back({"total", total});
  return all;
}
}  // namespace

std::vector<EnergyPart> energies(const Model& m, const Inputs& in, const State& s, Team& team) {
  const int sums = (m.nodes + nodes_per_sum - 1) / nodes_per_sum;
  std::vector<NodeSums> part(static_cast<std::size_t>(sums));
  team.run(sums, 8, [&](int first, int last) {
    for (int p = first; p < last; ++p)
      for (int i = p * nodes_per_sum; i < std::min(m.nodes, (p + 1) * nodes_per_sum); ++i) part[p].add(m, in, s, i);
  });
  NodeSums sum;
  for (const auto& p : part) sum = {sum.kinetic + p.kinetic, sum.spin + p.spin, sum.gravity + p.gravity};
  std::vector<EnergyPart> of_terms;
  for (const auto& term : m.terms) term->add_energy(s, in, of_terms, team);
  return named(sum, of_terms);
}

std::vector<EnergyPart> energies(const Model& m, const Body& body, const Inputs& in, const State& s) {
  std::vector<char> mine(static_cast<std::size_t>(m.nodes), 0);
  NodeSums sum;
  for (const int i : body.nodes) mine[i] = 1, sum.add(m, in, s, i);
  std::vector<BondRecord> records;
  for (const auto& term : m.terms) term->records(s, records);
  std::vector<EnergyPart> parts = {{"stretch", 0}, {"shear", 0}, {"bend", 0}, {"twist", 0}};
  for (const auto& r : records)
    if (mine[r.node1] && mine[r.node2] && !r.broken)
      for (std::size_t k = 0; k < 4; ++k) parts[k].value += r.energy[k];
  parts.push_back({"zeeman", energy_in_fields(m, s, in, body.nodes)});
  return named(sum, parts);
}

double external_energy(const Model& m, const Inputs& in, const State& s, Team& team) {
  double sum = 0;
  for (int i = 0; i < m.nodes; ++i) sum -= in.load_factor * m.mass[i] * dot(in.gravity, s.nodes.frame(i).x);
  std::vector<EnergyPart> parts;
  for (const auto& term : m.terms)
    if (term->is_external()) term->add_energy(s, in, parts, team);
  for (const auto& p : parts) sum += p.value;
  return sum;
}

double total_energy(const std::vector<EnergyPart>& parts) {
  return energy_of(parts, "total");
}

double energy_of(const std::vector<EnergyPart>& parts, std::string_view name) {
  for (const auto& p : parts)
    if (p.name == name) return p.value;
  return 0;
}

}  // namespace ls
