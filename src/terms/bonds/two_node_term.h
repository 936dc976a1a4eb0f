#pragma once
#include "math/block_matrix.h"
#include "model/bond_table.h"
#include "physics/derive.h"
#include "physics/kernels.h"
#include "terms/blocked_sum.h"
#include "terms/bonds/bond_slots.h"
#include "terms/bonds/bond_step_loops.h"
#include "terms/bonds/bond_stiffness_loops.h"
#include "terms/bonds/bond_strains.h"
#include "terms/term.h"

#include <algorithm>
#include <array>

// A law between two nodes at work on a list of pairs: slots, hot loops, sums over what meets at a node, stiffness. The
// law is a kernel of physics/kernels.h with parameters of its own.
namespace ls {

// All that pairs of one kind share. Its numbers, in this order, are a row of the table of the hot loops.
template <class K>
struct TwoNodeClass {
  typename K::template Params<double> law;
  BondDamping::Params<double> damping;
  Quat<double> rest1, rest2;  // from each node's axes to those in which the kernel sees it
};

// A class of the bonds of a rope, as it was drawn.
struct ReeledClass {
  int cls, reel;
  ElasticBond stiffness;
  BondDamping::Params<double> damping;
  double share = 1;  // of that length, as the class stands now
};

template <class K>
class TwoNodeTerm final : public Term {
 public:
  // limits: [class] or empty: nothing breaks. first: number of the first pair in Memory::broken.
  TwoNodeTerm(int nodes, std::vector<TwoNodeClass<K>> classes, std::vector<BondEntry> pairs,
              std::vector<Fracture> limits, int first, std::vector<ReeledClass> reeled = {});

  std::string_view name() const override { return K::name; }
  // What is reeled sets its classes before each sum, which several threads must not do at once.
  Scope scope(const Inputs&) const override { return links_.empty() && reeled_.empty() ? Scope::chains : Scope::all; }
  void add_wrenches(const State&, const Inputs&, const Blocks&, Wrenches&) override;
  void add_energy(const State&, const Inputs&, Energies&, Team&) override;
  void add_pattern(const State&, const Inputs&, NodePairs&) override;
  void add_stiffness(const State&, const Inputs&, const StiffnessRequest&, BlockMatrix&) override;
  void add_product(const State&, const Inputs&, const std::vector<Twist<double>>& move,
                   std::vector<Wrench<double>>& product) override;
  Limits limits(const State&, const Inputs&) override;
  void advance(const State&, const Inputs&, Memory&) override;
  std::size_t bytes() const override;

 private:
  static constexpr int least_blocks = 1024;   // below, threads cost more than they save
  static constexpr int pairs_per_sum = 1024;  // energies are summed in blocks of so many, in order

  int count() const { return static_cast<int>(pairs_.size()); }
  // By Inputs and Memory: wrenches are those of the lengths that the schedule wants, energies of those that ropes have.
  void set_lengths(const std::vector<double>& wanted, const std::vector<double>& now);
  BondBatch batch(const Nodes&, const BondSlots&) const;
  BondStepBatch step_batch(const BondBatch&, const Nodes& start) const;
  void run_loop(const BondBatch&, const Inputs&, int first_block, int last_block) const;
  void find_stresses(const State&, const Inputs&, const StiffnessRequest&, const BondSlots&, double* out) const;
  void add_chain(const State&, const Inputs&, int first_block, int last_block, Wrenches&);
  void add_links(const State&, const Inputs&, Team&, Wrenches&);
  bool broken(const State& s, int pair) const {
    return !s.memory.broken.empty() && s.memory.broken[first_ + pair] != 0;
  }
  void frames(const State& s, const BondEntry& e, Frame<double> (&f)[2]) const {
    const auto& c = classes_[e.cls];
    f[0] = s.nodes.frame(e.node1), f[1] = s.nodes.frame(e.node2);
    f[0].q = f[0].q * c.rest1, f[1].q = f[1].q * c.rest2;
  }

