#include "terms/joints/joint_term.h"

#include <algorithm>
#include <cmath>

// What joints tell of themselves, to solvers, the ledger and probes, and what they keep for it.
namespace ls {

// A motor that gives a rate and has no bound goes nearly as far as that, also in the shortest part of a step: else one
// that something stops would go on by a tolerance in each of them, and by nothing in the end.
double Joints::tolerance(const JointRowEntry& row, const Joint& j, const JointView& v, const Inputs& in) const {
  constexpr double of_way = 0.1, least = 1e-4;
  const bool turns = row.row.shape == RowShape::across || row.row.shape == RowShape::angle;
  const double most = turns ? j.turn_tolerance : j.tolerance;
  if (row.use != RowUse::motor || std::isfinite(row.most) || is_position(row) || !v.steps) return most;
  const double way = way_at_rate(j, row, v, in, in.motors.empty() ? 0 : in.motors[row.motor]);
  return std::clamp(of_way * std::abs(way), least * most, most);
}

// Beside its tolerance; no bound where the row is not joined at all.
double Joints::error_of(std::size_t r, const JointView& v, const State& s, const Inputs& in) const {
  const JointRowEntry& row = rows_[r];
  if (is_torque(row) || is_idle(row, in) || std::isfinite(row.stiffness)) return 0;
  const Joint& j = joint(row.joint);
  const double force = foreseen(r, s.memory, in);
  // Axes that have come to point the other way satisfy the row and are not joined; a force beyond its bound is none.
  const bool flipped = row.row.shape == RowShape::across && j.kind != JointKind::universal &&
                       dot(v.at_end.axis[0][2], v.at_end.axis[1][2]) < 0;
  if (flipped || force > row.most || force < row.least) return unbounded;
  double c = value_of(row, j, v, s, in);
  if (force >= row.most) c = std::min(c, 0.0);
  if (force <= row.least) c = std::max(c, 0.0);
  return std::abs(c) / tolerance(row, j, v, in);
}

JointError Joints::error(const State& s, const Inputs& in) {
  JointError worst;
  for (std::size_t k = 0; k + 1 < first_row_.size(); ++k) {
    if (first_row_[k] == first_row_[k + 1]) continue;
    renew_view(k, s, in);
    const JointView& v = views_[k];
    for (int r = first_row_[k]; r < first_row_[k + 1]; ++r)
      if (const double share = error_of(static_cast<std::size_t>(r), v, s, in);
          share > worst.share || std::isnan(share))
        worst = {share, static_cast<int>(k)};
  }
  return worst;
}

JointWork Joints::work(const State& pose, const Inputs& in, double dt) const {
  JointWork w;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const JointRowEntry& row = rows_[r];
    const double force = multiplier(r, pose.memory, in);
    const bool is_stop = row.least == 0 || row.most == 0;
    if (force == 0 || (row.use == RowUse::closed && !is_stop)) continue;
    const Joint& j = joint(row.joint);
    const JointView v = view(row, pose, in);
    Wrench<double> slope[2];
    row_slope(row.row, v.mean, j.length, slope);
    double rate = 0;
    for (int n = 0; n < 2; ++n)
      if (j.end[n].node >= 0) {
        const auto t = pose.nodes.twist(j.end[n].node);
        rate += dot(slope[n].force, t.v) + dot(v.torque(n, slope[n].torque, row.row.shape == RowShape::angle), t.w);
      }
    const double done = -force * rate * dt;
    if (row.use == RowUse::motor)
      w.motors += done;
    else if (row.use == RowUse::friction)
      w.friction -= done;
    else
      w.stops -= done;
  }
  return w;
}

double Joints::motor_work(const State& from, const Inputs& before, const State& to, const Inputs& after) const {
  double sum = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (rows_[r].use == RowUse::motor) {
      const double gone = report(rows_[r].joint, to, after).travel - report(rows_[r].joint, from, before).travel;
      sum -= 0.5 * (multiplier(r, from.memory, before) + multiplier(r, to.memory, after)) * gone;
    }
  return sum;
}

Wrench<double> Joints::by_impulses(int node, const State& s, const Inputs& in) const {
  Wrench<double> sum, slope[2];
  if (!in.rule.by_impulses || s.memory.joint_shown.size() != rows_.size()) return sum;
  const Inputs still;
  for (std::size_t k = 0; k + 1 < first_row_.size(); ++k) {
    const Joint& j = joint(static_cast<int>(k));
    if (j.end[0].node != node && j.end[1].node != node) continue;
    const JointView v = view_of(j, s, still, bonded_);
    for (int r = first_row_[k]; r < first_row_[k + 1]; ++r) {
      if (is_torque(rows_[r])) continue;
      row_slope(rows_[r].row, v.mean, j.length, slope);
      const Wrench<double>& along = slope[j.end[0].node == node ? 0 : 1];
      sum += {-s.memory.joint_shown[r] * along.force, -s.memory.joint_shown[r] * along.torque};
    }
  }
  return sum;
}

