#include "step/explicit_step.h"

#include "step/hold.h"
#include "step/node_loops.h"
#include "step/richardson.h"
#include "step/thermal.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

namespace ls {

namespace {

constexpr int least_blocks = 1024;   // below, threads cost more than they save
constexpr int blocks_per_tile = 64;  // of nodes: what a step touches of them fits the second-level cache
constexpr int nodes_per_tile = blocks_per_tile * block;

int blocks(const Model& m) {
  return (m.nodes + block - 1) / block;
}

NodeBatch batch(const Model& m, const Inputs& in, State& s, Work& k, double dt) {
  NodeBatch b{};
  for (int a = 0; a < 3; ++a) {
    b.x[a] = s.nodes.x[a].data();
    b.v[a] = s.nodes.v[a].data();
    b.w[a] = s.nodes.w[a].data();
    b.f[a] = s.nodes.f[a].data();
    b.t[a] = s.nodes.t[a].data();
    b.bond_force[a] = k.wrenches.bond_force[a].data() + block;
    b.bond_torque1[a] = k.wrenches.bond_torque1[a].data() + block;
    b.bond_torque2[a] = k.wrenches.bond_torque2[a].data() + block;
    b.force[a] = k.wrenches.force[a].empty() ? nullptr : k.wrenches.force[a].data();
    b.torque[a] = k.wrenches.torque[a].empty() ? nullptr : k.wrenches.torque[a].data();
  }
  for (int a = 0; a < 4; ++a) b.q[a] = s.nodes.q[a].data();
  b.mass = m.mass.data();
  b.inv_mass = k.inv_mass.data();
  b.inv_inertia = k.inv_inertia.data();
  b.excess1 = k.excess1.data();
  b.excess3 = k.excess3.data();
  b.inverse1 = k.inverse1.data();
  b.inverse3 = k.inverse3.data();
  b.dt = dt;
  const Vec3<double> gravity = in.load_factor * in.gravity;
  b.gravity[0] = gravity.x, b.gravity[1] = gravity.y, b.gravity[2] = gravity.z;
  b.keep_v = in.temperature > 0 ? 1.0 : std::exp(-0.5 * dt * in.damping_rate);
  b.keep_w = in.temperature > 0 ? 1.0 : std::exp(-0.5 * dt * in.spin_damping_rate);
  b.symmetric = k.symmetric;
  return b;
}

void mark_waiting(int block_of_nodes, Work& k) {
  auto& waits = k.waits[block_of_nodes];
  if (std::exchange(waits, 1) == 0) k.waiting.push_back(block_of_nodes);
}
bool acts_sparsely(const Term& t, const Inputs& in) {
  return t.is_sparse() && !t.is_idle(in);
}

// Marks the blocks that sparse terms may act on. False where those are so many that a sweep would not pay.
bool mark_waiting(const Model& m, const Inputs& in, const State& s, Work& k) {
  for (const int b : k.waiting) k.waits[b] = 0;
  k.waiting.clear();
  k.waits.resize(static_cast<std::size_t>(blocks(m)), 0);
  for (const auto& term : m.terms)
    if (acts_sparsely(*term, in))
      for (const int node : term->may_act_on(s)) mark_waiting(node / block, k);
  return k.waiting.size() < k.waits.size() / 4;
}

bool acts_locally(const Term& t, const Inputs& in) {
  return t.is_local() && !t.is_idle(in);
}

// Rods alone, what acts on single nodes, and little else between them.
bool is_mostly_chains(const Model& m, const Inputs& in) {
  if (!in.loads.empty() || !in.carries.empty() || in.richardson) return false;
  return std::all_of(m.terms.begin(), m.terms.end(), [&](const auto& t) {
    return t->is_chain_only() || t->is_local() || t->is_sparse() || t->is_idle(in);
  });
}

// The whole step can go over the nodes in one sweep, tile by tile, while the tile is in the cache. Nodes and bonds are
// computed by the same lines as in separate passes, so the bits are the same.
bool can_sweep(const Model& m, const Inputs& in, const State& s, Work& k) {
  return m.nodes >= 2 * nodes_per_tile && is_mostly_chains(m, in) && mark_waiting(m, in, s, k);
}

// A model too small for that may still have rods enough for all threads, each of which then has its own.
bool has_islands(const Model& m, const Inputs& in, const Work& k) {
  return k.islands.size() > 2 && k.team.active() > 1 && m.nodes < 2 * nodes_per_tile && is_mostly_chains(m, in) &&
         std::none_of(m.terms.begin(), m.terms.end(), [&](const auto& t) { return acts_sparsely(*t, in); });
}

// Cuts between blocks that no bond crosses, about as many blocks apart for each thread.
std::vector<int> find_islands(const Model& m, int threads) {
  constexpr int least_apart = 16;  // blocks: less is done before another thread has begun
  const int all = blocks(m);
  std::vector<bool> is_joined(static_cast<std::size_t>(all) + 1, false);
  std::vector<std::pair<int, int>> pairs;
  const State none;
  for (const auto& term : m.terms)
    if (term->is_chain_only()) term->add_pattern(none, {}, pairs);
  for (const auto& [a, b] : pairs)
    for (int cut = std::min(a, b) / block + 1; cut <= std::max(a, b) / block; ++cut) is_joined[cut] = true;
  std::vector<int> cuts{0};
  for (int p = 1; p < threads; ++p) {
    const int wanted = static_cast<int>(static_cast<long long>(all) * p / threads);
    int cut = wanted;
    for (int off = 0; off <= wanted; ++off) {
      cut = wanted - off;
      if (!is_joined[cut]) break;
      cut = std::min(all, wanted + off);
      if (!is_joined[cut]) break;
    }
    if (cut >= cuts.back() + least_apart && cut <= all - least_apart) cuts.push_back(cut);
  }
  cuts.push_back(all);
  return cuts;
}

// What all wrenches together do to held nodes, where that is asked for.
void note_held(const Inputs& in, const State& s, Work& k, int first = 0, int last = all_nodes) {
  for (std::size_t i = 0; i < k.held_impulse.size(); ++i)
    if (const int node = in.held[i].node; node >= first && node < last)
      k.held_impulse[i] += k.wrenches.duration * s.nodes.wrench(node).force;
}

class Sweep {
 public:
  Sweep(const Model& m, const Inputs& in, State& s, Work& k, const NodeBatch& b)
      : m_(m),
        in_(in),
        s_(s),
        k_(k),
        b_(b),
        all_(b),
        before_(in, s),
        tiles_((blocks(m) + blocks_per_tile - 1) / blocks_per_tile),
        has_local_(std::any_of(m.terms.begin(), m.terms.end(), [&](const auto& t) { return acts_locally(*t, in); })) {
    for (int a = 0; !has_local_ && a < 3; ++a) b_.force[a] = b_.torque[a] = nullptr;  // sparse ones come later
    k_.fastest.resize(static_cast<std::size_t>(tiles_));
    for (const auto& h : in.held) held_travel_ = std::max(held_travel_, norm(h.pose.x - s.nodes.frame(h.node).x));
  }

