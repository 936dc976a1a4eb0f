#include "step/sweep.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace ls {

namespace {

constexpr int nodes_per_tile = blocks_per_tile * block;

void mark_waiting(int block_of_nodes, SweepWork& sweep) {
  if (std::exchange(sweep.waits[block_of_nodes], 1) == 0) sweep.waiting.push_back(block_of_nodes);
}

// m, how far nodes go that are put where the schedule says.
double held_way(const Inputs& in, const State& s) {
  double way = 0;
  for (const auto& h : in.held) way = std::max(way, norm(h.pose.x - s.nodes.frame(h.node).x));
  return way;
}

// m, how far a node can go in the step: the last sweep has left a bound of the speeds, unless something came between.
double coming_way(const Model& m, const Inputs& in, const State& s, Work& work) {
  SweepWork& sweep = work.sweep;
  double speed = 0;
  if (sweep.followed == &s && sweep.next_step == s.clock.step)
    speed = *std::max_element(sweep.next.begin(), sweep.next.end());
  else
    for (int i = 0; i < m.nodes; ++i)
      speed =
          std::max(speed, norm(s.nodes.twist(i).v) + 0.5 * in.dt * work.inv_mass[i] * norm(s.nodes.wrench(i).force));
  const double way = in.dt * speed;
  return std::max(way, held_way(in, s));
}

// Marks the blocks that contact may act on. False where those are so many that a sweep would not pay, or where others
// might follow.
bool mark_waiting(const Model& m, const Inputs& in, const State& s, Work& work) {
  SweepWork& sweep = work.sweep;
  for (const int b : sweep.waiting) sweep.waits[b] = 0;
  sweep.waiting.clear();
  sweep.waits.resize(blocks_of(m), 0);
  Contact* contact = work.terms.contact(in);
  if (!contact) return true;
  const auto promise = contact->may_act_on(s, in.dt, coming_way(m, in, s, work));
  for (const int node : promise.nodes) mark_waiting(node / block, sweep);
  return promise.holds && (sweep.path != Path::any || sweep.waiting.size() < sweep.waits.size() / 4);
}

// Rods alone, what acts on single nodes, and little else between them.
bool is_mostly_chains(const Inputs& in, const Work& work) {
  if (!in.loads.empty() || !in.carries.empty() || in.richardson) return false;
  const auto& terms = work.terms.all;
  return std::none_of(terms.begin(), terms.end(), [&](const auto& t) { return t->scope(in) == Scope::all; });
}

}  // namespace

bool goes_by_islands(const Model& m, const Inputs& in, const Work& work) {
  if (work.sweep.islands.size() <= 2 || work.terms.contact(in) || !is_mostly_chains(in, work)) return false;
  if (work.sweep.path != Path::any) return work.sweep.path == Path::islands;
  return work.team.active() > 1 && m.nodes < 2 * nodes_per_tile;
}

Path choose_path(const Model& m, const Inputs& in, const State& s, Work& work) {
  if (goes_by_islands(m, in, work)) return Path::islands;
  const Path wish = work.sweep.path;
  const bool pays = m.nodes >= 2 * nodes_per_tile || !work.terms.contact(in);
  const bool wants_tiles = wish == Path::tiles || (wish == Path::any && pays);
  if (!wants_tiles || !is_mostly_chains(in, work)) return Path::passes;
  return mark_waiting(m, in, s, work) ? Path::tiles : Path::passes;
}

