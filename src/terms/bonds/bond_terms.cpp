#include "terms/bonds/bond_terms.h"

#include "base/error.h"
#include "terms/bonds/two_node_term.h"

namespace ls {

namespace {

// Calls visit(K) for the kernel of that name.
template <class F, class... K>
void for_kernel(KernelList<K...>, std::string_view name, const F& visit) {
  bool found = false;
  ((name == K::name ? (visit(K{}), found = true) : false), ...);
  if (!found) throw Error("unknown bond model " + std::string(name));
}

template <class K>
std::unique_ptr<Term> bond_term(int nodes, const BondTable& table) {
  std::vector<TwoNodeClass<K>> classes;
  std::vector<Fracture> limits;
  std::vector<ReeledClass> reeled;
  for (const BondClass& c : table.classes) {
    BondDamping::Params<double> damping = c.damping;
    if (table.paper_rate) damping = {0, 0, 0, 0, 0, 0, damping.l};  // that of the paper is a term of its own
    if (c.reel >= 0) reeled.push_back({static_cast<int>(classes.size()), c.reel, c.stiffness, damping});
    classes.push_back({K::of(c.stiffness), damping, c.rest1, c.rest2});
    limits.push_back(c.limit);
  }
  if (!can_break(table)) limits.clear();
  return std::make_unique<TwoNodeTerm<K>>(nodes, std::move(classes), table.bonds, std::move(limits), table.first,
                                          std::move(reeled));
}

template <class K>
void add_records(const BondTable& table, const State& s, std::vector<BondRecord>& out) {
  std::vector<typename K::template Params<double>> laws;
  for (const BondClass& c : table.classes)
    laws.push_back(
        K::of(c.reel < 0 ? c.stiffness : with_length(c.stiffness, reeled_share(c.reel, {}, s.memory.reels))));
  for (int i = 0; i < table.count(); ++i) {
    const BondEntry& e = table.bonds[i];
    const BondClass& c = table.classes[e.cls];
    Frame<double> f[2] = {s.nodes.frame(e.node1), s.nodes.frame(e.node2)};
    f[0].q = f[0].q * c.rest1, f[1].q = f[1].q * c.rest2;
    const bool broken = !s.memory.broken.empty() && s.memory.broken[table.first + i] != 0;
    const auto strain = bond_strains(f, rest_length(laws[e.cls]));
    const auto u = broken ? Modes<double>{} : K::energy(laws[e.cls], f);
    out.push_back({e.node1,
                   e.node2,
                   {strain.stretch, strain.shear, strain.bend, strain.twist},
                   {u.stretch, u.shear, u.bend, u.twist},
                   broken});
  }
}

}  // namespace

std::unique_ptr<Term> make_bond_term(int nodes, const BondTable& table) {
  std::unique_ptr<Term> term;
  for_kernel(BondKernels{}, table.kernel, [&](auto kernel) { term = bond_term<decltype(kernel)>(nodes, table); });
  return term;
}

std::vector<BondRecord> bond_records(const Model& model, const State& state) {
  std::vector<BondRecord> all;
  for (const BondTable& table : model.bond_tables)
    for_kernel(BondKernels{}, table.kernel, [&](auto kernel) { add_records<decltype(kernel)>(table, state, all); });
  return all;
}

}  // namespace ls
