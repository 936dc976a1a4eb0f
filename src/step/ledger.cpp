#include "step/ledger.h"

#include "math/rotation.h"
#include "model/mass_damping.h"
#include "step/energy.h"
#include "step/explicit_step.h"
#include "step/move.h"

#include <algorithm>

namespace ls {

namespace {

struct Displacement {
  Vec3<double> x, turn;
};
Displacement displacement(const Nodes& a, const Nodes& b, int i) {
  const auto f = a.frame(i), g = b.frame(i);
  const Quat<double> q = g.q * conj(f.q);
  return {g.x - f.x, rotation_vector(nearer(q, {1.0, {}}))};
}
// Of an implicit step, by the velocities that its forces were taken at: its turns are measured as its torques do work.
Displacement displacement(const Nodes& pose, double dt, int i) {
  const auto t = pose.twist(i);
  return {dt * t.v, dt * t.w};
}

// Work of loads over the displacements `way` of nodes; those in body axes point as they do at `pose`.
template <class Way>
double work_of_loads(const Inputs& in, const Nodes& pose, const Way& way) {
  double sum = 0;
  for (const auto& load : in.loads)
    for (std::size_t i = 0; i < load.node.size(); ++i) {
      const int node = load.node[i];
      const Displacement d = way(node);
      const auto q = pose.frame(node).q;
      const Vec3<double> f = load.in_body_axes ? rotate(q, load.force) : load.force;
      const Vec3<double> t = load.in_body_axes ? rotate(q, load.torque) : load.torque;
      sum += in.load_factor * load.weight[i] * (dot(f, d.x) + dot(t, d.turn));
    }
  return sum;
}

// Work of what the constraint must supply, on the held degrees of freedom alone: the others move freely.
double work_on_held(const HeldNode& h, const Wrench<double>& supplied, const Displacement& d) {
  const double force[6] = {supplied.force.x,  supplied.force.y,  supplied.force.z,
                           supplied.torque.x, supplied.torque.y, supplied.torque.z};
  const double by[6] = {d.x.x, d.x.y, d.x.z, d.turn.x, d.turn.y, d.turn.z};
  double sum = 0;
  for (int c = 0; c < 6; ++c)
    if ((h.mask >> c) & 1) sum += force[c] * by[c];
  return sum;
}

Vec3<double> angular_momentum(const Model& m, const Nodes& nodes, int i) {
  return angular_momentum(m, i, nodes.frame(i).q, nodes.twist(i).w);
}

// Gravity and fields that change in time do work on what stands still: the change of their energy from one share of the
// step to the other at given poses, as the mean over the poses at its start and at its end.
double work_of_fields(const Model& m, const InputsAt& at, double from, double to, const Nodes& start, State& end,
                      Work& work) {
  const Inputs later = at(to);
  const bool has_fields = !later.fields.empty();
  const Vec3<double> gone = later.gravity - at(from).gravity;
  if (!has_fields && dot(gone, gone) == 0 && later.moment_factor.empty()) return 0;
  State first;
  first.nodes = start;
  const auto external = [&](double share) {
    const Inputs in = at(share);
    return 0.5 * (external_energy(m, in, first, work) + external_energy(m, in, end, work));
  };
  const double before = external(from);
  return external(to) - before;
}

template <class Way>
double work_of_drives(const Model& m, const Inputs& in, double dt, const Nodes& start, const Nodes& pose,
                      const Nodes& end, const Way& way) {
  double sum = 0;
  for (const auto& h : in.held) {
    const int i = h.node;
    const Displacement d = way(i);
    if (dot(d.x, d.x) + dot(d.turn, d.turn) == 0) continue;
    const auto w = pose.wrench(i);
    const Wrench<double> damping = mass_damping(m, in, pose, i);
    const Vec3<double> push = (m.mass[i] / dt) * (end.twist(i).v - start.twist(i).v) - w.force - damping.force;
    const Vec3<double> spin = angular_momentum(m, end, i) - angular_momentum(m, start, i);
    const Vec3<double> turn = (1 / dt) * spin - w.torque - damping.torque;
    sum += work_on_held(h, {push, turn}, d);
  }
  return sum;
}

double mass_damping_power(const Model& m, const Inputs& in, const Nodes& pose) {
  double power = 0;
  for (int i = 0; i < m.nodes; ++i) {
    const auto t = pose.twist(i);
    const auto w = mass_damping(m, in, pose, i);
    power -= dot(w.force, t.v) + dot(w.torque, t.w);
  }
  return power;
}

// What an implicit step loses of kinetic energy beside the work of the momenta that nodes gain in it: backward Euler's
// displacements are those of the velocities at the end, not of their mean.
double kinetic_lost(const Model& m, const Nodes& start, const Nodes& pose, const Nodes& end) {
  double sum = 0;
  for (int i = 0; i < m.nodes; ++i) {
    const auto a = start.twist(i), p = pose.twist(i), b = end.twist(i);
    sum += m.mass[i] * dot(b.v - a.v, p.v - 0.5 * (a.v + b.v));
    const Vec3<double> la = angular_momentum(m, start, i), lb = angular_momentum(m, end, i);
    sum += dot(lb - la, p.w) - 0.5 * (dot(lb, b.w) - dot(la, a.w));
  }
  return sum;
}

double stored(const Model& m, const Inputs& in, const State& s, Work& work) {
  const auto parts = energies(m, in, s, work);
  return energy_of(parts, "total") - energy_of(parts, "kinetic") - energy_of(parts, "spin");
}

// Reels work on a rope by its change of length: before it moves in a step, from what it was to what the forces of the
// step go by, and after it, to the one it ends with. What the bonds do in between is their own.
double work_of_reels(const Inputs& in, const State& first, const State& end, Work& work) {
  if (in.reels.empty()) return 0;
  const auto bonds = [&](const State& s, const std::vector<double>& reels) {
    State other;
    other.nodes = s.nodes, other.memory.broken = s.memory.broken, other.memory.reels = reels;
    const Energies e = energies_of(work.terms, other, in, Energies::Wanted::bonds, work.team);
    return e[EnergyKind::stretch] + e[EnergyKind::shear] + e[EnergyKind::bend] + e[EnergyKind::twist];
  };
  const auto &from = first.memory.reels, &to = end.memory.reels;
  double sum = 0;
  if (from != in.reels) sum += bonds(first, in.reels) - bonds(first, from);
  if (to != in.reels) sum += bonds(end, to) - bonds(end, in.reels);
  return sum;
}

// Joints of explicit steps pull at what is driven, too: the mean of where they do so at the start and at the end.
void add_impulses(const Inputs& in, const Nodes& start, const State& end, const Joints& joints, Nodes& to) {
  State first;
  first.nodes = start, first.memory = end.memory;
  for (const auto& h : in.held) {
    Wrench<double> w = joints.by_impulses(h.node, first, in);
    w += joints.by_impulses(h.node, end, in);
    const double twice[6] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
    for (int c = 0; c < 3; ++c) to.f[c][h.node] += 0.5 * twice[c], to.t[c][h.node] += 0.5 * twice[3 + c];
  }
}

double work_of_wrenches(const Nodes& pose, double dt) {
  double sum = 0;
  for (int i = 0; i < pose.count; ++i) {
    const auto w = pose.wrench(i);
    const auto t = pose.twist(i);
    sum += dot(w.force, t.v) + dot(w.torque, t.w);
  }
  return dt * sum;
}

}  // namespace

double dissipated_power(const Model& m, const Inputs& in, const State& pose, Work& work) {
  double power = mass_damping_power(m, in, pose.nodes);
  if (!in.flow && !work.dissipates) return power;
  State still;
  still.nodes = pose.nodes;
  still.memory = pose.memory;
  stop_moving(still.nodes);
  Inputs alone = in;
  alone.flow = nullptr, alone.stream = nullptr;  // what a fluid takes counts as dissipated; what it gives, as less
  sum_wrenches(m, alone, still, work);
  for (int i = 0; i < m.nodes; ++i) {
    const auto a = still.nodes.wrench(i), b = pose.nodes.wrench(i);
    const auto t = pose.nodes.twist(i);
    power += dot(a.force - b.force, t.v) + dot(a.torque - b.torque, t.w);
  }
  return power;
}

double work_of_switching(const Model& m, const Inputs& was, const Inputs& is, const State& s, Work& work) {
  return external_energy(m, is, s, work) - external_energy(m, was, s, work);
}

void record_implicit(const Model& m, const InputsAt& at, const Inputs& in, const StepPart& part, const Nodes& start,
                     const Memory& known, const State& pose, State& end, Work& work) {
  const auto way = [&](int i) { return displacement(pose.nodes, part.dt, i); };
  Ledger& ledger = end.memory.ledger;
  const double fields = work_of_fields(m, at, part.from, part.to, start, end, work);
  const double dissipated = part.dt * dissipated_power(m, in, pose, work);
  const double loads = work_of_loads(in, pose.nodes, way);
  Contact* contact = work.terms.contact(in);
  const JointWork joints = work.terms.joints ? work.terms.joints->work(pose, in, part.dt) : JointWork{};
  const double friction = (contact ? contact->friction_work(pose, in, part.dt) : 0) + joints.friction;
  // Forces that store energy act as they are at one pose. What their work there is short of what they stored is the
  // scheme's: for a spring of stiffness k that moves by u, backward Euler's is k u^2/2.
  const double by_terms = dissipated - part.dt * mass_damping_power(m, in, pose.nodes);
  const double given =
      loads + joints.motors - joints.stops - by_terms - friction - work_of_wrenches(pose.nodes, part.dt);
  State first;
  first.nodes = start, first.memory = known, first.clock = pose.clock;
  const double changed = ledger.barrier - known.ledger.barrier;  // of barriers, after forces had acted
  const double reels = work_of_reels(in, first, end, work);
  const double gone_up =
      stored(m, at(part.to), end, work) - stored(m, at(part.from), first, work) - fields - changed - reels;
  ledger.motors += joints.motors + reels;
  ledger.fields += fields, ledger.dissipated += dissipated + joints.stops, ledger.loads += loads,
      ledger.friction += friction;
  ledger.drives += work_of_drives(m, in, part.dt, start, pose.nodes, end.nodes, way);
  ledger.numerical += kinetic_lost(m, start, pose.nodes, end.nodes) + given - gone_up;
}

void record_explicit(const Model& m, const InputsAt& at, const Nodes& start, State& end, double& power, Work& work) {
  Ledger& ledger = end.memory.ledger;
  ledger.fields += work_of_fields(m, at, 0, 1, start, end, work);
  const auto way = [&](int i) { return displacement(start, end.nodes, i); };
  ledger.loads += work_of_loads(at(0.5), end.nodes, way);
  const Inputs in = at(1);
  Nodes mean = end.nodes;  // wrenches and velocities of the middle, by those of both ends
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < m.nodes; ++i) {
      mean.f[c][i] = 0.5 * (start.f[c][i] + end.nodes.f[c][i]),
      mean.t[c][i] = 0.5 * (start.t[c][i] + end.nodes.t[c][i]);
      mean.v[c][i] = 0.5 * (start.v[c][i] + end.nodes.v[c][i]),
      mean.w[c][i] = 0.5 * (start.w[c][i] + end.nodes.w[c][i]);
    }
  if (work.terms.joints) add_impulses(in, start, end, *work.terms.joints, mean);
  ledger.drives += work_of_drives(m, in, in.dt, start, mean, end.nodes, way);
  if (work.terms.joints) {
    State middle;
    middle.nodes = mean, middle.memory = end.memory;
    ledger.motors += work.terms.joints->work(middle, at(0.5), in.dt).motors;
  }
  const double before = power;
  power = dissipated_power(m, in, end, work);
  ledger.dissipated += 0.5 * in.dt * (before + power);
}

