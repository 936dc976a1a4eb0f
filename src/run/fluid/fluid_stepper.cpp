#include "run/fluid/fluid_stepper.h"

#include "fluid/tracers.h"
#include "model/node_name.h"
#include "run/safety/cause.h"
#include "step/coupled/coupled_step.h"
#include "step/explicit_step.h"
#include "step/model_size.h"
#include "step/newton/spinners.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace ls {

namespace {

std::string too_light(const Plan& plan, const StepsForDrag& need) {
  return fmt::format(
      "drag asks for {:.3g} steps of the solids in each step of the fluid, since it would stop {} within {:.2g} s. "
      "Take "
      "kind = \"implicit\", which needs one, give it more mass, or hold it where it is not meant to move",
      need.count, node_name(plan.model, need.node), plan.fluid.box->settings().dt / need.count);
}

class FluidStepper final : public Stepper {
 public:
  FluidStepper(bool is_implicit, const Plan& plan, Schedule& schedule, Work& work)
      : plan_(plan),
        fluid_(*plan.fluid.box),
        schedule_(schedule),
        work_(work),
        fluid_work_(*plan.fluid.box, plan.model.markers.markers) {
    settings_.is_implicit = is_implicit && plan.model.nodes > 0;
    settings_.implicit = implicit_settings(plan);
    fluid_work_.flow.forces = &fluid_work_.forces;
    schedule_.set_flow(&fluid_work_.flow);
    if (!settings_.is_implicit) return;
    newton_ = std::make_unique<NewtonWork>(plan.model, work.terms);
    newton_->size = model_size(plan.model, plan.start.nodes);
    newton_->pulse = work.pulse;
  }
  ~FluidStepper() override { schedule_.set_flow(nullptr); }

  StepReport begin_stage(State& s) override {
    if (auto overlap = overlap_at_start(plan_, schedule_.now(s.clock), s)) return *overlap;
    read_flow(s);
    start_explicit(plan_.model, schedule_.now(s.clock), s, work_);
    return {};
  }
  void resume_stage(State& s) override {
    read_flow(s);
    resume_explicit(plan_.model, schedule_.now(s.clock), work_);
    if (newton_) find_spinners(plan_.model, plan_.start, schedule_.held(s.clock.stage), *newton_);
  }
  // Several only of a fluid that is alone, and no more than are quicker together: who wants to stop waits for them.
  StepReport several_steps(State& s, int most) override {
    if (plan_.model.nodes > 0 || most < 2) return step(s);
    most = std::min(most, fluid_.lattice().most_in_sweep(work_.team.size()));
    std::vector<InputsAt> at;
    for (int i = 0, count = most_unseen_steps(s.fluid, most); i < count; ++i) {
      const InputsAt step_at = [this, clock = schedule_.after(s.clock, i)](double share, Inputs& in) {
        schedule_.evaluate(clock, share, in);
      };
      if (!bad_fluid(step_at(0.0).fluid).empty()) break;
      at.push_back(step_at);
    }
    if (at.size() < 2) return step(s);
    StepReport r;
    r.outcome = steps_of_fluid(plan_.model, fluid_, at, s, work_, fluid_work_);
    return r;
  }
  StepReport step(State& s) override {
    settings_.substeps = schedule_.spans()[s.clock.stage].substeps;
    const InputsAt at = [this, clock = s.clock](double share, Inputs& in) { schedule_.evaluate(clock, share, in); };
    StepReport r;
    if (const std::string cause = bad_fluid(at(0.0).fluid); !cause.empty()) {
      r.outcome = Outcome::diverged;
      r.message =
          fmt::format("{} at t = {:.6g} s (step {}): look at the expressions", cause, s.clock.time, s.clock.step);
      return r;
    }
    const auto before = std::exchange(s.fluid.before, s.fluid.impulse);
    try {
      r.outcome = step_coupled(plan_.model, fluid_, at, s, work_, fluid_work_, newton_.get(), settings_);
    } catch (const Interrupted&) {
      s.fluid.before = before;
      throw;
    }
    if (r.outcome == Outcome::diverged && settings_.is_implicit)
      r.message = no_implicit_step(plan_, schedule_, s, work_);
    else if (r.outcome == Outcome::diverged)
      r.message = too_many_steps(s);
    return r;
  }
  std::size_t bytes() const override { return fluid_work_.bytes() + (newton_ ? newton_->bytes() : 0); }

