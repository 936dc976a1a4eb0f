#include "step/coupled/coupled_step.h"

#include "fluid/tracers.h"
#include "step/explicit_step.h"
#include "step/hold.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

constexpr double drag_safety = 0.5;  // of the rate at which drag stops a node, times the step

// Sums up what markers and held nodes get, over the wrenches of several short steps.
class Impulses {
 public:
  Impulses(const Inputs& in, const State& s, Work& k) : k_(k) {
    for (const HeldNode& h : in.held) start_.push_back(s.nodes.twist(h.node).v);
    k_.held_impulse.assign(in.held.size(), {});
    for (auto* triple : {k_.wrenches.marker_impulse, k_.wrenches.marker_turn})
      for (int a = 0; a < 3; ++a) triple[a].assign(s.memory.marker_impulse.size(), 0.0);
  }
  ~Impulses() {
    k_.held_impulse.clear();
    k_.wrenches.duration = 0;
  }
  Impulses(const Impulses&) = delete;
  Impulses& operator=(const Impulses&) = delete;

  void set_duration(double dt) { k_.wrenches.duration = dt; }
  void finish(const Model& m, const Inputs& in, State& s) {
    s.memory.drive_impulse += drive_impulse(m, in, k_.held_impulse, start_, s.nodes);
    const auto &j = k_.wrenches.marker_impulse, &t = k_.wrenches.marker_turn;
    for (std::size_t i = 0; i < s.memory.marker_impulse.size(); ++i)
      s.memory.marker_impulse[i] = {{j[0][i], j[1][i], j[2][i]}, {t[0][i], t[1][i], t[2][i]}};
  }

 private:
  Work& k_;
  std::vector<Vec3<double>> start_;  // [held node] m/s
};

// The first half kick of a Verlet step and the second half kick of the one before are by the same wrenches.
Outcome step_explicit_solids(const Model& m, const InputsAt& at, int substeps, State& s, Work& k) {
  const Clock start = s.clock;
  Inputs in = at(0.0);
  const double dt = in.dt / substeps;
  in.dt = dt;
  Impulses impulses(in, s, k);
  impulses.set_duration(0.5 * dt);
  sum_wrenches(m, in, s, k);
  for (int i = 1; i <= substeps; ++i) {
    in = at(static_cast<double>(i) / substeps);
    in.dt = dt;
    impulses.set_duration(i < substeps ? dt : 0.5 * dt);
    if (step_explicit(m, in, s, k) == Outcome::diverged) return Outcome::diverged;
  }
  impulses.finish(m, in, s);
  s.clock = start;
  ++s.clock.step;
  ++s.clock.step_in_stage;
  s.clock.time = in.t;
  return Outcome::done;
}

Outcome step_solids(const Model& m, const InputsAt& at, State& s, Work& k, FluidWork& w, NewtonWork* n,
                    const CoupledSettings& settings) {
  s.memory.marker_impulse.assign(w.markers.size(), {});
  if (settings.is_implicit) return step_implicit(m, at, s, k, *n, settings.implicit);
  const double slow = at(0.0).dt * largest_drag_rate(m, w) / drag_safety;
  return step_explicit_solids(m, at, std::max(settings.substeps, static_cast<int>(std::ceil(std::min(slow, 1e6)))), s,
                              k);
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

void step_lattice(const Fluid& fluid, const LatticeDrive& drive, const State& s, FluidState& flow, Work& k,
                  FluidWork& w) {
  const LatticeThreads threads(k.team, k.lattice_threads);
  spread_impulses(fluid, s.memory.marker_impulse, w, flow, k.team);
  aim_markers(fluid, s.nodes, w, k.team);
  k.lattice_pace.start_step(k.team, static_cast<int>(std::min(fluid.lattice().cells(), 1'000'000LL)));
  fluid.lattice().step(flow, drive, &w.forces, k.team, w.look_ahead());
  k.lattice_pace.end_step(k.team);
  k.lattice_threads = k.team.active();
  move_tracers(fluid, drive, &w.forces, flow, k.team);
}

}  // namespace

Outcome step_coupled(const Model& m, const Fluid& fluid, const InputsAt& at, State& s, Work& k, FluidWork& w,
                     NewtonWork* n, const CoupledSettings& settings) {
  FluidState flow = std::move(s.fluid);  // solvers copy states, and this one is large
  const LatticeDrive drive = lattice_drive(fluid, at(0.0).fluid);
  {
    const LatticeThreads threads(k.team, k.lattice_threads);
    gather_flow(fluid, flow, drive, s.nodes, w, k.team);
  }
  const Outcome outcome = step_solids(m, at, s, k, w, n, settings);
  if (outcome == Outcome::done)
    step_lattice(fluid, drive, s, flow, k, w);
  else
    w.forces.set_to_zero();  // nothing was exerted
  s.fluid = std::move(flow);
  return outcome;
}

}  // namespace ls
