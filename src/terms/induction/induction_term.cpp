#include "terms/induction/induction_term.h"

#include "math/block_matrix.h"
#include "math/rotation.h"
#include "model/node_name.h"
#include "physics/dipole_in_field.h"
#include "physics/dipole_pair.h"
#include "physics/lever.h"
#include "physics/magnets.h"
#include "terms/dipoles/dipole_stiffness.h"
#include "terms/dipoles/dipole_term.h"
#include "terms/dipoles/node_coupling.h"
#include "terms/induction/between_sum.h"
#include "terms/induction/induced_moments.h"
#include "terms/induction/induction_stiffness.h"
#include "terms/induction/soft_limits.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr int few_moving = 150;  // so many are all coupled in the matrix, as magnets are, else those near each other

V column_at(const Column (&c)[3], int i) {
  return {c[0][i], c[1][i], c[2][i]};
}
std::vector<int> nodes_of(const auto& parts) {
  std::vector<int> nodes;
  nodes.reserve(parts.size());
  for (const auto& p : parts) nodes.push_back(p.node);
  return nodes;
}

class InductionTerm final : public Induction {
 public:
  explicit InductionTerm(const Model& model)
      : m_(model), cells_(model.soft.cells), induced_(model), bonded_(bonded_nodes(model)) {
    if (model.dipoles.interact) magnets_ = all_dipoles(model);
    if (!magnets_.empty())
      between_ = make_between_sum(model.dipoles, nodes_of(magnets_), nodes_of(cells_), induced_.apart());
    if (model.dipoles.interact && model.dipoles.method == DipoleMethod::ewald) box_ = periodic_box(model.dipoles);
    order_dipoles();
    coupling_.emplace(model, nodes_, std::vector<double>(nodes_.size(), 0.0), box_);
    at_.resize(cells_.size()), outer_.resize(cells_.size()), inner_.resize(cells_.size());
    sample_.resize(cells_.size());
  }

  std::string_view name() const override { return "induction"; }
  Scope scope(const Inputs& in) const override {
    return in.fields.empty() && magnets_.empty() ? Scope::idle : Scope::all;
  }

  void add_wrenches(const State& s, const Inputs& in, const Blocks& blocks, Wrenches& out) override {
    Team alone;
    find(s, in, blocks.team ? *blocks.team : alone);
    if (!is_settled_) {  // whoever steps looks for numbers that are none
      constexpr double none = std::numeric_limits<double>::quiet_NaN();
      for (const int node : induced_.unsettled()) out.add_force(node, {none, none, none});
      return;
    }
    sample_fields(in, 1);
    for (int i = 0; i < count(); ++i) {
      const V force = in.load_factor * force_on(i), m = moment(i);
      const V torque = in.load_factor * cross(m, field_at(i));
      out.add(cells_[i].node, {force, torque + cross(lever_[i], force)});
    }
    for (int k = 0; between_ && k < static_cast<int>(magnets_.size()); ++k) {
      const V force = in.load_factor * between_->force_on_first(k);
      const V torque = in.load_factor * cross(magnet_moment_[k], between_->field_at_first(k));
      out.add(magnets_[k].node, {force, torque + cross(magnet_lever_[k], force)});
    }
  }