  // Each thread drifts its tiles, and finds wrenches and kicks one tile behind, where both neighbours have drifted.
  // What lies at the seams between two threads' tiles waits until all are there.
  Outcome go() {
    const int parts = std::max(1, std::min(k_.team.active(), tiles_));
    const auto first = [&](int p) { return static_cast<int>(static_cast<long long>(tiles_) * p / parts); };
    const auto each = [&](const auto& body) {
      k_.team.run(parts, 2, [&](int from, int to) {
        for (int p = from; p < to; ++p) body(first(p), first(p + 1));
      });
    };
    each([&](int from, int to) {
      for (int t = from; t < to; ++t) {
        drift(begin(t), end(t));
        k_.fastest[t] = node_loops().fastest(b_, begin(t), end(t));
        if (t > from) find_wrenches(begin(t - 1), end(t - 1));
        if (t > from + 1) kick(begin(t - 1), end(t - 1));
      }
    });
    if (has_lost()) return Outcome::diverged;
    each([&](int, int to) { find_wrenches(begin(to - 1), end(to - 1)); });
    each([&](int from, int to) {
      kick(begin(from), end(from));
      if (to - 1 > from) kick(begin(to - 1), end(to - 1));
    });
    if (std::any_of(m_.terms.begin(), m_.terms.end(), [&](const auto& t) { return acts_sparsely(*t, in_); }))
      finish_sparse();
    return Outcome::done;
  }

  // Each thread steps rods of its own. They still go from one pass to the next together: the loops over blocks also
  // look at the first node beyond their last one and at the slot of the bond that is not there, and drop what they
  // find.
  Outcome go_by_islands() {
    for_each_island([&](int from, int to) { drift(from, to); });
    if (has_lost()) return Outcome::diverged;
    for_each_island([&](int from, int to) { find_wrenches(from, to); });
    for_each_island([&](int from, int to) { kick_all(from, to); });
    return Outcome::done;
  }
  // Only the wrenches.
  void sum_by_islands() {
    for_each_island([&](int from, int to) { find_wrenches(from, to); });
    for_each_island([&](int from, int to) { kick_all(from, to); });
  }

