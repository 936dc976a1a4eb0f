#include "terms/bonds/bonded_term.h"

#include "base/error.h"
#include "math/block_matrix.h"
#include "physics/derive.h"
#include "terms/bonds/bond_stiffness_loops.h"
#include "terms/bonds/bond_strains.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

constexpr int least_blocks = 1024;   // below, threads cost more than they save
constexpr int bonds_per_sum = 1024;  // energies are summed in blocks of so many, in order

template <class K, class... Ks>
constexpr int index_in(KernelList<Ks...>) {
  int i = 0, found = -1;
  ((std::is_same_v<K, Ks> ? found = i : 0, ++i), ...);
  return found;
}

bool is_one(const Quat<double>& q) {
  return q.w == 1.0 && q.v.x == 0 && q.v.y == 0 && q.v.z == 0;
}

// A bond kernel applied to a list of pairs of nodes.
template <BondKernel K>
class BondedTerm final : public Term {
 public:
  BondedTerm(int nodes, const std::vector<BondClass>& classes, std::vector<BondEntry> bonds, int first_bond);

  std::string_view name() const override { return K::name; }
  int count() const override { return static_cast<int>(bonds_.size()); }
  bool adds_to_nodes() const override { return !links_.empty(); }
  int link_slots() const override { return static_cast<int>(links_.cls.size()); }
  void add_wrenches(const State&, const Inputs&, Wrenches&, Team&) const override;
  void add_chain_wrenches(const State&, Wrenches&, int first_block, int last_block) const override;
  bool is_chain_only() const override { return links_.empty() && limits_.empty(); }
  void add_energy(const State&, const Inputs&, std::vector<EnergyPart>&, Team&) const override;
  void add_wrench_change(const State&, const Inputs&, const std::vector<Twist<double>>& move,
                         std::vector<Wrench<double>>& change) const override;
  void add_pattern(const State&, const Inputs&, std::vector<std::pair<int, int>>&) const override;
  void add_stiffness(const State&, const Inputs&, const StiffnessRequest&, BlockMatrix&) const override;
  void predict(const State&, const Move& move, std::vector<double>& stress) const override;
  double longest_damping_time() const override;
  void records(const State&, std::vector<BondRecord>&) const override;
  void advance(const State&, const Inputs&, Memory&) const override;
  std::size_t bytes() const override;

 private:
  BondBatch batch(const State&, const BondSlots&) const;
  void add_links(const State&, Wrenches&, Team&) const;
  void silence_broken(const State&, Wrenches&, bool chain) const;
  bool broken(const State& s, int bond) const {
    return !s.memory.broken.empty() && s.memory.broken[first_bond_ + bond] != 0;
  }
  void frames(const State& s, const BondEntry& e, Frame<double> (&f)[2]) const {
    const auto& c = classes_[e.cls];
    f[0] = s.nodes.frame(e.node1), f[1] = s.nodes.frame(e.node2);
    f[0].q = f[0].q * c.rest1, f[1].q = f[1].q * c.rest2;
  }

  struct Class {  // its numbers, in this order, are a row of the table of the hot loops
    typename K::template Params<double> law;
    BondDamping::Params<double> damping;
    Quat<double> rest1, rest2;
  };

  std::vector<Class> classes_;
  std::vector<BondEntry> bonds_;
  int first_bond_;
  std::vector<Fracture> limits_;  // [class], empty: nothing breaks
  bool damped_ = false, turned_ = false;
  BondSlots chain_, links_;
  LinkIncidence incidence_;
  std::vector<int> bond_at_;  // [slot of the chain, then of the links] its bond, -1 for none
  BondLoop loop_;
  const StiffnessLoops& stiffness_;
};

