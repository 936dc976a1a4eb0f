#pragma once
#include "model/inputs.h"

#include <array>

namespace ls {

using Matrix6 = std::array<double, 36>;  // rows over a node's displacement and turn

// Rules of single nodes in steps of models that touch (node_rules.h).
struct NodeRules {
  std::vector<std::uint8_t> a;      // [node] of the scheme
  std::vector<int> kept;            // [node] of backward Euler: where in `shares` stands what it keeps; -1: nothing
  std::vector<Matrix6> shares;      // P
  std::vector<std::uint8_t> meets;  // [node] something, on its way
  std::vector<std::uint8_t> anew;   // [node] goes by another rule than in the last solve from the same start
};

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
//
// A node may have a rule of its own. With V = (v, w), w in the axes of the start, and a share P of its motion that is
// kept, backward Euler ends with
//   V_end = V_p + P (V_p - V_n)
// which is the midpoint's end for P = 1. P is symmetric in the metric of the mass M and between 0 and 1, so that a step
// loses (V_p - V_n).(M - P^T M P)(V_p - V_n)/2 of kinetic energy: what P keeps is not damped.
struct ImplicitScheme {
  double dt = 0;  // s
  int a = 2;
  const std::vector<std::uint8_t>* bonded = nullptr;  // [node]; null: none is
  const NodeRules* rules = nullptr;                   // null: all nodes go by the same
  int a_of(int node) const { return rules ? rules->a[node] : a; }
  double half(int node) const { return dt / a_of(node); }
  bool by_cayley(int node) const { return a_of(node) == 2 && bonded && (*bonded)[node]; }
  const Matrix6* kept(int node) const {
    return rules && rules->kept[node] >= 0 ? &rules->shares[rules->kept[node]] : nullptr;
  }
};

// What the inertia of node i asks of the forces, and its derivative to a turn w of the pose p: slope w + gyro x w.
struct NodeInertiaForce {
  Wrench<double> force;
  double slope[3][3];  // of the torque: its symmetric part,
  Vec3<double> gyro;   // and the rest, N m: angular momentum that turns along
};
NodeInertiaForce inertia_force(const Model& m, int i, const ImplicitScheme& scheme, const Nodes& start,
                               const Frame<double>& pose);

// The first alone: what a residual needs.
Wrench<double> inertia_wrench(const Model& m, int i, const ImplicitScheme& scheme, const Nodes& start,
                              const Frame<double>& pose);

// Adds what the share P of its motion that node i keeps adds to its slopes, M P/dt^2, to its 6x6 block.
void add_kept_inertia(const Model& m, int i, const ImplicitScheme& scheme, const Quat<double>& start, double* diagonal);

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
