#include "scene/schedule.h"

#include "math/rotation.h"
#include "scene/span_of.h"

#include <atomic>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ls {

namespace {

using V = Vec3<double>;
using Rate = Dual<double, 1>;  // a value and its rate in time

std::uint8_t mask_of(const Drive& d) {
  std::uint8_t mask = 0;
  for (int k = 0; k < 3; ++k)
    if (d.move[k]) mask |= static_cast<std::uint8_t>(1 << k);
  if (d.angle) mask |= hold_turn;
  if (d.angle && d.about) mask |= hold_position;
  return mask;
}

constexpr std::size_t frame_numbers = 7;
void append(const Frame<double>& f, std::vector<double>& numbers) {
  numbers.insert(numbers.end(), {f.x.x, f.x.y, f.x.z, f.q.w, f.q.v.x, f.q.v.y, f.q.v.z});
}
Frame<double> frame_at(const double* a) {
  return {{a[0], a[1], a[2]}, {a[3], {a[4], a[5], a[6]}}};
}

}  // namespace

Schedule::Schedule(const Plan& plan, double dt) : plan_(plan) {
  double steps = 0;
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    spans_.push_back(span_of(plan, static_cast<int>(k), dt));
    steps += static_cast<double>(spans_.back().steps);
  }
  if (steps > 1e18) fail({plan.file, 0, 0, "stage"}, fmt::format("{:.3g} steps in all, expected at most 1e18", steps));
  base_.damping_rate = plan.damping.rate;
  base_.spin_damping_rate = plan.damping.spin_rate;
  if (plan.thermal.temperature > 0) {
    base_.temperature = plan.thermal.temperature;
    if (plan.thermal.time > 0) {
      base_.damping_rate += 1 / plan.thermal.time;
      base_.spin_damping_rate += 1 / plan.thermal.time;
    }
  }
  base_.seed = plan.solver.seed;
  base_.richardson = plan.solver.richardson;
  magnet_anchors_.resize(plan.fields.size());
  if (!plan.moment_factors.empty()) base_.moment_factor.assign(static_cast<std::size_t>(plan.model.nodes), 1.0);
}

void Schedule::keep_spans(std::span<const Span> kept) {
  assert(kept.size() <= spans_.size());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const int substeps = spans_[k].substeps;
    spans_[k] = kept[k];
    spans_[k].substeps = substeps;
  }
}

long long Schedule::total_steps() const {
  long long sum = 0;
  for (const auto& p : spans_) sum += p.steps;
  return sum;
}

double Schedule::total_time() const {
  double sum = 0;
  for (const auto& p : spans_) sum += p.duration;
  return sum;
}

std::vector<std::uint8_t> Schedule::held(int stage) const {
  std::vector<std::uint8_t> held = plan_.model.held;
  for (const auto& h : plan_.stages[stage].holds) held[h.node] |= h.mask;
  for (const auto& d : plan_.stages[stage].drives) held[d.node] |= mask_of(d);
  return held;
}

void Schedule::begin_stage(State& s) {
  if (s.clock.stage == 0) {
    s.memory.variables = plan_.first_values;
    s.memory.events.assign(plan_.events.size(), 0);
    s.memory.field_anchors.clear();
    for (const SceneField& field : plan_.fields)
      if (const SceneMagnet* magnet = field.magnet())
        append(magnet->can_be_driven ? magnet->pose({}) : Frame<double>{}, s.memory.field_anchors);
  }
  s.memory.set_by_event.clear();
  s.memory.stage_ended = 0;
  s.clock.stage_start = s.clock.time;
  s.memory.anchors.clear();
  const auto masks = held(s.clock.stage);
  for (int i = 0; i < plan_.model.nodes; ++i)
    if (masks[i]) append(s.nodes.frame(i), s.memory.anchors);
  resume_stage(s);
}

void Schedule::end_stage(State& s) const {
  const Values values = values_at(s.clock, s.clock.share);
  s.memory.field_anchors.clear();
  for (std::size_t i = 0; i < plan_.fields.size(); ++i)
    if (plan_.fields[i].magnet())
      append(magnet_pose(s.clock.stage, static_cast<int>(i), values), s.memory.field_anchors);
  s.memory.variables = values;
}

void Schedule::take_note(const Memory& memory) {
  before_ = memory.variables;
  set_by_event_ = memory.set_by_event;
  ended_ = memory.stage_ended != 0;
}

namespace {

// Inputs that were set before go by this: another number, and they are set anew.
std::uint64_t next_stage_number() {
  static std::atomic<std::uint64_t> stages{0};
  return ++stages;
}

}  // namespace

void Schedule::set_more_loads(std::vector<LoadGroup> loads) {
  more_loads_ = std::move(loads);
  base_.stage = next_stage_number();
  set_loads(base_);
}

void Schedule::set_loads(Inputs& in) const {
  in.loads.clear();
  for (const auto& load : plan_.stages[stage_].loads)
    in.loads.push_back({load.node, load.weight, {}, {}, load.in_body_axes});
  in.loads.insert(in.loads.end(), more_loads_.begin(), more_loads_.end());
}

