#include "run/stepper.h"

#include "build/overlaps.h"
#include "model/node_name.h"
#include "run/fluid/fluid_stepper.h"
#include "run/safety/cause.h"
#include "step/explicit_step.h"
#include "step/ledger.h"
#include "step/model_size.h"
#include "step/newton/arc_length.h"
#include "step/newton/spinners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls {

namespace {

// "joints `elbow`, `wrist`" of a node; empty: it has none.
std::string joints_at(const Model& m, int node) {
  std::vector<std::string> names;
  for (const Joint& j : m.joints.joints)
    if (node >= 0 && (j.end[0].node == node || j.end[1].node == node)) names.push_back("`" + j.name + "`");
  if (names.empty()) return "";
  return fmt::format("{} {}", names.size() == 1 ? "joint" : "joints", fmt::join(names, ", "));
}

class ExplicitStepper final : public Stepper {
 public:
  ExplicitStepper(const Plan& plan, Schedule& schedule, Work& work, bool keeps_ledger)
      : plan_(plan), schedule_(schedule), work_(work), keeps_ledger_(keeps_ledger || plan.keeps_ledger()) {}
  StepReport begin_stage(State& s) override {
    if (auto overlap = overlap_at_start(plan_, schedule_.now(s.clock), s)) return *overlap;
    start_explicit(plan_.model, schedule_.now(s.clock), s, work_);
    return {};
  }
  void resume_stage(State& s) override { resume_explicit(plan_.model, schedule_.now(s.clock), work_); }
  StepReport step(State& s) override {
    StepReport r;
    if (!keeps_ledger_) return several_steps(s, 1);
    const State before = s;
    if (!power_) power_ = dissipated_power(plan_.model, schedule_.now(s.clock), s, work_);
    r.outcome = step_explicit(plan_.model, schedule_.next(s.clock), s, work_);
    if (r.outcome == Outcome::done) {
      const InputsAt at = [&](double share, Inputs& in) { schedule_.evaluate(before.clock, share, in); };
      record_explicit(plan_.model, at, before.nodes, s, *power_, work_);
    }
    return r;
  }
  StepReport several_steps(State& s, int most) override {
    if (keeps_ledger_) return step(s);
    StepReport r;
    schedule_.evaluate(s.clock, 1, inputs_[0]);
    if (most > 1 && !go_together(plan_.model, {inputs_.data(), 1}, s, work_)) most = 1;
    inputs_.resize(std::max<std::size_t>(inputs_.size(), most));
    for (int i = 1; i < most; ++i) schedule_.evaluate(schedule_.after(s.clock, i), 1, inputs_[i]);
    r.outcome = steps_explicit(plan_.model, {inputs_.data(), static_cast<std::size_t>(most)}, s, work_);
    return r;
  }

 private:
  std::vector<Inputs> inputs_{1};  // of the last steps: they are set anew
  std::optional<double> power_;    // W, taken by damping at the end of the last step
  const Plan& plan_;
  Schedule& schedule_;
  Work& work_;
  bool keeps_ledger_;
};

// The solvers that use Newton's method.
class NewtonStepper : public Stepper {
 public:
  NewtonStepper(const Plan& plan, Schedule& schedule, Work& work)
      : plan_(plan), schedule_(schedule), work_(work), newton_(plan.model, work.terms) {
    newton_.size = model_size(plan.model, plan.start.nodes);
    newton_.pulse = work.pulse;
  }
  void resume_stage(State& s) override {
    resume_explicit(plan_.model, schedule_.now(s.clock), work_);
    find_spinners(plan_.model, plan_.start, schedule_.held(s.clock.stage), newton_);
  }
  std::size_t bytes() const override { return newton_.bytes(); }
  bool takes_long() const override { return true; }

