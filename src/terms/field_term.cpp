#include "terms/field_term.h"

#include "math/block_matrix.h"
#include "physics/dipole_in_field.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr int batch = 64;            // nodes that a field is asked about at once: their samples fit the cache
constexpr int batches_per_sum = 16;  // energies are summed in blocks of 1024 nodes, in order
constexpr int least_batches = 8;     // below, threads cost more than they save

class FieldTerm final : public Term {
 public:
  FieldTerm(int nodes, const Column (&moment)[3]) {
    for (int i = 0; i < nodes; ++i) {
      const V m{moment[0][i], moment[1][i], moment[2][i]};
      if (norm(m) > 0) node_.push_back(i), moment_.push_back(m);
    }
  }

  std::string_view name() const override { return "zeeman"; }
  int count() const override { return 0; }  // the model counts its bonds so
  bool adds_to_nodes() const override { return true; }
  bool is_external() const override { return true; }
  bool is_idle(const Inputs& in) const override { return in.fields.empty(); }

  void add_wrenches(const State& s, const Inputs& in, Wrenches& out, Team& team) const override {
    if (in.fields.empty()) return;
    team.run(batches(), least_batches, [&](int first, int last) {
      for_each(s, in, 1, first, last, [&](int node, const V& m, const FieldSample& f) {
        const Wrench<double> w = dipole_wrench(in.load_factor * m, f.b, f.gradient);
        out.force[0][node] += w.force.x, out.force[1][node] += w.force.y, out.force[2][node] += w.force.z;
        out.torque[0][node] += w.torque.x, out.torque[1][node] += w.torque.y, out.torque[2][node] += w.torque.z;
      });
    });
  }
  void add_energy(const State& s, const Inputs& in, std::vector<EnergyPart>& parts, Team& team) const override {
    const int sums = in.fields.empty() ? 0 : (batches() + batches_per_sum - 1) / batches_per_sum;
    std::vector<double> part(static_cast<std::size_t>(sums), 0.0);
    team.run(sums, 1, [&](int first, int last) {
      for (int k = first; k < last; ++k)
        for_each(s, in, 0, k * batches_per_sum, std::min(batches(), (k + 1) * batches_per_sum),
                 [&, k](int, const V& m, const FieldSample& f) {
                   part[static_cast<std::size_t>(k)] += in.load_factor * dipole_energy(m, f.b);
                 });
    });
    double sum = 0;
    for (const double p : part) sum += p;
    parts.push_back({"zeeman", sum});
  }
  void add_wrench_change(const State& s, const Inputs& in, const std::vector<Twist<double>>& move,
                         std::vector<Wrench<double>>& change) const override {
    if (in.fields.empty()) return;
    for_each(s, in, 2, 0, batches(), [&](int node, const V& m, const FieldSample& f) {
      double h[36] = {}, sum[6] = {};
      add_dipole_stiffness(m, f.b, f.gradient, f.second, in.load_factor, h);
      const Twist<double>& d = move[static_cast<std::size_t>(node)];
      const double moved[6] = {d.v.x, d.v.y, d.v.z, d.w.x, d.w.y, d.w.z};
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c) sum[r] -= h[6 * r + c] * moved[c];
      change[static_cast<std::size_t>(node)] += Wrench<double>{{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}};
    });
  }
  void add_stiffness(const State& s, const Inputs& in, const StiffnessRequest&, BlockMatrix& out) const override {
    if (in.fields.empty()) return;
    for_each(s, in, 2, 0, batches(), [&](int node, const V& m, const FieldSample& f) {
      add_dipole_stiffness(m, f.b, f.gradient, f.second, in.load_factor, out.diagonal(node));
    });
  }
  std::size_t bytes() const override { return node_.size() * (sizeof(int) + sizeof(V)); }

 private:
  int dipoles() const { return static_cast<int>(node_.size()); }
  int batches() const { return (dipoles() + batch - 1) / batch; }

  // Calls visit(node, moment in world axes, field there) for the nodes of some batches, in order.
  template <class F>
  void for_each(const State& s, const Inputs& in, int order, int first_batch, int last_batch, const F& visit) const {
    V x[batch];
    FieldSample sample[batch];
    for (int b = first_batch; b < last_batch; ++b) {
      const int begin = b * batch, size = std::min(batch, dipoles() - begin);
      for (int k = 0; k < size; ++k) x[k] = s.nodes.frame(node_[static_cast<std::size_t>(begin + k)]).x;
      for (int k = 0; k < size; ++k) {  // only what is asked for: second derivatives are most of a sample
        sample[k].b = {};
        if (order >= 1) sample[k].gradient = {};
        if (order >= 2) sample[k].second = {};
      }
      for (const Field* field : in.fields) field->add(x, size, order, sample);
      for (int k = 0; k < size; ++k) {
        const auto i = static_cast<std::size_t>(begin + k);
        visit(node_[i], rotate(s.nodes.frame(node_[i]).q, moment_[i]), sample[k]);
      }
    }
  }

  std::vector<int> node_;  // those with a moment, ascending
  std::vector<V> moment_;  // [of node_] A m^2 in the node's own axes
};

}  // namespace

std::unique_ptr<const Term> make_field_term(int nodes, const Column (&moment)[3]) {
  return std::make_unique<FieldTerm>(nodes, moment);
}

double energy_in_fields(const Model& model, const State& state, const Inputs& in, const std::vector<int>& nodes) {
  double sum = 0;
  if (model.moment[0].empty()) return sum;
  for (const int i : nodes) {
    const Frame<double> f = state.nodes.frame(i);
    FieldSample sample;
    for (const Field* field : in.fields) field->add(&f.x, 1, 0, &sample);
    const V m = rotate(f.q, V{model.moment[0][i], model.moment[1][i], model.moment[2][i]});
    sum += in.load_factor * dipole_energy(m, sample.b);
  }
  return sum;
}

int first_node_without_field(const Model& model, const State& state, const Inputs& in) {
  if (model.moment[0].empty()) return -1;
  for (int i = 0; i < model.nodes; ++i) {
    if (model.moment[0][i] == 0 && model.moment[1][i] == 0 && model.moment[2][i] == 0) continue;
    const V x = state.nodes.frame(i).x;
    FieldSample f;
    for (const Field* field : in.fields) field->add(&x, 1, 1, &f);
    if (!std::isfinite(norm(f.b) + norm(f.gradient.c1) + norm(f.gradient.c2) + norm(f.gradient.c3))) return i;
  }
  return -1;
}

}  // namespace ls
