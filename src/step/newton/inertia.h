#pragma once
#include "model/inputs.h"

namespace ls {

// The part of an implicit step that is not force. The unknown is the pose p of every node at the point where forces are
// taken: the end of the step (backward Euler, a = 1) or its middle (midpoint, a = 2). With half = dt/a,
//   v_p = (x_p - x_n)/half,  v_end = a v_p - (a - 1) v_n,     m (v_end - v_n)/dt = f(p)
//   exp(phi) = q_p q_n*,     W_p = R_n^T phi/half,  W_end = a W_p - (a - 1) W_n  (body axes),  R_end = exp(a phi) R_n
//   (R_end J W_end - R_n J W_n)/dt = torque(p)
// The last line is the balance of angular momentum with its gyroscopic part: torque-free, momentum stays exact, and for
// a = 2 the work of the torque over the turn 2 phi is the change of kinetic energy. Nodes with bonds turn by Cayley's
// map in midpoint steps: 2 phi is 2 tan(angle/2) long, in which a rod that turns as a whole does not strain
// (physics/bond_step.h). The others go by the angle itself, exact for steady spin, of which Cayley's map falls short by
// (angle^2)/12.
struct ImplicitScheme {
  double dt = 0;  // s
  int a = 2;
  const std::vector<std::uint8_t>* bonded = nullptr;  // [node]; null: none is
  double half() const { return dt / a; }
  bool by_cayley(int node) const { return a == 2 && bonded && (*bonded)[node]; }
};

// What the inertia of node i asks of the forces, and its derivative to a turn of the pose p (symmetric part).
struct NodeInertiaForce {
  Wrench<double> force;
  double slope[3][3];  // of the torque
};
NodeInertiaForce inertia_force(const Model& m, int i, const ImplicitScheme& scheme, const Nodes& start,
                               const Frame<double>& pose);

// The first alone: what a residual needs.
Wrench<double> inertia_wrench(const Model& m, int i, const ImplicitScheme& scheme, const Nodes& start,
                              const Frame<double>& pose);

// Velocities at p, for damping.
Twist<double> twist_at(const ImplicitScheme& scheme, int i, const Frame<double>& start, const Frame<double>& pose);

// Whether the turn of the step can be told from its pose: Cayley's map ends short of half a turn.
bool is_within_reach(const ImplicitScheme& scheme, int i, const Frame<double>& start, const Frame<double>& pose);

// The end of the step of node i.
struct NodeEnd {
  Frame<double> frame;
  Twist<double> twist;
};
NodeEnd end_of_step(const ImplicitScheme& scheme, const Nodes& start, int i, const Frame<double>& pose);

}  // namespace ls
