#include "step/newton/joints/blow.h"

#include "model/inertia.h"
#include "step/model_size.h"
#include "step/newton/vibrations.h"
#include "terms/joints/row_strength.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

double energy_of_motion(const Model& m, const Nodes& nodes) {
  double sum = 0;
  for (int i = 0; i < m.nodes; ++i) {
    const auto t = nodes.twist(i);
    sum += 0.5 * (m.mass[i] * dot(t.v, t.v) + dot(t.w, angular_momentum(m, i, nodes.frame(i).q, t.w)));
  }
  return sum;
}

// The rows of joints that a velocity must not change, with J.
struct Struck {
  std::size_t number;
  const Joint* joint;
  Wrench<double> slope[2];
  JointRow row;
  double k = 0;        // kg or kg m^2
  double wanted = 0;   // m/s or rad/s, its rate
  double impulse = 0;  // N s or N m s

  double rate(const Nodes& nodes) const {
    double sum = 0;
    for (int n = 0; n < 2; ++n)
      if (joint->end[n].node >= 0) {
        const auto t = nodes.twist(joint->end[n].node);
        sum += dot(slope[n].force, t.v) + dot(slope[n].torque, t.w);
      }
    return sum;
  }
};

// Closed ones, motors that give a position, and stops and strings that pushed or are run into. What gives way takes its
// time.
// Closed rows alone are not struck, but where they are asked for: as midpoint steps leave them they are right in the
// mean.
std::vector<Struck> struck_rows(Joints& joints, const Inputs& in, const State& s, bool closed_alone) {
  std::vector<Struck> found;
  bool any = closed_alone;
  Inputs still;
  still.motors = in.motors;
  const auto& now = joints.look(s, still);
  for (std::size_t r = 0; r < now.size(); ++r) {
    const JointRowEntry& row = joints.rows()[r];
    Struck a{r, &joints.joint(row.joint), {now[r].slope[0], now[r].slope[1]}, row.row};
    const double force = s.memory.joint_force.size() != now.size() ? 0 : s.memory.joint_force[r];
    if (joints.is_position(row)) {
      if (in.motor_rates.empty() || !(std::abs(force) < row.most)) continue;
      a.wanted = in.motor_rates[row.motor], any = true;
    } else if (row.use == RowUse::friction || row.use == RowUse::motor || std::isfinite(row.stiffness)) {
      continue;
    } else if (row.most == 0 || row.least == 0) {
      const double sign = row.most == 0 ? -1 : 1;
      const double reach = row.row.shape == RowShape::angle ? a.joint->turn_tolerance : a.joint->tolerance;
      if (force == 0 && (sign * now[r].c < -reach || sign * a.rate(s.nodes) <= 0)) continue;
      any = true;
    }
    found.push_back(a);
  }
  if (!any) found.clear();
  return found;
}

void add_row(const Struck& row, BlockMatrix& out) {
  double slope[2 * dofs] = {};
  for (int n = 0; n < 2; ++n) {
    const auto& w = row.slope[n];
    const double all[dofs] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
    std::copy(all, all + dofs, slope + dofs * n);
  }
  const int a = row.joint->end[0].node, b = row.joint->end[1].node;
  double h[2 * dofs][2 * dofs];
  for (int i = 0; i < 2 * dofs; ++i)
    for (int j = 0; j < 2 * dofs; ++j) h[i][j] = row.k * slope[i] * slope[j];
  if (a >= 0 && b >= 0) return out.add_pair(a, b, h);
  double* d = out.diagonal(a >= 0 ? a : b);
  const int first = a >= 0 ? 0 : dofs;
  for (int i = 0; i < dofs; ++i)
    for (int j = 0; j < dofs; ++j) d[dofs * i + j] += h[first + i][first + j];
}

void set_strengths(const BlockMatrix& mass, const std::vector<std::uint8_t>& held, std::vector<Struck>& rows) {
  RowStrength strength(1e4);
  for (const Struck& row : rows)
    for (const JointEnd& end : row.joint->end)
      if (end.node >= 0) strength.see(mass.diagonal(end.node), held[end.node], end.half.arm);
  for (Struck& row : rows) {
    double yields = 0;
    for (int n = 0; n < 2; ++n) {
      const int node = row.joint->end[n].node;
      if (node < 0) continue;
      const auto& w = row.slope[n];
      const double all[dofs] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
      for (int c = 0; c < dofs; ++c)
        if (!((held[node] >> c) & 1)) yields += all[c] * all[c] / mass.diagonal(node)[(dofs + 1) * c];
    }
    row.k = strength(row.row, yields);
  }
}

}  // namespace

std::vector<double> take_blow(const Model& m, const Inputs& in, State& s, NewtonWork& newton, bool at_start) {
  constexpr int rounds = 6;  // each leaves a ten-thousandth
  if (!newton.terms.joints) return {};
  auto rows = struck_rows(*newton.terms.joints, in, s, at_start);
  if (rows.empty()) return {};
  const double before = energy_of_motion(m, s.nodes);
  std::fill(newton.held.begin(), newton.held.end(), 0);
  for (const auto& h : in.held) newton.held[h.node] = h.mask;
  newton.stiffness.clear();
  add_mass(m, s, 1, newton.stiffness);
  set_strengths(newton.stiffness, newton.held, rows);
  for (const Struck& row : rows) add_row(row, newton.stiffness);
  if (!newton.ldlt.factor(newton.stiffness, newton.held, newton.pulse)) return {};
  for (int round = 0; round < rounds; ++round) {
    std::fill(newton.solution.begin(), newton.solution.end(), 0.0);
    for (const Struck& row : rows) {
      const double push = row.k * (row.wanted - row.rate(s.nodes));
      for (int n = 0; n < 2; ++n) {
        if (row.joint->end[n].node < 0) continue;
        double* to = newton.solution.data() + static_cast<std::ptrdiff_t>(dofs) * row.joint->end[n].node;
        const auto& w = row.slope[n];
        const double all[dofs] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
        for (int c = 0; c < dofs; ++c) to[c] += push * all[c];
      }
    }
    newton.ldlt.solve(newton.solution.data());
    for (int i = 0; i < m.nodes; ++i) {
      const double* u = newton.solution.data() + static_cast<std::ptrdiff_t>(dofs) * i;
      auto t = s.nodes.twist(i);
      t.v += Vec3<double>{u[0], u[1], u[2]}, t.w += Vec3<double>{u[3], u[4], u[5]};
      s.nodes.set(i, t);
    }
    for (Struck& row : rows) row.impulse -= row.k * (row.wanted - row.rate(s.nodes));  // what they still ask for, is
  }
  const double gained = energy_of_motion(m, s.nodes) - before;
  const bool driven = std::any_of(rows.begin(), rows.end(), [](const Struck& row) { return row.wanted != 0; });
  (driven ? s.memory.ledger.motors : s.memory.ledger.dissipated) += driven ? gained : -gained;
  std::vector<double> impulses(newton.terms.joints->rows().size(), 0.0);
  for (const Struck& row : rows) impulses[row.number] = row.impulse;
  return impulses;
}

}  // namespace ls
