#include "terms/joints/joint_term.h"

#include "math/block_matrix.h"
#include "terms/joints/row_slopes.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

// What multiplier a row asks for with an error c, and how that goes with c: with a stiffness e of its own it is that of
// c = force/e + (force - before)/k. A multiplier at its bound stays there until the error has the other sign, and one
// that went beyond goes to its bound: an active set, one side at a time. Clamping what the error pulls with instead
// would throw it from bound to bound.
void settle_row(const JointRowEntry& row, double before, std::optional<Side> chosen, RowNow& now) {
  now.stiffness = 0, now.force = std::clamp(before, row.least, row.most);
  if (chosen && *chosen != Side::between) {
    now.force = *chosen == Side::high ? row.most : row.least;
    return;
  }
  if (!chosen && ((before >= row.most && now.c >= 0) || (before <= row.least && now.c <= 0))) return;
  now.stiffness = 1 / (1 / now.k + 1 / row.stiffness);
  now.force = now.stiffness * (now.c + now.force / now.k);
}

// The end of a midpoint step goes by 2 dx, and turns by t + H t for a turn t of its middle, H being the turn from its
// start to there.
void set_change(const JointRowEntry& row, const Joint& joint, const JointView& v, RowNow& now) {
  Wrench<double> end[2];
  row_slope(row.row, v.at_end, joint.length, end);
  const double share = row.use == RowUse::closed && std::isfinite(row.stiffness) ? 0.5 : 1;
  for (int n = 0; n < 2; ++n) {
    now.change[n] = end[n];
    if (v.gain[n] == 1) continue;
    const Vec3<double> t = end[n].torque, back = rotate(conj(v.half[n]), t);
    now.change[n] = {2 * share * end[n].force, share * (t + back)};
  }
}

}  // namespace

Joints::Joints(const Model& model) : model_(model), rows_(joint_rows(model.joints)), bonded_(bonded_nodes(model)) {
  std::size_t row = 0;
  for (std::size_t k = 0; k < model.joints.joints.size(); ++k) {
    first_row_.push_back(static_cast<int>(row));
    while (row < rows_.size() && rows_[row].joint == static_cast<int>(k)) ++row;
  }
  first_row_.push_back(static_cast<int>(row));
  for (const JointRowEntry& r : rows_) has_blows_ = has_blows_ || r.least == 0 || r.most == 0 || is_position(r);
  now_.resize(rows_.size()), is_given_.resize(rows_.size()), chosen_.resize(rows_.size());
  views_.resize(model.joints.joints.size()), keys_.resize(views_.size()), has_slopes_.resize(views_.size());
  held_.assign(model.nodes, 0);
}

// The force of a torque motor is what the schedule says.
double Joints::multiplier(std::size_t r, const Memory& memory, const Inputs& in) const {
  const JointRowEntry& row = rows_[r];
  if (is_idle(row, in)) return 0;
  if (is_torque(row)) {
    const double wanted = in.motors.empty() ? 0 : -in.load_factor * in.motors[row.motor];
    return std::clamp(wanted, row.least, row.most);
  }
  return memory.joint_force.size() != rows_.size() ? 0 : std::clamp(memory.joint_force[r], row.least, row.most);
}

double Joints::foreseen(std::size_t r, const Memory& memory, const Inputs& in) const {
  if (is_torque(rows_[r]) || is_idle(rows_[r], in) || memory.joint_force.size() != rows_.size())
    return multiplier(r, memory, in);
  return memory.joint_force[r];
}

double Joints::value_of(const JointRowEntry& row, const Joint& joint, const JointView& v, const State& s,
                        const Inputs& in) const {
  const auto coordinate = [&](const JointPlaces<double>& places, const Frame<double>(&nodes)[2]) {
    if (row.row.shape != RowShape::angle) return row_value(row.row, places, joint.length);
    const auto& known = s.memory.joint_angle;
    return nearest_angle(joint_angle(joint, nodes), known.size() != model_.joints.joints.size() ? 0 : known[row.joint]);
  };
  const double end = coordinate(v.at_end, v.end);
  switch (row.use) {
    case RowUse::closed:
      return std::isfinite(row.stiffness) && (v.gain[0] == 2 || v.gain[1] == 2)
                 ? 0.5 * (end + coordinate(v.at_start, v.start))
                 : end;
    case RowUse::low:
      return end - joint.low;
    case RowUse::high:
      return end - joint.high;
    case RowUse::friction:
      return v.steps ? end - coordinate(v.at_start, v.start) - way_at_rate(joint, row, v, in, 0) : 0;
    case RowUse::motor: {
      const double wanted = in.motors.empty() ? 0 : in.motors[row.motor];
      if (model_.joints.motors[row.motor].kind == MotorKind::position) return end - wanted;
      if (!v.steps) return 0;
      const double goal = coordinate(v.at_start, v.start) + way_at_rate(joint, row, v, in, wanted);
      // Without a bound of its own a motor would ask a stop for more in every iteration.
      return end - (std::isfinite(row.most) ? goal : std::clamp(goal, joint.low, joint.high));
    }
  }
  return 0;
}

