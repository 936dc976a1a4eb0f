#include "terms/contact/barrier_term.h"

#include "math/block_matrix.h"
#include "terms/contact/barrier_pair.h"
#include "terms/contact/lever_stiffness.h"
#include "terms/contact/near_pairs.h"
#include "terms/contact/pair_barriers.h"
#include "terms/contact/rubbing.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr double pattern_reach = 3;     // times the thickness: pairs that the matrix has room for
constexpr double time_slip = 0.03;      // of the thickness: stretched so far, contacts give way in a step in time,
constexpr double static_slip = 0.01;    // and in a load step
constexpr double same_friction = 0.05;  // of all of it: what it may change by without a further solve,
constexpr double much_friction = 0.25;  // and without a third one
constexpr double kept_gap = 0.2;        // of a gap that one move leaves at least
// The same where the linear model has the pair part or slide, and only the arc of turning, which it does not see,
// brings it nearer: each iteration would leave it a fifth, until the barrier is all that the matrix knows.
constexpr double kept_in_a_bend = 0.9;
constexpr double landing = 0.5;  // of the thickness: where something that comes from afar is stopped

class BarrierTerm final : public Contact {
 public:
  BarrierTerm(const Shapes& shapes, const BarrierScale& scale)
      : shapes_(shapes),
        barriers_(shapes, scale),
        rubbing_(shapes),
        near_(shapes, thickness(), list_reach()),
        motion_(shapes) {}

  std::string_view name() const override { return "contact"; }
  Scope scope(const Inputs& in) const override { return acts(in) ? Scope::all : Scope::idle; }

