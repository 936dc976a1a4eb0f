#include "terms/field_term.h"

#include "math/block_matrix.h"
#include "physics/dipole_in_field.h"

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

  bool is_local() const override { return true; }

  void add_wrenches(const State& s, const Inputs& in, Wrenches& out, Team& team) const override {
    if (node_.empty()) return;
    team.run(node_.back() / block + 1, least_blocks,
             [&](int first, int last) { add_local_wrenches(s, in, out, first, last); });
  }
  void add_local_wrenches(const State& s, const Inputs& in, Wrenches& out, int first_block,
                          int last_block) const override {
    if (in.fields.empty()) return;
    const auto [from, to] = dipoles_in(first_block, last_block);
    const auto turn = [&](int node, const V& t) {
      out.torque[0][node] += t.x, out.torque[1][node] += t.y, out.torque[2][node] += t.z;
    };
    if (std::all_of(in.fields.begin(), in.fields.end(), [](const Field* f) { return f->is_uniform(); })) {
      FieldSample everywhere;
      const V origin{};
      for (const Field* field : in.fields) field->add(&origin, 1, 0, &everywhere);
      for (int k = from; k < to; ++k) {
        const auto i = static_cast<std::size_t>(k);
        turn(node_[i], cross(in.load_factor * rotate(s.nodes.frame(node_[i]).q, moment_[i]), everywhere.b));
      }
      return;
    }
    for_each(s, in, 1, from, to, [&](int node, const V& m, const FieldSample& f) {
      const Wrench<double> w = dipole_wrench(in.load_factor * m, f.b, f.gradient);
      out.force[0][node] += w.force.x, out.force[1][node] += w.force.y, out.force[2][node] += w.force.z;
      turn(node, w.torque);
    });
  }
  void add_energy(const State& s, const Inputs& in, std::vector<EnergyPart>& parts, Team& team) const override {
    const int sums = in.fields.empty() ? 0 : (dipoles() + nodes_per_sum - 1) / nodes_per_sum;
    std::vector<double> part(static_cast<std::size_t>(sums), 0.0);
    team.run(sums, 1, [&](int first, int last) {
      for (int k = first; k < last; ++k)
        for_each(s, in, 0, k * nodes_per_sum, std::min(dipoles(), (k + 1) * nodes_per_sum),
                 [&, k](int, const V& m, const FieldSample& f) { part[k] += in.load_factor * dipole_energy(m, f.b); });
    });
    double sum = 0;
    for (const double p : part) sum += p;
    parts.push_back({"zeeman", sum});
  }
  void add_wrench_change(const State& s, const Inputs& in, const std::vector<Twist<double>>& move,
                         std::vector<Wrench<double>>& change) const override {
    if (in.fields.empty()) return;
    for_each(s, in, 2, 0, dipoles(), [&](int node, const V& m, const FieldSample& f) {
      double h[36] = {}, sum[6] = {};
      add_dipole_stiffness(m, f.b, f.gradient, f.second, in.load_factor, h);
      const Twist<double>& d = move[node];
      const double moved[6] = {d.v.x, d.v.y, d.v.z, d.w.x, d.w.y, d.w.z};
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c) sum[r] -= h[6 * r + c] * moved[c];
      change[node] += Wrench<double>{{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}};
    });
  }
  void add_stiffness(const State& s, const Inputs& in, const StiffnessRequest&, BlockMatrix& out) const override {
    if (in.fields.empty()) return;
    for_each(s, in, 2, 0, dipoles(), [&](int node, const V& m, const FieldSample& f) {
      add_dipole_stiffness(m, f.b, f.gradient, f.second, in.load_factor, out.diagonal(node));
    });
  }
  std::size_t bytes() const override { return node_.size() * (sizeof(int) + sizeof(V)); }

 private:
  int dipoles() const { return static_cast<int>(node_.size()); }
  std::pair<int, int> dipoles_in(int first_block, int last_block) const {
    const auto at = [&](int b) {
      return static_cast<int>(std::lower_bound(node_.begin(), node_.end(), b * block) - node_.begin());
    };
    return {at(first_block), at(last_block)};
  }

  // Calls visit(node, moment in world axes, field there) for some of the nodes, in order.
  template <class F>
  void for_each(const State& s, const Inputs& in, int order, int first, int last, const F& visit) const {
    V x[batch];
    FieldSample sample[batch];
    for (int begin = first; begin < last; begin += batch) {
      const int size = std::min(batch, last - begin);
      for (int k = 0; k < size; ++k) x[k] = s.nodes.frame(node_[begin + k]).x;
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
