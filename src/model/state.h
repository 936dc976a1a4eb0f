#pragma once
#include "base/column.h"
#include "math/frame.h"
#include "model/fluid_state.h"

#include <cstdint>
#include <vector>

namespace ls {

// Structure of arrays, world axes, SI: packs load consecutive nodes without gathers.
struct Nodes {  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming): the names of its own copy loops
  int count = 0;
  Column x[3];  // [node] position                    m
  Column q[4];  // [node] orientation w, x, y, z      1, sign continuous in time
  Column v[3];  // [node] velocity                    m/s
  Column w[3];  // [node] angular velocity            rad/s
  Column f[3];  // [node] net force at the last kick  N
  Column t[3];  // [node] net torque                  N m

  explicit Nodes(int n = 0);

  Frame<double> frame(int i) const { return {{x[0][i], x[1][i], x[2][i]}, {q[0][i], {q[1][i], q[2][i], q[3][i]}}}; }
  Twist<double> twist(int i) const { return {{v[0][i], v[1][i], v[2][i]}, {w[0][i], w[1][i], w[2][i]}}; }
  Wrench<double> wrench(int i) const { return {{f[0][i], f[1][i], f[2][i]}, {t[0][i], t[1][i], t[2][i]}}; }
  void set(int i, const Frame<double>& p);
  void set(int i, const Twist<double>& p);
};

// Small displacements of all nodes: v of the positions, w turns, in world axes.
struct Move {
  Column v[3], w[3];  // [node] m, rad
};

// What has gone into the system and out of it since the start, J.
struct Ledger {
  double start = 0;       // energy that the system started with
  double drives = 0;      // work of driven and held nodes
  double loads = 0;       // work of forces and torques
  double motors = 0;      // work of motors
  double fields = 0;      // work of gravity and magnetic fields that change in time
  double dissipated = 0;  // by damping
  double friction = 0;    // taken by friction of the barrier's contacts and of joints
  double barrier = 0;     // brought in by changes of the barrier itself: of its stiffness and its reach
  double numerical = 0;   // lost by the scheme of implicit steps

  // The total energy that would be left by an exact stepper, and the one that follows from all of it.
  double supplied() const { return start + drives + loads + motors + fields + barrier - dissipated - friction; }
  double expected() const { return supplied() - numerical; }
};

// The parts that implicit steps were taken in, since the start.
struct StepParts {
  double taken = 0;     // how many
  double time = 0;      // s, all of them together
  double shortest = 0;  // s; 0: none was taken

  void add(double duration) {
    shortest = taken == 0 || duration < shortest ? duration : shortest;
    taken += 1, time += duration;
  }
};

// What a restart needs beyond the nodes.
struct Memory {
  std::vector<std::uint8_t> broken;  // [bond] 1 = broken; empty where no bond can break
  std::vector<double> angles;        // [bond][shear, bend, twist] of the last step, for the paper's damping; else empty
  double angle_step = 0;             // s, the step that lies between them and now
  std::vector<double> anchors;  // [held node][x 3, q 4] poses at the start of the stage, which drives are relative to
  // [variable] values at the start of the stage, or since an event; what expressions read of the state: at the last
  // step
  std::vector<double> variables;
  std::vector<std::uint8_t> events;        // [event] bits of EventMark
  std::vector<std::uint8_t> set_by_event;  // [variable] 1: in this stage an event has; what the stage says is void
  int stage_ended = 0;                     // 1: by an event
  std::vector<double> field_anchors;       // [magnet][x 3, q 4] poses of magnets at the start of the stage
  Ledger ledger;
  int halvings = 0;          // an implicit or static solver takes its steps in 2^halvings parts
  int negative_pivots = 0;   // of the stiffness where a static solver stands: 0 is stable
  long long iterations = 0;  // of Newton's method since the start
  StepParts parts;
  std::vector<std::uint64_t> touching;     // [contact] which two shapes touch, ascending; of laws that have a history
  std::vector<double> slip;                // [contact][3] m, how far they have slid elastically on each other
  std::vector<std::uint64_t> near_bodies;  // [pair of bodies] within the thickness of the barrier, ascending
  std::vector<double> near_strength;       // [pair of bodies] N, of its own barrier,
  std::vector<double> near_reach;          // [pair of bodies] m, and where that begins to push
  long long near_step = 0;                 // of the run, after which that was noted
  std::vector<std::uint64_t> stuck;        // [contact] of the barrier that rubs, ascending: which two shapes
  std::vector<double> stretch;             // [contact][3] its elastic slide, of that at which it gives way
  std::vector<Vec3<double>> friction;      // [node] N, lagged friction as it was in balance; empty: none
  std::vector<Wrench<double>> marker_impulse;  // [marker] N s, N m s: what the fluid gave it in the step under way
  Vec3<double> drive_impulse{};                // N s, what holds and drives gave solids in a fluid since the start
  std::vector<Vec3<double>> inner_field;  // [soft cell] A/m, within it as the last step ended, in its node's own axes
  long long induction_iterations = 0;     // that it took to find those, summed over the steps
  std::vector<double> joint_force;        // [row of a joint] N or N m: what it takes to keep it, in the last step
  std::vector<double> joint_past;         // [row][2] the same in the last step and in the one before
  std::vector<double> joint_shown;        // [row] N or N m, as reports give them
  std::vector<double> joint_angle;        // [joint] rad, of hinges, with all their turns
  std::vector<double> reels;              // [reel] how long its rope is at rest, beside as it was drawn
  std::vector<double> path;  // of a solver that follows a path: where it stood before, and how long its steps are
};

// Where a run stands in its schedule. Time is start of the stage + steps in it times dt, never a sum.
struct Clock {
  int stage = 0;
  long long step_in_stage = 0;
  long long step = 0;      // since the start of the run
  double time = 0;         // s
  double stage_start = 0;  // s
  double share = 0;        // of the step after those: a static state may stand within a load step
};

// All that changes during a run: a copy of it is a checkpoint. The wrenches of the last kick belong to it because
// damping saw the half-step velocities, which a restart could not recover.
struct State {
  Nodes nodes;
  Memory memory;
  Clock clock;
  FluidState fluid;
};

}  // namespace ls