  void add_energy(const State& s, const Inputs& in, Energies& out, Team& team) override {
    if (!out.wants(EnergyKind::induction)) return;
    if (scope(in) == Scope::idle || s.nodes.count == 0) return out.add(EnergyKind::induction, 0);
    find(s, in, team);
    double sum = is_settled_ ? induced_.stored(inner_) : std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < count(); ++i)
      sum -= dot(moment(i), mu0 * outer_[i] + 0.5 * column_at(induced_.of_others().b, i));
    out.add(EnergyKind::induction, in.load_factor * sum);
  }

  void add_pattern(const State& s, const Inputs& in, NodePairs& pairs) override {
    if (s.nodes.count == 0 || !m_.dipoles.interact) return;
    place(s, in);
    sample_fields(in, 1);
    if (is_all_switched_off()) return;
    const auto stands = standing_nodes(nodes_, s, in);
    const auto moving = std::count(stands.begin(), stands.end(), 0);
    const bool all =
        in.of_vibrations ? moving <= most_vibrating : !m_.dipoles.implicit_distance && moving <= few_moving;
    coupling_->look(s.nodes, in, all);
    coupling_->add_pairs(s.nodes, stands, pairs);
  }

  void add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& wanted, BlockMatrix& out) override;
  Limits limits(const State& s, const Inputs& in) override;

  void advance(const State& s, const Inputs& in, Memory& memory) override {
    if (scope(in) == Scope::idle) return memory.inner_field.assign(cells_.size(), V{});
    Team alone;
    find(s, in, alone);
    if (!is_settled_) return;
    failure_.clear();
    memory.inner_field = inner_;
    memory.induction_iterations += spent_;
  }

  std::vector<V> moments(const State& s, const Inputs& in, Team& team) override {
    std::vector<V> all(static_cast<std::size_t>(m_.nodes));
    if (scope(in) == Scope::idle) return all;
    find(s, in, team);
    for (int i = 0; i < count(); ++i) all[cells_[i].node] += moment(i);
    return all;
  }
  const std::string& failure() const override { return failure_; }
  std::size_t bytes() const override {
    return induced_.bytes() + (between_ ? between_->bytes() : 0) + cells_.size() * sizeof(FieldSample);
  }

 private:
  int count() const { return static_cast<int>(cells_.size()); }
  V moment(int i) const { return column_at(induced_.moments().m, i); }
  // T and N, of all that is not the cell's own body.
  V field_at(int i) const { return mu0 * outer_[i] + column_at(induced_.of_others().b, i); }
  V force_on(int i) const {
    V f = transposed_times(sample_[i].gradient, moment(i)) + column_at(induced_.of_others().force, i);
    if (between_) f += between_->force_on_second(i);
    return f;
  }
  const PeriodicBox* box() const { return box_ ? &*box_ : nullptr; }

  // Magnets and cells by node: how the stiffness wants them.
  void order_dipoles() {
    std::vector<std::pair<int, int>> all;  // node; which: magnets, then cells
    for (std::size_t k = 0; k < magnets_.size(); ++k) all.emplace_back(magnets_[k].node, static_cast<int>(k));
    for (int i = 0; i < count(); ++i) all.emplace_back(cells_[i].node, static_cast<int>(magnets_.size()) + i);
    std::sort(all.begin(), all.end());
    const auto total = static_cast<int>(all.size());
    cell_place_.resize(cells_.size()), magnet_place_.resize(magnets_.size());
    for (int k = 0; k < total; ++k) {
      const auto [node, which] = all[k];
      const auto cell = which - static_cast<int>(magnets_.size());
      (cell >= 0 ? cell_place_[cell] : magnet_place_[which]) = k;
      if (nodes_.empty() || nodes_.back().node != node) nodes_.push_back({node, k, k});
      nodes_.back().last = k + 1;
    }
  }

  void place(const State& s, const Inputs& in) {
    lever_.resize(cells_.size()), magnet_lever_.resize(magnets_.size());
    magnet_moment_.resize(magnets_.size()), magnet_at_.resize(magnets_.size());
    for (int i = 0; i < count(); ++i) {
      const Frame<double> f = s.nodes.frame(cells_[i].node);
      lever_[i] = rotate(f.q, cells_[i].position);
      at_[i] = {f.x + lever_[i], f.q};
    }
    for (std::size_t k = 0; k < magnets_.size(); ++k) {
      const Frame<double> f = s.nodes.frame(magnets_[k].node);
      magnet_lever_[k] = rotate(f.q, magnets_[k].position), magnet_at_[k] = f.x + magnet_lever_[k];
      magnet_moment_[k] = rotate(f.q, moment_factor(in, magnets_[k].node) * magnets_[k].moment);
    }
  }
  void sample_fields(const Inputs& in, int order) {
    std::vector<V> x;
    for (const auto& f : at_) x.push_back(f.x);
    std::fill(sample_.begin(), sample_.end(), FieldSample{});
    for (const auto& field : in.fields) field->add(x.data(), count(), order, sample_.data());
  }
  // Whatever the search depends on: where it is all as it was, so is what it found.
  std::vector<double> circumstances(const Memory& memory) const {
    std::vector<double> all;
    const auto note = [&](const V& a) { all.insert(all.end(), {a.x, a.y, a.z}); };
    for (int i = 0; i < count(); ++i) {
      note(at_[i].x), note(at_[i].q.v), note(sample_[i].b);
      all.push_back(at_[i].q.w);
    }
    for (std::size_t k = 0; k < magnets_.size(); ++k) note(magnet_at_[k]), note(magnet_moment_[k]);
    for (const V& h : memory.inner_field) note(h);
    return all;
  }

  void find(const State& s, const Inputs& in, Team& team) {
    place(s, in);
    sample_fields(in, 0);
    auto now = circumstances(s.memory);
    if (now == circumstances_) return;
    circumstances_ = std::move(now);
    for (int i = 0; i < count(); ++i) outer_[i] = (1 / mu0) * sample_[i].b;
    if (between_) {
      for (std::size_t k = 0; k < magnets_.size(); ++k)
        between_->place_first(static_cast<int>(k), magnet_at_[k], magnet_moment_[k]);
      for (int i = 0; i < count(); ++i) between_->place_second(i, at_[i].x, {});
      between_->find_fields_of_first(team);
      for (int i = 0; i < count(); ++i) outer_[i] += (1 / mu0) * between_->field_at_second(i);
    }
    // What another model left, or none did, is no start.
    const bool is_known = s.memory.inner_field.size() == cells_.size();
    inner_ = is_known ? s.memory.inner_field : std::vector<V>(cells_.size());
    induced_.set_places(at_);
    is_settled_ = induced_.find(outer_, inner_, team);
    spent_ = induced_.iterations();
    // What is wrong with fields is told elsewhere; and where a state is lost, what came first tells why.
    const bool has_fields = std::ranges::all_of(outer_, [](const V& h) { return std::isfinite(dot(h, h)); });
    if (!is_settled_ && has_fields && failure_.empty()) failure_ = failure_text();
    if (!between_) return;
    for (int i = 0; i < count(); ++i) between_->place_second(i, at_[i].x, moment(i));
    between_->find(team);
  }
  std::string failure_text() const {
    std::string names;
    for (const int node : induced_.unsettled())
      names += fmt::format("{}`{}`", names.empty() ? "" : " and ", node_name(m_, node));
    if (induced_.was_indefinite())
      return fmt::format(
          "the induced moments of {} have no stable state: points are nearer to each other than their volumes allow. "
          "Sample the bodies (`sampling`), or more finely, keep them farther apart, or leave room between bonds",
          names);
    return fmt::format("the induced moments of {} do not settle: are they nearer to each other than points can be?",
                       names);
  }

  // No magnet has a moment, and no field is anything at any cell: then neither is a moment of theirs, nor its slope.
  bool is_all_switched_off() const {
    const auto is_none = [](const V& a) { return a.x == 0 && a.y == 0 && a.z == 0; };
    return std::ranges::all_of(magnet_moment_, is_none) && std::ranges::all_of(sample_, [&](const FieldSample& f) {
             return is_none(f.b) && is_none(f.gradient.c1) && is_none(f.gradient.c2) && is_none(f.gradient.c3);
           });
  }
  DipoleEffects effects_of_all(std::size_t room) const;
  void add_in_fields(const Inputs& in, BlockMatrix& out);
  void add_pairs(const State& s, const Inputs& in, const StiffnessRequest& wanted, BlockMatrix& out);
  void hold_turns(BlockMatrix& out) const;

  const Model& m_;
  std::vector<SoftCell> cells_;
  std::vector<Dipole> magnets_;  // those that act on the cells; none where dipoles do not act on each other
  InducedMoments induced_;
  std::unique_ptr<BetweenSum> between_;
  std::optional<PeriodicBox> box_;
  std::optional<NodeCoupling> coupling_;
  std::vector<std::uint8_t> bonded_;            // [node]
  std::vector<NodeDipoles> nodes_;              // of magnets and cells together
  std::vector<int> cell_place_, magnet_place_;  // [cell], [magnet] where in that order

  std::vector<Frame<double>> at_;                            // [cell] its middle, and its node's turn
  std::vector<V> lever_;                                     // [cell] m, from its node, world axes
  std::vector<V> magnet_at_, magnet_lever_, magnet_moment_;  // [magnet] m, m, A m^2, likewise
  std::vector<FieldSample> sample_;                          // [cell] of outer fields
  std::vector<V> outer_, inner_;  // [cell] A/m: of fields and magnets, world axes; within, node's axes
  std::vector<double> circumstances_;
  bool is_settled_ = true;
  long long spent_ = 0;  // iterations
  std::string failure_;
};