JointReport Joints::report(int number, const State& s, const Inputs& in) const {
  Inputs still;
  still.motors = in.motors, still.load_factor = in.load_factor;
  const Joint& j = joint(number);
  const JointView v = view_of(j, s, still, bonded_);
  JointReport out;
  const auto rate_of = [&](const Wrench<double>(&slope)[2]) {
    double rate = 0;
    for (int n = 0; n < 2; ++n)
      if (j.end[n].node >= 0) {
        const auto t = s.nodes.twist(j.end[n].node);
        rate += dot(slope[n].force, t.v) + dot(slope[n].torque, t.w);
      }
    return rate;
  };
  Wrench<double> slope[2], free[2];
  const double length = norm(v.at_end.apart);
  JointRow coordinate{RowShape::along, 2, 0};
  out.travel = dot(v.at_end.axis[0][2], v.at_end.apart);
  if (j.is_hinged()) {
    coordinate.shape = RowShape::angle;
    const auto& known = s.memory.joint_angle;
    out.travel = nearest_angle(joint_angle(j, v.end), known.size() != model_.joints.joints.size() ? 0 : known[number]);
  } else if (j.kind == JointKind::distance || j.kind == JointKind::spring) {
    coordinate.shape = RowShape::distance, out.travel = length;
  }
  if (j.kind == JointKind::rope) {  // how long it is at rest; the joint itself is its end
    const Reel& reel = model_.joints.reels[j.reel];
    out.travel = reel.drawn * reeled_share(j.reel, {}, s.memory.reels);
    out.rate = reel.motor < 0 || in.motor_rates.empty() ? 0 : in.motor_rates[reel.motor];
  } else if (coordinate.shape != RowShape::distance || length > 0) {
    row_slope(coordinate, v.mean, coordinate.shape == RowShape::distance ? length : 1, free);
    out.rate = rate_of(free);
  }
  for (int r = first_row_[number]; r < first_row_[number + 1]; ++r) {
    const bool shown = !is_torque(rows_[r]) && s.memory.joint_shown.size() == rows_.size();
    const double force = shown ? s.memory.joint_shown[r] : multiplier(r, s.memory, still);
    row_slope(rows_[r].row, v.mean, j.length, slope);
    out.force += -force * slope[1].force;
    out.torque += -force * (slope[1].torque - cross(v.mean.arm[1], slope[1].force));
    if (rows_[r].use == RowUse::motor) out.motor -= force;
    if (rows_[r].use == RowUse::closed && !std::isfinite(rows_[r].stiffness)) {
      double c = value_of(rows_[r], j, v, s, still);
      if (rows_[r].least == 0) c = std::max(0.0, c);
      out.error = std::max(out.error, std::abs(c));
    }
  }
  if (j.kind == JointKind::spring) {
    const SpringPull pull = spring_pull(j, v, s);
    out.force += -pull.force * pull.direction;
  }
  return out;
}

// The multiplier of a midpoint step is that of its middle, and alternates about it by what velocities across the rows
// are off. Over three steps that goes away, and what is left is the force at the end, to second order. A motor that
// gives a position has its velocities put right by a blow in each step: only both together are its force. What a stop
// or a string takes up is of one step, and no step after it goes by that.
void Joints::note_forces(bool midpoint, const std::vector<double>& blows, Memory& memory) const {
  std::vector<double> force = memory.joint_force;
  auto& past = memory.joint_past;
  for (std::size_t r = 0; r < blows.size(); ++r) {
    force[r] += blows[r];
    if (blows[r] != 0 && (rows_[r].least == 0 || rows_[r].most == 0)) past.clear();
  }
  const bool known = midpoint && past.size() == 2 * force.size();
  memory.joint_shown = force;
  for (std::size_t r = 0; r < force.size() && known; ++r)
    if (rows_[r].use == RowUse::closed || (is_position(rows_[r]) && std::abs(force[r]) < rows_[r].most))
      memory.joint_shown[r] += 0.5 * (past[2 * r] - past[2 * r + 1]);
  past.resize(2 * force.size());
  for (std::size_t r = 0; r < force.size(); ++r) {
    past[2 * r + 1] = known ? past[2 * r] : force[r];
    past[2 * r] = force[r];
  }
}

void Joints::advance(const State& s, const Inputs& in, Memory& memory) {
  const Inputs still;
  if (!in.reels.empty()) memory.reels = in.reels;
  memory.joint_angle.resize(model_.joints.joints.size(), 0.0);
  for (std::size_t k = 0; k < memory.joint_angle.size(); ++k) {
    const Joint& j = model_.joints.joints[k];
    if (!j.is_hinged()) continue;
    memory.joint_angle[k] = nearest_angle(joint_angle(j, view_of(j, s, still, bonded_).end), memory.joint_angle[k]);
  }
}

}  // namespace ls
