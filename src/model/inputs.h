#pragma once
#include "math/frame.h"
#include "model/field.h"
#include "model/model.h"

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

// A rod strained as a whole by its driven ends: every node is carried along by its share of their moves in this step.
struct AffineCarry {
  int body = 0;
  Vec3<double> start{}, end{};  // m, moves of the first and the last node
};

struct MarkerFlow;

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
  std::vector<HeldNode> held;  // one entry a node
  std::vector<LoadGroup> loads;
  std::vector<AffineCarry> carries;
  std::vector<const Field*> fields;  // as they are at t
  const Field* stream = nullptr;     // m/s, of a fluid that is not simulated; null: it rests
  ContactLaw contact = ContactLaw::none;
  FluidInputs fluid;
  const MarkerFlow* flow = nullptr;  // of the fluid around the markers; null: there is none
  double load_factor = 1;            // of gravity, loads and fields: a static solver may have to build them up
};

}  // namespace ls
