#include "step/coupled/coupled_step.h"

#include "fluid/tracers.h"
#include "step/explicit_step.h"
#include "step/hold.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ls {

namespace {

constexpr double drag_safety = 0.5;  // of the rate at which drag stops a node, times the step

// Sums up what markers and held nodes get, over the wrenches of several short steps.
class Impulses {
 public:
  Impulses(const Inputs& in, const State& s, Work& work) : work_(work) {
    for (const HeldNode& h : in.held) start_.push_back(s.nodes.twist(h.node).v);
    work_.held_impulse.assign(in.held.size(), {});
    for (auto* triple : {work_.impulses.force, work_.impulses.torque})
      for (int a = 0; a < 3; ++a) triple[a].assign(s.memory.marker_impulse.size(), 0.0);
    work_.wrenches.impulses = &work_.impulses;
  }
  ~Impulses() {
    work_.held_impulse.clear();
    work_.wrenches.impulses = nullptr;
    work_.impulses.duration = 0;
  }
  Impulses(const Impulses&) = delete;
  Impulses& operator=(const Impulses&) = delete;

  void set_duration(double dt) { work_.impulses.duration = dt; }
  void finish(const Model& m, const Inputs& in, State& s) {
    s.memory.drive_impulse += drive_impulse(m, in, work_.held_impulse, start_, s.nodes);
    const auto &j = work_.impulses.force, &t = work_.impulses.torque;
    for (std::size_t i = 0; i < s.memory.marker_impulse.size(); ++i)
      s.memory.marker_impulse[i] = {{j[0][i], j[1][i], j[2][i]}, {t[0][i], t[1][i], t[2][i]}};
  }

 private:
  Work& work_;
  std::vector<Vec3<double>> start_;  // [held node] m/s
};

// The first half kick of a Verlet step and the second half kick of the one before are by the same wrenches.
Outcome step_explicit_solids(const Model& m, const InputsAt& at, int substeps, State& s, Work& work) {
  const Clock start = s.clock;
  Inputs in = at(0.0);
  const double dt = in.dt / substeps;
  in.dt = dt;
  Impulses impulses(in, s, work);
  impulses.set_duration(0.5 * dt);
  sum_wrenches(m, in, s, work);
  for (int i = 1; i <= substeps; ++i) {
    work.pulse.beat();
    at(static_cast<double>(i) / substeps, in);
    in.dt = dt;
    impulses.set_duration(i < substeps ? dt : 0.5 * dt);
    if (step_explicit(m, in, s, work) == Outcome::diverged) return Outcome::diverged;
  }
  impulses.finish(m, in, s);
  s.clock = start;
  ++s.clock.step;
  ++s.clock.step_in_stage;
  s.clock.time = in.t;
  return Outcome::done;
}

Outcome step_solids(const Model& m, const InputsAt& at, State& s, Work& work, FluidWork& fluid_work, NewtonWork* newton,
                    const CoupledSettings& settings) {
  s.memory.marker_impulse.assign(fluid_work.markers.size(), {});
  if (settings.is_implicit) return step_implicit(m, at, s, work, *newton, settings.implicit);
  const Inputs in = at(0.0);
  const double substeps = std::max<double>(settings.substeps, steps_for_drag(m, in.held, in.dt, fluid_work).count);
  if (!(substeps <= most_solid_steps)) return Outcome::diverged;
  return step_explicit_solids(m, at, static_cast<int>(substeps), s, work);
}

// Explicit solids choose between one thread and all by timing their own short steps; the lattice chooses for itself.
class LatticeThreads {
 public:
  LatticeThreads(Team& team, int lattice) : team_(team), solids_(team.active()) {
    team_.set_active(lattice > 0 ? lattice : team_.size());
  }
  ~LatticeThreads() { team_.set_active(solids_); }
  LatticeThreads(const LatticeThreads&) = delete;
  LatticeThreads& operator=(const LatticeThreads&) = delete;