  std::vector<TwoNodeClass<K>> classes_;
  std::vector<BondEntry> pairs_;
  std::vector<Fracture> limits_;
  int first_;
  std::vector<ReeledClass> reeled_;
  bool damped_ = false, turned_ = false;
  BondSlots chain_, links_;
  LinkIncidence incidence_;
  std::vector<int> pair_at_;  // [slot of the chain, then of the links] its pair, -1 for none
  const BondLoop loop_;
  const BondStepLoops& step_;
  const StiffnessLoops& stiffness_;
  Column link_force_[3], link_torque1_[3], link_torque2_[3];  // [link slot] scratch
  std::vector<double> stress_;                                // [block][stress number][slot in block] scratch
};

template <class K, class... Ks>
constexpr int index_in(KernelList<Ks...>) {
  int i = 0, found = -1;
  ((std::is_same_v<K, Ks> ? found = i : 0, ++i), ...);
  return found;
}

inline bool is_one(const Quat<double>& q) {
  return q.w == 1.0 && q.v.x == 0 && q.v.y == 0 && q.v.z == 0;
}

template <class K>
TwoNodeTerm<K>::TwoNodeTerm(int nodes, std::vector<TwoNodeClass<K>> classes, std::vector<BondEntry> pairs,
                            std::vector<Fracture> limits, int first, std::vector<ReeledClass> reeled)
    : classes_(std::move(classes)),
      pairs_(std::move(pairs)),
      limits_(std::move(limits)),
      first_(first),
      reeled_(std::move(reeled)),
      chain_(BondSlots::chain(nodes, pairs_)),
      links_(BondSlots::links(pairs_)),
      incidence_(links_),
      pair_at_(chain_.cls.size() + links_.cls.size(), -1),
      loop_(bond_loop(index_in<K>(BondKernels{}))),
      step_(bond_step_loops(index_in<K>(BondKernels{}))),
      stiffness_(stiffness_loops(index_in<K>(BondKernels{}))) {
  for (int i = 0, link = static_cast<int>(chain_.cls.size()); i < count(); ++i) {
    assert(pairs_[i].node1 >= 0 && pairs_[i].node2 < nodes);
    pair_at_[is_chain(pairs_[i]) ? pairs_[i].node1 : link++] = i;
  }
  for (const auto& c : classes_) {
    const auto& d = c.damping;
    damped_ = damped_ || d.cr != 0 || d.cs1 != 0 || d.cs2 != 0 || d.cb1 != 0 || d.cb2 != 0 || d.ct != 0;
    turned_ = turned_ || !is_one(c.rest1) || !is_one(c.rest2);
  }
  for (auto* triple : {link_force_, link_torque1_, link_torque2_})
    for (int k = 0; k < 3; ++k) triple[k].assign(links_.cls.size(), 0.0);
}

template <class K>
void TwoNodeTerm<K>::set_lengths(const std::vector<double>& wanted, const std::vector<double>& now) {
  for (ReeledClass& r : reeled_) {
    const double share = reeled_share(r.reel, wanted, now);
    if (share == r.share) continue;
    r.share = share;
    classes_[r.cls].law = K::of(with_length(r.stiffness, share));
    classes_[r.cls].damping = BondDamping::with_length(r.damping, share);
  }
}

template <class K>
BondBatch TwoNodeTerm<K>::batch(const Nodes& nodes, const BondSlots& slots) const {
  BondBatch b{};
  for (int k = 0; k < 3; ++k) {
    b.x[k] = nodes.x[k].data();
    b.v[k] = nodes.v[k].data();
    b.w[k] = nodes.w[k].data();
  }
  for (int k = 0; k < 4; ++k) b.q[k] = nodes.q[k].data();
  b.node1 = slots.node1.empty() ? nullptr : slots.node1.data();
  b.node2 = slots.node2.empty() ? nullptr : slots.node2.data();
  b.cls = slots.cls.data();
  b.present = slots.present.data();
  static_assert(sizeof(TwoNodeClass<K>) % sizeof(double) == 0);
  b.table = reinterpret_cast<const double*>(classes_.data());
  b.stride = sizeof(TwoNodeClass<K>) / sizeof(double);
  b.runs = slots.runs.data();
  b.run_count = static_cast<int>(slots.runs.size());
  b.damped = damped_;
  b.turned = turned_;
  return b;
}

template <class K>
BondStepBatch TwoNodeTerm<K>::step_batch(const BondBatch& bonds, const Nodes& start) const {
  BondStepBatch b{bonds, {}, {}};
  for (int k = 0; k < 3; ++k) b.start[k] = start.x[k].data();
  for (int k = 0; k < 4; ++k) b.turn[k] = start.q[k].data();
  return b;
}

template <class K>
void TwoNodeTerm<K>::run_loop(const BondBatch& b, const Inputs& in, int first_block, int last_block) const {
  if (in.step_start)
    step_.wrenches(step_batch(b, *in.step_start), first_block, last_block);
  else
    loop_(b, first_block, last_block);
}

template <class K>
void TwoNodeTerm<K>::add_wrenches(const State& s, const Inputs& in, const Blocks& blocks, Wrenches& out) {
  set_lengths(in.reels, s.memory.reels);
  if (!chain_.empty())
    blocks.share(least_blocks,
                 [&](int first, int last) { add_chain(s, in, first, std::min(last, chain_.blocks()), out); });
  assert(links_.empty() || blocks.team);  // links want all blocks at once
  if (!links_.empty()) add_links(s, in, *blocks.team, out);
}

// Broken bonds are computed with the others and then erased: rare, and it keeps the hot loops free of flags.
template <class K>
void TwoNodeTerm<K>::add_chain(const State& s, const Inputs& in, int first_block, int last_block, Wrenches& out) {
  if (first_block >= last_block) return;
  BondBatch b = batch(s.nodes, chain_);
  for (int k = 0; k < 3; ++k) {
    b.force[k] = out.bond_force[k].data() + block - out.first_bond;
    b.torque1[k] = out.bond_torque1[k].data() + block - out.first_bond;
    b.torque2[k] = out.bond_torque2[k].data() + block - out.first_bond;
  }
  run_loop(b, in, first_block, last_block);
  for (int slot = block * first_block; !limits_.empty() && slot < block * last_block; ++slot) {
    if (pair_at_[slot] < 0 || !broken(s, pair_at_[slot])) continue;
    for (auto* triple : {out.bond_force, out.bond_torque1, out.bond_torque2})
      for (int k = 0; k < 3; ++k) triple[k][block + slot - out.first_bond] = 0;
  }
}

template <class K>
void TwoNodeTerm<K>::add_links(const State& s, const Inputs& in, Team& team, Wrenches& out) {
  BondBatch b = batch(s.nodes, links_);
  for (int k = 0; k < 3; ++k) {
    b.force[k] = link_force_[k].data();
    b.torque1[k] = link_torque1_[k].data();
    b.torque2[k] = link_torque2_[k].data();
  }
  team.run(links_.blocks(), least_blocks, [&](int first, int last) { run_loop(b, in, first, last); });
  const int before = static_cast<int>(chain_.cls.size());
  for (int slot = 0; !limits_.empty() && slot < static_cast<int>(links_.cls.size()); ++slot) {
    if (pair_at_[before + slot] < 0 || !broken(s, pair_at_[before + slot])) continue;
    for (auto* triple : {link_force_, link_torque1_, link_torque2_})
      for (int k = 0; k < 3; ++k) triple[k][slot] = 0;
  }
  const auto& at_node = incidence_;
  team.run(static_cast<int>(at_node.node.size()), least_blocks * block, [&](int first, int last) {
    for (int n = first; n < last; ++n)
      for (int e = at_node.first[n]; e < at_node.first[n + 1]; ++e) {
        const int slot = at_node.ends[e] / 2;
        const bool second = at_node.ends[e] % 2 != 0;
        const auto at = [slot](const Column(&c)[3]) { return Vec3<double>{c[0][slot], c[1][slot], c[2][slot]}; };
        const Vec3<double> f = at(link_force_);
        out.add_force(at_node.node[n], second ? -f : f);
        out.add_torque(at_node.node[n], at(second ? link_torque2_ : link_torque1_));
      }
  });
}

template <class K>
void TwoNodeTerm<K>::add_energy(const State& s, const Inputs&, Energies& out, Team& team) {
  if (!out.wants(EnergyKind::bend)) return;
  set_lengths({}, s.memory.reels);
  const auto sum = blocked_sum<Modes<double>>(count(), pairs_per_sum, least_blocks * block / pairs_per_sum, team,
                                              [&](int i, Modes<double>& part) {
                                                if (broken(s, i)) return;
                                                Frame<double> f[2];
                                                frames(s, pairs_[i], f);
                                                part += K::energy(classes_[pairs_[i].cls].law, f);
                                              });
  out.add(EnergyKind::stretch, sum.stretch);
  out.add(EnergyKind::shear, sum.shear);
  out.add(EnergyKind::bend, sum.bend);
  out.add(EnergyKind::twist, sum.twist);
}

template <class K>
void TwoNodeTerm<K>::add_product(const State& s, const Inputs& in, const std::vector<Twist<double>>& move,
                                 std::vector<Wrench<double>>& product) {
  set_lengths(in.reels, s.memory.reels);
  for (int i = 0; i < count(); ++i) {
    if (broken(s, i)) continue;
    const auto& e = pairs_[i];
    Frame<double> f[2];
    frames(s, e, f);
    const Twist<double> m[2] = {move[e.node1], move[e.node2]};
    Wrench<double> w[2];
    wrench_change<K>(classes_[e.cls].law, f, m, w);
    product[e.node1] -= w[0];
    product[e.node2] -= w[1];
  }
}

template <class K>
void TwoNodeTerm<K>::add_pattern(const State&, const Inputs&, NodePairs& out) {
  for (const auto& p : pairs_) out.emplace_back(p.node1, p.node2);
}

// The stress that the geometric stiffness is taken at: that which the linear model foresaw, or that of the step.
template <class K>
void TwoNodeTerm<K>::find_stresses(const State& s, const Inputs& in, const StiffnessRequest& wanted,
                                   const BondSlots& slots, double* out) const {
  BondBatch b = batch(wanted.last ? wanted.last->from : s.nodes, slots);
  for (int k = 0; wanted.last && k < 3; ++k)
    b.v[k] = wanted.last->move.v[k].data(), b.w[k] = wanted.last->move.w[k].data();
  for (const auto& run : slots.runs)
    for (int k = run.first_block; k < run.last_block; ++k) {
      double* stress = out + stress_numbers * block * k;
      if (in.step_start)
        step_.stress(step_batch(b, *in.step_start), k, wanted.last != nullptr, stress);
      else
        stiffness_.predict(b, k, stress);
    }
}

template <class K>
void TwoNodeTerm<K>::add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& wanted, BlockMatrix& out) {
  set_lengths(in.reels, s.memory.reels);
  alignas(64) double h[pair_stride * block];
  int before = 0;  // slots of the chain, when it comes to the links
  const bool mixed = wanted.last || in.step_start;
  if (mixed) stress_.resize(stress_numbers * pair_at_.size());
  for (const BondSlots* slots : {&chain_, &links_}) {
    StiffnessBatch b{batch(s.nodes, *slots), wanted.rate, nullptr};
    if (mixed) {
      double* stress = stress_.data() + stress_numbers * before;
      find_stresses(s, in, wanted, *slots, stress);
      b.predicted = stress;
    }
    for (const auto& run : slots->runs)
      for (int k = run.first_block; k < run.last_block; ++k) {
        stiffness_.stiffness(b, k, h);
        for (int lane = 0; lane < block; ++lane) {
          const int pair = pair_at_[before + block * k + lane];
          if (pair < 0 || broken(s, pair)) continue;
          out.add_pair(pairs_[pair].node1, pairs_[pair].node2, h + pair_stride * lane);
        }
      }
    before += static_cast<int>(slots->cls.size());
  }
}

