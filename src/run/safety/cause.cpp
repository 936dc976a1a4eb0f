#include "run/safety/cause.h"

#include "build/overlaps.h"
#include "model/dipoles_in_fields.h"
#include "model/node_name.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls {

namespace {

bool all_finite(const Vec3<double>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

std::string place_name(const Plan& plan, const State& s, int node) {
  const Vec3<double> x = s.nodes.frame(node).x;
  return fmt::format("{}, ({:.4g}, {:.4g}, {:.4g}) m,", node_name(plan.model, node), x.x, x.y, x.z);
}

std::string bad_load(const Plan& plan, const Inputs& in) {
  for (const LoadGroup& load : in.loads) {
    if (load.node.empty() || (all_finite(load.force) && all_finite(load.torque))) continue;
    const std::string others = load.node.size() > 1 ? fmt::format(" and {} more nodes", load.node.size() - 1) : "";
    return fmt::format("the load on {}{} is not a number", node_name(plan.model, load.node.front()), others);
  }
  return "";
}

std::string bad_drive(const Plan& plan, const Inputs& in) {
  for (const HeldNode& h : in.held)
    if (!all_finite(h.pose.x) || !all_finite(h.pose.q.v) || !all_finite(h.twist.v) || !all_finite(h.twist.w))
      return fmt::format("the drive of {}, or its rate, is not a number", node_name(plan.model, h.node));
  return "";
}

std::string bad_motor(const Plan& plan, const Inputs& in) {
  const JointTable& all = plan.model.joints;
  for (std::size_t k = 0; k < in.motors.size(); ++k) {
    const Motor& motor = all.motors[k];
    const bool moves = motor.kind == MotorKind::position;  // what has a rate, too
    if (std::isfinite(in.motors[k]) && (!moves || std::isfinite(in.motor_rates[k]))) continue;
    const Joint& on = all.joints[motor.joint];
    const bool winds = on.kind == JointKind::rope;
    return fmt::format("what {} `{}` is told to do{} is not a number", winds ? "the reel of the rope" : "the motor",
                       winds ? on.name : motor.name, moves ? ", or its rate," : "");
  }
  return "";
}

std::string bad_moment(const Plan& plan, const Inputs& in) {
  for (const auto& [node, factor] : plan.moment_factors)
    if (!std::isfinite(in.moment_factor[node]))
      return fmt::format("the moment_factor of {} is not a number", node_name(plan.model, node));
  return "";
}

std::string bad_reel(const Plan& plan, const Inputs& in) {
  const JointTable& all = plan.model.joints;
  for (const Joint& j : all.joints) {
    if (j.kind != JointKind::rope || in.reels.empty() || std::isfinite(in.reels[j.reel])) continue;
    const Reel& r = all.reels[j.reel];
    return fmt::format(
        "the rope `{}` would be {:.4g} m long, less than a tenth of the {:.4g} m that it was drawn with,", j.name,
        r.length + (r.motor < 0 ? 0 : in.motors[r.motor]), r.drawn);
  }
  return "";
}

std::string bad_field(const Plan& plan, const Inputs& in, const State& s) {
  for (std::size_t i = 0; i < in.fields.size(); ++i) {
    Inputs alone;
    alone.fields = {in.fields[i]};
    const int node = first_node_without_field(plan.model, s, alone);
    if (node < 0) continue;
    const SceneField& field = plan.fields[i];
    const std::string name = field.name.empty() ? fmt::format("the field in line {}", field.place.line)
                                                : fmt::format("the field `{}`", field.name);
    return fmt::format("{} is not a number at {}", name, place_name(plan, s, node));
  }
  return "";
}

std::string bad_flow(const Plan& plan, const Inputs& in, const State& s) {
  if (!in.stream) return "";
  for (const DragPiece& piece : plan.model.drag) {
    const Vec3<double> x = s.nodes.frame(piece.node).x;
    FieldSample sample;
    in.stream->add(&x, 1, 1, &sample);
    const Mat3<double>& g = sample.gradient;
    if (all_finite(sample.b) && all_finite(g.c1) && all_finite(g.c2) && all_finite(g.c3)) continue;
    return fmt::format("drag.flow, or its slope, is not a number at {}", place_name(plan, s, piece.node));
  }
  return "";
}

}  // namespace

std::string bad_fluid(const FluidInputs& in) {
  if (!all_finite(in.body_force)) return "fluid.body_force is not a number";
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t side = 0; side < 2; ++side)
      if (!all_finite(in.velocity[axis][side]) || !std::isfinite(in.pressure[axis][side]))
        return fmt::format("the velocity or pressure of the {} face of fluid.faces.{} is not a number",
                           side == 0 ? "low" : "high", "xyz"[axis]);
  return "";
}