void record_static(const Model& m, const InputsAt& at, double from, double to, const State& before, State& end,
                   Work& work) {
  const Nodes& start = before.nodes;
  Ledger& ledger = end.memory.ledger;
  ledger.fields += work_of_fields(m, at, from, to, start, end, work);
  if (work.terms.joints) ledger.motors += work.terms.joints->motor_work(before, at(from), end, at(to));
  Inputs half = at(to);  // from one equilibrium to the next a rope is as long as in their middle
  for (std::size_t k = 0; k < half.reels.size(); ++k)
    half.reels[k] = 0.5 * (before.memory.reels[k] + end.memory.reels[k]);
  ledger.motors += work_of_reels(half, before, end, work);
  const auto way = [&](int i) { return displacement(start, end.nodes, i); };
  ledger.loads += 0.5 * work_of_loads(at(from), start, way);
  const Inputs in = at(to);
  ledger.loads += 0.5 * work_of_loads(in, end.nodes, way);
  for (const auto& h : in.held) {
    const Displacement d = way(h.node);
    if (dot(d.x, d.x) + dot(d.turn, d.turn) == 0) continue;
    const auto a = start.wrench(h.node), b = end.nodes.wrench(h.node);
    ledger.drives += work_on_held(h, {-0.5 * (a.force + b.force), -0.5 * (a.torque + b.torque)}, d);
  }
}

}  // namespace ls
