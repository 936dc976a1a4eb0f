#pragma once
#include "terms/contact/contact_report.h"
#include "terms/term.h"

namespace ls {

struct BlockPattern;

// A law of contact at work. Beside what every term does, it tells a step what is near and what is in the way.
class Contact : public Term {
 public:
  // What touches, and how hard: counts contacts, lowers min_gap and adds to the forces.
  virtual void report(const State&, const Inputs&, ContactReport&) = 0;

  // For a step that sweeps over the nodes (step/sweep.h): before they drift it says which ones it may act on, given
  // that none goes farther than `coming` (m) in the step, and whether it can promise to act on no others. Afterwards it
  // is told how far any of them has moved at most (m) and says which ones it does act on; then it is asked for its
  // wrenches.
  struct Promise {
    bool holds = true;
    const std::vector<int>& nodes;
  };
  virtual Promise may_act_on(const State&, double /*dt*/, double /*coming*/) { return {true, none_}; }
  virtual const std::vector<int>& acts_on(const State&, double /*travelled*/) { return none_; }

  // Before the first step of a stage: notes what is near already, such that it does not push yet.
  virtual void settle(const State&, const Inputs&, Memory&) {}

  // For Newton's method. Before a solve that starts from the given state and takes `duration` (0: a load step): notes
  // what the solve takes as fixed, as lagged friction does.
  virtual void begin(const State&, const Inputs&, double /*duration*/, Memory&) {}
  // After it: notes that anew, and tells whether it changed so much that the solve must be repeated.
  virtual bool needs_again(const State&, const Inputs&) { return false; }
  // What needs_again() notes, where a solve begins at the poses that the one before came to, from the same start:
  // anew for the [node]s that are marked, and as that solve had it for all others.
  virtual void go_on(const State&, const Inputs&, const std::vector<std::uint8_t>& /*anew*/) {}
  // At the end of the last solve that is needed: keeps what balanced and can't be told from the state alone, for
  // reports.
  virtual void end(const State&, const Inputs&, Memory&) {}
  // For the ledger: the work that friction took, J, of the solve that has just been made. `pose` has the velocities at
  // which it acted in a step that takes dt; 0: a load step, whose moves are straight ways between equilibria. What the
  // barrier stores is in the energies (EnergyKind::contact).
  virtual double friction_work(const State& /*pose*/, const Inputs&, double /*dt*/) { return 0; }
  // How much of a move can be made before something would pass through something, 0 to 1 (continuous collision
  // detection).
  virtual double allowed(const State&, const Inputs&, const Move&) { return 1; }
  // Marks the nodes, [node], that are within its reach or come within it on the way of a move.
  virtual void note_meetings(const State&, const Inputs&, const Move&, std::vector<std::uint8_t>& /*meets*/) {}
  // Whether a pattern has all pairs of nodes that are coupled by now.
  virtual bool fits(const State&, const Inputs&, const BlockPattern&) { return true; }

  // What allowed() tells, of bodies that move island by island: [node] which one it belongs to, -1: it is held. Lowers
  // the shares, [island], of those that a pair stops, of both where it is between two; together they can go any share
  // that all of them may.
  virtual void allow_by_island(const State&, const Inputs&, const Move&, const std::vector<int>& /*island*/,
                               std::vector<double>& /*share*/) {}
  // Of two islands that would meet on the way of a move, in which each goes its share, lowers the larger share to the
  // smaller one, [island]. Whether there were any: then the move is another one, and must be looked at again.
  virtual bool islands_meet(const State&, const Inputs&, const Move&, const std::vector<int>& /*island*/,
                            std::vector<double>& /*share*/) {
    return false;
  }
  // What needs_again() tells, of the islands that are asked about, by the round of friction that would begin: 1, 2, …;
  // after the second much must have changed. Notes anew what changed too much in an island by itself, and leaves 1
  // where it did, 0 elsewhere.
  virtual void renew_by_island(const State&, const Inputs&, const std::vector<int>& /*island*/,
                               std::vector<std::uint8_t>& asked) {
    asked.assign(asked.size(), 0);
  }
  // Within a solve: what is between nodes that are held in all, [node] Hold bits, need not be looked at for wrenches
  // and stiffness, until the next call. Null: all is.
  virtual void leave_out(const std::vector<std::uint8_t>* /*held*/) {}

 private:
  std::vector<int> none_;
};

}  // namespace ls
