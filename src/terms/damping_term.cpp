#include "terms/damping_term.h"

#include "math/block_matrix.h"
#include "model/inertia.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ls {

namespace {

// force = -rate m v, torque = -spin_rate I w. [damping], which holds for all nodes alike, is no term: every stepper has
// it in its own loop over the nodes. This one costs nothing where no body asks for it. Explicit steps do without it,
// see damp_bodies().
class DampingTerm final : public Term {
 public:
  explicit DampingTerm(const Model& model) : m_(model), damped_(model.damping) {
    assert(std::ranges::is_sorted(damped_, {}, &NodeDamping::node));
  }

  std::string_view name() const override { return "damping"; }
  Scope scope(const Inputs& in) const override { return in.kicks ? Scope::idle : Scope::nodes; }
  void add_wrenches(const State& s, const Inputs&, const Blocks& blocks, Wrenches& out) override {
    constexpr int least_blocks = 64;  // below, threads cost more than they save
    blocks.share(least_blocks, [&](int first, int last) {
      auto at = std::ranges::lower_bound(damped_, first * block, {}, &NodeDamping::node);
      for (; at != damped_.end() && at->node < last * block; ++at) {
        const int i = at->node;
        const Twist<double> t = s.nodes.twist(i);
        const Vec3<double> spin = angular_momentum(m_, i, s.nodes.frame(i).q, t.w);
        out.add(i, {(-at->rate * m_.mass[i]) * t.v, -at->spin_rate * spin});
      }
    });
  }
  void add_stiffness(const State& s, const Inputs&, const StiffnessRequest& wanted, BlockMatrix& out) override {
    if (wanted.rate == 0) return;
    for (const NodeDamping& d : damped_) {
      double* h = out.diagonal(d.node);
      const double along = d.rate * wanted.rate * m_.mass[d.node];
      for (int a = 0; a < 3; ++a) h[7 * a] += along;
      add_inertia(m_, d.node, s.nodes.frame(d.node).q, d.spin_rate * wanted.rate, h);
    }
  }
  Limits limits(const State&, const Inputs&) override {
    Limits l;
    l.dissipates = true;
    return l;
  }
  std::size_t bytes() const override { return 0; }

 private:
  const Model& m_;
  const std::vector<NodeDamping>& damped_;  // of the model, by node
};

}  // namespace

std::unique_ptr<Term> make_damping_term(const Model& model) {
  return std::make_unique<DampingTerm>(model);
}

}  // namespace ls