 protected:
  NewtonSettings settings() const {
    NewtonSettings n;
    n.tolerance = plan_.solver.tolerance;
    return n;
  }
  InputsAt inputs(const State& s) {
    return [this, clock = s.clock](double share, Inputs& in) { schedule_.evaluate(clock, share, in); };
  }

  const Plan& plan_;
  Schedule& schedule_;
  Work& work_;
  NewtonWork newton_;
};

class ImplicitStepper final : public NewtonStepper {
 public:
  using NewtonStepper::NewtonStepper;
  StepReport begin_stage(State& s) override {
    const Inputs in = schedule_.now(s.clock);
    if (auto overlap = overlap_at_start(plan_, in, s)) return *overlap;
    if (Contact* contact = work_.terms.contact(in)) contact->settle(s, in, s.memory);
    start_explicit(plan_.model, in, s, work_);
    return {};
  }
  StepReport step(State& s) override {
    StepReport r;
    r.outcome = step_implicit(plan_.model, inputs(s), s, work_, newton_, implicit_settings(plan_));
    if (r.outcome == Outcome::diverged) r.message = no_implicit_step(plan_, schedule_, s, work_);
    return r;
  }
};

class StaticStepper final : public NewtonStepper {
 public:
  using NewtonStepper::NewtonStepper;
  bool records_every_step() const override { return true; }
  StepReport begin_stage(State& s) override {
    if (auto overlap = overlap_at_start(plan_, schedule_.now(s.clock), s)) return *overlap;
    resume_stage(s);
    return report(find_equilibrium(plan_.model, inputs(s), s, work_, newton_, set()), s, 0, "the start of the stage");
  }
  StepReport step(State& s) override {
    const Clock before = s.clock;
    const auto r = step_static(plan_.model, inputs(s), s, work_, newton_, set());
    const double load_step = static_cast<double>(before.step_in_stage) + r.share;
    return report(r, s, r.share,
                  fmt::format("load step {:.6g}, s = {:.6g}", load_step, schedule_.within(before, r.share).s));
  }

