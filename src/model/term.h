#pragma once
#include "base/parallel.h"
#include "model/state.h"

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace ls {

// Where terms leave what acts on the nodes. A chain bond k joins nodes k and k+1 and writes slot k; the integration
// pass then takes force[k] - force[k-1] for node k, in that order, whatever the number of threads. Everything else adds
// to the node columns, in the order of the terms.
struct Wrenches {
  Column bond_force[3];    // [block + k] force of bond k on node k; minus it on node k+1
  Column bond_torque1[3];  // [block + k] torque of bond k on node k
  Column bond_torque2[3];  // [block + k] torque of bond k on node k+1
  Column link_force[3];    // [link slot] likewise for bonds between any two nodes: scratch of one term at a time
  Column link_torque1[3];
  Column link_torque2[3];
  Column force[3];   // [node] of everything else; empty where nothing else acts
  Column torque[3];  // [node]
  // Where they are wanted, the impulses of a fluid on its markers are summed up over wrenches that act so long (s).
  double duration = 0;
  Column marker_impulse[3], marker_turn[3];  // [marker] N s, N m s; the latter where there are torques

  Wrenches() = default;
  Wrenches(int nodes, bool others, int link_slots);
  void clear_others();
};

class BlockMatrix;
struct BlockPattern;
struct ContactReport;
struct Inputs;

// Small displacements of all nodes: v of the positions, w turns, in world axes.
struct Move {
  Column v[3], w[3];  // [node] m, rad
};

// How the stiffness of a term is wanted.
struct StiffnessRequest {
  double rate = 0;  // 1/s: velocities follow displacements by this factor, as in an implicit step; 0: at rest
  const std::vector<double>* predicted = nullptr;  // of mixed Newton: what predict() said, none: exact stiffness
  bool projected = false;  // of contact: only what stiffens, so that every solution leads downhill
};

// Energy of one term by its own modes, under the names of the probes: {"bend", ...}.
struct EnergyPart {
  std::string name;
  double value;  // J
};

// One line of a results file: a bond and how it is strained.
struct BondRecord {
  int node1, node2;
  std::array<double, 4> strain;  // stretch (1), shear, bend, twist (rad)
  std::array<double, 4> energy;  // J
  bool broken;
};

// One physical effect on the whole system. Called once per step, never once per particle.
class Term {
 public:
  virtual ~Term() = default;
  virtual std::string_view name() const = 0;
  virtual int count() const = 0;           // of its bonds, fields or pairs
  virtual bool adds_to_nodes() const = 0;  // needs the node columns of Wrenches
  virtual int link_slots() const { return 0; }
  virtual void add_wrenches(const State&, const Inputs&, Wrenches&, Team&) const = 0;
  // The same for the chain bonds of some blocks of nodes only; for terms that act on nothing but chains.
  virtual void add_chain_wrenches(const State&, Wrenches&, int, int) const {}
  virtual bool is_chain_only() const { return false; }
  // The same for terms whose effect on a node goes by this node alone: of the nodes of some blocks.
  virtual void add_local_wrenches(const State&, const Inputs&, Wrenches&, int, int) const {}
  virtual bool is_local() const { return false; }
  virtual bool is_idle(const Inputs&) const { return false; }  // has no effect in this stage
  // A term that acts on few nodes, so that a step can sweep over the others (explicit_step.cpp). Before the nodes drift
  // it says which ones it may act on. Afterwards it is told how far any of them has moved at most (m) and says which
  // ones it does act on; then it is asked for its wrenches.
  virtual bool is_sparse() const { return false; }
  virtual const std::vector<int>& may_act_on(const State&) const { return none(); }
  virtual const std::vector<int>& acts_on(const State&, double /*travelled*/) const { return none(); }
  virtual void add_energy(const State&, const Inputs&, std::vector<EnergyPart>&, Team&) const = 0;
  // What changes in the wrenches when the nodes move by `move` (its v and w read as displacements): -stiffness * move.
  virtual void add_wrench_change(const State&, const Inputs&, const std::vector<Twist<double>>& move,
                                 std::vector<Wrench<double>>& change) const = 0;

  // For Newton's method: which pairs of nodes it couples, and its stiffness, symmetric, in world axes. The pairs of a
  // term that finds them anew are those of the state, with some to spare; fits() says whether a pattern still has all.
  virtual void add_pattern(const State&, const Inputs&, std::vector<std::pair<int, int>>&) const {}
  virtual bool fits(const State&, const Inputs&, const BlockPattern&) const { return true; }
  virtual void add_stiffness(const State&, const Inputs&, const StiffnessRequest&, BlockMatrix&) const = 0;
  // The stresses that the linear model foresees after the given move, in an order of the term's own (mixed Newton).
  virtual void predict(const State&, const Move&, std::vector<double>&) const {}
  // Before a solve that starts from the given state and takes `duration` (0: a load step).
  virtual void begin(const State&, const Inputs&, double /*duration*/, Memory&) const {}
  // After it: notes anew what the solve took as fixed, and tells whether that changed so much that it must be repeated.
  virtual bool needs_again(const State&, const Inputs&) const { return false; }
  // How much of a move can be made before something would pass through something, 0 to 1.
  virtual double allowed(const State&, const Inputs&, const Move&) const { return 1; }

  virtual double longest_damping_time() const { return 0; }  // s: bounds the explicit step
  virtual bool dissipates() const { return longest_damping_time() > 0; }
  // s, likewise, of what is not stiff yet but may become so: bodies that collide.
  virtual double max_step(const State&, const Inputs&) const { return std::numeric_limits<double>::infinity(); }
  virtual void records(const State&, std::vector<BondRecord>&) const {}
  virtual void report(const State&, const Inputs&, ContactReport&) const {}  // what touches, and how hard
  virtual void advance(const State&, const Inputs&, Memory&) const {}        // after each step: which bonds broke
  // After each part of an implicit step: what was exchanged in dt with the world outside, by the pose it was taken at.
  virtual void record(const State& /*pose*/, const Inputs&, double /*dt*/, Memory&) const {}
  virtual bool is_external() const { return false; }  // its energy depends on the inputs: a field
  virtual std::size_t bytes() const = 0;

 protected:
  static const std::vector<int>& none();
};

}  // namespace ls