 private:
  int begin(int tile) const { return tile * blocks_per_tile; }
  int end(int tile) const { return std::min(blocks(m_), (tile + 1) * blocks_per_tile); }
  template <class F>
  void for_each_island(const F& body) {
    k_.team.run(static_cast<int>(k_.islands.size()) - 1, 2, [&](int from, int to) {
      for (int p = from; p < to; ++p) body(k_.islands[p], k_.islands[p + 1]);
    });
  }
  bool has_lost() const {
    if (lost_ < m_.nodes) k_.lost_node = lost_;
    return lost_ < m_.nodes;
  }
  void drift(int from, int to) {
    const int node = node_loops().kick_and_drift(b_, from, to);
    for (int seen = lost_; node >= 0 && node < seen && !lost_.compare_exchange_weak(seen, node);) continue;
    hold_poses(in_, before_, s_, from * block, to * block);
  }
  void find_wrenches(int from, int to) {
    if (has_local_) clear_others(from, to);
    for (const auto& term : m_.terms) {
      term->add_chain_wrenches(s_, k_.wrenches, from, to);
      if (acts_locally(*term, in_)) term->add_local_wrenches(s_, in_, k_.wrenches, from, to);
    }
  }
  void clear_others(int from, int to) {
    for (auto* triple : {k_.wrenches.force, k_.wrenches.torque})
      for (int a = 0; a < 3; ++a) std::fill_n(triple[a].begin() + from * block, (to - from) * block, 0.0);
  }
  void kick_all(int from, int to) {
    node_loops().gather_and_kick(b_, from, to);
    hold_velocities(in_, s_, from * block, to * block);
    note_held(in_, s_, k_, from * block, to * block);
  }
  // All but what waits.
  void kick(int first, int last) {
    const auto waits = [&](int at) { return k_.waits[at] != 0; };
    for (int from = first, to = from; from < last; from = ++to) {
      while (to < last && !waits(to)) ++to;
      if (to > from) node_loops().gather_and_kick(b_, from, to);
    }
    hold_velocities(in_, s_, first * block, last * block);
  }
  // Sparse terms see all positions, and of the nodes they act on the velocities of half a step, as in separate passes.
  void finish_sparse() {
    const double speed = std::sqrt(*std::max_element(k_.fastest.begin(), k_.fastest.end()));
    for (const auto& term : m_.terms)
      if (acts_sparsely(*term, in_))
        for (const int node : term->acts_on(s_, in_.dt * speed + held_travel_))
          if (!k_.waits[node / block]) take_back_kick(node / block);
    for (const int at : k_.waiting)
      if (!has_local_) clear_others(at, at + 1);  // else they come on top of what is there
    for (const auto& term : m_.terms)
      if (acts_sparsely(*term, in_)) term->add_wrenches(s_, in_, k_.wrenches, k_.team);
    for (const int at : k_.waiting) node_loops().gather_and_kick(all_, at, at + 1);
    hold_velocities(in_, s_);
  }
  // For what came near within this very step, unforeseen: the velocities before the kick, to rounding.
  void take_back_kick(int at) {
    mark_waiting(at, k_);
    const double h = 0.5 * in_.dt;
    for (int i = at * block; i < std::min(m_.nodes, (at + 1) * block); ++i) {
      const auto q = s_.nodes.frame(i).q;
      const auto w = s_.nodes.wrench(i);
      const auto t = s_.nodes.twist(i);
      const Vec3<double> x = axis_x(q), z = axis_z(q);
      const Vec3<double> turn = w.torque + (k_.inverse3[i] * dot(w.torque, z)) * z +
                                ((k_.symmetric ? 0 : k_.inverse1[i]) * dot(w.torque, x)) * x;
      s_.nodes.set(i, Twist<double>{(1 / b_.keep_v) * t.v - (h * k_.inv_mass[i]) * w.force,
                                    (1 / b_.keep_w) * t.w - (h * k_.inv_inertia[i]) * turn});
    }
  }

