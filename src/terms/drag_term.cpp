#include "terms/drag_term.h"

#include "math/block_matrix.h"
#include "math/dual.h"
#include "model/inertia.h"
#include "terms/drag_loops.h"

#include <algorithm>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr int batch = 64;         // nodes that the stream is asked about at once
constexpr int least_blocks = 64;  // below, threads cost more than they save

// Half the curl of a velocity field: how fast it turns what floats in it.
V rotation(const Mat3<double>& gradient) {
  const auto& [x, y, z] = gradient;
  return 0.5 * V{y.z - z.y, z.x - x.z, x.y - y.x};
}

class DragTerm final : public Term {
 public:
  explicit DragTerm(const Model& model);

  std::string_view name() const override { return Drag::name; }
  Scope scope(const Inputs&) const override { return Scope::nodes; }
  void add_wrenches(const State& s, const Inputs& in, const Blocks& blocks, Wrenches& out) override {
    blocks.share(least_blocks, [&](int first, int last) {
      if (in.stream) return add_one_by_one(s, in, first, last, out);
      for (const Run& run : runs_) {
        const int from = std::max(first, run.first_block), to = std::min(last, run.last_block);
        if (from >= to) continue;
        if (run.piece >= 0)
          add_run(s, pieces_[run.piece], from, to, out);
        else
          add_one_by_one(s, in, from, to, out);
      }
    });
  }
  void add_stiffness(const State&, const Inputs&, const StiffnessRequest&, BlockMatrix&) override;
  Limits limits(const State&, const Inputs&) override { return {0, longest_step_, true}; }
  std::size_t bytes() const override {
    return (node_.size() + first_.size()) * sizeof(int) + runs_.size() * sizeof(Run);
  }

 private:
  // Blocks of eight nodes that all have one piece, with the same law and axis; -1: that do not.
  struct Run {
    int first_block, last_block;  // [first, last)
    int piece;                    // the first of them
  };
  void find_runs();
  static void add_run(const State& s, const DragPiece& p, int first, int last, Wrenches& out) {
    DragRun run{};
    for (int a = 0; a < 4; ++a) run.q[a] = s.nodes.q[a].data();
    for (int a = 0; a < 3; ++a) {
      run.v[a] = s.nodes.v[a].data(), run.w[a] = s.nodes.w[a].data();
      run.force[a] = out.force[a].data() - out.first, run.torque[a] = out.torque[a].data() - out.first;
    }
    const double law[7] = {p.law.across, p.law.along, p.law.tumble, p.law.spin, p.axis.x, p.axis.y, p.axis.z};
    std::copy(law, law + 7, run.law);
    drag_loops().add(run, first, last);
  }
  void add_one_by_one(const State& s, const Inputs& in, int first_block, int last_block, Wrenches& out) const {
    const auto at = [&](int b) {
      return static_cast<int>(std::lower_bound(node_.begin(), node_.end(), b * block) - node_.begin());
    };
    for_each(s, in, at(first_block), at(last_block), [&](int node, const DragPiece& p, const FieldSample& flow) {
      const Twist<double> t = s.nodes.twist(node);
      const V axis = rotate(s.nodes.frame(node).q, p.axis);
      out.add(node, Drag::wrench(p.law, axis, Twist<double>{t.v - flow.b, t.w - rotation(flow.gradient)}));
    });
  }
  // Calls visit(node, piece, flow there) for some of the nodes with pieces, in order.
  template <class F>
  void for_each(const State& s, const Inputs& in, int from, int to, const F& visit) const {
    V x[batch];
    FieldSample flow[batch];
    for (int begin = from; begin < to; begin += batch) {
      const int size = std::min(batch, to - begin);
      std::fill_n(flow, size, FieldSample{});
      if (in.stream) {
        for (int k = 0; k < size; ++k) x[k] = s.nodes.frame(node_[begin + k]).x;
        in.stream->add(x, size, 1, flow);
      }
      for (int k = 0; k < size; ++k)
        for (int p = first_[begin + k]; p < first_[begin + k + 1]; ++p) visit(node_[begin + k], pieces_[p], flow[k]);
    }
  }

  const std::vector<DragPiece>& pieces_;  // of the model, by node
  std::vector<int> node_;                 // those with pieces, ascending
  std::vector<int> first_;                // [of node_] where its pieces begin; one more at the end
  std::vector<Run> runs_;
  double longest_step_ = std::numeric_limits<double>::infinity();  // s
};

