#include "step/explicit_step.h"

#include "step/rattle.h"
#include "step/richardson.h"
#include "step/stride.h"
#include "step/sweep.h"
#include "step/thermal.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ls {

namespace {

constexpr int least_blocks = 1024;  // below, threads cost more than they save

bool acts_beyond_chains(const Inputs& in, const Work& work) {
  const auto& terms = work.terms.all;
  return !in.loads.empty() || std::any_of(terms.begin(), terms.end(), [&](const auto& t) {
    const Scope scope = t->scope(in);
    return scope != Scope::idle && scope != Scope::chains;
  });
}

NodeBatch batch(const Model& m, const Inputs& in, State& s, Work& work, double dt) {
  NodeBatch b{};
  const bool others = acts_beyond_chains(in, work);
  if (others) work.wrenches.need_node_columns(m.nodes);
  for (int a = 0; a < 3; ++a) {
    b.x[a] = s.nodes.x[a].data();
    b.v[a] = s.nodes.v[a].data();
    b.w[a] = s.nodes.w[a].data();
    b.f[a] = s.nodes.f[a].data();
    b.t[a] = s.nodes.t[a].data();
    b.bond_force[a] = work.wrenches.bond_force[a].data() + block;
    b.bond_torque1[a] = work.wrenches.bond_torque1[a].data() + block;
    b.bond_torque2[a] = work.wrenches.bond_torque2[a].data() + block;
    b.force[a] = others ? work.wrenches.force[a].data() : nullptr;
    b.torque[a] = others ? work.wrenches.torque[a].data() : nullptr;
  }
  for (int a = 0; a < 4; ++a) b.q[a] = s.nodes.q[a].data();
  b.mass = m.mass.data();
  b.inv_mass = work.inv_mass.data();
  b.inv_inertia = work.inv_inertia.data();
  b.excess1 = work.excess1.data();
  b.excess3 = work.excess3.data();
  b.inverse1 = work.inverse1.data();
  b.inverse3 = work.inverse3.data();
  b.dt = dt;
  const Vec3<double> gravity = in.load_factor * in.gravity;
  b.gravity[0] = gravity.x, b.gravity[1] = gravity.y, b.gravity[2] = gravity.z;
  b.keep_v = in.temperature > 0 ? 1.0 : std::exp(-0.5 * dt * in.damping_rate);
  b.keep_w = in.temperature > 0 ? 1.0 : std::exp(-0.5 * dt * in.spin_damping_rate);
  b.symmetric = work.symmetric;
  return b;
}

Outcome kick_and_drift(const Model& m, const NodeBatch& b, Work& work) {
  std::atomic<int> lost{m.nodes};
  Blocks::all(m.nodes, work.team).share(least_blocks, [&](int first, int last) {
    const int node = node_loops().kick_and_drift(b, first, last);
    for (int seen = lost; node >= 0 && node < seen && !lost.compare_exchange_weak(seen, node);) continue;
  });
  work.lost_node = lost < m.nodes ? lost.load() : -1;
  return work.lost_node < 0 ? Outcome::done : Outcome::diverged;
}

void add_loads(const Inputs& in, const State& s, Wrenches& out) {
  for (const auto& load : in.loads)
    for (std::size_t i = 0; i < load.node.size(); ++i) {
      const int n = load.node[i];
      const auto turned = [&](const Vec3<double>& a) {
        return in.load_factor * load.weight[i] * (load.in_body_axes ? rotate(s.nodes.frame(n).q, a) : a);
      };
      out.add(n, {turned(load.force), turned(load.torque)});
    }
}

void find_wrenches(const Model& m, const Inputs& in, const State& s, Work& work) {
  work.wrenches.clear_node_columns();
  add_wrenches(work.terms, s, in, Blocks::all(m.nodes, work.team), work.wrenches);
  add_loads(in, s, work.wrenches);
}

void gather_and_kick(const Model& m, const NodeBatch& b, Work& work) {
  Blocks::all(m.nodes, work.team).share(least_blocks, [&](int first, int last) {
    node_loops().gather_and_kick(b, first, last);
  });
}

// Pass by pass over all nodes: what every step could do.
Outcome step_by_passes(const Model& m, const Inputs& in, State& s, Work& work, const NodeBatch& b) {
  const HeldBefore before(in, s);
  const bool joined = !m.joints.empty();
  const std::optional<Nodes> start = joined ? std::optional(s.nodes) : std::nullopt;  // even empty ones cost a tenth
  if (in.richardson)
    kick_and_drift_richardson(m, in, s, work);
  else if (kick_and_drift(m, b, work) == Outcome::diverged)
    return Outcome::diverged;
  hold_poses(in, before, s);
  carry_along(m, in, before, s);
  if (joined && !close_joints(m, in, *start, s, work)) {
    work.lost_node = std::max(m.joints.joints[0].end[0].node, m.joints.joints[0].end[1].node);
    return Outcome::diverged;
  }
  find_wrenches(m, in, s, work);
  gather_and_kick(m, b, work);
  if (!m.damping.empty()) damp_bodies(m, in, s);
  hold_velocities(in, s);
  if (joined) stop_joints(m, in, s, work);
  note_held(in, s, work);
  return Outcome::done;
}

Outcome step_by_tiles(const Model& m, const Inputs& in, State& s, Work& work, const NodeBatch& b) {
  if (work.terms.contact(in)) return Sweep(m, in, s, work, b).go_by_tiles();
  const Outcome outcome = Stride(m, {&in, 1}, s, work, {&b, 1}).go();
  if (outcome == Outcome::done) note_held(in, s, work);
  return outcome;
}

Outcome step_together(const Model& m, std::span<const Inputs> in, State& s, Work& work) {
  std::vector<NodeBatch> batches;
  for (const Inputs& i : in) batches.push_back(batch(m, i, s, work, i.dt));
  Stride stride(m, in, s, work, batches);
  const Outcome outcome = stride.go();
  const auto taken = outcome == Outcome::done ? in.size() : static_cast<std::size_t>(stride.lost_step());
  for (const Inputs& i : in.first(taken)) end_step(i, s, work);
  return outcome;
}

}  // namespace

