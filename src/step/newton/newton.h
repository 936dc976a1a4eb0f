#pragma once
#include "math/block_ldlt.h"
#include "step/newton/inertia.h"
#include "step/work.h"

#include <optional>

namespace ls {

// Scratch of Newton's method: deleting it changes nothing but time.
struct NewtonWork {
  explicit NewtonWork(const Model& model);

  std::vector<std::pair<int, int>> pairs;  // of nodes that the matrix has blocks for
  BlockMatrix stiffness;
  BlockLdlt ldlt;
  std::vector<double> residual;                // [node][6]
  std::vector<double> solution;                // [node][6]
  Nodes before;                                // the last move
  std::vector<double> driven;                  // [node][6] what is left to go of held degrees of freedom
  std::vector<std::uint8_t> held;              // [node] Hold bits
  Move move;                                   // the last one
  std::vector<std::vector<double>> predicted;  // [term] stresses that the last move should lead to
  double size = 0;                             // m, of the model: moves are judged by it
  std::vector<double> follower;                // [column][node][6] what turning loads do to a solution
  std::vector<int> spinners;                   // nodes whose spin about their own axis is stiffened: see find_spinners

  std::size_t bytes() const;
};

struct NewtonSettings {
  double tolerance = 1e-9;  // of the error that is left, beside the size of the model
  int most_iterations = 30;
  double longest_move = 0.25;        // of one iteration, beside the size
  double largest_turn = 1.0;         // rad
  double touching_tolerance = 1e-6;  // the same of guarded moves in time, beside the step's own: they converge slower
  int guarded_after = 12;            // iterations: where shapes touch, moves are from then on cut short of going uphill
};

// blocked: what is driven can't get there, since something is in the way.
enum class NewtonStop { converged, too_slow, singular, not_finite, no_rest, blocked };

struct NewtonResult {
  NewtonStop stop = NewtonStop::converged;
  int iterations = 0;
  int node = -1;             // where it went wrong
  double first_move = 0;     // m, largest of the first iteration
  double from_foreseen = 0;  // m, how far the end is from what the first iteration foresaw
  bool ok() const { return stop == NewtonStop::converged; }
};

// Finds the poses at which every free degree of freedom is in balance; held ones go to the poses in `held`. Without a
// scheme this is equilibrium; with one it is an implicit step from `start`, and the poses are those at which the scheme
// takes forces. Mixed Newton: from the second iteration on, the geometric part of the stiffness is that of the stress
// that the last linear solution foresaw, not of the present one, which for slender rods is far off between iterations.
NewtonResult solve_newton(const Model& m, const Inputs& in, const std::vector<HeldNode>& held,
                          const std::optional<ImplicitScheme>& scheme, const Nodes& start, State& s, Work& k,
                          NewtonWork& n, const NewtonSettings& settings = {});

// Gives the matrix room for the pairs of nodes that are coupled in a state: what touches changes. Before every solve,
// so that what a run computes does not hang on where it was resumed, and within one where a pair came near.
void renew_pattern(const Model& m, const Inputs& in, const State& s, NewtonWork& n);
void fit_pattern(const Model& m, const Inputs& in, const State& s, NewtonWork& n);

// Whether the loads have a potential: torques on nodes and loads that turn with them have none. What the signs of
// pivots say of stability is then not to be trusted.
bool is_conservative(const Inputs& in);

// The exact stiffness of a state in equilibrium, factored: what stability and small vibrations are judged by.
[[nodiscard]] bool factor_stiffness(const Model& m, const Inputs& in, const std::vector<HeldNode>& held, const State& s,
                                    NewtonWork& n);

// A round rod that is pinned, not clamped, spins about its own axis without resistance. Any spin will do for
// equilibrium, but its stiffness, which is zero but for rounding and what is left of the residual, would ruin every
// iteration. Finds such rods in the state at rest, and lets one node of each be stiff against turning about its own
// axis: that holds back the iterations, not the equations.
void find_spinners(const Model& m, const State& rest, const std::vector<std::uint8_t>& held, NewtonWork& n);

// Adds that stiffness, as large as what is there.
void add_spinners(const State& s, NewtonWork& n);

}  // namespace ls
