#include "scene/schedule.h"

#include "math/rotation.h"

#include <cmath>

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

constexpr long long load_steps = 20;       // of a static stage that says nothing but how long it lasts
constexpr long long implicit_steps = 100;  // likewise of an implicit one whose step is "auto"
constexpr double most_substeps = 1e6;

// The step of a fluid is the same in all stages: they last a whole number of them. dt: the longest for the solids.
Schedule::Span fluid_span(const Stage& stage, double step, double dt) {
  Schedule::Span p{stage.duration, step, stage.steps};
  if (p.steps == 0) p.steps = std::max(1LL, static_cast<long long>(std::ceil(p.duration / step * (1 - 1e-9))));
  const double whole = step * static_cast<double>(p.steps);
  if (!(std::abs(whole - p.duration) < 1e-9 * whole)) p.duration = whole;
  const double solid = stage.dt > 0 ? stage.dt : dt;
  if (solid > 0) p.substeps = static_cast<int>(std::clamp(std::ceil(step / solid * (1 - 1e-9)), 1.0, most_substeps));
  return p;
}

Schedule::Span span_of(const Plan& plan, int k, double dt) {
  const Stage& stage = plan.stages[k];
  if (plan.fluid) return fluid_span(stage, plan.fluid.box->settings().dt, dt);
  Schedule::Span p{stage.duration, stage.dt > 0 ? stage.dt : dt, stage.steps};
  if (plan.kind(k) == "static") {  // time is only a name for how far the loads are
    if (p.steps == 0) p.steps = load_steps;
    p.dt = p.duration / static_cast<double>(p.steps);
    return p;
  }
  if (plan.kind(k) == "implicit" && p.dt == 0 && p.steps == 0) p.steps = implicit_steps;
  if (p.steps > 0 && p.duration > 0) {
    p.dt = p.duration / static_cast<double>(p.steps);
  } else if (p.steps > 0) {
    p.duration = p.dt * static_cast<double>(p.steps);
  } else {
    const double n = std::ceil(p.duration / p.dt * (1 - 1e-12));
    p.steps = std::max(1LL, static_cast<long long>(n));
    if (std::abs(p.dt * n - p.duration) > 1e-9 * p.duration) p.dt = p.duration / static_cast<double>(p.steps);
  }
  return p;
}

}  // namespace

Schedule::Schedule(const Plan& plan, double dt) : plan_(plan) {
  for (std::size_t k = 0; k < plan.stages.size(); ++k) spans_.push_back(span_of(plan, static_cast<int>(k), dt));
  inputs_.damping_rate = plan.damping.rate;
  inputs_.spin_damping_rate = plan.damping.spin_rate;
  if (plan.thermal.temperature > 0) {
    inputs_.temperature = plan.thermal.temperature;
    if (plan.thermal.time > 0) {
      inputs_.damping_rate += 1 / plan.thermal.time;
      inputs_.spin_damping_rate += 1 / plan.thermal.time;
    }
  }
  inputs_.seed = plan.solver.seed;
  inputs_.richardson = plan.solver.richardson;
  if (plan.stream) stream_ = plan.stream->copy();
  for (const auto& pattern : plan.fields) {
    fields_.push_back(pattern->copy());
    inputs_.fields.push_back(fields_.back().get());
    magnets_.push_back(dynamic_cast<SceneMagnet*>(fields_.back().get()));
    magnet_anchors_.push_back(magnets_.back() ? magnets_.back()->pose() : Frame<double>{});
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
  s.memory.field_anchors.clear();
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (!magnets_[i]) continue;
    // As the last stage left it: its drives, with the values of its end.
    const auto* pattern = dynamic_cast<const SceneMagnet*>(plan_.fields[i].get());
    const Frame<double> p = s.clock.stage == 0 ? pattern->pose() : magnet_pose(s.clock.stage - 1, static_cast<int>(i));
    s.memory.field_anchors.insert(s.memory.field_anchors.end(),
                                  {p.x.x, p.x.y, p.x.z, p.q.w, p.q.v.x, p.q.v.y, p.q.v.z});
  }
  s.clock.stage_start = s.clock.time;
  s.memory.variables = s.clock.stage == 0 ? plan_.first_values : values_;  // as the last stage left them
  s.memory.anchors.clear();
  const auto masks = held(s.clock.stage);
  for (int i = 0; i < plan_.model.nodes; ++i)
    if (masks[i])
      for (const auto& c : {s.nodes.x[0][i], s.nodes.x[1][i], s.nodes.x[2][i], s.nodes.q[0][i], s.nodes.q[1][i],
                            s.nodes.q[2][i], s.nodes.q[3][i]})
        s.memory.anchors.push_back(c);
  resume_stage(s);
}