void resume_explicit(const Model& m, const Inputs& in, Work& work) {
  for (int i = 0; i < m.nodes; ++i) work.inv_mass[i] = 1 / m.mass[i], work.inv_inertia[i] = 1 / m.inertia[1][i];
  for (const auto& h : in.held) {
    if ((h.mask & hold_position) == hold_position) work.inv_mass[h.node] = 0;
    if ((h.mask & hold_turn) == hold_turn) work.inv_inertia[h.node] = 0;
  }
  work.sweep.islands = find_islands(m, work.team.size());
}

void sum_wrenches(const Model& m, const Inputs& in, State& s, Work& work) {
  const NodeBatch b = batch(m, in, s, work, 0.0);  // a kick of no duration: only the sums
  work.sweep.followed = nullptr;                   // what it knows of the next step was of other forces
  const int others = work.team.active();
  work.sum_pace.start_step(work.team, m.nodes);
  if (goes_by_islands(m, in, work)) {
    Sweep(m, in, s, work, b).sum_by_islands();
  } else {
    find_wrenches(m, in, s, work);
    gather_and_kick(m, b, work);
    note_held(in, s, work);
  }
  work.sum_pace.end_step(work.team);
  work.team.set_active(others);
}

void start_explicit(const Model& m, const Inputs& in, State& s, Work& work) {
  resume_explicit(m, in, work);
  hold_velocities(in, s);
  if (in.rule.by_impulses) stop_joints(m, in, s, work);
  s.memory.angle_step = in.dt;
  sum_wrenches(m, in, s, work);
}

Outcome step_explicit(const Model& m, const Inputs& in, State& s, Work& work) {
  assert(s.nodes.count == m.nodes && in.dt > 0);
  const NodeBatch b = batch(m, in, s, work, in.dt);
  work.pace.start_step(work.team, m.nodes);
  if (in.temperature > 0) add_heat(m, in, s, 0);
  if (!m.damping.empty()) damp_bodies(m, in, s);
  Outcome outcome = Outcome::done;
  const Path path = choose_path(m, in, s, work);
  switch (path) {
    case Path::tiles:
      outcome = step_by_tiles(m, in, s, work, b);
      break;
    case Path::islands:
      outcome = Sweep(m, in, s, work, b).go_by_islands();
      break;
    default:
      outcome = step_by_passes(m, in, s, work, b);
  }
  if (outcome == Outcome::diverged) return outcome;
  if (!m.damping.empty() && path != Path::passes) damp_bodies(m, in, s), hold_velocities(in, s);
  if (in.temperature > 0) add_heat(m, in, s, 1), hold_velocities(in, s);
  end_step(in, s, work);
  work.pace.end_step(work.team);
  return Outcome::done;
}

bool go_together(const Model& m, std::span<const Inputs> in, const State& s, Work& work) {
  if (!work.held_impulse.empty() || work.wrenches.impulses || work.terms.induction) return false;
  if (!m.joints.empty() || !m.damping.empty()) return false;
  if (std::ranges::any_of(m.bond_tables, can_break)) return false;
  return std::ranges::all_of(in, [&](const Inputs& i) {
    return i.temperature == 0 && !work.terms.contact(i) && i.held.size() == in.front().held.size() &&
           choose_path(m, i, s, work) == Path::tiles;
  });
}

Outcome steps_explicit(const Model& m, std::span<const Inputs> in, State& s, Work& work) {
  while (!in.empty()) {
    const auto together = in.first(std::min<std::size_t>(in.size(), most_in_stride));
    work.pace.start_step(work.team, m.nodes);
    const bool may = together.size() > 1 && go_together(m, together, s, work);
    const Outcome outcome = may ? step_together(m, together, s, work) : step_explicit(m, in.front(), s, work);
    if (outcome == Outcome::diverged) return outcome;
    if (may) work.pace.end_step(work.team, static_cast<int>(together.size()));
    in = in.subspan(may ? together.size() : 1);
  }
  return Outcome::done;
}

}  // namespace ls