template <BondKernel K>
BondedTerm<K>::BondedTerm(int nodes, const std::vector<BondClass>& classes, std::vector<BondEntry> bonds,
                          int first_bond)
    : bonds_(std::move(bonds)),
      first_bond_(first_bond),
      chain_(BondSlots::chain(nodes, bonds_)),
      links_(BondSlots::links(bonds_)),
      incidence_(links_),
      bond_at_(chain_.cls.size() + links_.cls.size(), -1),
      loop_(bond_loop(index_in<K>(BondKernels{}))),
      stiffness_(stiffness_loops(index_in<K>(BondKernels{}))) {
  for (int i = 0, link = static_cast<int>(chain_.cls.size()); i < count(); ++i)
    bond_at_[is_chain(bonds_[i]) ? bonds_[i].node1 : link++] = i;
  bool breaks = false;
  for (const auto& c : classes) {
    classes_.push_back({K::of(c.stiffness), c.damping, c.rest1, c.rest2});
    limits_.push_back(c.limit);
    const auto& d = c.damping;
    damped_ = damped_ || d.cr != 0 || d.cs1 != 0 || d.cs2 != 0 || d.cb1 != 0 || d.cb2 != 0 || d.ct != 0;
    turned_ = turned_ || !is_one(c.rest1) || !is_one(c.rest2);
    breaks = breaks || c.limit.any();
  }
  if (!breaks) limits_.clear();
}

template <BondKernel K>
BondBatch BondedTerm<K>::batch(const State& s, const BondSlots& slots) const {
  BondBatch b{};
  for (int k = 0; k < 3; ++k) {
    b.x[k] = s.nodes.x[k].data();
    b.v[k] = s.nodes.v[k].data();
    b.w[k] = s.nodes.w[k].data();
  }
  for (int k = 0; k < 4; ++k) b.q[k] = s.nodes.q[k].data();
  b.node1 = slots.node1.empty() ? nullptr : slots.node1.data();
  b.node2 = slots.node2.empty() ? nullptr : slots.node2.data();
  b.cls = slots.cls.data();
  static_assert(sizeof(Class) % sizeof(double) == 0);
  b.table = reinterpret_cast<const double*>(classes_.data());
  b.stride = sizeof(Class) / sizeof(double);
  b.runs = slots.runs.data();
  b.run_count = static_cast<int>(slots.runs.size());
  b.damped = damped_;
  b.turned = turned_;
  return b;
}

template <BondKernel K>
void BondedTerm<K>::add_chain_wrenches(const State& s, Wrenches& out, int first_block, int last_block) const {
  BondBatch b = batch(s, chain_);
  for (int k = 0; k < 3; ++k) {
    b.force[k] = out.bond_force[k].data() + block;
    b.torque1[k] = out.bond_torque1[k].data() + block;
    b.torque2[k] = out.bond_torque2[k].data() + block;
  }
  loop_(b, first_block, last_block);
}

template <BondKernel K>
void BondedTerm<K>::add_wrenches(const State& s, const Inputs&, Wrenches& out, Team& team) const {
  if (!chain_.empty()) {
    team.run(chain_.blocks(), least_blocks, [&](int first, int last) { add_chain_wrenches(s, out, first, last); });
    silence_broken(s, out, true);
  }
  if (!links_.empty()) add_links(s, out, team);
}

template <BondKernel K>
void BondedTerm<K>::add_links(const State& s, Wrenches& out, Team& team) const {
  BondBatch b = batch(s, links_);
  for (int k = 0; k < 3; ++k) {
    b.force[k] = out.link_force[k].data();
    b.torque1[k] = out.link_torque1[k].data();
    b.torque2[k] = out.link_torque2[k].data();
  }
  team.run(links_.blocks(), least_blocks, [&](int first, int last) { loop_(b, first, last); });
  silence_broken(s, out, false);
  const auto& in = incidence_;
  team.run(static_cast<int>(in.node.size()), least_blocks * block, [&](int first, int last) {
    for (int n = first; n < last; ++n)
      for (int e = in.first[n]; e < in.first[n + 1]; ++e) {
        const int slot = in.ends[e] / 2;
        const bool second = in.ends[e] % 2 != 0;
        for (int k = 0; k < 3; ++k) {
          out.force[k][in.node[n]] += second ? -out.link_force[k][slot] : out.link_force[k][slot];
          out.torque[k][in.node[n]] += second ? out.link_torque2[k][slot] : out.link_torque1[k][slot];
        }
      }
  });
}