 private:
  // Within a load step, which is not counted as one.
  void end_at_fold(double share, StepReport& out, State& s) {
    out.lost_stability = true;
    s.clock.share = share, s.clock.time = schedule_.now(s.clock).t, ++s.clock.step;
    if (work_.terms.induction) work_.terms.induction->advance(s, schedule_.now(s.clock), s.memory);
  }
  StaticSettings set() const { return {plan_.solver.jump ? OnInstability::jump : OnInstability::stop, settings()}; }
  StepReport report(const StaticResult& r, State& s, double from, const std::string& where) {
    StepReport out;
    out.outcome = r.outcome;
    out.mode = r.mode;
    if (r.event != StaticEvent::none) {
      out.event = r.event == StaticEvent::jump ? "jump" : "fold";
      out.message = fmt::format("stability is lost at {}", where);
      if (r.event == StaticEvent::jump) out.message += "; the state slid to the next stable one";
    }
    if (r.outcome == Outcome::diverged)
      out.message = fmt::format("no equilibrium at {}: {}", where,
                                why_no_equilibrium(plan_, schedule_, s, r.reason, work_.lost_node, from, 1));
    else if (r.event == StaticEvent::fold)
      end_at_fold(r.share, out, s);
    return out;
  }
};

// The static solver where it follows a branch through folds. The clock's steps of the stage are then a measure of s
// only.
class ArcStepper final : public NewtonStepper {
 public:
  using NewtonStepper::NewtonStepper;
  bool records_every_step() const override { return true; }
  StepReport begin_stage(State& s) override {
    resume_stage(s);
    const auto r = find_equilibrium(plan_.model, inputs(s), s, work_, newton_, {OnInstability::stop, settings()});
    start_arc(plan_.model, s);
    taken_ = 0;
    StepReport out;
    out.outcome = r.outcome;
    if (r.outcome == Outcome::diverged)
      out.message = fmt::format("no equilibrium at the start of the stage: {}",
                                why_no_equilibrium(plan_, schedule_, s, r.reason, work_.lost_node));
    return out;
  }
  StepReport step(State& s) override {
    const double all = steps(s);
    Clock start = s.clock;
    start.step_in_stage = 0, start.share = 0;
    const InputsAt at = [&](double share, Inputs& in) { schedule_.evaluate(start, share * all, in); };
    const State before = s;
    const ArcResult r = step_arc(plan_.model, at, s, work_, newton_, {1 / all, settings()});
    StepReport out;
    out.outcome = r.outcome;
    if (r.outcome == Outcome::done && ++taken_ > most_steps * all) out.outcome = Outcome::diverged;
    if (out.outcome == Outcome::diverged) {
      out.message = fmt::format(
          "the branch can't be followed beyond s = {:.6g}: {}", s.memory.path[0],
          r.outcome == Outcome::done
              ? "it does not come to an end"
              : why_no_equilibrium(plan_, schedule_, s, r.reason, work_.lost_node, s.clock.share, ahead(s)));
      return out;
    }
    s.memory.negative_pivots = r.negative_pivots;
    record_static(plan_.model, at, before.memory.path[0], r.s, before, s, work_);
    ++s.clock.step;
    s.clock.step_in_stage = r.ended
                                ? static_cast<long long>(all)
                                : std::clamp(static_cast<long long>(r.s * all), 0LL, static_cast<long long>(all) - 1);
    s.clock.share = r.s * all - static_cast<double>(s.clock.step_in_stage);
    const Inputs in = schedule_.now(s.clock);
    s.clock.time = in.t;
    for (const auto& term : work_.terms.all) term->advance(s, in, s.memory);
    sum_wrenches(plan_.model, in, s, work_);
    if (!r.changed) return out;
    out.event = "fold";
    out.message = fmt::format("{} at s = {:.6g}: {} unstable directions from here on",
                              r.turned ? "fold" : "bifurcation", r.s, r.negative_pivots);
    auto modes = lowest_vibrations(plan_.model, in, in.held, s, newton_, 1);
    if (!modes.empty()) out.mode = std::move(modes.front());
    return out;
  }

 private:
  static constexpr double most_steps = 200;  // of the stage's own number
  // One step and a half from here on, but not beyond the stage.
  double ahead(const State& s) const {
    return std::min(s.clock.share + 1.5, steps(s) - static_cast<double>(s.clock.step_in_stage));
  }
  double steps(const State& s) const { return static_cast<double>(schedule_.spans()[s.clock.stage].steps); }
  double taken_ = 0;
};

}  // namespace

std::string why_no_equilibrium(const Plan& plan, const Schedule& schedule, const State& s, NewtonStop reason, int node,
                               double from, double to) {
  const std::string name = node_name(plan.model, node);
  if (reason != NewtonStop::blocked && reason != NewtonStop::no_rest && reason != NewtonStop::apart) {
    const double left = to - from;
    std::string cause = bad_input(plan, schedule, s, {from, from + 1e-3 * left, from + 0.5 * left, to});
    if (!cause.empty()) return cause;
  }
  switch (reason) {
    case NewtonStop::singular:
      return fmt::format(
          "{} is free to move without resistance: there is no equilibrium to find. Clamp or pin what floats, or use "
          "kind = \"implicit\"",
          name);
    case NewtonStop::not_finite:
      return fmt::format("the force on {} is not a finite number: does a load or a field diverge there?", name);
    case NewtonStop::blocked:
      return fmt::format(
          "{} is driven into something that can't give way: nothing passes through anything. Drive it less far, or "
          "leave room for what it pushes",
          name);
    case NewtonStop::apart:
      return fmt::format(
          "{} at {} can't be closed: what is asked for can't be at once, or not from here. Is there room to move, and "
          "are drives and motors within what joints allow?",
          joints_at(plan.model, node).empty() ? "the joints" : joints_at(plan.model, node), name);
    case NewtonStop::no_rest:
      return "stability is lost there, or bonds break, and the state slides on without coming to rest. Is there "
             "anything "
             "to hold it, such as contact, or does a field draw it in?";
    default:
      return fmt::format(
          "Newton's method does not settle; the largest corrections are at {}. Load steps were already cut to a "
          "hundredth: is there an equilibrium? Try more `steps`, smaller loads, or kind = \"implicit\" with damping",
          name);
  }
}