void Schedule::resume_stage(const State& s) {
  const Stage& stage = plan_.stages[s.clock.stage];
  const auto masks = held(s.clock.stage);
  stage_start_ = s.clock.stage_start;
  before_ = s.memory.variables;
  inputs_.held.clear();
  inputs_.loads.clear();
  inputs_.carries.clear();
  anchors_.clear();
  drives_of_held_.clear();
  const double* a = s.memory.anchors.data();
  for (int i = 0; i < plan_.model.nodes; ++i) {
    if (!masks[i]) continue;
    anchors_.push_back({{a[0], a[1], a[2]}, {a[3], {a[4], a[5], a[6]}}});
    a += 7;
    inputs_.held.push_back({i, masks[i], anchors_.back(), {}});
    drives_of_held_.emplace_back();
    for (std::size_t d = 0; d < stage.drives.size(); ++d)
      if (stage.drives[d].node == i) drives_of_held_.back().push_back(static_cast<int>(d));
  }
  for (const auto& load : stage.loads) inputs_.loads.push_back({load.node, load.weight, {}, {}, load.in_body_axes});
  const auto& poses = s.memory.field_anchors;
  for (std::size_t i = 0, next = 0; i < fields_.size(); ++i) {
    if (!magnets_[i] || next + 7 > poses.size()) continue;
    const double* f = poses.data() + next;
    magnet_anchors_[i] = {{f[0], f[1], f[2]}, {f[3], {f[4], f[5], f[6]}}};
    next += 7;
  }
}

// What a stage sets stays as it was at its end until another stage sets it again.
template <class T>
void Schedule::set_variables(int stage, const T& t, const T& s, std::vector<T>& values) const {
  values.assign(before_.begin(), before_.end());
  values[variable_t] = t;
  values[variable_s] = s;
  for (const auto& [slot, expression] : plan_.stages[stage].set)
    values[slot] = expression.template evaluate<T>(std::span<const T>(values));
}

const Inputs& Schedule::next(const Clock& clock) {
  return evaluate(clock.stage, static_cast<double>(clock.step_in_stage + 1));
}

const Inputs& Schedule::within(const Clock& clock, double share) {
  return evaluate(clock.stage, static_cast<double>(clock.step_in_stage) + share);
}

const Inputs& Schedule::now(const Clock& clock) {
  return evaluate(clock.stage, static_cast<double>(clock.step_in_stage) + clock.share);
}

const Inputs& Schedule::evaluate(int stage, double step) {
  const Span& p = spans_[stage];
  inputs_.contact = plan_.stages[stage].contact;
  inputs_.dt = p.dt;
  inputs_.t = stage_start_ + (step == static_cast<double>(p.steps) ? p.duration : step * p.dt);
  inputs_.s = step / static_cast<double>(p.steps);
  set_variables(stage, inputs_.t, inputs_.s, values_);
  const std::span<const double> values(values_);
  const auto at = [&](const std::array<std::optional<Expression>, 3>& e) {
    return V{e[0] ? (*e[0])(values) : 0, e[1] ? (*e[1])(values) : 0, e[2] ? (*e[2])(values) : 0};
  };
  if (plan_.has_gravity)
    inputs_.gravity = {plan_.gravity[0](values), plan_.gravity[1](values), plan_.gravity[2](values)};
  for (std::size_t i = 0; i < inputs_.loads.size(); ++i) {
    inputs_.loads[i].force = at(plan_.stages[stage].loads[i].force);
    inputs_.loads[i].torque = at(plan_.stages[stage].loads[i].torque);
  }
  for (const auto& field : fields_) field->set(values);
  inputs_.stream = plan_.kind(stage) == "static" ? nullptr : stream_.get();  // where nothing moves, nothing flows
  if (stream_) stream_->set(values);
  set_magnets(stage);
  set_fluid();
  set_held(stage, step);
  return inputs_;
}

