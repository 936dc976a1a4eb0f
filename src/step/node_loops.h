#pragma once

// The two passes over the nodes of an explicit step, as plain functions on plain arrays; one copy per vector width.
namespace ls {

struct NodeBatch {
  double* x[3];  // [node] the state
  double* q[4];
  double* v[3];
  double* w[3];
  double* f[3];
  double* t[3];
  const double* bond_force[3];    // [bond k of nodes k, k+1], valid from -1 on
  const double* bond_torque1[3];  //
  const double* bond_torque2[3];  //
  const double* force[3];         // [node] of all else, or null
  const double* torque[3];        //
  const double* mass;             // [node] kg
  const double* inv_mass;         // [node] 1/kg; 0 where the position is held
  const double* inv_inertia;      // [node] 1/I2; 0 where the orientation is held
  const double* excess1;          // [node] I1/I2 - 1
  const double* excess3;          // [node] I3/I2 - 1
  const double* inverse1;         // [node] I2/I1 - 1
  const double* inverse3;         // [node] I2/I3 - 1
  double dt;
  double gravity[3];
  double keep_v, keep_w;  // share of velocity and spin that damping leaves in half a step
  bool symmetric;         // I1 = I2 everywhere: the rotation is exact in one go
};

struct NodeLoops {
  // Half a kick with the wrenches of the last pass, then a full drift. Returns the first node that turned by more than
  // half a turn, or not by a number; else -1.
  int (*kick_and_drift)(const NodeBatch&, int first_block, int last_block);
  // Sums the wrenches of each node, and the second half of the kick.
  void (*gather_and_kick)(const NodeBatch&, int first_block, int last_block);
  // The largest speed, m/s.
  double (*fastest)(const NodeBatch&, int first_block, int last_block);
  // The largest acceleration, |f|/m, m/s^2.
  double (*hardest)(const NodeBatch&, int first_block, int last_block);
};

const NodeLoops& node_loops();

}  // namespace ls
