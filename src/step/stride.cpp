#include "step/stride.h"

#include <algorithm>

namespace ls {

namespace {

constexpr int tile_blocks =
    32;  // what a stride touches of them stays in the second-level cache, and half of it in the first
constexpr int least_blocks = 64;  // of a thread's part: it must be longer than what seams leave out

// [block of bonds] whether some slot has no bond, so that no term writes it.
std::vector<std::uint8_t> blocks_with_gaps(const Model& m) {
  std::vector<int> bonds(blocks_of(m), 0);
  for (const BondTable& table : m.bond_tables)
    for (const BondEntry& b : table.bonds)
      if (b.node2 == b.node1 + 1) ++bonds[b.node1 / block];
  std::vector<std::uint8_t> gaps(bonds.size());
  std::ranges::transform(bonds, gaps.begin(), [](int n) { return n < block; });
  return gaps;
}

BondEnd bond_at(const Wrenches& w, int slot) {
  const int at = block + slot - w.first_bond;
  BondEnd end{};
  for (int k = 0; k < 3; ++k)
    end[k] = w.bond_force[k][at], end[3 + k] = w.bond_torque1[k][at], end[6 + k] = w.bond_torque2[k][at];
  return end;
}

void set_bond(Wrenches& w, int slot, const BondEnd& end) {
  const int at = block + slot - w.first_bond;
  for (int k = 0; k < 3; ++k)
    w.bond_force[k][at] = end[k], w.bond_torque1[k][at] = end[3 + k], w.bond_torque2[k][at] = end[6 + k];
}

void clear_bonds(Wrenches& w, int at) {
  for (auto* triple : {w.bond_force, w.bond_torque1, w.bond_torque2})
    for (int k = 0; k < 3; ++k) std::fill_n(triple[k].begin() + block * (at + 1) - w.first_bond, block, 0.0);
}

}  // namespace

Stride::Stride(const Model& m, std::span<const Inputs> in, State& s, Work& work, std::span<const NodeBatch> nodes)
    : m_(m),
      in_(in),
      s_(s),
      work_(work),
      nodes_(nodes),
      before_(in.front(), s),
      held_in_order_(is_in_order(in.front().held)),
      lost_(static_cast<long long>(in.size()) * m.nodes) {
  for (const Inputs& i : in)
    acts_on_nodes_.push_back(
        std::ranges::any_of(work.terms.all, [&](const auto& t) { return t->scope(i) == Scope::nodes; }));
  if (work.sweep.gaps.empty()) work.sweep.gaps = blocks_with_gaps(m);
}

Outcome Stride::go() {
  const int all = blocks_of(m_);
  const int parts = std::clamp(all / least_blocks, 1, work_.team.active());
  auto& tiles = work_.sweep.strides;
  tiles.resize(std::max<std::size_t>(tiles.size(), parts));
  const auto first = [&](int p) { return static_cast<int>(static_cast<long long>(all) * p / parts); };
  work_.team.run(parts, 2, [&](int from, int to) {
    for (int p = from; p < to; ++p) go_along(first(p), first(p + 1), p > 0, p + 1 < parts, tiles[p]);
  });
  work_.team.run(parts - 1, 2, [&](int from, int to) {
    for (int p = from; p < to; ++p) close_seam(first(p + 1), tiles[p], tiles[p + 1]);
  });
  if (lost_ == static_cast<long long>(in_.size()) * m_.nodes) return Outcome::done;
  work_.lost_node = static_cast<int>(lost_ % m_.nodes);
  return Outcome::diverged;
}

void Stride::go_along(int from, int to, bool seam_before, bool seam_behind, StrideTile& tile) {
  const int phases = static_cast<int>(in_.size()) + 1;
  std::array<int, most_in_stride + 1> done{};
  for (int p = 0; p < phases; ++p) done[p] = from + (seam_before ? p : 0), tile.last[p] = {};
  for (int end = from + tile_blocks;; end += tile_blocks)
    for (int p = 0; p < phases; ++p) {
      const int stop = to - (seam_behind ? p : 0);
      const int until = end >= to ? stop : std::min(stop, end - p);
      if (until > done[p]) {
        const bool begins_at_seam = seam_before && done[p] == from + p;
        go_on(p, done[p], until, {begins_at_seam ? nullptr : &tile.last[p], nullptr}, tile);
        if (p > 0 && begins_at_seam) tile.before[p] = bond_at(tile.columns, block * done[p] - 1);
        if (p > 0) tile.last[p] = bond_at(tile.columns, block * until - 1);
        done[p] = until;
      }
      if (p + 1 == phases && end >= to) return;
    }
}

void Stride::close_seam(int at, StrideTile& before, StrideTile& tile) {
  for (int p = 1; p <= static_cast<int>(in_.size()); ++p)
    go_on(p, at - p, at + p, {&before.last[p], &tile.before[p]}, tile);
}

void Stride::go_on(int phase, int from, int to, Edges edges, StrideTile& tile) {
  if (phase > 0) {
    find_bond_wrenches(phase - 1, from, to, edges, tile);
    kick(phase - 1, from, to, tile);
  }
  if (phase < static_cast<int>(in_.size())) drift(phase, from, to, tile);
}

void Stride::find_bond_wrenches(int step, int from, int to, Edges edges, StrideTile& tile) {
  const int first = edges.before ? from : from - 1;
  Wrenches& w = tile.columns;
  w.move_bond_columns(first, to - first);
  for (int b = first; b < to; ++b)
    if (work_.sweep.gaps[b]) clear_bonds(w, b);
  if (edges.before) set_bond(w, block * from - 1, *edges.before);
  for (const auto& term : work_.terms.all)
    if (term->scope(in_[step]) == Scope::chains) term->add_wrenches(s_, in_[step], {first, to}, w);
  if (edges.last) set_bond(w, block * to - 1, *edges.last);
}

// The loops count nodes from that of the model. own_wrenches: the wrenches on nodes are not wanted in the state.
NodeBatch Stride::batch(int step, bool own_wrenches, int from, int to, StrideTile& tile) const {
  NodeBatch b = nodes_[step];
  for (int a = 0; a < 3; ++a) {
    b.force[a] = b.torque[a] = nullptr;
    if (!own_wrenches) continue;
    const auto size = static_cast<std::size_t>(to - from) * block;
    if (tile.force[a].size() < size) tile.force[a].resize(size), tile.torque[a].resize(size);
    b.f[a] = tile.force[a].data() - from * block;
    b.t[a] = tile.torque[a].data() - from * block;
  }
  return b;
}

// What acts on a node by its own state finds it here as it was after the drift.
void Stride::kick(int step, int from, int to, StrideTile& tile) {
  const Inputs& in = in_[step];
  NodeBatch b = batch(step, step + 1 < static_cast<int>(in_.size()), from, to, tile);
  Wrenches& w = tile.columns;
  for (int a = 0; a < 3; ++a) {
    b.bond_force[a] = w.bond_force[a].data() + block - w.first_bond;
    b.bond_torque1[a] = w.bond_torque1[a].data() + block - w.first_bond;
    b.bond_torque2[a] = w.bond_torque2[a].data() + block - w.first_bond;
  }
  if (acts_on_nodes_[step]) {
    w.impulses = work_.wrenches.impulses;
    w.move_node_columns(from * block, (to - from) * block);
    for (const auto& term : work_.terms.all)
      if (term->scope(in) == Scope::nodes) term->add_wrenches(s_, in, {from, to}, w);
    for (int a = 0; a < 3; ++a) {
      b.force[a] = w.force[a].data() - w.first;
      b.torque[a] = w.torque[a].data() - w.first;
    }
  }
  node_loops().gather_and_kick(b, from, to);
  const int first = from * block, last = to * block;
  hold_velocities(in, s_, held_among(in, held_in_order_, first, last), first, last);
}

void Stride::drift(int step, int from, int to, StrideTile& tile) {
  const Inputs& in = in_[step];
  const int first = from * block, last = to * block;
  const HeldPart held = held_among(in, held_in_order_, first, last);
  for (std::size_t i = held.first; i < held.last; ++i)
    if (in.held[i].node >= first && in.held[i].node < last) before_.pose[i] = s_.nodes.frame(in.held[i].node);
  const int node = node_loops().kick_and_drift(batch(step, step > 0, from, to, tile), from, to);
  const long long at = static_cast<long long>(step) * m_.nodes + node;
  for (long long seen = lost_; node >= 0 && at < seen && !lost_.compare_exchange_weak(seen, at);) continue;
  hold_poses(in, before_, s_, held, first, last);
}

}  // namespace ls