// How far a coordinate goes in a step that ends at a rate: the midpoint rule goes by the mean of that and the first.
double Joints::way_at_rate(const Joint& joint, const JointRowEntry& row, const JointView& v, const Inputs& in,
                           double rate) const {
  if (v.gain[0] == 1 && v.gain[1] == 1) return rate * v.duration;
  Wrench<double> slope[2];
  row_slope(row.row, v.at_start, joint.length, slope);
  double first = 0;
  for (int n = 0; n < 2; ++n)
    if (joint.end[n].node >= 0) {
      const auto t = in.rule.start->twist(joint.end[n].node);
      first += dot(slope[n].force, t.v) + dot(slope[n].torque, t.w);
    }
  return 0.5 * (first + rate) * v.duration;
}

void Joints::renew_view(std::size_t j, const State& s, const Inputs& in) {
  const Joint& joint = model_.joints.joints[j];
  const ViewKey key = view_key(joint, s, in);
  if (keys_[j] && key == *keys_[j]) return;
  keys_[j] = key, views_[j] = view_of(joint, s, in, bonded_), has_slopes_[j] = 0;
}

const std::vector<RowNow>& Joints::look(const State& s, const Inputs& in) {
  is_symmetric_ = true, largest_turn_ = 0;
  for (std::size_t j = 0; j + 1 < first_row_.size(); ++j) {
    const Joint& joint = model_.joints.joints[j];
    renew_view(j, s, in);
    const JointView& v = views_[j];
    for (const Quat<double>& half : v.half) largest_turn_ = std::max(largest_turn_, 2 * norm(half.v));
    for (int r = first_row_[j]; r < first_row_[j + 1]; ++r) {
      const JointRowEntry& row = rows_[r];
      RowNow& now = now_[r];
      now.c = value_of(row, joint, v, s, in);
      is_symmetric_ = is_symmetric_ && v.gain[0] == 1 && v.gain[1] == 1;
      if (has_slopes_[j] != 0) continue;
      row_slope(row.row, v.mean, joint.length, now.slope);
      set_change(row, joint, v, now);
    }
    has_slopes_[j] = 1;
  }
  return now_;
}

void Joints::add_wrenches(const State& s, const Inputs& in, const Blocks&, Wrenches& out) {
  for (std::size_t j = 0; j + 1 < first_row_.size(); ++j) {
    const Joint& joint = model_.joints.joints[j];
    renew_view(j, s, in);
    const JointView& v = views_[j];
    Wrench<double> sum[2], slope[2];
    for (int r = first_row_[j]; r < first_row_[j + 1]; ++r) {
      const double force = multiplier(r, s.memory, in);
      if (force == 0 || (in.rule.by_impulses && !is_torque(rows_[r]))) continue;
      row_slope(rows_[r].row, v.mean, joint.length, slope);
      const bool of_angle = rows_[r].row.shape == RowShape::angle;
      for (int n = 0; n < 2; ++n) {
        sum[n].force += -force * slope[n].force;
        sum[n].torque += -force * v.torque(n, slope[n].torque, of_angle);
      }
    }
    if (joint.kind == JointKind::spring) {
      const SpringPull pull = spring_pull(joint, v, s);
      for (int n = 0; n < 2; ++n) {
        const V f = ((n == 0 ? 1 : -1) * pull.force) * pull.direction;
        sum[n] += {f, v.torque(n, cross(v.mean.arm[n], f), false)};
      }
    }
    for (int n = 0; n < 2; ++n)
      if (joint.end[n].node >= 0) out.add(joint.end[n].node, sum[n]);
  }
}

void Joints::add_energy(const State& s, const Inputs&, Energies& out, Team&) {
  if (!out.wants(EnergyKind::joint)) return;
  const Inputs still;  // of a state: there is no step
  double sum = 0;
  for (const Joint& joint : model_.joints.joints)
    if (joint.kind == JointKind::spring)
      sum += spring_energy(joint, norm(view_of(joint, s, still, bonded_).at_end.apart));
  for (const JointRowEntry& row : rows_)
    if (row.use == RowUse::closed && std::isfinite(row.stiffness)) {
      const double c = value_of(row, joint(row.joint), view(row, s, still), s, still);
      sum += 0.5 * row.stiffness * c * c;
    }
  out.add(EnergyKind::joint, sum);
}

void Joints::add_pattern(const State&, const Inputs&, NodePairs& pairs) {
  for (const Joint& j : model_.joints.joints)
    if (j.end[0].node >= 0 && j.end[1].node >= 0)
      pairs.emplace_back(std::min(j.end[0].node, j.end[1].node), std::max(j.end[0].node, j.end[1].node));
}

void Joints::set_held(const std::vector<std::uint8_t>& held, double size) {
  held_ = held;
  size_ = size > 0 ? size : 1;
}

bool Joints::is_torque(const JointRowEntry& row) const {
  return row.use == RowUse::motor && model_.joints.motors[row.motor].kind == MotorKind::torque;
}

