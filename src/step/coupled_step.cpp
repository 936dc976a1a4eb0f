#include "step/coupled_step.h"

#include "fluid/tracers.h"
#include "step/explicit_step.h"
#include "step/hold.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

constexpr double drag_safety = 0.5;  // of the rate at which drag stops a node, times the step

// What markers and held nodes get, by the wrenches as they are.
class Impulses {
 public:
  Impulses(const Inputs& in, const Nodes& start) : push_(in.held.size()) {
    for (const HeldNode& h : in.held) start_.push_back(start.twist(h.node).v);
  }
  void add(const Inputs& in, const Wrenches& w, double dt, State& s) {
    for (std::size_t i = 0; i < s.memory.marker_impulse.size(); ++i)
      s.memory.marker_impulse[i] += Wrench<double>{dt * w.markers[i].force, dt * w.markers[i].torque};
    for (std::size_t k = 0; k < in.held.size(); ++k) push_[k] += dt * s.nodes.wrench(in.held[k].node).force;
  }
  void finish(const Model& m, const Inputs& in, State& s) const {
    s.memory.drive_impulse += drive_impulse(m, in, push_, start_, s.nodes);
  }

 private:
  std::vector<Vec3<double>> start_;  // [held node] m/s
  std::vector<Vec3<double>> push_;   // [held node] N s
};

// The first half kick of a Verlet step and the second half kick of the one before are by the same wrenches.
Outcome step_explicit_solids(const Model& m, const InputsAt& at, int substeps, State& s, Work& k) {
  const Clock start = s.clock;
  Inputs in = at(0.0);
  const double dt = in.dt / substeps;
  in.dt = dt;
  sum_wrenches(m, in, s, k);
  Impulses impulses(in, s.nodes);
  impulses.add(in, k.wrenches, 0.5 * dt, s);
  for (int i = 1; i <= substeps; ++i) {
    in = at(static_cast<double>(i) / substeps);
    in.dt = dt;
    if (step_explicit(m, in, s, k) == Outcome::diverged) return Outcome::diverged;
    impulses.add(in, k.wrenches, i < substeps ? dt : 0.5 * dt, s);
  }
  impulses.finish(m, in, s);
  s.clock = start;
  ++s.clock.step;
  ++s.clock.step_in_stage;
  s.clock.time = in.t;
  return Outcome::done;
}

Outcome step_solids(const Model& m, const InputsAt& at, State& s, Work& k, const FluidWork& w, NewtonWork* n,
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

void step_lattice(const Fluid& fluid, const LatticeDrive& drive, FluidState& flow, Work& k, FluidWork& w) {
  const LatticeThreads threads(k.team, k.lattice_threads);
  k.lattice_pace.start_step(k.team, static_cast<int>(std::min(fluid.lattice().cells(), 1'000'000LL)));
  fluid.lattice().step(flow, drive, &w.forces, k.team);
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
  if (outcome == Outcome::done) {
    spread_impulses(fluid, s.memory.marker_impulse, w, flow);
    step_lattice(fluid, drive, flow, k, w);
  }
  s.fluid = std::move(flow);
  return outcome;
}

}  // namespace ls
