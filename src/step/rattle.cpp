#include "step/rattle.h"

#include "math/block_ldlt.h"
#include "math/rotation.h"
#include "model/inertia.h"
#include "terms/joints/row_strength.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

constexpr int dof = BlockMatrix::width;

// The nodes that have joints, numbered by themselves, with the matrix M + J^T k J.
class JointMasses {
 public:
  JointMasses(const Model& m, const Inputs& in, const State& at, Joints& joints) : joints_(joints) {
    const Inputs still;
    rows_ = joints.look(at, still);
    number_.assign(m.nodes, -1);
    NodePairs pairs;
    for (const Joint& j : m.joints.joints) {
      for (const JointEnd& end : j.end)
        if (end.node >= 0 && number_[end.node] < 0)
          number_[end.node] = static_cast<int>(nodes_.size()), nodes_.push_back(end.node);
      if (j.end[0].node < 0 || j.end[1].node < 0) continue;
      const int a = number_[j.end[0].node], b = number_[j.end[1].node];
      pairs.emplace_back(std::min(a, b), std::max(a, b));
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    held_.assign(nodes_.size(), 0);
    for (const auto& h : in.held)
      if (number_[h.node] >= 0) held_[number_[h.node]] = h.mask;
    matrix_ = BlockMatrix(BlockPattern(static_cast<int>(nodes_.size()), pairs));
    matrix_.clear();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      double* d = matrix_.diagonal(static_cast<int>(i));
      for (int c = 0; c < 3; ++c) d[(dof + 1) * c] = m.mass[nodes_[i]];
      add_inertia(m, nodes_[i], at.nodes.frame(nodes_[i]).q, 1, d);
    }
    RowStrength strength(1e4);
    for (const Joint& j : m.joints.joints)
      for (const JointEnd& end : j.end)
        if (end.node >= 0) strength.see(matrix_.diagonal(number_[end.node]), held_[number_[end.node]], end.half.arm);
    for (std::size_t r = 0; r < rows_.size(); ++r) rows_[r].k = strength(joints.rows()[r].row, yields(r));
    for (std::size_t r = 0; r < rows_.size(); ++r) add_row(r);
    ldlt_ = BlockLdlt(matrix_.pattern());
    good_ = ldlt_.factor(matrix_, held_);
  }

  bool good() const { return good_; }
  const std::vector<int>& nodes() const { return nodes_; }

  // The moves, [node of its own][6], that take what `error` says of the rows away, as far as they go with J of here.
  // impulse: [row] gets what they take, in kg m or kg m^2.
  std::vector<double> correction(const std::vector<double>& error, std::vector<double>& impulse) {
    std::vector<double> u(dof * nodes_.size(), 0.0);
    for (std::size_t r = 0; r < rows_.size(); ++r) add_slope(r, -rows_[r].k * error[r], u);
    ldlt_.solve(u.data());
    for (std::size_t r = 0; r < rows_.size(); ++r) impulse[r] += rows_[r].k * (error[r] + along(r, u));
    return u;
  }
  double along(std::size_t r, const std::vector<double>& u) const {
    double sum = 0;
    visit(r, [&](int node, int c, double slope) { sum += slope * u[dof * static_cast<std::size_t>(node) + c]; });
    return sum;
  }

 private:
  bool acts(std::size_t r) const { return joints_.rows()[r].use == RowUse::closed; }
  template <class F>
  void visit(std::size_t r, const F& body) const {
    if (!acts(r)) return;
    const Joint& j = joints_.joint(joints_.rows()[r].joint);
    for (int n = 0; n < 2; ++n) {
      if (j.end[n].node < 0) continue;
      const auto& w = rows_[r].slope[n];
      const double all[dof] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
      for (int c = 0; c < dof; ++c) body(number_[j.end[n].node], c, all[c]);
    }
  }
  double yields(std::size_t r) const {
    double sum = 0;
    visit(r, [&](int node, int c, double slope) {
      if (!((held_[node] >> c) & 1)) sum += slope * slope / matrix_.diagonal(node)[(dof + 1) * c];
    });
    return sum;
  }
  void add_slope(std::size_t r, double factor, std::vector<double>& u) const {
    visit(r, [&](int node, int c, double slope) { u[dof * static_cast<std::size_t>(node) + c] += factor * slope; });
  }
  void add_row(std::size_t r) {
    visit(r, [&](int a, int i, double si) {
      visit(r, [&](int b, int j, double sj) {
        if (a < b) return;
        double* block = a == b ? matrix_.diagonal(a) : matrix_.block(a, b);
        block[dof * i + j] += rows_[r].k * si * sj;
      });
    });
  }