void Schedule::set_fluid() {
  const std::span<const double> values(values_);
  const auto at = [&](const std::array<Expression, 3>& e) { return V{e[0](values), e[1](values), e[2](values)}; };
  if (plan_.fluid.body_force) inputs_.fluid.body_force = at(*plan_.fluid.body_force);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t side = 0; side < 2; ++side) {
      const FacePlan& face = plan_.fluid.faces[axis][side];
      if (face.velocity) inputs_.fluid.velocity[axis][side] = at(*face.velocity);
      if (face.pressure) inputs_.fluid.pressure[axis][side] = (*face.pressure)(values);
    }
}

// A magnet stays where the last stage left it; drives turn it, then move it, from there.
Frame<double> Schedule::magnet_pose(int stage, int field) const {
  if (!magnets_[field]->can_be_driven()) return magnets_[field]->pose();
  Frame<double> pose = magnet_anchors_[field];
  const std::span<const double> values(values_);
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

void Schedule::set_magnets(int stage) {
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (magnets_[i]) magnets_[i]->put(magnet_pose(stage, static_cast<int>(i)));
}

// Poses of driven nodes, their rates by forward differentiation in time, and what their moves carry along.
void Schedule::set_held(int stage, double step) {
  const Stage& plan = plan_.stages[stage];
  if (plan.drives.empty()) return;
  const Span& p = spans_[stage];
  Rate share(inputs_.s);
  share.d[0] = p.duration > 0 ? 1 / p.duration : 0;
  set_variables(stage, Rate::variable(inputs_.t, 0), share, rates_);
  const std::span<const Rate> now(rates_);
  inputs_.carries.clear();
  for (std::size_t i = 0; i < inputs_.held.size(); ++i) {
    HeldNode& h = inputs_.held[i];
    Frame<double> pose = anchors_[i];
    Twist<double> twist;
    for (const int index : drives_of_held_[i]) {
      const Drive& d = plan.drives[index];
      if (d.angle) {
        const Rate angle = d.angle->evaluate<Rate>(now);
        const Quat<double> q = turn(angle.val * d.axis);
        pose.q = q * pose.q;
        twist.w += angle.d[0] * d.axis;
        if (d.about) {
          pose.x = *d.about + rotate(q, pose.x - *d.about);
          twist.v += cross(angle.d[0] * d.axis, pose.x - *d.about);
        }
      }
    }
    for (const int index : drives_of_held_[i]) {
      const Drive& d = plan.drives[index];
      const auto rate = [&](int k) { return d.move[k] ? d.move[k]->evaluate<Rate>(now) : Rate(0.0); };
      const Rate x = rate(0), y = rate(1), z = rate(2);
      pose.x += V{x.val, y.val, z.val};
      twist.v += V{x.d[0], y.d[0], z.d[0]};
      if (d.affine && step > 0) {
        const V gone = pose.x - h.pose.x;  // since the last step, whose pose is still here
        inputs_.carries.push_back({d.body, d.is_end ? V{} : gone, d.is_end ? gone : V{}});
      }
    }
    h.pose = pose;
    h.twist = twist;
  }
}

bool Schedule::stage_is_over(const Clock& clock) {
  const Span& p = spans_[clock.stage];
  if (clock.step_in_stage >= p.steps) return true;
  const auto& until = plan_.stages[clock.stage].until;
  if (!until) return false;
  set_variables(clock.stage, clock.time,
                (static_cast<double>(clock.step_in_stage) + clock.share) / static_cast<double>(p.steps), values_);
  return (*until)(values_) != 0;
}

}  // namespace ls