// Broken bonds are computed with the others and then erased: rare, and it keeps the hot loops free of flags.
template <BondKernel K>
void BondedTerm<K>::silence_broken(const State& s, Wrenches& out, bool chain) const {
  if (limits_.empty()) return;
  int link = 0;
  for (int i = 0; i < count(); ++i) {
    const bool on_chain = is_chain(bonds_[i]);
    const int slot = on_chain ? bonds_[i].node1 + block : link;
    if (!on_chain) ++link;
    if (on_chain != chain || !broken(s, i)) continue;
    for (auto* triple : chain ? std::array{out.bond_force, out.bond_torque1, out.bond_torque2}
                              : std::array{out.link_force, out.link_torque1, out.link_torque2})
      for (int k = 0; k < 3; ++k) triple[k][slot] = 0;
  }
}

template <BondKernel K>
void BondedTerm<K>::add_energy(const State& s, const Inputs&, std::vector<EnergyPart>& out, Team& team) const {
  const int sums = (count() + bonds_per_sum - 1) / bonds_per_sum;
  std::vector<Modes<double>> part(static_cast<std::size_t>(sums));
  team.run(sums, least_blocks * block / bonds_per_sum, [&](int first, int last) {
    for (int p = first; p < last; ++p)
      for (int i = p * bonds_per_sum; i < std::min(count(), (p + 1) * bonds_per_sum); ++i) {
        if (broken(s, i)) continue;
        Frame<double> f[2];
        frames(s, bonds_[i], f);
        const auto u = K::energy(classes_[bonds_[i].cls].law, f);
        part[p] = {part[p].stretch + u.stretch, part[p].shear + u.shear, part[p].bend + u.bend,
                   part[p].twist + u.twist};
      }
  });
  Modes<double> sum;
  for (const auto& p : part)
    sum = {sum.stretch + p.stretch, sum.shear + p.shear, sum.bend + p.bend, sum.twist + p.twist};
  out.push_back({"stretch", sum.stretch});
  out.push_back({"shear", sum.shear});
  out.push_back({"bend", sum.bend});
  out.push_back({"twist", sum.twist});
}

template <BondKernel K>
void BondedTerm<K>::add_wrench_change(const State& s, const Inputs&, const std::vector<Twist<double>>& move,
                                      std::vector<Wrench<double>>& change) const {
  for (int i = 0; i < count(); ++i) {
    if (broken(s, i)) continue;
    const auto& e = bonds_[i];
    Frame<double> f[2];
    frames(s, e, f);
    const Twist<double> m[2] = {move[e.node1], move[e.node2]};
    Wrench<double> w[2];
    wrench_change<K>(classes_[e.cls].law, f, m, w);
    change[e.node1] += w[0];
    change[e.node2] += w[1];
  }
}

template <BondKernel K>
void BondedTerm<K>::add_pattern(const State&, const Inputs&, std::vector<std::pair<int, int>>& pairs) const {
  for (const auto& b : bonds_) pairs.emplace_back(b.node1, b.node2);
}

// From (r, theta1, theta2) to the two nodes' twelve: r = x2 - x1.
inline void spread(const double* h, int lane, double (&out)[12][12]) {
  const auto at = [&](int r, int c) { return h[block * (9 * r + c) + lane]; };
  constexpr int variable[12] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 6, 7, 8};
  for (int r = 0; r < 12; ++r)
    for (int c = 0; c < 12; ++c)
      out[r][c] = (r < 3) != (c < 3) ? -at(variable[r], variable[c]) : at(variable[r], variable[c]);
}

template <BondKernel K>
void BondedTerm<K>::add_stiffness(const State& s, const Inputs&, const StiffnessRequest& wanted,
                                  BlockMatrix& out) const {
  double h[81 * block];
  int before = 0;  // slots of the chain, when it comes to the links
  for (const BondSlots* slots : {&chain_, &links_}) {
    StiffnessBatch b{batch(s, *slots), wanted.rate, nullptr};
    if (wanted.predicted) b.predicted = wanted.predicted->data() + stress_numbers * before;
    for (const auto& run : slots->runs)
      for (int k = run.first_block; k < run.last_block; ++k) {
        stiffness_.stiffness(b, k, h);
        for (int lane = 0; lane < block; ++lane) {
          const int bond = bond_at_[before + block * k + lane];
          if (bond < 0 || broken(s, bond)) continue;
          double full[12][12];
          spread(h, lane, full);
          out.add_pair(bonds_[bond].node1, bonds_[bond].node2, full);
        }
      }
    before += static_cast<int>(slots->cls.size());
  }
}

