#include "run/probe_values.h"

#include "math/rotation.h"
#include "model/mass_damping.h"
#include "model/soft_moments.h"
#include "run/fluid/fluid_probes.h"
#include "scene/probe_kinds.h"
#include "step/energy.h"
#include "terms/dipoles/magnetic_field.h"
#include "terms/make_terms.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace ls {

namespace {

using V = Vec3<double>;
using Values = std::vector<ProbeValue>;

// Reactions: minus what acts on the held degrees of freedom.
V reaction(const V& acting, int mask) {
  return {mask & 1 ? -acting.x : 0, mask & 2 ? -acting.y : 0, mask & 4 ? -acting.z : 0};
}

int held_mask(const Inputs& in, int node) {
  for (const auto& h : in.held)
    if (h.node == node) return h.mask;
  return 0;
}

// What touches, worked out once and only where a probe asks for it.
class Contacts {
 public:
  Contacts(const Model& m, const Terms& terms, const State& s, const Inputs& in)
      : m_(m), terms_(terms), s_(s), in_(in) {}
  const ContactReport& report() {
    if (!report_) report_ = contact_report(m_, terms_, s_, in_);
    return *report_;
  }
  V force(int node) { return report().force[node]; }

 private:
  const Model& m_;
  const Terms& terms_;
  const State& s_;
  const Inputs& in_;
  std::optional<ContactReport> report_;
};

// What acts on dipoles, likewise.
class MagneticWrenches {
 public:
  MagneticWrenches(const Model& m, Work& work, const State& s, const Inputs& in) : m_(m), work_(work), s_(s), in_(in) {}
  V force(int node) { return of(wrenches().force, node); }
  V torque(int node) { return of(wrenches().torque, node); }

 private:
  static V of(const Column (&c)[3], int node) { return {c[0][node], c[1][node], c[2][node]}; }
  const Wrenches& wrenches() {
    if (!found_) found_ = magnetic_wrenches(m_, work_.terms, s_, in_, work_.team);
    return *found_;
  }
  const Model& m_;
  Work& work_;
  const State& s_;
  const Inputs& in_;
  std::optional<Wrenches> found_;
};

// What is worked out for several probes at once.
struct Reports {
  const Model& model;
  Contacts contacts;
  MagneticWrenches magnetic;
  const Joints* joints;

