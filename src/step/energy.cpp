#include "step/energy.h"

#include "model/dipoles_in_fields.h"
#include "model/inertia.h"
#include "terms/blocked_sum.h"
#include "terms/bonds/bond_terms.h"

namespace ls {

namespace {
constexpr int nodes_per_sum = 1024;
constexpr int least_sums = 8;  // below, threads cost more than they save

struct NodeSums {
  double kinetic = 0, spin = 0, gravity = 0;

  void add(const Model& m, const Inputs& in, const State& s, int i) {
    const auto f = s.nodes.frame(i);
    const auto t = s.nodes.twist(i);
    const auto w = rotate(conj(f.q), t.w), inertia = principal_inertia(m, i);
    kinetic += 0.5 * m.mass[i] * dot(t.v, t.v);
    spin += 0.5 * (inertia.x * w.x * w.x + inertia.y * w.y * w.y + inertia.z * w.z * w.z);
    gravity -= in.load_factor * m.mass[i] * dot(in.gravity, f.x);
  }
  NodeSums& operator+=(const NodeSums& o) { return *this = {kinetic + o.kinetic, spin + o.spin, gravity + o.gravity}; }
  void add_to(Energies& e) const {
    e.add(EnergyKind::kinetic, kinetic);
    e.add(EnergyKind::spin, spin);
    e.add(EnergyKind::gravity, gravity);
  }
};

Energies sums(const Model& m, const Inputs& in, const State& s, Work& work) {
  Energies e = energies_of(work.terms, s, in, Energies::Wanted::all, work.team);
  blocked_sum<NodeSums>(m.nodes, nodes_per_sum, least_sums, work.team, [&](int i, NodeSums& part) {
    part.add(m, in, s, i);
  }).add_to(e);
  return e;
}
}  // namespace

std::vector<EnergyPart> energies(const Model& m, const Inputs& in, const State& s, Work& work) {
  return sums(m, in, s, work).named();
}

double total_energy(const Model& m, const Inputs& in, const State& s, Work& work) {
  return sums(m, in, s, work).total();
}

std::vector<EnergyPart> energies(const Model& m, const Body& body, const Inputs& in, const State& s) {
  std::vector<char> mine(m.nodes, 0);
  NodeSums sum;
  for (const int i : body.nodes) mine[i] = 1, sum.add(m, in, s, i);
  Energies e;
  for (const BondRecord& r : bond_records(m, s))
    if (mine[r.node1] && mine[r.node2] && !r.broken) {
      e.add(EnergyKind::stretch, r.energy[0]);
      e.add(EnergyKind::shear, r.energy[1]);
      e.add(EnergyKind::bend, r.energy[2]);
      e.add(EnergyKind::twist, r.energy[3]);
    }
  sum.add_to(e);
  e.add(EnergyKind::zeeman, energy_in_fields(m, s, in, body.nodes));
  return e.named();
}

double external_energy(const Model& m, const Inputs& in, const State& s, Work& work) {
  double sum = 0;
  for (int i = 0; i < m.nodes; ++i) sum -= in.load_factor * m.mass[i] * dot(in.gravity, s.nodes.frame(i).x);
  const auto wanted = in.moment_factor.empty() ? Energies::Wanted::external : Energies::Wanted::external_and_dipoles;
  return sum + energies_of(work.terms, s, in, wanted, work.team).total();
}

}  // namespace ls