 private:
  // Where solids came to need more steps than are taken; empty where that is not why.
  std::string too_many_steps(const State& s) {
    const Inputs in = schedule_.now(s.clock);
    const StepsForDrag need = steps_for_drag(plan_.model, in.held, fluid_.settings().dt, fluid_work_);
    if (need.count <= most_solid_steps) return {};
    return fmt::format("no step could be taken after step {} (t = {:.6g} s): {}", s.clock.step, s.clock.time,
                       too_light(plan_, need));
  }
  // So that what probes see at the start of a stage does not depend on where a run was resumed.
  void read_flow(const State& s) {
    const LatticeDrive drive = lattice_drive(fluid_, schedule_.now(s.clock).fluid);
    fluid_work_.forget();
    gather_flow(fluid_, s.fluid, drive, s.nodes, fluid_work_, work_.team);
  }

  const Plan& plan_;
  const Fluid& fluid_;
  Schedule& schedule_;
  Work& work_;
  FluidWork fluid_work_;
  CoupledSettings settings_;
  std::unique_ptr<NewtonWork> newton_;  // null: nothing is solved for
};

}  // namespace

std::unique_ptr<Stepper> make_fluid_stepper(bool is_implicit, const Plan& plan, Schedule& schedule, Work& work) {
  return std::make_unique<FluidStepper>(is_implicit, plan, schedule, work);
}

SolidSteps solid_steps(const Plan& plan, double dt) {
  SolidSteps most;
  const Fluid& fluid = *plan.fluid.box;
  if (plan.model.nodes == 0) return most;
  Team alone(1);
  FluidWork work(fluid, plan.model.markers.markers);
  aim_markers(fluid, plan.start.nodes, work, alone);
  work.look_ahead();  // how hard the fluid is to move does not depend on how it moves: no lattice is needed
  gather_flow(fluid, {}, {}, plan.start.nodes, work, alone);
  const Schedule schedule(plan, dt);
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    const int stage = static_cast<int>(k);
    if (plan.kind(stage) != SolverKind::explicit_dynamics) continue;
    const auto masks = schedule.held(stage);
    std::vector<HeldNode> held;
    for (int i = 0; i < plan.model.nodes; ++i)
      if (masks[i]) held.push_back({i, masks[i], {}, {}});
    const StepsForDrag drag = steps_for_drag(plan.model, held, fluid.settings().dt, work);
    const double stiff = schedule.spans()[k].substeps;
    if (stiff > most.count && stiff >= drag.count)
      most = {stiff, fmt::format("the solids' step of {:.3g} s asks for {:.3g} of them in each step of the fluid. Take "
                                 "kind = \"implicit\", which needs one",
                                 fluid.settings().dt / stiff, stiff)};
    else if (drag.count > most.count)
      most = {drag.count, too_light(plan, drag)};
  }
  return most;
}

int marker_astray(const Plan& plan, const Nodes& nodes) {
  const FluidSettings& set = plan.fluid.box->settings();
  const std::vector<Marker>& markers = plan.model.markers.markers;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const Vec3<double> at = plan.fluid.box->to_cells(marker_place(markers[i], nodes));
    const double cell[3] = {at.x, at.y, at.z};
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (set.faces[axis][0] != FaceKind::periodic && !(cell[axis] > -1 && cell[axis] < set.cells[axis] + 1))
        return static_cast<int>(i);
  }
  return -1;
}

FluidState first_fluid(const Plan& plan) {
  if (!plan.fluid) return {};
  const Fluid& fluid = *plan.fluid.box;
  FluidState s = plan.start.fluid.populations.empty() ? fluid.lattice().at_rest() : plan.start.fluid;
  const TracerPlan& t = plan.fluid.tracers;
  if (t.count > 0) seed_tracers(fluid, t.count, t.seed, t.low, t.high, s.tracers);
  s.tracers.moved = s.steps;
  return s;
}

}  // namespace ls