  void add_wrenches(const State& s, const Inputs& in, const Blocks&, Wrenches& out) override {
    for_each(s, in, [&](const ShapePair&, const PairPush& p) {
      for (int k = 0; k < p.count; ++k) out.add_force_at(p.node[k], p.lever[k], -p.slope[k]);
    });
    rubbing_.add_wrenches(s.nodes, left_out_, out);
  }
  void add_energy(const State& s, const Inputs& in, Energies& out, Team&) override {
    if (out.wants(EnergyKind::contact)) out.add(EnergyKind::contact, acts(in) ? energy(s, in) : 0);
  }
  void add_pattern(const State& s, const Inputs& in, NodePairs& pairs) override {
    if (!acts(in)) return;
    const auto add = [&](int i, int j) {
      pairs.emplace_back(i, j);
      return true;
    };
    for (const ShapePair& pair : near_.listed(s.nodes))
      if (const Nearness n = nearness(shapes_, pair, near_.at(), s.nodes); n.gap() < list_reach())
        visit_nodes(pair, n, add);
    for_each_lagged(add);
  }
  bool fits(const State& s, const Inputs& in, const BlockPattern& pattern) override {
    if (!acts(in)) return true;
    const auto has = [&](int i, int j) { return pattern.find(std::max(i, j), std::min(i, j)) >= 0; };
    for (const NearPair& n : near_.within(s.nodes))
      if (!is_left_out(n) && !visit_nodes(n.pair, n.near, has)) return false;
    return for_each_lagged(has);
  }
  void add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& wanted, BlockMatrix& out) override {
    if (!acts(in)) return;
    for (const NearPair& n : near_.within(s.nodes))
      if (!is_left_out(n))
        add_stiffness(s, n, barriers_.of(s.memory, in, n.pair), wanted.projected || is_among(n, wanted.projected_at),
                      out);
    rubbing_.add_stiffness(s.nodes, left_out_, wanted.rate > 0, out);
  }

  void settle(const State& s, const Inputs& in, Memory& memory) override {
    if (!acts(in)) return;
    forget_if_stale(s, memory);
    note_bodies(s, in, in.dt);
    note_places(s, in);
    barriers_.meet(places_, in, true, memory);
    memory.near_step = s.clock.step;
  }
  void begin(const State& s, const Inputs& in, double duration, Memory& memory) override {
    leave_out(nullptr);
    if (!acts(in)) return rubbing_.clear();
    forget_if_stale(s, memory);
    note_bodies(s, in, duration);
    note_places(s, in);
    const double before = energy(s, in);
    if (barriers_.meet(places_, in, duration > 0, memory)) memory.ledger.barrier += energy(s, in) - before;
    if (!rubbing_.any_surface_rubs()) return;
    rubbing_.begin(s, slip(in, duration));
    note_friction(s, in);
  }
  bool needs_again(const State& s, const Inputs& in) override {
    if (!acts(in) || !rubbing_.any_surface_rubs()) return false;
    std::vector<Rubbing::Lag> old = rubbing_.exchange({});
    note_friction(s, in);
    const Rubbing::Change change = rubbing_.change_from(old);
    if (change.by > same_friction * change.all) return true;
    rubbing_.exchange(std::move(old));  // what is in balance, and what is recorded: the friction that the solve went by
    return false;
  }
  void go_on(const State& s, const Inputs& in, const std::vector<std::uint8_t>& anew) override {
    if (!acts(in) || !rubbing_.any_surface_rubs()) return;
    note_friction(s, in);
    rubbing_.go_on(anew);
  }
  void end(const State& s, const Inputs& in, Memory& memory) override {
    memory.friction.clear();
    if (!acts(in)) return;
    note_places(s, in);
    rubbing_.keep(s.nodes, pushing_, memory);
    const double before = energy(s, in);
    memory.near_step = s.clock.step;
    if (barriers_.keep(places_, in, memory)) memory.ledger.barrier += energy(s, in) - before;
  }
  double friction_work(const State& pose, const Inputs& in, double dt) override {
    return acts(in) ? rubbing_.work(pose.nodes, dt) : 0;
  }
  double allowed(const State& s, const Inputs& in, const Move& move) override {
    if (!acts(in)) return 1;
    double share = 1;
    const auto all = [](const ShapePair&) { return true; };
    for_each_in_the_way(s, move, all, [&](const ShapePair& pair, const Nearness& n, double least) {
      share = allowed_share(shapes_, pair, n, motion_, least, share);
    });
    return share;
  }
  void allow_by_island(const State& s, const Inputs& in, const Move& move, const std::vector<int>& island,
                       std::vector<double>& share) override {
    if (!acts(in)) return;
    const auto moves = [&](const ShapePair& pair) {
      const auto [i, j] = sides_of(shapes_, pair);
      return island[i] >= 0 || island[j] >= 0;
    };
    for_each_in_the_way(s, move, moves, [&](const ShapePair& pair, const Nearness& n, double least) {
      const auto [i, j] = sides_of(shapes_, pair);
      double most = 0;
      for (const int k : {island[i], island[j]}) most = k >= 0 ? std::max(most, share[k]) : most;
      if (most == 0) return;
      const double free = allowed_share(shapes_, pair, n, motion_, least, most);
      for (const int k : {island[i], island[j]})
        if (k >= 0) share[k] = std::min(share[k], free);
    });
  }
  bool islands_meet(const State& s, const Inputs& in, const Move& move, const std::vector<int>& island,
                    std::vector<double>& share) override {
    if (!acts(in)) return false;
    motion_.set(s.nodes, &move);
    if (only_what_pushes_can_meet()) return false;  // and that is one island
    const std::vector<double> now = share;  // pairs come in no order, and none may go by what another one lowered
    const auto differ = [&](const ShapePair& pair) {
      const auto [i, j] = sides_of(shapes_, pair);
      return island[i] >= 0 && island[j] >= 0 && now[island[i]] != now[island[j]];
    };
    bool meet = false;
    for_each_in_the_way(s, move, differ, [&](const ShapePair& pair, const Nearness& n, double least) {
      const auto [i, j] = sides_of(shapes_, pair);
      const int a = island[i], b = island[j];
      const double both = std::min(now[a], now[b]);
      if (std::max(share[a], share[b]) <= both) return;  // they do already
      if (allowed_share(shapes_, pair, n, motion_, least, 1) == 1) return;
      share[a] = std::min(share[a], both), share[b] = std::min(share[b], both);
      meet = true;
    });
    return meet;
  }
  void renew_by_island(const State& s, const Inputs& in, const std::vector<int>& island,
                       std::vector<std::uint8_t>& asked) override {
    if (!acts(in) || !rubbing_.any_surface_rubs()) return asked.assign(asked.size(), 0);
    std::vector<Rubbing::Lag> old = rubbing_.exchange({});
    for_each(s, in, [&](const ShapePair& pair, const PairPush& p) {
      if (const int k = island_of(p.node, p.count, island); k >= 0 && asked[k]) rubbing_.note(pair, p, s);
    });
    rubbing_.gather(s);
    std::vector<double> most;
    most.reserve(asked.size());
    for (const std::uint8_t round : asked) most.push_back(round > 2 ? much_friction : same_friction);
    rubbing_.settle_islands(old, island, most, asked);
  }
  void leave_out(const std::vector<std::uint8_t>* held) override { left_out_ = held; }
  void note_meetings(const State& s, const Inputs& in, const Move& move, std::vector<std::uint8_t>& meets) override {
    if (!acts(in)) return;
    motion_.set(s.nodes, &move);
    for (const ShapePair& pair : near_.on_the_way(s.nodes, motion_)) {
      const Nearness n = nearness(shapes_, pair, near_.at(), s.nodes);
      if (n.gap() - thickness() >= motion_.most_closing(pair, n)) continue;
      const PairNodes nodes = nodes_of(shapes_, pair, n);
      const auto is_noted = [&](int node) { return meets[node] != 0; };
      if (std::all_of(nodes.node, nodes.node + nodes.count, is_noted)) continue;
      if (allowed_share(shapes_, pair, n, motion_, thickness(), 1) == 1) continue;
      for (int k = 0; k < nodes.count; ++k) meets[nodes.node[k]] = 1;
    }
  }
  void report(const State& s, const Inputs& in, ContactReport& out) override {
    if (!acts(in)) return;
    PairPush p;
    for (const ShapePair& pair : near_.listed(s.nodes)) {
      const NearPair n{pair, nearness(shapes_, pair, near_.at(), s.nodes)};
      if (n.near.gap() > list_reach()) continue;  // others may be listed or not
      const bool pushes =
          n.near.gap() < thickness() && push_of(shapes_, n, near_.at(), s.nodes, barriers_.of(s.memory, in, pair), p);
      note_pair(shapes_, pair, n.near, pushes, out);
      for (int k = 0; k < p.count && pushes; ++k) out.force[p.node[k]] += -1.0 * p.slope[k];
    }
    for (std::size_t i = 0; i < s.memory.friction.size(); ++i) out.force[i] += s.memory.friction[i];
  }
  std::size_t bytes() const override { return near_.bytes(); }

 private:
  bool acts(const Inputs& in) const { return in.contact == ContactLaw::barrier; }
  double thickness() const { return shapes_.settings.thickness; }
  // One for all uses, so that the list, and with it the pattern of the matrix, is the same whatever was asked before.
  double list_reach() const { return pattern_reach * thickness(); }

  double slip(const Inputs& in, double duration) const {
    if (duration == 0) return static_slip * thickness();
    const double by_speed = shapes_.settings.slip_speed * (in.dt > 0 ? in.dt : duration);
    return shapes_.settings.slip_is_given ? by_speed : std::max(by_speed, time_slip * thickness());
  }

  bool only_what_pushes_can_meet() const { return 2 * motion_.longest() < (1 - kept_gap) * thickness(); }
  // Visits the pairs that may come too near on the way of a move, with how much of a gap they keep, of those asked for.
  template <class Asked, class F>
  void for_each_in_the_way(const State& s, const Move& move, const Asked& asked, const F& visit) {
    motion_.set(s.nodes, &move);
    const auto look = [&](const ShapePair& pair, const Nearness& n) {
      const double most = motion_.most_closing(pair, n);
      if (most == 0 || most < 0.99 * (1 - kept_in_a_bend) * n.gap()) return;  // however much it keeps
      const bool bends = n.gap() < thickness() && motion_.closing(pair, n) <= 0;
      const double least = std::min((bends ? kept_in_a_bend : kept_gap) * n.gap(), landing * thickness());
      if (n.gap() - least < most) visit(pair, n, least);
    };
    if (only_what_pushes_can_meet()) {
      for (const NearPair& n : near_.within(s.nodes))
        if (asked(n.pair)) look(n.pair, n.near);
    } else {
      for (const ShapePair& pair : near_.on_the_way(s.nodes, motion_))
        if (asked(pair)) look(pair, nearness(shapes_, pair, near_.at(), s.nodes));
    }
  }
  bool is_left_out(const NearPair& n) const {
    if (!left_out_) return false;
    const PairNodes of = nodes_of(shapes_, n.pair, n.near);
    return std::all_of(of.node, of.node + of.count, [&](int i) { return (*left_out_)[i] == hold_all; });
  }

  void add_stiffness(const State& s, const NearPair& n, const Barrier& barrier, bool projected, BlockMatrix& out) {
    PairPush p;
    const bool rigid = has_rigid_sides(shapes_, n);
    if (rigid && !push_of(shapes_, n, near_.at(), s.nodes, barrier, p)) return;
    if (!rigid || !add_rigid_stiffness(n, near_.at(), barrier, p, projected, out)) {
      double h[PairPush::rows * PairPush::rows];
      if (!push_of(shapes_, n, near_.at(), s.nodes, barrier, p, h, projected)) return;
      add_to_nodes({p.count, p.node, p.lever}, h, out);
    }
    if (!projected) add_turning({p.count, p.node, p.lever}, p.slope, out);
  }
  template <class F>
  void for_each(const State& s, const Inputs& in, const F& visit) {
    PairPush p;
    for (const NearPair& n : near_.within(s.nodes)) {
      if (is_left_out(n)) continue;
      if (push_of(shapes_, n, near_.at(), s.nodes, barriers_.of(s.memory, in, n.pair), p)) visit(n.pair, p);
    }
  }
  double energy(const State& s, const Inputs& in) {
    double sum = 0;
    for_each(s, in, [&](const ShapePair&, const PairPush& p) { sum += p.energy; });
    return sum;
  }
  bool is_among(const NearPair& n, const std::vector<std::uint8_t>* nodes) const {
    if (!nodes) return false;
    const PairNodes of = nodes_of(shapes_, n.pair, n.near);
    return std::any_of(of.node, of.node + of.count, [&](int i) { return (*nodes)[i] != 0; });
  }
  // Pairs of nodes that these pairs couple; until visit says no.
  template <class F>
  bool visit_nodes(const ShapePair& pair, const Nearness& n, const F& visit) const {
    const PairNodes nodes = nodes_of(shapes_, pair, n);
    for (int a = 0; a < nodes.count; ++a)
      for (int b = 0; b < a; ++b)
        if (!visit(nodes.node[a], nodes.node[b])) return false;
    return true;
  }
  // Likewise of contacts that rub: they hold on to pairs that may have parted since they were noted.
  template <class F>
  bool for_each_lagged(const F& visit) const {
    for (const Rubbing::Lag& lag : rubbing_.lags())
      for (int a = 0; a < lag.count; ++a)
        for (int b = 0; b < a; ++b)
          if (lag.node[a] != lag.node[b] && !visit(lag.node[a], lag.node[b])) return false;
    return true;
  }
  void note_friction(const State& s, const Inputs& in) {
    rubbing_.clear();
    for_each(s, in, [&](const ShapePair& pair, const PairPush& p) { rubbing_.note(pair, p, s); });
    rubbing_.gather(s);
  }
  // Where bodies are within the thickness of each other, and which pairs push.
  void note_places(const State& s, const Inputs& in) {
    places_.clear(), pushing_.clear();
    PairPush p;
    for (const NearPair& n : near_.within(s.nodes)) {
      const bool pushes = push_of(shapes_, n, near_.at(), s.nodes, barriers_.of(s.memory, in, n.pair), p);
      places_.push_back({bodies_of(shapes_, n.pair), n.near.gap(), pushes ? p.normal_force : 0});
      if (pushes) pushing_.push_back(n.pair.key());
    }
  }
  void note_bodies(const State& s, const Inputs& in, double duration) {
    contact_force_.assign(static_cast<std::size_t>(s.nodes.count), V{});
    for_each(s, in, [&](const ShapePair&, const PairPush& p) {
      for (int k = 0; k < p.count; ++k) contact_force_[p.node[k]] += -1.0 * p.slope[k];
    });
    for (std::size_t i = 0; i < s.memory.friction.size(); ++i) contact_force_[i] += s.memory.friction[i];
    barriers_.note_bodies(s, contact_force_, duration);
  }
  // What was noted before steps in which this law did not act says nothing about what is near now.
  static void forget_if_stale(const State& s, Memory& memory) {
    if (s.clock.step <= memory.near_step + 1) return;
    memory.near_bodies.clear(), memory.near_strength.clear(), memory.near_reach.clear();
    memory.stuck.clear(), memory.stretch.clear(), memory.friction.clear();
  }

  const Shapes& shapes_;
  PairBarriers barriers_;
  Rubbing rubbing_;
  // Caches, functions of the states that the term is asked about; and what begin() noted of the step under way.
  NearPairs near_;
  PointMotion motion_;
  std::vector<PairBarriers::Place> places_;
  std::vector<std::uint64_t> pushing_;
  std::vector<V> contact_force_;                         // [node] N
  const std::vector<std::uint8_t>* left_out_ = nullptr;  // [node] Hold bits; null: none
};

}  // namespace

std::unique_ptr<Contact> make_barrier_term(const Shapes& shapes, const BarrierScale& scale) {
  return std::make_unique<BarrierTerm>(shapes, scale);
}

}  // namespace ls