// What a row pulls with where it stands, by the multiplier that the last linear solution foresaw.
void Joints::settle(std::size_t r, const State& s, const Inputs& in) {
  RowNow& now = now_[r];
  if (!is_given_[r] && now.k > 0) return settle_row(rows_[r], foreseen(r, s.memory, in), chosen_[r], now);
  now.stiffness = 0, now.force = std::clamp(foreseen(r, s.memory, in), rows_[r].least, rows_[r].most);
}

// Friction and velocities have no meaning where no time passes.
bool Joints::is_idle(const JointRowEntry& row, const Inputs& in) const {
  const bool by_rate = row.use == RowUse::friction ||
                       (row.use == RowUse::motor && model_.joints.motors[row.motor].kind == MotorKind::velocity);
  return by_rate && !in.rule.start;
}

Limits Joints::limits(const State&, const Inputs&) {
  Limits l;
  for (const Joint& joint : model_.joints.joints)
    if (joint.kind == JointKind::spring && joint.damping > 0) {
      l.dissipates = true;
      l.damping_time = std::max(l.damping_time, joint.damping / joint.stiffness);
    }
  return l;
}

void Joints::add_pull(const State& s, const Inputs& in, std::vector<double>& out) {
  look(s, in);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    RowNow& now = now_[r];
    const Joint& j = joint(rows_[r].joint);
    const double before = multiplier(r, s.memory, in);
    settle(r, s, in);
    const double more = now.force - before;
    if (more == 0) continue;
    for (int n = 0; n < 2; ++n) {
      if (j.end[n].node < 0) continue;
      double slope[pose_width];
      const JointView& v = views_[rows_[r].joint];
      flatten({now.slope[n].force, v.torque(n, now.slope[n].torque, rows_[r].row.shape == RowShape::angle)}, slope);
      for (int c = 0; c < pose_width; ++c)
        out[static_cast<std::size_t>(pose_width) * j.end[n].node + c] -= more * slope[c];
    }
  }
}

void Joints::add_asymmetry(const std::vector<double>& move, std::vector<double>& out) const {
  for (const PackedRow& p : packed_) {
    double along = 0, across = 0;
    for (int n = 0; n < 2; ++n) {
      if (p.node[n] < 0) continue;
      const double* u = move.data() + static_cast<std::ptrdiff_t>(pose_width) * p.node[n];
      for (int c = 0; c < pose_width; ++c)
        along += p.change[pose_width * n + c] * u[c], across += p.symmetric[pose_width * n + c] * u[c];
    }
    const RowNow& now = from_[p.row];
    for (int n = 0; n < 2; ++n) {
      if (p.node[n] < 0) continue;
      double* to = out.data() + static_cast<std::ptrdiff_t>(pose_width) * p.node[n];
      double slope[pose_width];
      flatten(now.slope[n], slope);
      for (int c = 0; c < pose_width; ++c)
        to[c] += now.stiffness * (slope[c] * along - p.symmetric[pose_width * n + c] * across);
    }
  }
}

// Rows that pull, as solves want them again and again.
void Joints::pack() {
  packed_.clear();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const RowNow& now = from_[r];
    if (now.stiffness == 0) continue;
    const Joint& j = joint(rows_[r].joint);
    const JointView& v = views_[rows_[r].joint];
    PackedRow p{r, {j.end[0].node, j.end[1].node}, root(r), {}, {}, {}};
    for (int n = 0; n < 2; ++n) {
      const bool of_angle = rows_[r].row.shape == RowShape::angle;
      flatten({now.slope[n].force, v.torque(n, now.slope[n].torque, of_angle)}, p.along + pose_width * n);
      flatten(now.change[n], p.change + pose_width * n);
      flatten(now.slope[n], p.symmetric + pose_width * n);
      const double gain = std::sqrt(matrix_gain(rows_[r], v, n));
      for (int c = 0; c < pose_width; ++c) p.symmetric[pose_width * n + c] *= gain;
    }
    packed_.push_back(p);
  }
}

// How far a move takes a row.
double Joints::gone(const RowNow& now, const Joint& j, const std::vector<double>& move) const {
  double sum = 0;
  for (int n = 0; n < 2; ++n) {
    if (j.end[n].node < 0) continue;
    double slope[pose_width];
    flatten(now.change[n], slope);
    const double* u = move.data() + static_cast<std::ptrdiff_t>(pose_width) * j.end[n].node;
    for (int c = 0; c < pose_width; ++c) sum += slope[c] * u[c];
  }
  return sum;
}

void Joints::follow(const std::vector<double>& solution, double share, Memory& memory) const {
  memory.joint_force.resize(rows_.size(), 0.0);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const RowNow& now = from_[r];
    // At the end of a whole move a force at its bound is the bound itself: by less, its row would be let off again.
    double& force = memory.joint_force[r];
    force = (1 - share) * force + share * (now.force + now.stiffness * gone(now, joint(rows_[r].joint), solution));
  }
}

std::size_t Joints::bytes() const {
  return rows_.size() * (sizeof(rows_[0]) + sizeof(RowNow)) + packed_.size() * sizeof(PackedRow) +
         views_.size() * (sizeof(JointView) + sizeof(ViewKey));
}

}  // namespace ls