template <class K>
Limits TwoNodeTerm<K>::limits(const State& s, const Inputs& in) {
  set_lengths(in.reels, s.memory.reels);
  Limits l;
  for (const auto& c : classes_) {
    const Modes<double> k = small_strain_stiffness(c.law);
    const auto time = [&](double viscosity, double stiffness) {
      if (viscosity > 0 && stiffness > 0) l.damping_time = std::max(l.damping_time, viscosity / stiffness);
    };
    time(c.damping.cr, k.stretch);
    time(std::max(c.damping.cs1, c.damping.cs2), k.shear);
    time(std::max(c.damping.cb1, c.damping.cb2), k.bend);
    time(c.damping.ct, k.twist);
  }
  l.dissipates = l.damping_time > 0;
  return l;
}

template <class K>
void TwoNodeTerm<K>::advance(const State& s, const Inputs& in, Memory& memory) {
  if (limits_.empty()) return;
  set_lengths(in.reels, s.memory.reels);
  for (int i = 0; i < count(); ++i) {
    const auto& e = pairs_[i];
    const Fracture& limit = limits_[e.cls];
    if (!limit.any() || broken(s, i)) continue;
    Frame<double> f[2];
    Wrench<double> w[2];
    frames(s, e, f);
    K::wrench(classes_[e.cls].law, f, w);
    const auto load = bond_load(f, w);
    const auto share = [](double value, double most) { return most > 0 ? value / most : 0.0; };
    const double sum = share(load.stretch, limit.stretch) + share(load.shear, limit.shear) +
                       share(load.bend, limit.bend) + share(load.twist, limit.twist);
    if (sum >= 1) memory.broken[first_ + i] = 1;
  }
}

template <class K>
std::size_t TwoNodeTerm<K>::bytes() const {
  const auto slots = [](const BondSlots& s) {
    return (s.cls.size() + s.node1.size() + s.node2.size()) * sizeof(int) + s.present.size() * sizeof(double);
  };
  return classes_.size() * sizeof(TwoNodeClass<K>) + pairs_.size() * sizeof(BondEntry) + slots(chain_) + slots(links_) +
         (incidence_.node.size() + incidence_.first.size() + incidence_.ends.size() + pair_at_.size()) * sizeof(int) +
         9 * link_force_[0].size() * sizeof(double);
}

}  // namespace ls
