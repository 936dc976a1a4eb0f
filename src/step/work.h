#pragma once
#include "base/pulse.h"
#include "terms/make_terms.h"

#include <array>

namespace ls {

enum class Outcome { done, diverged };

// Chooses between one thread and all by timing both now and then: on a machine with other work to do, or for a small
// model, waiting for a second thread can cost more than it does. All must be faster than one by a fifth, else they burn
// more than they save; the longer they are not, the less often they are tried. Where they become slow while they work,
// one goes on alone at once. The choice changes time only, never a bit.
class Pace {
 public:
  using Clock = long long (*)();  // ns
  explicit Pace(Clock clock = steady_ns) : clock_(clock) {}
  static long long steady_ns();

  void start_step(Team& team, int nodes);
  void end_step(Team& team, int steps = 1);  // that were taken at once

 private:
  enum class Phase { alone, together, settled };
  void settle(bool pays);

  Clock clock_;
  Phase phase_ = Phase::alone;
  int active_ = 1;         // threads that work now
  int window_ = 0;         // steps that one trial takes
  int patience_ = 1;       // how much longer than usual a verdict holds
  long long steps_ = 0;    // of this phase that are done,
  long long most_ = 0;     // and how many there are
  double spent_ = 0;       // ns in this phase
  double alone_ = 0;       // ns a step, of the last trial
  long long started_ = 0;  // ns
};

// Of eight nodes.
inline int blocks_of(const Model& m) {
  return (m.nodes + block - 1) / block;
}

// Which way an explicit step goes. The bits are the same; tests force each.
enum class Path : std::uint8_t { any, passes, tiles, islands };

// The wrench of a bond: the force and the two torques.
using BondEnd = std::array<double, 9>;

// Scratch of a thread's part in a sweep of several steps (step/stride.h). The numbers of phases are those of there.
struct StrideTile {
  Wrenches columns;                         // of the blocks at hand
  Column force[3], torque[3];               // [node of these] between the kick of a step and the drift of the next
  std::array<BondEnd, 9> last{}, before{};  // [phase] of the last bond so far, and of the one before the first block
};

// Scratch of a sweep (step/sweep.h).
struct SweepWork {
  Path path = Path::any;
  std::vector<int> islands;         // first blocks of parts that no bond joins, and the end; fewer than 3: none
  std::vector<std::uint8_t> waits;  // [block of nodes] kicked after the sweep, since contact may act on it
  std::vector<int> waiting;         // those blocks
  std::vector<double> fastest;      // [tile] m/s, in this step
  std::vector<double> next;         // [tile] m/s, a bound of the speeds of the next step,
  const State* followed = nullptr;  // of this state, which the last sweep was over,
  long long next_step = -1;         // in this step
  std::vector<Wrenches> tile;       // [thread's part] node columns of the tile that is being kicked
  std::vector<StrideTile> strides;  // [thread's part]
  std::vector<std::uint8_t> gaps;   // [block of bonds] some slots have no bond
};

// Scratch of the steppers: deleting it changes nothing but time. The model must outlive it.
struct Work {
  Work(const Model& model, int threads);

  Team team;
  Pulse pulse;              // of the run; each long loop over solves or short steps lets it beat
  Pace pace;                // of explicit steps
  Pace sum_pace;            // of the wrenches that Newton's method asks for
  Pace lattice_pace;        // of a fluid, if there is one
  int lattice_threads = 0;  // that its lattice works with now; 0: not chosen yet
  State before;             // of the solids, at the start of a step in a fluid
  Terms terms;              // the laws of the model
  bool dissipates = false;  // some of them do
  Wrenches wrenches;
  MarkerImpulses impulses;                      // of a fluid, while they are wanted
  Column inv_mass;                              // [node] 1/kg, 0 where the position is held
  Column inv_inertia;                           // [node] 1/I2, 0 where the orientation is held
  Column excess1, excess3, inverse1, inverse3;  // [node] I1/I2 - 1, I3/I2 - 1, I2/I1 - 1, I2/I3 - 1
  bool symmetric = true;
  int lost_node = -1;                      // first node of a step that diverged
  bool lost_by_jump = false;               // of an implicit one: it settled, but was too much however short it was
  std::vector<Vec3<double>> held_impulse;  // [of Inputs::held] N s of all wrenches, summed up; empty: not asked for
  SweepWork sweep;

  std::size_t bytes() const;
};

// The end of every step of the schedule: what must outlive it is noted, and the clock moves on.
void end_step(const Inputs& in, State& s, Work& work);

}  // namespace ls
