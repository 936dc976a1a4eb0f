#pragma once
#include "math/frame.h"
#include "model/field.h"
#include "model/model.h"

#include <functional>
#include <memory>

namespace ls {

// A node whose held degrees of freedom follow a given motion. Clamps are drives that stand still.
struct HeldNode {
  int node = 0;
  std::uint8_t mask = 0;  // Hold bits
  Frame<double> pose;     // at the end of the step
  Twist<double> twist;    // its rate there
};

// The same force on several nodes, times a weight each.
struct LoadGroup {
  std::vector<int> node;
  std::vector<double> weight;  // 1, or metres for a load per length
  Vec3<double> force{}, torque{};
  bool in_body_axes = false;  // turns with the node
};

// A rod strained as a whole by a driven end: in each step every node is carried along by its share of the end's move.
struct AffineCarry {
  int body = 0;
  int held = 0;         // the end, by its place in Inputs::held
  bool is_end = false;  // of the rod, not its start
};

struct MarkerFlow;

// How nodes go in the part of a step that is being solved, for laws that hold at its end: with a = 2 the state is that
// of the middle (midpoint rule), with 1 that of the end.
struct StepRule {
  const Nodes* start = nullptr;  // null: there is no step
  int a = 1;
  const std::vector<std::uint8_t>* of_node = nullptr;  // [node] where they differ
  double dt = 0;                                       // s
  bool by_impulses = false;  // of explicit steps: what is closed is kept by impulses, not by forces
  int a_of(int node) const { return of_node ? (*of_node)[node] : a; }
};

// What drives a fluid from outside.
struct FluidInputs {
  Vec3<double> body_force{};                              // N/m^3
  std::array<std::array<Vec3<double>, 2>, 3> velocity{};  // [axis][side] m/s, of walls and inlets
  std::array<std::array<double, 2>, 3> pressure{};        // [axis][side] Pa, beyond that of fluid at rest
};

// What the schedule says about one step: evaluated by the plan, in neither Model nor State.
struct Inputs {
  double t = 0;                  // s, at the end of the step
  double s = 0;                  // share of the stage done then, 0 to 1
  double dt = 0;                 // s
  Vec3<double> gravity{};        // m/s^2
  double damping_rate = 0;       // 1/s, of velocities
  double spin_damping_rate = 0;  // 1/s
  double temperature = 0;        // K times Boltzmann's constant is the heat of the Langevin bath
  std::uint64_t seed = 0;
  bool richardson = false;     // rotations by Richardson's update, to compare with LAMMPS
  bool kicks = false;          // of an explicit stage: damping of nodes acts at the ends of a step, and is no force
  std::vector<HeldNode> held;  // one entry a node
  std::vector<LoadGroup> loads;
  std::vector<AffineCarry> carries;
  std::vector<std::shared_ptr<const Field>> fields;  // as they are at t
  std::shared_ptr<const Field> stream;               // m/s, of a fluid that is not simulated; none: it rests
  std::vector<double> moment_factor;                 // [node] of its magnetic moments; empty: 1 everywhere
  ContactLaw contact = ContactLaw::none;
  FluidInputs fluid;
  // Where a step of the midpoint rule set out. What conserves energy then gives the wrench whose work from there,
  // through the state, to the end that lies as far beyond is the change of its energy; null: the wrench of the state.
  const Nodes* step_start = nullptr;
  StepRule rule;
  std::vector<double> motors;        // [motor] rad, rad/s or N m; m, m/s or N of a slider
  std::vector<double> motor_rates;   // [motor] how fast that changes, 1/s of it
  std::vector<double> reels;         // [reel] how long its rope is at rest, beside as it was drawn; empty: as it was
  const MarkerFlow* flow = nullptr;  // of the fluid around the markers; null: there is none
  double load_factor = 1;            // of gravity, loads and fields: a static solver may have to build them up
  // The stiffness is wanted for vibrations: all pairs of magnets are coupled in it, and nothing in it is made up.
  bool of_vibrations = false;
  std::uint64_t stage = 0;  // whose holds and loads these are: what the schedule need not set again
};

inline double moment_factor(const Inputs& in, int node) {
  return in.moment_factor.empty() ? 1.0 : in.moment_factor[static_cast<std::size_t>(node)];
}

// What the schedule says at a share (0 to 1) of the step that is being taken.
class InputsAt {
 public:
  // fill(share, inputs) sets them; or inputs_at(share) returns them.
  template <class F>
  InputsAt(F fill) {  // NOLINT(google-explicit-constructor): a function is what it is
    if constexpr (std::is_invocable_v<F, double, Inputs&>)
      fill_ = std::move(fill);
    else
      fill_ = [inputs_at = std::move(fill)](double share, Inputs& in) { in = inputs_at(share); };
  }
  Inputs operator()(double share) const {
    Inputs in;
    fill_(share, in);
    return in;
  }
  void operator()(double share, Inputs& in) const { fill_(share, in); }

 private:
  std::function<void(double, Inputs&)> fill_;
};

}  // namespace ls