  Wrench<double> acting(int node, const State& s, const Inputs& in) const {
    Wrench<double> w = s.nodes.wrench(node);
    w += mass_damping(model, in, s.nodes, node);
    if (joints) w += joints->by_impulses(node, s, in);
    return w;
  }
};

V node_vector(const Plan& plan, const std::string& what, int i, const State& s, const Inputs& in, Reports& reports) {
  const auto& n = s.nodes;
  const auto frame = n.frame(i), first = plan.start.nodes.frame(i);
  if (what == "position") return frame.x;
  if (what == "displacement") return frame.x - first.x;
  if (what == "velocity") return n.twist(i).v;
  if (what == "angular_velocity") return n.twist(i).w;
  if (what == "force") return reports.acting(i, s, in).force;
  if (what == "torque") return reports.acting(i, s, in).torque;
  if (what == "contact_force") return reports.contacts.force(i);
  if (what == "moment")
    return rotate(frame.q, moment_factor(in, i) * moment_of(plan.model, i) + induced_moment_of(plan.model, s, i));
  if (what == "magnetic_force") return reports.magnetic.force(i);
  if (what == "magnetic_torque") return reports.magnetic.torque(i);
  if (what == "fluid_force") return fluid_force(plan, s, i);
  if (what == "reaction_force") return reaction(reports.acting(i, s, in).force, held_mask(in, i));
  if (what == "reaction_torque") return reaction(reports.acting(i, s, in).torque, held_mask(in, i) >> 3);
  return rotation_vector(frame.q * conj(first.q));  // turn
}

void add_node(Values& out, const Plan& plan, const std::string& what, int i, const std::string& name, const State& s,
              const Inputs& in, Reports& reports) {
  if (what != "orientation") return add(out, name, node_vector(plan, what, i, s, in, reports));
  const auto q = s.nodes.frame(i).q;
  out.push_back({name + ".w", q.w});
  add(out, name, q.v);
}

void add_part(Values& out, const Plan& plan, const ProbeKind& kind, const std::vector<int>& nodes, const State& s,
              const Inputs& in, Reports& reports) {
  V sum;
  for (const int i : nodes) sum += node_vector(plan, kind.name, i, s, in, reports);
  add(out, kind.name, kind.is_summed() ? sum : (1.0 / static_cast<double>(nodes.size())) * sum);
}

void add_body(Values& out, const Plan& plan, const std::string& what, const Body& body, const State& s,
              const Inputs& in, Reports& reports) {
  const auto each = [&](const std::function<V(int)>& of, const std::function<void(const V&)>& visit) {
    for (const int i : body.nodes) visit(of(i));
  };
  const auto position = [&](int i) { return s.nodes.frame(i).x; };
  if (what == "energy") {
    for (const auto& p : energies(plan.model, body, in, s)) out.push_back({"energy." + p.name, p.value});
    return;
  }
  if (what == "length") {
    double sum = 0;
    for (std::size_t i = 1; i < body.nodes.size(); ++i)
      sum += norm(position(body.nodes[i]) - position(body.nodes[i - 1]));
    out.push_back({what, sum});
  } else if (what == "net_contact_force" || what == "net_fluid_force") {
    V sum;
    for (const int i : body.nodes)
      sum += what == "net_fluid_force" ? fluid_force(plan, s, i) : reports.contacts.force(i);
    add(out, what, sum);
  } else if (what == "max_abs") {
    V most;
    each(position, [&](const V& x) {
      most = {std::max(most.x, std::abs(x.x)), std::max(most.y, std::abs(x.y)), std::max(most.z, std::abs(x.z))};
    });
    add(out, what, most);
  } else if (what == "max_displacement") {
    double most = 0;
    for (const int i : body.nodes) most = std::max(most, norm(position(i) - plan.start.nodes.frame(i).x));
    out.push_back({what, most});
  } else if (what == "mean_position" || what == "mean_velocity") {  // of the mass
    V sum;
    double mass = 0;
    for (const int i : body.nodes) {
      sum += plan.model.mass[i] * (what == "mean_position" ? position(i) : s.nodes.twist(i).v);
      mass += plan.model.mass[i];
    }
    add(out, what, (1 / mass) * sum);
  } else {
    for (std::size_t k = 0; k < body.nodes.size(); ++k)
      add_node(out, plan, what, body.nodes[k], fmt::format("{}[{}]", what, k), s, in, reports);
  }
}

void add_system(Values& out, const Plan& plan, const std::string& what, const State& s, const Inputs& in, Work& work,
                Reports& reports) {
  const Model& m = plan.model;
  if (what == "contacts") return out.push_back({what, static_cast<double>(reports.contacts.report().contacts)});
  if (what == "min_gap") return out.push_back({what, reports.contacts.report().min_gap});
  const auto parts = energies(m, in, s, work);
  if (what == "energy") {
    for (const auto& p : parts) out.push_back({"energy." + p.name, p.value});
  } else if (what == "ledger") {
    const Ledger& l = s.memory.ledger;
    const double balance = energy_of(parts, "total") - l.expected();
    const std::pair<const char*, double> all[] = {
        {"drives", l.drives},     {"loads", l.loads},           {"motors", l.motors},
        {"fields", l.fields},     {"dissipated", l.dissipated}, {"contact", energy_of(parts, "contact")},
        {"friction", l.friction}, {"barrier", l.barrier},       {"numerical", l.numerical},
        {"balance", balance}};
    for (const auto& [name, value] : all) out.push_back({std::string("ledger.") + name, value});
  } else if (what == "negative_pivots") {
    out.push_back({what, static_cast<double>(s.memory.negative_pivots)});
  } else if (what == "kinetic") {
    out.push_back({what, energy_of(parts, "kinetic") + energy_of(parts, "spin")});
  } else if (what == "temperature") {  // by equipartition over six degrees of freedom a node
    constexpr double boltzmann = 1.380649e-23;
    const int walls = static_cast<int>(std::ranges::count(m.bodies, BodyKind::wall, &Body::kind));
    const double degrees = 3.0 * std::max(1, m.nodes - walls);
    out.push_back({what, (energy_of(parts, "kinetic") + energy_of(parts, "spin")) / (degrees * boltzmann)});
  } else {
    V momentum, angular;
    double fastest = 0;
    for (int i = 0; i < m.nodes; ++i) {
      const auto f = s.nodes.frame(i);
      const auto t = s.nodes.twist(i);
      momentum += m.mass[i] * t.v;
      angular += cross(f.x, m.mass[i] * t.v) + angular_momentum(m, i, f.q, t.w);
      const Body& body = m.bodies[m.body_of[i]];
      if (body.kind != BodyKind::wall) fastest = std::max(fastest, norm(t.v));
    }
    if (what == "momentum") add(out, what, momentum);
    if (what == "angular_momentum") add(out, what, angular);
    if (what == "max_speed") out.push_back({what, fastest});
  }
}

void add_joint(Values& out, const std::string& what, const JointReport& joint) {
  if (what == "travel" || what == "angle") out.push_back({what, joint.travel});
  if (what == "rate") out.push_back({what, joint.rate});
  if (what == "force") add(out, what, joint.force);
  if (what == "torque") add(out, what, joint.torque);
  if (what == "motor") out.push_back({what, joint.motor});
  if (what == "error") out.push_back({what, joint.error});
}

}  // namespace

void add(std::vector<ProbeValue>& out, const std::string& name, const Vec3<double>& a) {
  out.push_back({name + ".x", a.x});
  out.push_back({name + ".y", a.y});
  out.push_back({name + ".z", a.z});
}

std::vector<ProbeValue> probe_values(const Plan& plan, const Probe& probe, const State& s, const Inputs& in,
                                     Work& work) {
  Values out;
  if (probe.of == ProbeOf::fluid || probe.of == ProbeOf::place) {
    add_fluid_values(out, plan, probe, s, in, work.team);
    return out;
  }
  if (probe.of == ProbeOf::field) {
    const V b = MagneticField(plan.model, s, in).at(probe.at);
    for (const auto& what : probe.record) add(out, what, b);
    return out;
  }
  if (probe.of == ProbeOf::joint) {
    const JointReport report = work.terms.joints->report(probe.index, s, in);
    for (const auto& what : probe.record) add_joint(out, what, report);
    return out;
  }
  Reports reports{plan.model, {plan.model, work.terms, s, in}, {plan.model, work, s, in}, work.terms.joints};
  for (const auto& what : probe.record) {
    const ProbeKind* kind = find_probe_kind(what, probe);
    if (probe.of == ProbeOf::node && kind && kind->is_per_node())
      add_node(out, plan, what, probe.index, what, s, in, reports);
    else if (probe.of == ProbeOf::node)
      add_body(out, plan, what, plan.model.bodies[probe.single], s, in, reports);
    else if (probe.of == ProbeOf::part)
      add_part(out, plan, *kind, probe.nodes, s, in, reports);
    else if (probe.of == ProbeOf::body)
      add_body(out, plan, what, plan.model.bodies[probe.index], s, in, reports);
    else
      add_system(out, plan, what, s, in, work, reports);
  }
  return out;
}

}  // namespace ls
