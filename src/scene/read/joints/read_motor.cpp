#include "base/nearest.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

// [[motor]]: what drives the angle of a hinge or the travel of a slider.
namespace ls {

int joint_called(const Value& value, const std::string& name, const Plan& plan) {
  const auto& joints = plan.model.joints.joints;
  const auto found = std::ranges::find(joints, name, &Joint::name);
  if (found != joints.end()) return static_cast<int>(found - joints.begin());
  std::vector<std::string> names;
  names.reserve(joints.size());
  for (const Joint& j : joints) names.push_back(j.name);
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = names.empty() ? "; there are none" : fmt::format("; there are {}", fmt::join(names, ", "));
  value.fail(fmt::format("found {}, but there is no joint called `{}`{}", value.shown(), name, hint));
}

namespace {

void read_motor(Table& table, Draft& draft) {
  JointTable& all = draft.plan.model.joints;
  Motor motor;
  const auto name = table.find("name");
  motor.name = name ? name->name() : fmt::format("motor{}", all.motors.size() + 1);
  const Value on = table.need("on", "the name of a joint");
  motor.joint = joint_called(on, on.text("the name of a joint"), draft.plan);
  const Joint& joint = all.joints[motor.joint];
  const bool winds = joint.kind == JointKind::rope;
  if (!joint.is_hinged() && !joint.is_sliding() && !winds)
    on.fail(
        fmt::format("found {}, a joint of kind \"{}\"; expected a \"hinge\", a \"slider\", a \"cylindrical\" one or a "
                    "\"rope\"",
                    on.shown(), joint_kinds[static_cast<std::size_t>(joint.kind)]));
  for (const Motor& other : all.motors)
    if (other.joint == motor.joint)
      on.fail(
          fmt::format("found {}, which `{}` drives already; expected one motor on an axis", on.shown(), other.name));
  const bool turns = joint.is_hinged();
  const std::string force = turns ? "torque" : "force";
  if (winds)
    for (const std::string other : {"velocity", "force", "max_force"})
      if (const auto given = table.find(other))
        given->fail(
            fmt::format("found `{}`, but a reel is told how much longer a rope is: expected `position`", other));
  const std::string key = table.one_of({"position", "velocity", force});
  const Value value = *table.find(key);
  Expression e;
  if (key == "position") {
    motor.kind = MotorKind::position;
    e = turns ? value.angular(draft.schedule, dim::angle) : value.expression(draft.schedule, dim::length);
  } else if (key == "velocity") {
    motor.kind = MotorKind::velocity;
    e = turns ? value.angular(draft.schedule, dim::rate) : value.expression(draft.schedule, dim::velocity);
  } else {
    motor.kind = MotorKind::torque;
    e = value.expression(draft.schedule, turns ? dim::torque : dim::force);
  }
  motor.most = table.number("max_" + force, turns ? dim::torque : dim::force, range::positive, unbounded);
  table.finish();
  if (winds) all.reels[joint.reel].motor = static_cast<int>(all.motors.size());
  draft.plan.motors.push_back(std::move(e));
  all.motors.push_back(std::move(motor));
}

}  // namespace

void read_motors(std::vector<Table> motors, Draft& draft) {
  for (const ReelFormula& reel : draft.reels)
    draft.plan.motors[reel.motor] = reel.value.expression(draft.schedule, dim::length);
  for (Table& motor : motors) read_motor(motor, draft);
}

namespace {

// What explicit steps have no impulses for.
void check_explicit(const Plan& plan, const std::string& stage) {
  const auto refuse = [&](const std::string& key, const std::string& what) {
    fail({plan.file, 0, 0, key},
         fmt::format("{} is explicit, where joints have no {}; expected kind = \"implicit\"", stage, what));
  };
  for (const Joint& j : plan.model.joints.joints) {
    const std::string key = "joint." + j.name;
    if (std::isfinite(j.low) || std::isfinite(j.high)) refuse(key, "`limits`");
    if (j.friction > 0) refuse(key, "`friction`");
    if (j.kind == JointKind::spring) continue;
    if (j.kind == JointKind::rope && plan.model.joints.reels[j.reel].motor >= 0) refuse(key, "ropes that are reeled");
    if (j.one_sided) refuse(key, "`string`");
    if (std::isfinite(j.stiffness) || std::isfinite(j.turn_stiffness)) refuse(key, "`stiffness`");
  }
  for (const Motor& motor : plan.model.joints.motors)
    if (motor.kind != MotorKind::torque)
      refuse("motor." + motor.name, "motors but those that give a torque or a force");
}

}  // namespace

// What only some solvers can do.
void check_joints(const Draft& draft) {
  const Plan& plan = draft.plan;
  const auto& all = plan.model.joints;
  if (all.empty()) return;
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    const SolverKind kind = plan.kind(static_cast<int>(k));
    if (kind == SolverKind::explicit_dynamics) check_explicit(plan, plan.stages[k].name);
    if (kind != SolverKind::statics) continue;
    if (plan.solver.arc_length)
      fail({plan.file, 0, 0, "solver"},
           "a solver that follows branches by arc length does not know joints; leave `arc_length` out");
    for (const Motor& motor : all.motors)
      if (motor.kind == MotorKind::velocity)
        fail({plan.file, 0, 0, "motor." + motor.name},
             fmt::format(
                 "stage {} is static: no time passes in which a `velocity` could act; expected a `position` or a "
                 "`torque`",
                 plan.stages[k].name));
  }
}

}  // namespace ls