template <BondKernel K>
void BondedTerm<K>::predict(const State& s, const Move& move, std::vector<double>& stress) const {
  stress.resize(stress_numbers * bond_at_.size());
  int before = 0;
  for (const BondSlots* slots : {&chain_, &links_}) {
    BondBatch b = batch(s, *slots);
    for (int k = 0; k < 3; ++k) b.v[k] = move.v[k].data(), b.w[k] = move.w[k].data();
    for (const auto& run : slots->runs)
      for (int k = run.first_block; k < run.last_block; ++k)
        stiffness_.predict(b, k, stress.data() + stress_numbers * (before + block * k));
    before += static_cast<int>(slots->cls.size());
  }
}

template <BondKernel K>
double BondedTerm<K>::longest_damping_time() const {
  double longest = 0;
  for (const auto& c : classes_) {
    const Modes<double> k = small_strain_stiffness(c.law);
    const auto time = [&](double viscosity, double stiffness) {
      if (viscosity > 0 && stiffness > 0) longest = std::max(longest, viscosity / stiffness);
    };
    time(c.damping.cr, k.stretch);
    time(std::max(c.damping.cs1, c.damping.cs2), k.shear);
    time(std::max(c.damping.cb1, c.damping.cb2), k.bend);
    time(c.damping.ct, k.twist);
  }
  return longest;
}

template <BondKernel K>
void BondedTerm<K>::records(const State& s, std::vector<BondRecord>& out) const {
  for (int i = 0; i < count(); ++i) {
    const auto& e = bonds_[i];
    Frame<double> f[2];
    frames(s, e, f);
    const auto& law = classes_[e.cls].law;
    const auto strain = bond_strains(f, rest_length(law));
    const auto u = broken(s, i) ? Modes<double>{} : K::energy(law, f);
    out.push_back({e.node1,
                   e.node2,
                   {strain.stretch, strain.shear, strain.bend, strain.twist},
                   {u.stretch, u.shear, u.bend, u.twist},
                   broken(s, i)});
  }
}

template <BondKernel K>
void BondedTerm<K>::advance(const State& s, const Inputs&, Memory& memory) const {
  if (limits_.empty()) return;
  for (int i = 0; i < count(); ++i) {
    const auto& e = bonds_[i];
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
    if (sum >= 1) memory.broken[first_bond_ + i] = 1;
  }
}

template <BondKernel K>
std::size_t BondedTerm<K>::bytes() const {
  const auto slots = [](const BondSlots& s) { return (s.cls.size() + s.node1.size() + s.node2.size()) * sizeof(int); };
  return classes_.size() * (sizeof(Class) + sizeof(Fracture)) + bonds_.size() * sizeof(BondEntry) + slots(chain_) +
         slots(links_) + (incidence_.node.size() + incidence_.first.size() + incidence_.ends.size()) * sizeof(int);
}

template <class... K>
std::unique_ptr<const Term> make(KernelList<K...>, std::string_view model, int nodes,
                                 const std::vector<BondClass>& classes, std::vector<BondEntry>& bonds, int first_bond) {
  std::unique_ptr<const Term> term;
  ((model == K::name ? (term = std::make_unique<BondedTerm<K>>(nodes, classes, std::move(bonds), first_bond), 0) : 0),
   ...);
  return term;
}
template <class... K>
std::vector<std::string> names(KernelList<K...>) {
  return {K::name...};
}

}  // namespace

std::vector<std::string> bond_models() {
  return names(BondKernels{});
}

std::unique_ptr<const Term> make_bonded_term(std::string_view model, int nodes, const std::vector<BondClass>& classes,
                                             std::vector<BondEntry> bonds, int first_bond) {
  auto term = make(BondKernels{}, model, nodes, classes, bonds, first_bond);
  if (!term) throw Error("unknown bond model " + std::string(model));
  return term;
}

}  // namespace ls