void InductionTerm::add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& wanted, BlockMatrix& out) {
  if (scope(in) == Scope::idle) return;
  Team alone;
  find(s, in, alone);
  if (!is_settled_) return;
  sample_fields(in, 2);
  if (is_all_switched_off()) return;
  add_in_fields(in, out);
  add_pairs(s, in, wanted, out);
  if (wanted.rate == 0 && !in.of_vibrations) hold_turns(out);
}

// What all dipoles do to each, as a fast sum has it.
DipoleEffects InductionTerm::effects_of_all(std::size_t room) const {
  DipoleEffects e;
  if (m_.dipoles.method == DipoleMethod::direct) return e;
  for (int c = 0; c < 3; ++c) e.b[c].assign(room, 0.0), e.force[c].assign(room, 0.0);
  const auto put = [&](int k, const V& b, const V& force) {
    e.b[0][k] = b.x, e.b[1][k] = b.y, e.b[2][k] = b.z;
    e.force[0][k] = force.x, e.force[1][k] = force.y, e.force[2][k] = force.z;
  };
  for (int i = 0; i < count(); ++i) {
    V b = column_at(induced_.of_others().b, i), force = column_at(induced_.of_others().force, i);
    if (between_) b += between_->field_at_second(i), force += between_->force_on_second(i);
    put(cell_place_[i], b, force);
  }
  for (int k = 0; k < static_cast<int>(magnets_.size()); ++k)
    put(magnet_place_[k], between_->field_at_first(k) + between_->field_among_first(k),
        between_->force_on_first(k) + between_->force_among_first(k));
  return e;
}

