#include "terms/make_terms.h"

#include "terms/bonds/bond_terms.h"
#include "terms/contact/barrier_term.h"
#include "terms/contact/hertz_mindlin_term.h"
#include "terms/damping_term.h"
#include "terms/dipoles/dipole_term.h"
#include "terms/drag_term.h"
#include "terms/field_term.h"
#include "terms/marker_term.h"

#include <algorithm>

namespace ls {

// Contact of explicit runs comes last: a sweep adds it to its few nodes after all else, and separate passes must sum in
// the same order.
Terms make_terms(const Model& m) {
  Terms t;
  for (const BondTable& table : m.bond_tables) {
    if (table.paper_rate) t.all.push_back(make_paper_damping(table));
    t.all.push_back(make_bond_term(m.nodes, table));
  }
  const auto add_contact = [&](std::unique_ptr<Contact> contact) {
    Contact* added = contact.get();
    t.all.push_back(std::move(contact));
    return added;
  };
  if (m.shapes) t.barrier = add_contact(make_barrier_term(*m.shapes, m.barrier));
  if (!m.moment[0].empty()) t.all.push_back(make_field_term(m)), t.magnetic.push_back(t.all.back().get());
  if (!m.soft.cells.empty()) {  // before the dipoles, which hold what nothing turns
    auto induction = make_induction_term(m);
    t.induction = induction.get();
    t.all.push_back(std::move(induction)), t.magnetic.push_back(t.all.back().get());
  }
  if (m.dipoles.interact) t.all.push_back(make_dipole_term(m)), t.magnetic.push_back(t.all.back().get());
  if (!m.drag.empty()) t.all.push_back(make_drag_term(m));
  if (!m.damping.empty()) t.all.push_back(make_damping_term(m));
  if (!m.markers.markers.empty()) t.all.push_back(make_marker_term(m.markers));
  if (!m.joints.empty()) {
    auto joints = std::make_unique<Joints>(m);
    t.joints = joints.get();
    t.all.push_back(std::move(joints));
  }
  if (m.shapes) t.hertz_mindlin = add_contact(make_hertz_mindlin_term(*m.shapes, m));
  return t;
}

Contact* Terms::contact(const Inputs& in) const {
  switch (in.contact) {
    case ContactLaw::barrier:
      return barrier;
    case ContactLaw::hertz_mindlin:
      return hertz_mindlin;
    case ContactLaw::none:
      return nullptr;
  }
  return nullptr;
}

std::size_t Terms::bytes() const {
  std::size_t sum = 0;
  for (const auto& term : all) sum += term->bytes();
  return sum;
}

void add_wrenches(const Terms& terms, const State& s, const Inputs& in, const Blocks& blocks, Wrenches& out) {
  for (const auto& term : terms.all)
    if (term->scope(in) != Scope::idle) term->add_wrenches(s, in, blocks, out);
}

Energies energies_of(const Terms& terms, const State& s, const Inputs& in, Energies::Wanted wanted, Team& team) {
  Energies sum(wanted);
  for (const auto& term : terms.all) term->add_energy(s, in, sum, team);
  return sum;
}

ContactReport contact_report(const Model& model, const Terms& terms, const State& state, const Inputs& in) {
  ContactReport r;
  r.force.assign(model.nodes, {});
  if (model.shapes) r.gap.assign(model.nodes, model.shapes->settings.thickness), r.touching.assign(model.nodes, 0.0);
  if (Contact* contact = terms.contact(in)) contact->report(state, in, r);
  std::ranges::sort(r.bodies);
  r.bodies.erase(std::unique(r.bodies.begin(), r.bodies.end()), r.bodies.end());
  return r;
}

Wrenches magnetic_wrenches(const Model& model, const Terms& terms, const State& state, const Inputs& in, Team& team) {
  Wrenches w;
  w.need_node_columns(model.nodes);
  for (Term* term : terms.magnetic)
    if (term->scope(in) != Scope::idle) term->add_wrenches(state, in, Blocks::all(model.nodes, team), w);
  return w;
}

}  // namespace ls
