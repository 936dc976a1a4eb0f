#pragma once
#include "math/frame.h"
#include "model/inputs.h"
#include "terms/energies.h"
#include "terms/wrenches.h"

#include <limits>
#include <string_view>
#include <utility>

namespace ls {

class BlockMatrix;

// What a term acts on under the given inputs. A step asks this one question to choose its way (step/explicit_step.cpp).
enum class Scope : std::uint8_t {
  idle,    // on nothing
  chains,  // on neighbours along rods, by the slots of chain bonds: any blocks can be asked for by themselves
  nodes,   // on each node by its own state alone: likewise, into the node columns
  few,     // on few nodes, of which contact tells beforehand
  all      // on anything
};

// Pairs of nodes that the matrix of Newton's method has blocks for.
using NodePairs = std::vector<std::pair<int, int>>;

// A move that the linear model asked for, and the poses that it was made at.
struct LinearStep {
  const Nodes& from;
  const Move& move;
};

// How the stiffness of a term is wanted.
struct StiffnessRequest {
  double rate = 0;  // 1/s: velocities follow displacements by this factor, as in an implicit step; 0: at rest
  // Mixed Newton: the geometric part of the stiffness is that of the stress which the linear model foresaw for the end
  // of this step; none: exact stiffness.
  const LinearStep* last = nullptr;
  bool projected = false;  // of contact: only what stiffens, so that every solution leads downhill
  const std::vector<std::uint8_t>* projected_at = nullptr;  // [node] likewise, only of what acts on these
};

// What a term asks of the steps of an explicit solver.
struct Limits {
  double damping_time = 0;                                // s, the longest of its bonds' modes
  double step = std::numeric_limits<double>::infinity();  // s, of what no vibration about the state tells
  bool dissipates = false;
  bool stiffens = false;  // that step is of a stiffness, which adds to that of bonds
};

// A physical law at work on the whole system: made from a table of the model (make_terms.h) and owned by the Work, so
// that what it keeps from call to call is its own. Called once per step, never once per particle.
class Term {
 public:
  virtual ~Term() = default;
  virtual std::string_view name() const = 0;
  virtual Scope scope(const Inputs&) const = 0;
  // Of terms of scope chains or nodes any blocks may be asked for, of different ones by several threads at once. Of
  // others it is all blocks, with a team.
  virtual void add_wrenches(const State&, const Inputs&, const Blocks&, Wrenches&) = 0;
  virtual void add_energy(const State&, const Inputs&, Energies&, Team&) {}

  // For Newton's method: which pairs of nodes it couples, and its stiffness, symmetric, in world axes. The pairs of a
  // term that finds them anew are those of the state, with some to spare.
  virtual void add_pattern(const State&, const Inputs&, NodePairs&) {}
  virtual void add_stiffness(const State&, const Inputs&, const StiffnessRequest&, BlockMatrix&) {}
  // The stiffness at rest times a displacement (v and w of `move`), without a matrix.
  virtual void add_product(const State&, const Inputs&, const std::vector<Twist<double>>& /*move*/,
                           std::vector<Wrench<double>>& /*product*/) {}

  virtual Limits limits(const State&, const Inputs&) { return {}; }
  // After each step: what must outlive it, such as which bonds broke.
  virtual void advance(const State&, const Inputs&, Memory&) {}
  virtual std::size_t bytes() const = 0;
};

}  // namespace ls