void InductionTerm::add_in_fields(const Inputs& in, BlockMatrix& out) {
  if (in.fields.empty()) return;
  for (int i = 0; i < count(); ++i) {
    const FieldSample& f = sample_[i];
    double own[36] = {};
    add_dipole_stiffness(moment(i), f.b, f.gradient, f.second, in.load_factor, own);
    shift_columns(own, lever_[i]);
    shift_rows(own, lever_[i]);
    add_lever_stiffness(lever_[i], in.load_factor * transposed_times(f.gradient, moment(i)), own);
    double* to = out.diagonal(cells_[i].node);
    for (int k = 0; k < 36; ++k) to[k] += own[k];
  }
}

void InductionTerm::add_pairs(const State& s, const Inputs& in, const StiffnessRequest& wanted, BlockMatrix& out) {
  DipoleColumns all;
  all.count = nodes_.back().last;
  const auto room = static_cast<std::size_t>(padded(all.count));
  for (int c = 0; c < 3; ++c) all.x[c].assign(room, 0.0), all.m[c].assign(room, 0.0);
  for (std::size_t k = 0; k < room; ++k) all.x[0][k] = 1e12 * static_cast<double>(k + 1);
  std::vector<V> lever(static_cast<std::size_t>(all.count));
  const auto put = [&](int k, const V& x, const V& m, const V& from_node) {
    all.x[0][k] = x.x, all.x[1][k] = x.y, all.x[2][k] = x.z;
    all.m[0][k] = m.x, all.m[1][k] = m.y, all.m[2][k] = m.z;
    lever[k] = from_node;
  };
  for (int i = 0; i < count(); ++i) put(cell_place_[i], at_[i].x, moment(i), lever_[i]);
  for (std::size_t k = 0; k < magnets_.size(); ++k)
    put(magnet_place_[k], magnet_at_[k], magnet_moment_[k], magnet_lever_[k]);
  const auto stands = standing_nodes(nodes_, s, in);
  const DipoleEffects total = effects_of_all(all.x[0].size());
  const bool is_direct = m_.dipoles.method == DipoleMethod::direct;
  const DipoleSystem system{all, lever, nodes_, induced_.apart(), stands, is_direct ? nullptr : &total, box()};
  if (m_.dipoles.interact) ls::add_dipole_stiffness(system, in.load_factor, wanted.projected, out);
  const int most_cells = in.of_vibrations  ? most_vibrating
                         : wanted.rate > 0 ? most_responding_cells_in_time
                                           : most_responding_cells,
            most_nodes = in.of_vibrations ? most_vibrating : most_responding_nodes;
  if (wanted.projected || count() > most_cells || std::count(stands.begin(), stands.end(), 0) > most_nodes) return;
  std::vector<Quat<double>> turned;
  std::vector<V> field;
  std::vector<Mat3<double>> slope;
  for (int i = 0; i < count(); ++i)
    turned.push_back(at_[i].q), field.push_back(field_at(i)), slope.push_back(sample_[i].gradient);
  const Eigen::MatrixXd curvature = induced_.curvature(inner_);
  add_response({system, cell_place_, turned, field, slope, curvature, m_.dipoles.interact}, in.load_factor, out);
}