void Schedule::resume_stage(const State& s) {
  stage_ = s.clock.stage;
  const Stage& stage = plan_.stages[s.clock.stage];
  const auto masks = held(s.clock.stage);
  stage_start_ = s.clock.stage_start;
  take_note(s.memory);
  base_.stage = next_stage_number();
  base_.contact = stage.contact;
  base_.kicks = plan_.kind(s.clock.stage) == SolverKind::explicit_dynamics;
  base_.rule.by_impulses = plan_.kind(s.clock.stage) == SolverKind::explicit_dynamics;
  base_.held.clear();
  base_.carries.clear();
  anchors_.clear();
  drives_of_held_.clear();
  const double* a = s.memory.anchors.data();
  for (int i = 0; i < plan_.model.nodes; ++i) {
    if (!masks[i]) continue;
    anchors_.push_back(frame_at(a));
    a += frame_numbers;
    drives_of_held_.emplace_back();
    for (std::size_t d = 0; d < stage.drives.size(); ++d) {
      const Drive& drive = stage.drives[d];
      if (drive.node != i) continue;
      drives_of_held_.back().push_back(static_cast<int>(d));
      if (drive.affine) base_.carries.push_back({drive.body, static_cast<int>(base_.held.size()), drive.is_end});
    }
    base_.held.push_back({i, masks[i], anchors_.back(), {}});
  }
  set_loads(base_);
  const auto& poses = s.memory.field_anchors;
  std::size_t next = 0;
  for (std::size_t i = 0; i < plan_.fields.size(); ++i) {
    if (!plan_.fields[i].magnet() || next + frame_numbers > poses.size()) continue;
    magnet_anchors_[i] = frame_at(poses.data() + next);
    next += frame_numbers;
  }
}

// What a stage sets stays as it was at its end until another stage sets it again.
template <class T>
void Schedule::set_variables(int stage, const T& t, const T& s, std::vector<T>& values) const {
  values.assign(before_.begin(), before_.end());
  values[variable_t] = t;
  values[variable_s] = s;
  for (const auto& [slot, expression] : plan_.stages[stage].set)
    if (set_by_event_.empty() || !set_by_event_[slot])
      values[slot] = expression.template evaluate<T>(std::span<const T>(values));
}

double Schedule::share_of_stage(const Clock& clock, double share) const {
  return (static_cast<double>(clock.step_in_stage) + share) / static_cast<double>(spans_[clock.stage].steps);
}

double Schedule::time_at(const Clock& clock, double share) const {
  const Span& p = spans_[clock.stage];
  const double step = static_cast<double>(clock.step_in_stage) + share;
  return stage_start_ + (step == static_cast<double>(p.steps) ? p.duration : step * p.dt);
}

Clock Schedule::after(Clock clock, int steps) const {
  if (steps == 0) return clock;
  clock.time = time_at(clock, steps);
  clock.step += steps, clock.step_in_stage += steps;
  clock.share = 0;
  return clock;
}

Schedule::Values Schedule::values_at(const Clock& clock, double share) const {
  Values values;
  set_variables(clock.stage, time_at(clock, share), share_of_stage(clock, share), values);
  return values;
}

Inputs Schedule::within(const Clock& clock, double share) const {
  Inputs in;
  evaluate(clock, share, in);
  return in;
}

void Schedule::evaluate(const Clock& clock, double share, Inputs& in) const {
  assert(clock.stage >= 0 && clock.stage < static_cast<int>(spans_.size()) && base_.stage > 0);
  if (in.stage != base_.stage) in = base_;
  const int stage = clock.stage;
  in.t = time_at(clock, share);
  in.s = share_of_stage(clock, share);
  in.dt = spans_[stage].dt;
  in.flow = flow_;
  const Values values = values_at(clock, share);
  const std::span<const double> now(values);
  const auto at = [&](const std::array<std::optional<Expression>, 3>& e) {
    return V{e[0] ? (*e[0])(now) : 0, e[1] ? (*e[1])(now) : 0, e[2] ? (*e[2])(now) : 0};
  };
  if (plan_.has_gravity) in.gravity = {plan_.gravity[0](now), plan_.gravity[1](now), plan_.gravity[2](now)};
  for (std::size_t i = 0; i < plan_.stages[stage].loads.size(); ++i) {
    in.loads[i].force = at(plan_.stages[stage].loads[i].force);
    in.loads[i].torque = at(plan_.stages[stage].loads[i].torque);
  }
  for (const auto& [node, factor] : plan_.moment_factors) in.moment_factor[node] = factor(now);
  in.fields.clear();
  for (std::size_t i = 0; i < plan_.fields.size(); ++i) {
    const SceneField& field = plan_.fields[i];
    const auto pose = field.magnet() ? magnet_pose(stage, static_cast<int>(i), values) : Frame<double>{};
    in.fields.push_back(field_at(field, now, pose));
  }
  const bool flows = plan_.stream && plan_.kind(stage) != SolverKind::statics;  // where nothing moves, nothing flows
  in.stream = flows ? field_at(*plan_.stream, now, {}) : nullptr;
  set_fluid(values, in);
  set_motors(stage, in);
  set_reels(in);
  set_held(stage, in);
}