std::string bad_input(const Plan& plan, const Schedule& schedule, const State& s,
                      std::initializer_list<double> shares) {
  for (const double share : shares) {
    const Inputs in = schedule.within(s.clock, share);
    std::string found = all_finite(in.gravity) ? "" : "gravity is not a number";
    if (found.empty()) found = bad_load(plan, in);
    if (found.empty()) found = bad_drive(plan, in);
    if (found.empty()) found = bad_motor(plan, in);
    if (found.empty()) found = bad_reel(plan, in);
    if (found.empty()) found = bad_moment(plan, in);
    if (found.empty()) found = bad_field(plan, in, s);
    if (found.empty()) found = bad_flow(plan, in, s);
    if (found.empty()) found = bad_fluid(in.fluid);
    if (found.empty()) continue;
    const bool in_time = plan.kind(s.clock.stage) != SolverKind::statics;
    return found +
           (in_time ? fmt::format(" at t = {:.6g} s, s = {:.6g}", in.t, in.s) : fmt::format(" at s = {:.6g}", in.s));
  }
  return "";
}

std::string bad_contact(const Plan& plan, const Inputs& in, const State& s, const Work& work) {
  if (!plan.model.shapes || in.contact != ContactLaw::hertz_mindlin) return "";
  for (const auto& x : s.nodes.x)
    if (!std::all_of(x.begin(), x.end(), [](double a) { return std::isfinite(a); })) return "";
  const ContactReport report = contact_report(plan.model, work.terms, s, in);
  if (std::all_of(report.force.begin(), report.force.end(), all_finite)) return "";
  for (const Overlap& o : find_overlaps(plan.model, s.nodes)) {
    if (all_finite(report.force[static_cast<std::size_t>(o.node_a)]) &&
        all_finite(report.force[static_cast<std::size_t>(o.node_b)]))
      continue;
    return fmt::format(
        "`{}` and `{}` are pressed into each other by {:.3g} m, nine tenths of their radii: Hertz's law of contact "
        "does "
        "not reach that far, whatever the step. They are too soft for how fast they meet or how hard they are pushed: "
        "take a larger young, a lower speed or load, or kind = \"implicit\", where nothing passes through anything",
        o.a, o.b, o.depth);
  }
  return "a contact is deeper than its law reaches";
}

std::string astray_node(const Plan& plan, const State& s, int from, double dt, double critical) {
  const Nodes& n = s.nodes;
  const Model& m = plan.model;
  const auto is_lost = [&](int i) {
    const auto w = n.wrench(i);
    return !all_finite(n.frame(i).x) || !all_finite(n.twist(i).v) || !all_finite(w.force) || !all_finite(w.torque);
  };
  const auto turned = [&](int i) { return !(norm(n.twist(i).w) * dt < 3.14); };
  int node = std::clamp(from, 0, std::max(0, m.nodes - 1));
  for (int i = node; i < m.nodes; ++i)
    if (is_lost(i) || turned(i)) {
      node = i;
      break;
    }
  if (m.nodes == 0) return "";
  const Body& body = m.bodies[m.body_of[node]];
  const bool has_bonds = body.kind != BodyKind::wall && !is_single(body);
  std::string text =
      node_name(m, node) + (is_lost(node) ? " is no longer a number" : " turned by more than half a turn in one step");
  const auto& drives = plan.stages[static_cast<std::size_t>(s.clock.stage)].drives;
  if (!is_lost(node) &&
      std::any_of(drives.begin(), drives.end(), [&](const Drive& d) { return d.node == node && d.angle; }))
    return text + " by its drive. Turn it more slowly, or take a smaller dt";
  if (plan.fluid) return text + ". Beside a fluid, light or stiff solids go by kind = \"implicit\"";
  if (dt > 0.9 * critical)
    return text +
           fmt::format(
               ". The step of {:.3g} s is beyond the critical one of {:.3g} s: use dt = \"auto\" or a smaller dt", dt,
               critical);
  return text + (has_bonds ? ". Try a smaller dt, or more bond damping" : ". Try a smaller dt");
}

}  // namespace ls