  Joints& joints_;
  std::vector<RowNow> rows_;
  std::vector<int> number_, nodes_;  // [node]; [of its own]
  std::vector<std::uint8_t> held_;
  BlockMatrix matrix_;
  BlockLdlt ldlt_;
  bool good_ = false;
};

bool has_rows(const Work& work) {
  return work.terms.joints && !work.terms.joints->rows().empty();
}

}  // namespace

bool close_joints(const Model& m, const Inputs& in, const Nodes& before, State& s, Work& work) {
  constexpr int most_rounds = 30;
  constexpr double small = 1e-6;  // of the tolerance: what is left is not seen in energies
  if (!has_rows(work)) return true;
  Joints& joints = *work.terms.joints;
  State start;
  start.nodes = before;
  JointMasses masses(m, in, start, joints);
  if (!masses.good()) return false;
  const Inputs still;
  std::vector<double> error(joints.rows().size()), impulse(joints.rows().size(), 0.0);
  double last = unbounded;
  for (int round = 0; round < most_rounds; ++round) {
    const double now = joints.error(s, still).share;
    if (now <= small || (now <= 1e-3 && now > 0.5 * last)) {  // or rounding
      s.memory.joint_force.resize(error.size());
      for (std::size_t r = 0; r < error.size(); ++r) s.memory.joint_force[r] = impulse[r] / (in.dt * in.dt);
      return true;
    }
    last = now;
    const auto& rows = joints.look(s, still);
    for (std::size_t r = 0; r < error.size(); ++r) error[r] = rows[r].c;
    const auto u = masses.correction(error, impulse);
    for (std::size_t i = 0; i < masses.nodes().size(); ++i) {
      const int node = masses.nodes()[i];
      const double* a = u.data() + dof * i;
      const Vec3<double> x{a[0], a[1], a[2]}, w{a[3], a[4], a[5]};
      const auto f = s.nodes.frame(node);
      auto t = s.nodes.twist(node);
      t.v += (1 / in.dt) * x, t.w += (1 / in.dt) * w;
      s.nodes.set(node, Frame<double>{f.x + x, normalized(turn(w) * f.q)});
      s.nodes.set(node, t);
    }
  }
  return joints.error(s, still).share <= 1;
}

void stop_joints(const Model& m, const Inputs& in, State& s, Work& work) {
  if (!has_rows(work)) return;
  Joints& joints = *work.terms.joints;
  JointMasses masses(m, in, s, joints);
  if (!masses.good()) return;
  std::vector<double> error(joints.rows().size()), impulse(joints.rows().size(), 0.0);
  std::vector<double> v(dof * masses.nodes().size());
  for (int round = 0; round < 4; ++round) {  // each leaves a ten-thousandth
    for (std::size_t i = 0; i < masses.nodes().size(); ++i) {
      const auto t = s.nodes.twist(masses.nodes()[i]);
      const double all[dof] = {t.v.x, t.v.y, t.v.z, t.w.x, t.w.y, t.w.z};
      std::copy(all, all + dof, v.data() + dof * i);
    }
    for (std::size_t r = 0; r < error.size(); ++r) error[r] = masses.along(r, v);
    const auto u = masses.correction(error, impulse);
    for (std::size_t i = 0; i < masses.nodes().size(); ++i) {
      const double* a = u.data() + dof * i;
      auto t = s.nodes.twist(masses.nodes()[i]);
      t.v += Vec3<double>{a[0], a[1], a[2]}, t.w += Vec3<double>{a[3], a[4], a[5]};
      s.nodes.set(masses.nodes()[i], t);
    }
  }
  auto& force = s.memory.joint_force;
  force.resize(impulse.size(), 0.0);
  for (std::size_t r = 0; r < impulse.size() && in.dt > 0; ++r) force[r] += impulse[r] / in.dt;
  s.memory.joint_shown = force;
}

}  // namespace ls