 private:
  Team& team_;
  int solids_;
};

void start_pace(const Fluid& fluid, Work& work) {
  work.lattice_pace.start_step(work.team, static_cast<int>(std::min(fluid.lattice().cells(), 1'000'000LL)));
}
void end_pace(int steps, Work& work) {
  work.lattice_pace.end_step(work.team, steps);
  work.lattice_threads = work.team.active();
}

void step_lattice(const Fluid& fluid, const LatticeDrive& drive, const State& s, FluidState& flow, Work& work,
                  FluidWork& fluid_work) {
  const LatticeThreads threads(work.team, work.lattice_threads);
  spread_impulses(fluid, s.memory.marker_impulse, fluid_work, flow, work.team);
  aim_markers(fluid, s.nodes, fluid_work, work.team);
  start_pace(fluid, work);
  fluid.lattice().step(flow, drive, &fluid_work.forces, work.team, fluid_work.look_ahead());
  end_pace(1, work);
  move_tracers(fluid, drive, &fluid_work.forces, flow, work.team);
}

// Steps the solids and the fluid while the latter stands aside: solvers copy states, and this one is large. Where the
// pulse interrupts that, the state is as it was; where it fails, short steps are not counted.
template <class F>
Outcome beside_the_flow(State& s, Work& work, const F& step) {
  FluidState flow = std::move(s.fluid);
  work.before = s;
  Outcome outcome = Outcome::done;
  try {
    outcome = step(flow);
  } catch (const Interrupted&) {
    s = work.before;
    s.fluid = std::move(flow);
    throw;
  }
  if (outcome != Outcome::done) s.clock = work.before.clock;
  s.fluid = std::move(flow);
  return outcome;
}

}  // namespace

StepsForDrag steps_for_drag(const Model& m, const std::vector<HeldNode>& held, double dt, FluidWork& fluid_work) {
  const DragRate most = largest_drag_rate(m, held, fluid_work);
  return {std::ceil(dt * most.rate / drag_safety), most.node};
}

Outcome step_coupled(const Model& m, const Fluid& fluid, const InputsAt& at, State& s, Work& work,
                     FluidWork& fluid_work, NewtonWork* newton, const CoupledSettings& settings) {
  return beside_the_flow(s, work, [&](FluidState& flow) {
    const LatticeDrive drive = lattice_drive(fluid, at(0.0).fluid);
    {
      const LatticeThreads threads(work.team, work.lattice_threads);
      gather_flow(fluid, flow, drive, s.nodes, fluid_work, work.team);
    }
    const Outcome outcome = step_solids(m, at, s, work, fluid_work, newton, settings);
    if (outcome == Outcome::done)
      step_lattice(fluid, drive, s, flow, work, fluid_work);
    else
      fluid_work.forces.set_to_zero();  // nothing was exerted
    return outcome;
  });
}

int most_unseen_steps(const FluidState& s, int wanted) {
  const Tracers& t = s.tracers;
  return t.x.empty() ? wanted : static_cast<int>(std::clamp<long long>(t.moved + t.stride - s.steps, 1, wanted));
}

Outcome steps_of_fluid(const Model& m, const Fluid& fluid, std::span<const InputsAt> at, State& s, Work& work,
                       FluidWork& fluid_work) {
  assert(m.nodes == 0);
  return beside_the_flow(s, work, [&](FluidState& flow) {
    std::vector<LatticeDrive> drives;
    for (const InputsAt& inputs_at : at) {
      drives.push_back(lattice_drive(fluid, inputs_at(0.0).fluid));
      const Outcome outcome = step_solids(m, inputs_at, s, work, fluid_work, nullptr, {});
      if (outcome != Outcome::done) return outcome;
    }
    const LatticeThreads threads(work.team, work.lattice_threads);
    start_pace(fluid, work);
    fluid.lattice().steps(flow, drives, work.team);
    end_pace(static_cast<int>(at.size()), work);
    move_tracers(fluid, drives.back(), nullptr, flow, work.team);
    return Outcome::done;
  });
}

}  // namespace ls
