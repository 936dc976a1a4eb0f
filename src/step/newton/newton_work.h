#pragma once
#include "base/pulse.h"
#include "math/block_ldlt.h"
#include "step/newton/inertia.h"
#include "terms/make_terms.h"

namespace ls {

inline constexpr int dofs = BlockMatrix::width;  // of a node: a move and a turn

// A node whose angular momentum turns along with it: against a turn w it takes a torque moment x w, which is no slope
// of an energy.
struct Gyroscope {
  int node;
  Vec3<double> moment;  // N m
};

// Scratch of Newton's method: deleting it changes nothing but time. Model and terms must outlive it.
struct NewtonWork {
  NewtonWork(const Model& model, const Terms& terms);

  const Terms& terms;
  Pulse pulse;            // of the run: see Work
  NodePairs pairs;        // that the matrix has blocks for
  int longest_chain = 0;  // of bonds from each node to the next
  BlockMatrix stiffness;
  BlockLdlt ldlt;
  std::vector<double> residual;      // [node][6]
  std::vector<double> solution;      // [node][6]
  std::vector<double> pull;          // [node][6] of joints that are not closed; empty: there are none
  std::vector<double> right, again;  // [node][6] scratch of solve_refined
  std::vector<double> driven;        // [node][6] what is left to go of held degrees of freedom
  std::vector<std::uint8_t> held;    // [node] Hold bits
  std::vector<std::uint8_t> bonded;  // [node]
  std::vector<int> linkage;          // [node] the first node that joints make it hang on; -1: none do
  Nodes before;                      // poses before the last move
  Move move;                         // the last one
  double size = 0;                   // m, of the model: moves are judged by it
  std::vector<double> follower;      // [column][node][6] what turning loads do to a solution
  NodeRules rules;                   // of the step under way, where models touch
  Wrenches pushes;                   // of contact, on its own
  std::vector<int> spinners;         // nodes whose spin about their own axis is stiffened: see spinners.h
  // What the matrix leaves out, and what it has been made too stiff by for that: see solve/asymmetry.h.
  std::vector<Gyroscope> gyroscopes;

  LinearStep last_step() const { return {before, move}; }
  std::size_t bytes() const;
};

// Gives the matrix room for the pairs of nodes that are coupled in a state: what touches changes. Before every solve,
// so that what a run computes does not hang on where it was resumed, and within one where a pair came near.
void renew_pattern(const Model& m, const Inputs& in, const State& s, NewtonWork& newton);
void fit_pattern(const Model& m, const Inputs& in, const State& s, NewtonWork& newton);

// The stiffness of all terms, that of joints last: how strong they pull goes by what else is in the matrix.
void assemble_stiffness(const Inputs& in, const State& s, const StiffnessRequest& wanted, NewtonWork& newton);
void assemble_without_joints(const Inputs& in, const State& s, const StiffnessRequest& wanted, NewtonWork& newton);
void add_joints(const Inputs& in, const State& s, const StiffnessRequest& wanted, NewtonWork& newton);

// The exact stiffness of a state in equilibrium, factored: what stability and small vibrations are judged by.
[[nodiscard]] bool factor_stiffness(const Model& m, const Inputs& in, const std::vector<HeldNode>& held, const State& s,
                                    NewtonWork& newton);

// newton.solution = A^-1 of what is in it, solved for again where the factors are too coarse.
void solve_refined(NewtonWork& newton);

// newton.solution = (A + asymmetry of joints)^-1 of what is in it, with the forces beyond those of the rows' errors
// that close the rows by the linear model; by GMRES with the factored A. Where there are joints.
void solve_with_joints(NewtonWork& newton);
// After that, of rows whose forces have bounds: which are at theirs, where it did not go by the right ones. True:
// others are by now, in the matrix too, and it is to be solved again.
bool choose_sides(NewtonWork& newton);

// Moves the nodes by newton.move, and notes where they came from.
void make_move(State& s, NewtonWork& newton);

// The largest displacement and turn in a vector over [node][6]; no numbers, of the first node that has some that are
// none.
struct LargestMove {
  double length = 0, turn = 0;  // m, rad
  int node = 0;                 // of the length
};
LargestMove largest_move(const std::vector<double>& u, int nodes);

}  // namespace ls
