#include "physics/corotational_bond.h"
#include "terms/bonds/bond_terms.h"

#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

V direction(const V& a) {
  const double n = norm(a);
  return n > 1e-14 ? (1 / n) * a : V{};
}

class PaperDamping final : public Term {
 public:
  explicit PaperDamping(const BondTable& table) : classes_(table.classes), bonds_(table.bonds), first_(table.first) {}

  std::string_view name() const override { return "paper_damping"; }
  Scope scope(const Inputs&) const override { return Scope::all; }
  void add_wrenches(const State& s, const Inputs&, const Blocks&, Wrenches& out) override {
    if (s.memory.angles.empty() || s.memory.angle_step <= 0) return;
    for (std::size_t i = 0; i < bonds_.size(); ++i) add_bond(s, i, out);
  }
  Limits limits(const State&, const Inputs&) override {
    Limits l;
    for (const auto& c : classes_) {
      const auto& k = c.stiffness;
      const auto& d = c.damping;
      l.damping_time = std::max({l.damping_time, d.cr / k.kr, d.cs1 / k.ks1, d.cb1 / k.kb1, d.ct / k.kt});
    }
    l.dissipates = l.damping_time > 0;
    return l;
  }
  void advance(const State& s, const Inputs&, Memory& memory) override {
    memory.angles.resize(std::max(memory.angles.size(), 3 * (first_ + bonds_.size())), 0.0);
    for (std::size_t i = 0; i < bonds_.size(); ++i) {
      const auto e = seen(s, i).strain;
      double* a = memory.angles.data() + 3 * (first_ + i);
      a[0] = norm(e.gamma), a[1] = norm(e.theta), a[2] = e.psi;
    }
  }
  std::size_t bytes() const override { return bonds_.size() * sizeof(BondEntry) + classes_.size() * sizeof(BondClass); }

 private:
  struct Seen {
    Mat3<double> axes;  // of C
    CorotationalBond::Strain<double> strain;
  };
  Seen seen(const State& s, std::size_t i) const {
    const BondEntry& b = bonds_[i];
    const BondClass& c = classes_[b.cls];
    Frame<double> f[2] = {s.nodes.frame(b.node1), s.nodes.frame(b.node2)};
    f[0].q = f[0].q * c.rest1, f[1].q = f[1].q * c.rest2;
    CorotationalBond::take_shorter_way(f);
    const auto o = halfway(f);
    return {o.axes, CorotationalBond::strain(CorotationalBond::of(c.stiffness), o)};
  }
  void add_bond(const State& s, std::size_t i, Wrenches& out) const {
    const BondEntry& b = bonds_[i];
    const auto& d = classes_[b.cls].damping;
    if (!s.memory.broken.empty() && s.memory.broken[first_ + i]) return;
    const auto [axes, e] = seen(s, i);
    const double* before = s.memory.angles.data() + 3 * (first_ + i);
    const double rate = 1 / s.memory.angle_step;
    const V n = axes * e.n;
    const double stretching = dot(s.nodes.twist(b.node2).v - s.nodes.twist(b.node1).v, n);
    const V couple = (0.5 * (d.cs1 + d.cs2) * rate * (norm(e.gamma) - before[0])) * direction(e.gamma);
    const V force = d.cr * stretching * e.n + e.length * cross(couple, e.n);
    const V half = (0.5 * e.length * e.length) * cross(e.n, cross(couple, e.n));
    const V turn = (0.5 * (d.cb1 + d.cb2) * rate * (norm(e.theta) - before[1])) * direction(e.theta) +
                   (d.ct * rate * (e.psi - before[2])) * e.n;
    out.add(b.node1, {axes * force, axes * (half + turn)});
    out.add(b.node2, {-(axes * force), axes * (half - turn)});
  }
  std::vector<BondClass> classes_;
  std::vector<BondEntry> bonds_;
  int first_;
};

}  // namespace

std::unique_ptr<Term> make_paper_damping(const BondTable& table) {
  return std::make_unique<PaperDamping>(table);
}

}  // namespace ls