// With their rates, by forward differentiation in time.
void Schedule::set_motors(int stage, Inputs& in) const {
  if (plan_.motors.empty()) return;
  const std::vector<Rate> rates = rates_at(stage, in);
  const std::span<const Rate> now(rates);
  in.motors.clear(), in.motor_rates.clear();
  for (const Expression& e : plan_.motors) {
    const Rate value = e.evaluate<Rate>(now);
    in.motors.push_back(value.val), in.motor_rates.push_back(value.d[0]);
  }
}

// A rope that is wound up to nothing, or further, has no length to go by: the step fails, and says so.
void Schedule::set_reels(Inputs& in) const {
  const auto& reels = plan_.model.joints.reels;
  in.reels.clear();
  for (const Reel& r : reels) {
    const double length = r.length + (r.motor < 0 ? 0 : in.motors[r.motor]);
    in.reels.push_back(length >= least_reeled * r.drawn ? length / r.drawn : std::numeric_limits<double>::quiet_NaN());
  }
}

std::vector<Schedule::Rate> Schedule::rates_at(int stage, const Inputs& in) const {
  const Span& p = spans_[stage];
  Rate share(in.s);
  share.d[0] = p.duration > 0 ? 1 / p.duration : 0;
  std::vector<Rate> rates;
  set_variables(stage, Rate::variable(in.t, 0), share, rates);
  return rates;
}

void Schedule::set_fluid(const Values& now, Inputs& in) const {
  const std::span<const double> values(now);
  const auto at = [&](const std::array<Expression, 3>& e) { return V{e[0](values), e[1](values), e[2](values)}; };
  if (plan_.fluid.body_force) in.fluid.body_force = at(*plan_.fluid.body_force);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t side = 0; side < 2; ++side) {
      const FacePlan& face = plan_.fluid.faces[axis][side];
      if (face.velocity) in.fluid.velocity[axis][side] = at(*face.velocity);
      if (face.pressure) in.fluid.pressure[axis][side] = (*face.pressure)(values);
    }
}

// A magnet stays where the last stage left it; drives turn it, then move it, from there.
Frame<double> Schedule::magnet_pose(int stage, int field, const Values& now) const {
  const std::span<const double> values(now);
  const SceneMagnet& magnet = *plan_.fields[field].magnet();
  if (!magnet.can_be_driven) return magnet.pose(values);
  Frame<double> pose = magnet_anchors_[field];
  for (const auto& d : plan_.stages[stage].magnet_drives) {
    if (d.field != field) continue;
    if (d.angle) {
      const double angle = (*d.angle)(values);
      const Quat<double> q = turn(angle * d.axis);
      pose.q = q * pose.q;
      if (d.about) pose.x = *d.about + rotate(q, pose.x - *d.about);
    }
    const auto along = [&](int k) { return d.move[k] ? (*d.move[k])(values) : 0.0; };
    pose.x += V{along(0), along(1), along(2)};
  }
  return pose;
}

// Poses of driven nodes, and their rates by forward differentiation in time.
void Schedule::set_held(int stage, Inputs& in) const {
  const Stage& plan = plan_.stages[stage];
  if (plan.drives.empty()) return;
  const std::vector<Rate> rates = rates_at(stage, in);
  const std::span<const Rate> now(rates);
  for (std::size_t i = 0; i < in.held.size(); ++i) {
    Frame<double> pose = anchors_[i];
    Twist<double> twist;
    for (const int index : drives_of_held_[i]) {
      const Drive& d = plan.drives[index];
      if (!d.angle) continue;
      const Rate angle = d.angle->evaluate<Rate>(now);
      const Quat<double> q = turn(angle.val * d.axis);
      pose.q = q * pose.q;
      twist.w += angle.d[0] * d.axis;
      if (d.about) {
        pose.x = *d.about + rotate(q, pose.x - *d.about);
        twist.v += cross(angle.d[0] * d.axis, pose.x - *d.about);
      }
    }
    for (const int index : drives_of_held_[i]) {
      const Drive& d = plan.drives[index];
      const auto rate = [&](int k) { return d.move[k] ? d.move[k]->evaluate<Rate>(now) : Rate(0.0); };
      const Rate x = rate(0), y = rate(1), z = rate(2);
      pose.x += V{x.val, y.val, z.val};
      twist.v += V{x.d[0], y.d[0], z.d[0]};
    }
    in.held[i].pose = pose;
    in.held[i].twist = twist;
  }
}

bool Schedule::stage_is_over(const Clock& clock) const {
  const Span& p = spans_[clock.stage];
  if (ended_ || clock.step_in_stage >= p.steps) return true;
  const auto& until = plan_.stages[clock.stage].until;
  if (!until) return false;
  Values values;
  set_variables(clock.stage, clock.time, share_of_stage(clock, clock.share), values);
  return (*until)(values) != 0;
}

}  // namespace ls
