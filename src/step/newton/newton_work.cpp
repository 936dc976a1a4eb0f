#include "step/newton/newton_work.h"

#include "step/move.h"
#include "step/newton/spinners.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ls {

namespace {

NodePairs pairs_of(const Terms& terms, const State& s, const Inputs& in) {
  NodePairs pairs;
  for (const auto& term : terms.all) term->add_pattern(s, in, pairs);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

// Of sorted pairs.
int longest_chain_of(const NodePairs& pairs) {
  int most = 0, end = -1, count = 0;  // of the chain that leads to `end`
  for (const auto& [a, b] : pairs) {
    if (b != a + 1) continue;
    count = a == end ? count + 1 : 1, end = b;
    most = std::max(most, count);
  }
  return most;
}

// What joints link moves by one rule. Joints that come later may bring two linkages together.
std::vector<int> linkages(const Model& m) {
  std::vector<int> first(m.nodes, -1);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Joint& j : m.joints.joints) {
      const int a = j.end[0].node, b = j.end[1].node;
      int least = m.nodes;
      for (const int node : {a, b})
        if (node >= 0) least = std::min({least, node, first[node] >= 0 ? first[node] : node});
      for (const int node : {a, b})
        if (node >= 0 && first[node] != least) first[node] = least, changed = true;
    }
  }
  return first;
}

}  // namespace

NewtonWork::NewtonWork(const Model& model, const Terms& terms_of_model)
    : terms(terms_of_model),
      pairs(pairs_of(terms, State(), Inputs{})),
      longest_chain(longest_chain_of(pairs)),
      stiffness(BlockPattern(model.nodes, pairs)),
      ldlt(stiffness.pattern()),
      residual(dofs * static_cast<std::size_t>(model.nodes)),
      solution(residual),
      driven(residual),
      held(model.nodes, 0),
      bonded(bonded_nodes(model)),
      linkage(linkages(model)) {
  if (terms.joints) pull.assign(residual.size(), 0.0);
  for (int c = 0; c < 3; ++c) {
    move.v[c].assign(padded(model.nodes), 0.0);
    move.w[c] = move.v[c];
  }
}

std::size_t NewtonWork::bytes() const {
  constexpr std::size_t stress = 7;  // numbers a bond, which its term keeps
  return pairs.size() * (sizeof(pairs[0]) + stress * sizeof(double)) + stiffness.bytes() + ldlt.bytes() +
         3 * residual.size() * sizeof(double) + held.size() + bonded.size() +
         (6 + 7) * move.v[0].size() * sizeof(double);
}

void renew_pattern(const Model& m, const Inputs& in, const State& s, NewtonWork& newton) {
  if (!m.shapes && !m.dipoles.interact) return;
  auto pairs = pairs_of(newton.terms, s, in);
  if (pairs == newton.pairs) return;
  newton.pairs = std::move(pairs);
  newton.stiffness = BlockMatrix(BlockPattern(m.nodes, newton.pairs));
  newton.ldlt = BlockLdlt(newton.stiffness.pattern());
}

void fit_pattern(const Model& m, const Inputs& in, const State& s, NewtonWork& newton) {
  Contact* contact = newton.terms.contact(in);
  if (contact && !contact->fits(s, in, newton.stiffness.pattern())) renew_pattern(m, in, s, newton);
}

void assemble_without_joints(const Inputs& in, const State& s, const StiffnessRequest& wanted, NewtonWork& newton) {
  assert(newton.stiffness.pattern().size == s.nodes.count);
  newton.stiffness.clear();
  for (const auto& term : newton.terms.all)
    if (term.get() != newton.terms.joints) term->add_stiffness(s, in, wanted, newton.stiffness);
}

void add_joints(const Inputs& in, const State& s, const StiffnessRequest& wanted, NewtonWork& newton) {
  if (!newton.terms.joints) return;
  newton.terms.joints->set_held(newton.held, newton.size);
  newton.terms.joints->add_stiffness(s, in, wanted, newton.stiffness);
}

void assemble_stiffness(const Inputs& in, const State& s, const StiffnessRequest& wanted, NewtonWork& newton) {
  assemble_without_joints(in, s, wanted, newton);
  add_joints(in, s, wanted, newton);
}

bool factor_stiffness(const Model& m, const Inputs& in, const std::vector<HeldNode>& held, const State& s,
                      NewtonWork& newton) {
  std::fill(newton.held.begin(), newton.held.end(), 0);
  for (const auto& h : held) newton.held[h.node] = h.mask;
  fit_pattern(m, in, s, newton);
  assemble_stiffness(in, s, {}, newton);
  add_spinners(s, newton);
  return newton.ldlt.factor(newton.stiffness, newton.held, newton.pulse);
}

void make_move(State& s, NewtonWork& newton) {
  assert(static_cast<int>(newton.held.size()) == s.nodes.count);
  copy_poses(s.nodes, newton.before);
  move_nodes(newton.move, s.nodes);
}

LargestMove largest_move(const std::vector<double>& u, int nodes) {
  LargestMove l;
  for (int i = 0; i < nodes; ++i) {
    const double* a = u.data() + static_cast<std::ptrdiff_t>(dofs) * i;
    const double x = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], t = a[3] * a[3] + a[4] * a[4] + a[5] * a[5];
    if (!std::isfinite(x + t)) return {x + t, x + t, i};
    if (x > l.length * l.length) l.length = std::sqrt(x), l.node = i;
    if (t > l.turn * l.turn) l.turn = std::sqrt(t);
  }
  return l;
}

}  // namespace ls
