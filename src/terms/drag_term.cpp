#include "terms/drag_term.h"

#include "math/block_matrix.h"
#include "math/dual.h"

#include <algorithm>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr int batch = 64;         // nodes that the stream is asked about at once
constexpr int least_batches = 8;  // below, threads cost more than they save

// Half the curl of a velocity field: how fast it turns what floats in it.
V rotation(const Mat3<double>& gradient) {
  const auto& [x, y, z] = gradient;
  return 0.5 * V{y.z - z.y, z.x - x.z, x.y - y.x};
}

class DragTerm final : public Term {
 public:
  DragTerm(const Model& model, std::vector<DragPiece> pieces);

  std::string_view name() const override { return Drag::name; }
  int count() const override { return 0; }  // the model counts its bonds so
  bool adds_to_nodes() const override { return !node_.empty(); }
  bool dissipates() const override { return !node_.empty(); }
  void add_wrenches(const State& s, const Inputs& in, Wrenches& out, Team& team) const override {
    team.run(batches(), least_batches, [&](int first, int last) {
      for_each(s, in, first, last, [&](int node, const DragPiece& p, const FieldSample& flow) {
        const Twist<double> t = s.nodes.twist(node);
        const V axis = rotate(s.nodes.frame(node).q, p.axis);
        const Wrench<double> w = Drag::wrench(p.law, axis, Twist<double>{t.v - flow.b, t.w - rotation(flow.gradient)});
        out.force[0][node] += w.force.x, out.force[1][node] += w.force.y, out.force[2][node] += w.force.z;
        out.torque[0][node] += w.torque.x, out.torque[1][node] += w.torque.y, out.torque[2][node] += w.torque.z;
      });
    });
  }
  void add_energy(const State&, const Inputs&, std::vector<EnergyPart>&, Team&) const override {}
  // At rest nothing pushes back.
  void add_wrench_change(const State&, const Inputs&, const std::vector<Twist<double>>&,
                         std::vector<Wrench<double>>&) const override {}
  void add_stiffness(const State&, const Inputs&, const StiffnessRequest&, BlockMatrix&) const override;
  double max_step(const State&, const Inputs&) const override { return longest_step_; }
  std::size_t bytes() const override {
    return pieces_.size() * sizeof(DragPiece) + (node_.size() + first_.size()) * sizeof(int);
  }

 private:
  int batches() const { return (static_cast<int>(node_.size()) + batch - 1) / batch; }

  // Calls visit(node, piece, flow there) for the nodes of some batches, in order.
  template <class F>
  void for_each(const State& s, const Inputs& in, int first_batch, int last_batch, const F& visit) const {
    V x[batch];
    FieldSample flow[batch];
    for (int b = first_batch; b < last_batch; ++b) {
      const int* const nodes = node_.data() + static_cast<std::ptrdiff_t>(b) * batch;
      const int* const first = first_.data() + static_cast<std::ptrdiff_t>(b) * batch;
      const int size = std::min(batch, static_cast<int>(node_.size()) - b * batch);
      std::fill_n(flow, size, FieldSample{});
      if (in.stream) {
        for (int k = 0; k < size; ++k) x[k] = s.nodes.frame(nodes[k]).x;
        in.stream->add(x, size, 1, flow);
      }
      for (int k = 0; k < size; ++k)
        for (int p = first[k]; p < first[k + 1]; ++p) visit(nodes[k], pieces_[p], flow[k]);
    }
  }

  std::vector<DragPiece> pieces_;  // by node, so that threads share none
  std::vector<int> node_;          // those with pieces, ascending
  std::vector<int> first_;         // [of node_] where its pieces begin; one more at the end
  double longest_step_ = std::numeric_limits<double>::infinity();  // s
};

// How fast drag alone slows a node down, 1/s: a bound of the largest eigenvalue of its drag over its inertia, which for
// one piece is that eigenvalue. The explicit step sees velocities half a step old: it is stable up to two over this
// rate, and does not overshoot up to one, which leaves room for vibrations.
double relaxation_rate(const Model& m, const std::vector<DragPiece>& all, int first, int last) {
  const int node = all[first].node;
  const V inertia{m.inertia[0][node], m.inertia[1][node], m.inertia[2][node]};
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

DragTerm::DragTerm(const Model& model, std::vector<DragPiece> pieces) : pieces_(std::move(pieces)) {
  std::stable_sort(pieces_.begin(), pieces_.end(),
                   [](const DragPiece& a, const DragPiece& b) { return a.node < b.node; });
  for (std::size_t p = 0; p < pieces_.size(); ++p)
    if (p == 0 || pieces_[p].node != pieces_[p - 1].node)
      node_.push_back(pieces_[p].node), first_.push_back(static_cast<int>(p));
  first_.push_back(static_cast<int>(pieces_.size()));
  for (std::size_t i = 0; i < node_.size(); ++i)
    if (model.held.empty() || model.held[node_[i]] != hold_all)
      longest_step_ = std::min(longest_step_, 1 / relaxation_rate(model, pieces_, first_[i], first_[i + 1]));
}

// Velocities follow displacements by the rate, the axis turns along, and the stream is another one further on (its
// rotation is taken for the same: that would be a second derivative). The symmetric part, as everywhere.
void DragTerm::add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& wanted, BlockMatrix& out) const {
  using D = Dual<double, 6>;
  if (wanted.rate == 0) return;
  const Vec3<D> dx{D::variable(0, 0), D::variable(0, 1), D::variable(0, 2)};
  const Vec3<D> turn{D::variable(0, 3), D::variable(0, 4), D::variable(0, 5)};
  for_each(s, in, 0, batches(), [&](int node, const DragPiece& p, const FieldSample& flow) {
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

void add_rod(const Body& rod, const Nodes& nodes, double viscosity, std::vector<DragPiece>& pieces) {
  const double ratio = slenderness(rod);
  const std::size_t n = rod.nodes.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i > 0 ? i - 1 : 0, after = std::min(i + 1, n - 1);
    const auto at = [&](std::size_t k) { return nodes.frame(rod.nodes[k]); };
    const V tangent = normalized(at(after).x - at(before).x);
    pieces.push_back({rod.nodes[i], rotate(conj(at(i).q), tangent),
                      slender_drag(viscosity, ratio, rod.flow_radius[i], 0.5 * (rod.arc[after] - rod.arc[before]))});
  }
}

}  // namespace

bool has_known_drag(const Body& body) {
  return !body.flow_radius.empty();
}

double slenderness(const Body& rod) {
  double sum = 0;  // of the radius along the rod
  for (std::size_t i = 0; i + 1 < rod.arc.size(); ++i)
    sum += 0.5 * (rod.flow_radius[i] + rod.flow_radius[i + 1]) * (rod.arc[i + 1] - rod.arc[i]);
  return rod.arc.back() * rod.arc.back() / sum;
}

std::vector<DragPiece> drag_pieces(const Model& model, const Nodes& nodes, double viscosity) {
  std::vector<DragPiece> pieces;
  for (const Body& body : model.bodies) {
    if (!has_known_drag(body)) continue;
    if (body.kind == BodyKind::rod)
      add_rod(body, nodes, viscosity, pieces);
    else
      pieces.push_back({body.nodes[0], {0, 0, 1}, ball_drag(viscosity, body.flow_radius[0])});
  }
  return pieces;
}

std::unique_ptr<const Term> make_drag_term(const Model& model, std::vector<DragPiece> pieces) {
  return std::make_unique<DragTerm>(model, std::move(pieces));
}

}  // namespace ls