  const Model& m_;
  const Inputs& in_;
  State& s_;
  Work& k_;
  NodeBatch b_;           // without the wrenches of sparse terms
  const NodeBatch& all_;  // with them
  HeldBefore before_;
  int tiles_;
  bool has_local_;
  double held_travel_ = 0;  // m, of nodes that are put where the schedule says
  std::atomic<int> lost_{m_.nodes};
};

Outcome kick_and_drift(const Model& m, const NodeBatch& b, Work& k) {
  std::atomic<int> lost{m.nodes};
  k.team.run(blocks(m), least_blocks, [&](int first, int last) {
    const int node = node_loops().kick_and_drift(b, first, last);
    for (int seen = lost; node >= 0 && node < seen && !lost.compare_exchange_weak(seen, node);) continue;
  });
  k.lost_node = lost < m.nodes ? lost.load() : -1;
  return k.lost_node < 0 ? Outcome::done : Outcome::diverged;
}

void add_loads(const Inputs& in, const State& s, Wrenches& out) {
  for (const auto& load : in.loads)
    for (std::size_t i = 0; i < load.node.size(); ++i) {
      const int n = load.node[i];
      const auto turned = [&](const Vec3<double>& a) {
        return in.load_factor * load.weight[i] * (load.in_body_axes ? rotate(s.nodes.frame(n).q, a) : a);
      };
      const Vec3<double> f = turned(load.force), t = turned(load.torque);
      out.force[0][n] += f.x, out.force[1][n] += f.y, out.force[2][n] += f.z;
      out.torque[0][n] += t.x, out.torque[1][n] += t.y, out.torque[2][n] += t.z;
    }
}

void find_wrenches(const Model& m, const Inputs& in, const State& s, Work& k) {
  k.wrenches.clear_others();
  for (const auto& term : m.terms) term->add_wrenches(s, in, k.wrenches, k.team);
  add_loads(in, s, k.wrenches);
}

void gather_and_kick(const Model& m, const NodeBatch& b, Work& k) {
  k.team.run(blocks(m), least_blocks, [&](int first, int last) { node_loops().gather_and_kick(b, first, last); });
}

}  // namespace

void resume_explicit(const Model& m, const Inputs& in, Work& k) {
  for (int i = 0; i < m.nodes; ++i) k.inv_mass[i] = 1 / m.mass[i], k.inv_inertia[i] = 1 / m.inertia[1][i];
  for (const auto& h : in.held) {
    if ((h.mask & hold_position) == hold_position) k.inv_mass[h.node] = 0;
    if ((h.mask & hold_turn) == hold_turn) k.inv_inertia[h.node] = 0;
  }
  k.islands = find_islands(m, k.team.size());
}

void sum_wrenches(const Model& m, const Inputs& in, State& s, Work& k) {
  const NodeBatch b = batch(m, in, s, k, 0.0);  // a kick of no duration: only the sums
  if (has_islands(m, in, k)) return Sweep(m, in, s, k, b).sum_by_islands();
  find_wrenches(m, in, s, k);
  gather_and_kick(m, b, k);
  note_held(in, s, k);
}

void start_explicit(const Model& m, const Inputs& in, State& s, Work& k) {
  resume_explicit(m, in, k);
  hold_velocities(in, s);
  s.memory.angle_step = in.dt;
  sum_wrenches(m, in, s, k);
}

Outcome step_explicit(const Model& m, const Inputs& in, State& s, Work& k) {
  const NodeBatch b = batch(m, in, s, k, in.dt);
  k.pace.start_step(k.team, m.nodes);
  if (in.temperature > 0) add_heat(m, in, s, 0);
  if (has_islands(m, in, k)) {
    if (Sweep(m, in, s, k, b).go_by_islands() == Outcome::diverged) return Outcome::diverged;
  } else if (can_sweep(m, in, s, k)) {
    if (Sweep(m, in, s, k, b).go() == Outcome::diverged) return Outcome::diverged;
    note_held(in, s, k);
  } else {
    const HeldBefore before(in, s);
    if (in.richardson)
      kick_and_drift_richardson(m, in, s, k);
    else if (kick_and_drift(m, b, k) == Outcome::diverged)
      return Outcome::diverged;
    hold_poses(in, before, s);
    carry_along(m, in, s);
    find_wrenches(m, in, s, k);
    gather_and_kick(m, b, k);
    hold_velocities(in, s);
    note_held(in, s, k);
  }
  if (in.temperature > 0) add_heat(m, in, s, 1), hold_velocities(in, s);
  for (const auto& term : m.terms) term->advance(s, in, s.memory);
  ++s.clock.step;
  ++s.clock.step_in_stage;
  s.clock.time = in.t;
  k.pace.end_step(k.team);
  return Outcome::done;
}

}  // namespace ls