std::vector<int> find_islands(const Model& m, int threads) {
  constexpr int least_apart = 16;  // blocks: less is done before another thread has begun
  const int all = blocks_of(m);
  std::vector<bool> is_joined(all + 1, false);
  for (const BondTable& table : m.bond_tables)
    for (const BondEntry& b : table.bonds)
      for (int cut = std::min(b.node1, b.node2) / block + 1; cut <= std::max(b.node1, b.node2) / block; ++cut)
        is_joined[cut] = true;
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

Sweep::Sweep(const Model& m, const Inputs& in, State& s, Work& work, const NodeBatch& batch)
    : m_(m),
      in_(in),
      s_(s),
      work_(work),
      batch_(batch),
      before_(in, s),
      tiles_((blocks_of(m) + blocks_per_tile - 1) / blocks_per_tile),
      acts_on_nodes_(std::any_of(work.terms.all.begin(), work.terms.all.end(),
                                 [&](const auto& t) { return t->scope(in) == Scope::nodes; })),
      lost_(m.nodes) {
  work_.sweep.fastest.resize(tiles_);
  work_.sweep.next.resize(tiles_);
  held_way_ = held_way(in, s);
}

int Sweep::end(int tile) const {
  return std::min(blocks_of(m_), (tile + 1) * blocks_per_tile);
}

Outcome Sweep::go_by_tiles() {
  assert(static_cast<int>(work_.sweep.waits.size()) == blocks_of(m_));
  const int parts = std::max(1, std::min(work_.team.active(), tiles_));
  work_.sweep.tile.resize(std::max<std::size_t>(work_.sweep.tile.size(), parts));
  const auto first = [&](int p) { return static_cast<int>(static_cast<long long>(tiles_) * p / parts); };
  const auto each = [&](const auto& body) {
    work_.team.run(parts, 2, [&](int from, int to) {
      for (int p = from; p < to; ++p) body(first(p), first(p + 1), work_.sweep.tile[p]);
    });
  };
  each([&](int from, int to, Wrenches& columns) {
    for (int t = from; t < to; ++t) {
      drift(begin(t), end(t));
      work_.sweep.fastest[t] = node_loops().fastest(batch_, begin(t), end(t));
      if (t > from) find_bond_wrenches(begin(t - 1), end(t - 1));
      if (t > from + 1) kick_tile(begin(t - 1), end(t - 1), columns);
    }
  });
  if (has_lost()) return Outcome::diverged;
  each([&](int, int to, Wrenches&) { find_bond_wrenches(begin(to - 1), end(to - 1)); });
  each([&](int from, int to, Wrenches& columns) {
    kick_tile(begin(from), end(from), columns);
    if (to - 1 > from) kick_tile(begin(to - 1), end(to - 1), columns);
  });
  if (work_.terms.contact(in_)) kick_what_waits();
  work_.sweep.followed = in_.temperature > 0 ? nullptr : &s_;  // heat comes on top of what they know of speeds
  work_.sweep.next_step = s_.clock.step + 1;
  note_held(in_, s_, work_);
  return Outcome::done;
}

Outcome Sweep::go_by_islands() {
  for_each_island([&](int from, int to) { drift(from, to); });
  if (has_lost()) return Outcome::diverged;
  sum_by_islands();
  return Outcome::done;
}

void Sweep::sum_by_islands() {
  for_each_island([&](int from, int to) { find_bond_wrenches(from, to); });
  for_each_island([&](int from, int to) { kick_island(from, to); });
}

template <class F>
void Sweep::for_each_island(const F& body) {
  const auto& islands = work_.sweep.islands;
  work_.team.run(static_cast<int>(islands.size()) - 1, 2, [&](int from, int to) {
    for (int p = from; p < to; ++p) body(islands[p], islands[p + 1]);
  });
}

bool Sweep::has_lost() const {
  if (lost_ < m_.nodes) work_.lost_node = lost_;
  return lost_ < m_.nodes;
}

void Sweep::drift(int from, int to) {
  const int node = node_loops().kick_and_drift(batch_, from, to);
  for (int seen = lost_; node >= 0 && node < seen && !lost_.compare_exchange_weak(seen, node);) continue;
  hold_poses(in_, before_, s_, from * block, to * block);
}

void Sweep::find_bond_wrenches(int from, int to) {
  for (const auto& term : work_.terms.all)
    if (term->scope(in_) == Scope::chains) term->add_wrenches(s_, in_, {from, to}, work_.wrenches);
}

void Sweep::add_node_wrenches(int from, int to, Wrenches& out) {
  for (const auto& term : work_.terms.all)
    if (term->scope(in_) == Scope::nodes) term->add_wrenches(s_, in_, {from, to}, out);
}

void Sweep::kick_island(int from, int to) {
  if (acts_on_nodes_) {
    work_.wrenches.clear_node_columns(from, to);
    add_node_wrenches(from, to, work_.wrenches);
  }
  node_loops().gather_and_kick(batch_, from, to);
  hold_velocities(in_, s_, from * block, to * block);
  note_held(in_, s_, work_, from * block, to * block);
}

// All but what waits. What acts on a node by its own state finds it here as it was after the drift.
void Sweep::kick_tile(int from, int to, Wrenches& columns) {
  NodeBatch b = batch_;
  for (int a = 0; a < 3; ++a) b.force[a] = b.torque[a] = nullptr;  // those of contact come later
  if (acts_on_nodes_) {
    columns.impulses = work_.wrenches.impulses;
    columns.move_node_columns(from * block, (to - from) * block);
    add_node_wrenches(from, to, columns);
    for (int a = 0; a < 3; ++a) {  // the loops count nodes from that of the model
      b.force[a] = columns.force[a].data() - columns.first;
      b.torque[a] = columns.torque[a].data() - columns.first;
    }
  }
  const auto waits = [&](int at) { return work_.sweep.waits[at] != 0; };
  for (int first = from, last = first; first < to; first = ++last) {
    while (last < to && !waits(last)) ++last;
    if (last > first) node_loops().gather_and_kick(b, first, last);
  }
  hold_velocities(in_, s_, from * block, to * block);
  if (work_.terms.contact(in_)) note_next(from / blocks_per_tile, node_loops().hardest(b, from, to));
}

// In the middle of the next step a node is faster than in that of this one by no more than two half kicks.
void Sweep::note_next(int tile, double hardest) {
  work_.sweep.next[tile] = work_.sweep.fastest[tile] + in_.dt * hardest;
}

// Contact sees all positions, and of the nodes it acts on the velocities of half a step, as in separate passes.
void Sweep::kick_what_waits() {
  SweepWork& sweep = work_.sweep;
  Contact& contact = *work_.terms.contact(in_);
  const double speed = *std::max_element(sweep.fastest.begin(), sweep.fastest.end());
  for (const int node : contact.acts_on(s_, in_.dt * speed + held_way_))
    if (!sweep.waits[node / block]) take_back_kick(node / block);
  MarkerImpulses* const impulses = std::exchange(work_.wrenches.impulses, nullptr);  // these nodes' are counted already
  for (const int at : sweep.waiting) {
    work_.wrenches.clear_node_columns(at, at + 1);
    add_node_wrenches(at, at + 1, work_.wrenches);
  }
  work_.wrenches.impulses = impulses;
  contact.add_wrenches(s_, in_, Blocks::all(m_.nodes, work_.team), work_.wrenches);
  for (const int at : sweep.waiting) {
    node_loops().gather_and_kick(batch_, at, at + 1);
    const double before = sweep.next[at / blocks_per_tile];
    note_next(at / blocks_per_tile, node_loops().hardest(batch_, at, at + 1));
    sweep.next[at / blocks_per_tile] = std::max(before, sweep.next[at / blocks_per_tile]);
  }
  hold_velocities(in_, s_);
}

// The velocities before the kick, to rounding: a last resort, where someone changed velocities between two steps.
void Sweep::take_back_kick(int at) {
  mark_waiting(at, work_.sweep);
  const double h = 0.5 * in_.dt;
  for (int i = at * block; i < std::min(m_.nodes, (at + 1) * block); ++i) {
    const auto q = s_.nodes.frame(i).q;
    const auto w = s_.nodes.wrench(i);
    const auto t = s_.nodes.twist(i);
    const Vec3<double> x = axis_x(q), z = axis_z(q);
    const Vec3<double> turn = w.torque + (work_.inverse3[i] * dot(w.torque, z)) * z +
                              ((work_.symmetric ? 0 : work_.inverse1[i]) * dot(w.torque, x)) * x;
    s_.nodes.set(i, Twist<double>{(1 / batch_.keep_v) * t.v - (h * work_.inv_mass[i]) * w.force,
                                  (1 / batch_.keep_w) * t.w - (h * work_.inv_inertia[i]) * turn});
  }
}

void note_held(const Inputs& in, const State& s, Work& work, int first, int last) {
  for (std::size_t i = 0; i < work.held_impulse.size(); ++i)
    if (const int node = in.held[i].node; node >= first && node < last)
      work.held_impulse[i] += work.impulses.duration * s.nodes.wrench(node).force;
}

}  // namespace ls
