#include "terms/field_term.h"

#include "math/block_matrix.h"
#include "math/rotation.h"
#include "physics/dipole_in_field.h"
#include "physics/lever.h"
#include "terms/blocked_sum.h"
#include "terms/field_loops.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr int batch = 64;            // nodes that a field is asked about at once: their samples fit the cache
constexpr int nodes_per_sum = 1024;  // energies are summed in blocks of so many, in order
constexpr int least_blocks = 64;     // below, threads cost more than they save

class FieldTerm final : public Term {
 public:
  explicit FieldTerm(const Model& model) : model_(model) {
    for (const Dipole& d : all_dipoles(model)) {
      node_.push_back(d.node), moment_.push_back(d.moment), place_.push_back(d.position);
      has_levers_ = has_levers_ || norm(d.position) > 0;
    }
    bonded_ = bonded_nodes(model);
    in_packs_ = model.dipoles.samples.empty() && 2 * node_.size() >= static_cast<std::size_t>(model.nodes);
  }

  std::string_view name() const override { return "zeeman"; }
  Scope scope(const Inputs& in) const override {
    return in.fields.empty() || node_.empty() ? Scope::idle : Scope::nodes;
  }
  void add_wrenches(const State& s, const Inputs& in, const Blocks& blocks, Wrenches& out) override {
    blocks.share(least_blocks, [&](int first, int last) { add_some(s, in, first, last, out); });
  }
  void add_energy(const State& s, const Inputs& in, Energies& out, Team& team) override {
    if (in.fields.empty() || !out.wants(EnergyKind::zeeman)) return;
    const int sums = (dipoles() + nodes_per_sum - 1) / nodes_per_sum;
    out.add(EnergyKind::zeeman, blocked_sum<double>(sums, 1, 1, team, [&](int k, double& sum) {
              for_each(s, in, 0, k * nodes_per_sum, std::min(dipoles(), (k + 1) * nodes_per_sum),
                       [&](int, const V& m, const FieldSample& f) { sum += in.load_factor * dipole_energy(m, f.b); });
            }));
  }
  void add_product(const State& s, const Inputs& in, const std::vector<Twist<double>>& move,
                   std::vector<Wrench<double>>& product) override {
    if (in.fields.empty()) return;
    for_each(s, in, 2, 0, dipoles(), [&](int k, const V& m, const FieldSample& f) {
      double h[36] = {}, sum[6] = {};
      add_stiffness_of(s, in, k, m, f, h);
      const int node = node_[k];
      const Twist<double>& d = move[node];
      const double moved[6] = {d.v.x, d.v.y, d.v.z, d.w.x, d.w.y, d.w.z};
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c) sum[r] += h[6 * r + c] * moved[c];
      product[node] += Wrench<double>{{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}};
    });
  }
  void add_stiffness(const State& s, const Inputs& in, const StiffnessRequest&, BlockMatrix& out) override {
    if (in.fields.empty()) return;
    for_each(s, in, 2, 0, dipoles(), [&](int k, const V& m, const FieldSample& f) {
      add_stiffness_of(s, in, k, m, f, out.diagonal(node_[k]));
    });
  }
  // A magnet may come to point along its field, however it stands now.
  Limits limits(const State& s, const Inputs& in) override {
    Limits l;
    if (in.fields.empty() || node_.empty()) return l;
    const auto count = static_cast<std::size_t>(model_.nodes);
    std::vector<double> along(count, 0.0), about(count, 0.0);
    for_each(s, in, 2, 0, dipoles(), [&](int k, const V& m, const FieldSample& f) {
      double h[36] = {}, sum = 0;
      add_stiffness_of(s, in, k, m, f, h);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) sum += h[6 * r + c] * h[6 * r + c];
      along[node_[k]] += std::sqrt(sum), about[node_[k]] += in.load_factor * norm(m) * norm(f.b);
    });
    double stiffest = 0;
    for (int i = 0; i < model_.nodes; ++i) {
      if (model_.held[i] == hold_all) continue;
      const double inertia = std::min({model_.inertia[0][i], model_.inertia[1][i], model_.inertia[2][i]});
      stiffest = std::max({stiffest, along[i] / model_.mass[i], about[i] / inertia});
    }
    if (stiffest > 0 && std::isfinite(stiffest)) l.step = 2 / std::sqrt(stiffest), l.stiffens = true;
    return l;
  }
  std::size_t bytes() const override { return node_.size() * (sizeof(int) + 2 * sizeof(V)); }

 private:
  void add_some(const State& s, const Inputs& in, int first_block, int last_block, Wrenches& out) const {
    const auto [from, to] = dipoles_in(first_block, last_block);
    if (std::all_of(in.fields.begin(), in.fields.end(), [](const auto& f) { return f->is_uniform(); })) {
      FieldSample everywhere;
      const V origin{};
      for (const auto& field : in.fields) field->add(&origin, 1, 0, &everywhere);
      if (in_packs_ && !in.step_start && in.moment_factor.empty())
        return add_torques(s, in.load_factor, everywhere.b, first_block, last_block, out);
      for (int k = from; k < to; ++k)
        out.add_torque(node_[k],
                       cross((in.load_factor * turn_scale(s, in, node_[k])) * moment(s, in, k), everywhere.b));
      return;
    }
    for_each(s, in, 1, from, to, [&](int k, const V& m, const FieldSample& f) {
      Wrench<double> w = dipole_wrench(in.load_factor * m, f.b, f.gradient);
      if (has_levers_) w.torque += cross(lever(s, k), w.force);
      w.torque = turn_scale(s, in, node_[k]) * w.torque;
      out.add(node_[k], w);
    });
  }
  void add_stiffness_of(const State& s, const Inputs& in, int k, const V& m, const FieldSample& f, double* h) const {
    if (!has_levers_) return add_dipole_stiffness(m, f.b, f.gradient, f.second, in.load_factor, h);
    double own[36] = {};
    add_dipole_stiffness(m, f.b, f.gradient, f.second, in.load_factor, own);
    const V l = lever(s, k);
    shift_columns(own, l);
    shift_rows(own, l);
    add_lever_stiffness(l, dipole_wrench(in.load_factor * m, f.b, f.gradient).force, own);
    for (int i = 0; i < 36; ++i) h[i] += own[i];
  }
  // Of a uniform field, to the bits that one by one would have.
  void add_torques(const State& s, double scale, const V& b, int first_block, int last_block, Wrenches& out) const {
    UniformFieldRun run{{}, {}, {b.x, b.y, b.z}, scale, {}};
    for (int a = 0; a < 4; ++a) run.q[a] = s.nodes.q[a].data();
    for (int a = 0; a < 3; ++a)
      run.moment[a] = model_.moment[a].data(), run.torque[a] = out.torque[a].data() - out.first;
    field_loops().add_torques(run, first_block, last_block);
  }
  V lever(const State& s, int k) const { return rotate(s.nodes.frame(node_[k]).q, place_[k]); }
  // Of dipole k in world axes. In a step of the midpoint rule the mean of its start and its end: with it the torque
  // does the work of a uniform field exactly, and with the gradient that of a linear one.
  V moment(const State& s, const Inputs& in, int k) const {
    const Quat<double> q = s.nodes.frame(node_[k]).q;
    const V own = moment_factor(in, node_[k]) * moment_[k];
    if (!in.step_start) return rotate(q, own);
    const Quat<double> start = in.step_start->frame(node_[k]).q;
    return 0.5 * (rotate(start, own) + rotate(q * (conj(start) * q), own));
  }
  // Those turn by Cayley's map if they are bonded; the others go by the angle, which is less (step/newton/inertia.h).
  double turn_scale(const State& s, const Inputs& in, int node) const {
    if (!in.step_start || bonded_[node]) return 1;
    const Quat<double> half = s.nodes.frame(node).q * conj(in.step_start->frame(node).q);
    const double angle = norm(rotation_vector(half));
    return angle > 1e-4 ? norm(cayley_vector(half)) / (2 * angle) : 1 + angle * angle / 3;
  }
  int dipoles() const { return static_cast<int>(node_.size()); }
  std::pair<int, int> dipoles_in(int first_block, int last_block) const {
    const auto at = [&](int b) {
      return static_cast<int>(std::lower_bound(node_.begin(), node_.end(), b * block) - node_.begin());
    };
    return {at(first_block), at(last_block)};
  }

  // Calls visit(dipole, its moment in world axes, the field there) for some of them, in order.
  template <class F>
  void for_each(const State& s, const Inputs& in, int order, int first, int last, const F& visit) const {
    V x[batch];
    FieldSample sample[batch];
    for (int begin = first; begin < last; begin += batch) {
      const int size = std::min(batch, last - begin);
      for (int k = 0; k < size; ++k) x[k] = s.nodes.frame(node_[begin + k]).x;
      for (int k = 0; k < size && has_levers_; ++k) x[k] += lever(s, begin + k);
      for (int k = 0; k < size; ++k) {  // only what is asked for: second derivatives are most of a sample
        sample[k].b = {};
        if (order >= 1) sample[k].gradient = {};
        if (order >= 2) sample[k].second = {};
      }
      for (const auto& field : in.fields) field->add(x, size, order, sample);
      for (int k = 0; k < size; ++k) {
        const int i = begin + k;
        visit(i, moment(s, in, i), sample[k]);
      }
    }
  }

  std::vector<int> node_;          // [dipole] ascending
  std::vector<V> moment_, place_;  // [dipole] A m^2 and m, in the node's own axes
  const Model& model_;
  bool has_levers_ = false;           // some are not at the node itself
  bool in_packs_;                     // most nodes have one moment, and none more
  std::vector<std::uint8_t> bonded_;  // [node]
};

}  // namespace

std::unique_ptr<Term> make_field_term(const Model& model) {
  return std::make_unique<FieldTerm>(model);
}

}  // namespace ls