std::optional<StepReport> overlap_at_start(const Plan& plan, const Inputs& in, const State& s) {
  const int stage = s.clock.stage;
  if (in.contact == ContactLaw::none || stage == 0) return std::nullopt;
  if (plan.stages[static_cast<std::size_t>(stage) - 1].touching) return std::nullopt;
  const double depth = in.contact == ContactLaw::barrier ? 0 : 1e-5 * plan.model.shapes->settings.thickness;
  const auto overlaps = find_overlaps(plan.model, s.nodes, -depth);
  if (overlaps.empty()) return std::nullopt;
  StepReport r;
  r.outcome = Outcome::diverged;
  r.message = fmt::format("contact begins with stage {}, but bodies overlap there: {}", plan.stages[stage].name,
                          describe(overlaps, plan.model));
  return r;
}

ImplicitSettings implicit_settings(const Plan& plan) {
  ImplicitSettings set;
  set.a = plan.solver.scheme == ImplicitRule::midpoint ? 2 : 1;
  set.flies = plan.solver.scheme == ImplicitRule::touching;
  set.accuracy = plan.solver.accuracy;
  set.newton.tolerance = plan.solver.tolerance;
  if (plan.model.shapes) set.newton.most_iterations *= 2;  // rather than a shorter step
  return set;
}

std::string no_implicit_step(const Plan& plan, const Schedule& schedule, const State& s, const Work& work) {
  if (const std::string cause = bad_input(plan, schedule, s, {1e-5, 0.25, 0.5, 1.0, 0.0}); !cause.empty())
    return fmt::format("no step could be taken after step {} (t = {:.6g} s): {}", s.clock.step, s.clock.time, cause);
  const std::string joints = joints_at(plan.model, work.lost_node), node = node_name(plan.model, work.lost_node),
                    failed =
                        fmt::format("no step could be taken after step {} (t = {:.6g} s), not even in 1/65536 of it",
                                    s.clock.step, s.clock.time);
  if (work.lost_by_jump)
    return fmt::format(
        "{}: however short it is, {} goes farther than its forces explain. Does {} jump there, so that it is not where "
        "it stands when the step begins, or is it asked for what can't be at once?",
        failed, node, joints.empty() ? "a drive or a load" : "a motor or a drive of " + joints);
  return fmt::format(
      "{}: Newton's method does not settle, and the largest corrections are at {}. {}", failed, node,
      !joints.empty()
          ? fmt::format("Can {} be closed: is what joints, drives and motors ask for possible at once?", joints)
      : plan.model.shapes ? "Is something driven into something that can't give way, or held between two walls?"
                          : "Does a force or field diverge there?");
}

std::unique_ptr<Stepper> make_stepper(SolverKind kind, const Plan& plan, Schedule& schedule, Work& work,
                                      bool keeps_ledger) {
  if (plan.fluid) return make_fluid_stepper(kind == SolverKind::implicit_dynamics, plan, schedule, work);
  switch (kind) {
    case SolverKind::explicit_dynamics:
      return std::make_unique<ExplicitStepper>(plan, schedule, work, keeps_ledger);
    case SolverKind::implicit_dynamics:
      return std::make_unique<ImplicitStepper>(plan, schedule, work);
    case SolverKind::statics:
      if (plan.solver.arc_length) return std::make_unique<ArcStepper>(plan, schedule, work);
      return std::make_unique<StaticStepper>(plan, schedule, work);
  }
  return nullptr;
}

}  // namespace ls
