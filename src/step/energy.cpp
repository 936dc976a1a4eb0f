#include "step/energy.h"

#include <algorithm>
#include <map>

namespace ls {

namespace {
constexpr int nodes_per_sum = 1024;

struct NodeSums {
  double kinetic = 0, spin = 0, gravity = 0;
};
}  // namespace

std::vector<EnergyPart> energies(const Model& m, const Inputs& in, const State& s, Team& team) {
  const int sums = (m.nodes + nodes_per_sum - 1) / nodes_per_sum;
  std::vector<NodeSums> part(static_cast<std::size_t>(sums));
  team.run(sums, 8, [&](int first, int last) {
    for (int p = first; p < last; ++p)
      for (int i = p * nodes_per_sum; i < std::min(m.nodes, (p + 1) * nodes_per_sum); ++i) {
        const auto f = s.nodes.frame(i);
        const auto t = s.nodes.twist(i);
        const auto w = rotate(conj(f.q), t.w);
        part[p].kinetic += 0.5 * m.mass[i] * dot(t.v, t.v);
        part[p].spin += 0.5 * (m.inertia[0][i] * w.x * w.x + m.inertia[1][i] * w.y * w.y + m.inertia[2][i] * w.z * w.z);
        part[p].gravity -= m.mass[i] * in.load_factor * dot(in.gravity, f.x);
      }
  });
  NodeSums sum;
  for (const auto& p : part) sum = {sum.kinetic + p.kinetic, sum.spin + p.spin, sum.gravity + p.gravity};
  std::vector<EnergyPart> of_terms;
  for (const auto& term : m.terms) term->add_energy(s, in, of_terms, team);
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