bool are_alike(const DragPiece& a, const DragPiece& b) {
  return a.law.across == b.law.across && a.law.along == b.law.along && a.law.tumble == b.law.tumble &&
         a.law.spin == b.law.spin && a.axis.x == b.axis.x && a.axis.y == b.axis.y && a.axis.z == b.axis.z;
}

void DragTerm::find_runs() {
  const int pieces = static_cast<int>(pieces_.size());
  for (int p = 0; p < pieces;) {
    const int b = pieces_[p].node / block;
    int last = p;
    bool alike = true;
    for (; last < pieces && pieces_[last].node / block == b; ++last)
      alike = alike && pieces_[last].node == b * block + (last - p) && are_alike(pieces_[last], pieces_[p]);
    const int piece = alike && last - p == block ? p : -1;
    const bool goes_on = !runs_.empty() && runs_.back().last_block == b && (runs_.back().piece < 0) == (piece < 0) &&
                         (piece < 0 || are_alike(pieces_[runs_.back().piece], pieces_[piece]));
    if (goes_on)
      runs_.back().last_block = b + 1;
    else
      runs_.push_back({b, b + 1, piece});
    p = last;
  }
}

// How fast drag alone slows a node down, 1/s: a bound of the largest eigenvalue of its drag over its inertia, which for
// one piece is that eigenvalue. The explicit step sees velocities half a step old: it is stable up to two over this
// rate, and does not overshoot up to one, which leaves room for vibrations.
double relaxation_rate(const Model& m, const std::vector<DragPiece>& all, int first, int last) {
  const int node = all[first].node;
  const V inertia = principal_inertia(m, node);
  const double least = std::min({inertia.x, inertia.y, inertia.z});
  double force = 0, turning = 0;
  for (int p = first; p < last; ++p) {
    const auto& [of, axis, law] = all[p];
    force += std::max(law.across, law.along) / m.mass[of];
    turning += law.tumble / least +
               std::max(0.0, law.spin - law.tumble) *
                   (axis.x * axis.x / inertia.x + axis.y * axis.y / inertia.y + axis.z * axis.z / inertia.z);
  }
  return std::max(force, turning);
}

DragTerm::DragTerm(const Model& model) : pieces_(model.drag) {
  assert(std::is_sorted(pieces_.begin(), pieces_.end(),
                        [](const DragPiece& a, const DragPiece& b) { return a.node < b.node; }));
  for (std::size_t p = 0; p < pieces_.size(); ++p)
    if (p == 0 || pieces_[p].node != pieces_[p - 1].node)
      node_.push_back(pieces_[p].node), first_.push_back(static_cast<int>(p));
  first_.push_back(static_cast<int>(pieces_.size()));
  find_runs();
  for (std::size_t i = 0; i < node_.size(); ++i)
    if (model.held.empty() || model.held[node_[i]] != hold_all)
      longest_step_ = std::min(longest_step_, 1 / relaxation_rate(model, pieces_, first_[i], first_[i + 1]));
}

// Velocities follow displacements by the rate, the axis turns along, and the stream is another one further on (its
// rotation is taken for the same: that would be a second derivative). The symmetric part, as everywhere.
void DragTerm::add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& wanted, BlockMatrix& out) {
  using D = Dual<double, 6>;
  if (wanted.rate == 0) return;
  const Vec3<D> dx{D::variable(0, 0), D::variable(0, 1), D::variable(0, 2)};
  const Vec3<D> turn{D::variable(0, 3), D::variable(0, 4), D::variable(0, 5)};
  for_each(s, in, 0, static_cast<int>(node_.size()), [&](int node, const DragPiece& p, const FieldSample& flow) {
    const Twist<double> t = s.nodes.twist(node);
    const V axis = rotate(s.nodes.frame(node).q, p.axis);
    const Twist<D> slip{(t.v - flow.b) + wanted.rate * dx - flow.gradient * dx,
                        (t.w - rotation(flow.gradient)) + wanted.rate * turn};
    const Wrench<D> w = Drag::wrench(p.law, axis + cross(turn, axis), slip);
    const D* const row[6] = {&w.force.x, &w.force.y, &w.force.z, &w.torque.x, &w.torque.y, &w.torque.z};
    double* h = out.diagonal(node);
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) h[6 * r + c] -= 0.5 * (row[r]->d[c] + row[c]->d[r]);
  });
}

}  // namespace

std::unique_ptr<Term> make_drag_term(const Model& model) {
  return std::make_unique<DragTerm>(model);
}

}  // namespace ls