// A ball is turned by nothing, and by nothing held, nor is a round body about its axis: at rest such turns are no
// freedom of the system. What resists them is made up, and its torque is zero, so that no result knows of it.
void InductionTerm::hold_turns(BlockMatrix& out) const {
  constexpr double nothing = 1e-6;
  std::vector<double> size(static_cast<std::size_t>(m_.nodes), 0.0);
  for (int i = 0; i < count(); ++i) size[cells_[i].node] += norm(moment(i)) * norm(field_at(i));
  for (const NodeDipoles& n : nodes_) {
    if (bonded_[n.node] || !(size[n.node] > 0)) continue;
    double* d = out.diagonal(n.node);
    Eigen::Matrix3d turns;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) turns(r, c) = d[6 * (3 + r) + 3 + c];
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(turns);
    for (int k = 0; k < 3; ++k) {
      if (std::abs(eigen.eigenvalues()[k]) > nothing * size[n.node]) continue;
      const Eigen::Vector3d axis = eigen.eigenvectors().col(k);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) d[6 * (3 + r) + 3 + c] += size[n.node] * axis[r] * axis[c];
    }
  }
}

Limits InductionTerm::limits(const State& s, const Inputs& in) {
  if (s.nodes.count == 0 || scope(in) == Scope::idle) return {};
  Team alone;
  find(s, in, alone);
  if (!is_settled_) return {};
  sample_fields(in, 2);
  std::vector<SwingingDipole> all;
  all.reserve(cells_.size() + magnets_.size());
  for (int i = 0; i < count(); ++i)
    all.push_back({cells_[i].node, true, at_[i].x, lever_[i], moment(i), field_at(i), sample_[i]});
  for (std::size_t k = 0; k < magnets_.size(); ++k)
    all.push_back({magnets_[k].node, false, magnet_at_[k], magnet_lever_[k], magnet_moment_[k], {}, {}});
  return soft_limits(m_, all, box());
}

}  // namespace

std::unique_ptr<Induction> make_induction_term(const Model& model) {
  return std::make_unique<InductionTerm>(model);
}

}  // namespace ls
