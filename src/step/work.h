#pragma once
#include "model/inputs.h"

namespace ls {

enum class Outcome { done, diverged };

// Chooses between one thread and all by timing both now and then: on a machine with other work to do, or for a small
// model, waiting for a second thread can cost more than it does. The choice changes time only, never a bit.
class Pace {
 public:
  void start_step(Team& team, int nodes);
  void end_step(Team& team);

 private:
  enum class Phase { alone, together, settled };
  Phase phase_ = Phase::together;
  int window_ = 0;                   // steps that one trial takes
  long long left_ = 0;               // steps of this phase still to come
  double spent_ = 0;                 // ns in this phase
  double alone_ = 0, together_ = 0;  // ns of the trials
  long long started_ = 0;            // ns
  bool timing_ = false;
};

// Scratch of the steppers: deleting it changes nothing but time.
struct Work {
  Work(const Model& model, int threads, bool loads);

  Team team;
  Pace pace;
  Pace lattice_pace;        // of a fluid, if there is one
  int lattice_threads = 0;  // that its lattice works with now; 0: not chosen yet
  Wrenches wrenches;
  Column inv_mass;                              // [node] 1/kg, 0 where the position is held
  Column inv_inertia;                           // [node] 1/I2, 0 where the orientation is held
  Column excess1, excess3, inverse1, inverse3;  // [node] I1/I2 - 1, I3/I2 - 1, I2/I1 - 1, I2/I3 - 1
  bool symmetric = true;
  int lost_node = -1;                      // first node of a step that diverged
  std::vector<int> islands;                // first blocks of parts that no bond joins, and the end; fewer than 3: none
  std::vector<Vec3<double>> held_impulse;  // [of Inputs::held] N s of all wrenches, summed up; empty: not asked for
  std::vector<std::uint8_t> waits;         // [block of nodes] kicked after the sweep, since a sparse term may act on it
  std::vector<int> waiting;                // those blocks
  std::vector<double> fastest;             // [tile of the sweep] (m/s)^2

  std::size_t bytes() const;
};

}  // namespace ls
