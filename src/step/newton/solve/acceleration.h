#pragma once
#include "math/numbers.h"
#include "step/newton/newton_work.h"
#include "step/newton/solve/judging.h"

#include <cmath>
#include <deque>
#include <utility>
#include <vector>

namespace ls {

// What is not symmetric in the stiffness (torques, gyroscopic terms, the stress of a whole step: physics/bond_step.h)
// is not in the matrix, and in stiff sheets that are flung about moves shrink by a third or less each. What the last
// moves made of each other tells the part that was left out, on the space that they span: the move is the one whose
// remainder there is least (Anderson 1965). Once they are short the matrix need not be made anew, either. As long as
// moves shrink fast by themselves nothing is changed.
class Acceleration {
 public:
  // size: m, of the model. Off, it changes nothing.
  Acceleration(bool is_on, double size) : is_on_(is_on), size_(size) {}

  // Whether the matrix of the last iteration serves for this one. `before`: size of the last move.
  bool keeps_matrix(double before) const { return is_slow_ && before <= exact_below; }

  // The move that the matrix asks for becomes the better one. `now` and `before`: sizes of it and of the one before.
  void improve(double now, double before, Numbers& move) {
    constexpr double fast = 0.1;
    if (!is_on_) return;
    note(move);
    is_slow_ = before > 0 && now > fast * before;
    if (!is_slow_) return;
    find_axes();
    Numbers rest = asked_;
    for (const Pair& axis : axes_) {
      const double along = weighed_product(axis.change, rest);
      add(-along, axis.change, rest);
      add(-along, axis.change, move);
      add(-along, axis.gone, move);
    }
  }
  // What was made of it. Of a move that was cut short the rest is another problem.
  void made(const Numbers& move, double share) {
    if (!is_on_) return;
    made_ = move;
    if (share != 1.0) gone_.clear(), made_.clear(), is_slow_ = false;
  }

 private:
  struct Pair {
    Numbers gone, change;  // [node][6] a move, and by what it changed the move that was asked for next
  };

  void note(const Numbers& move) {
    constexpr std::size_t most = 5;
    if (!made_.empty()) {
      Pair p{std::exchange(made_, {}), move};
      add(-1, asked_, p.change);
      gone_.push_front(std::move(p));
      if (gone_.size() > most) gone_.pop_back();
    }
    asked_ = move;
  }
  // Combinations of what was seen whose changes are orthonormal, the latest first.
  void find_axes() {
    constexpr double least = 1e-4;  // of what is new in a change, beside the change
    axes_.clear();
    for (Pair a : gone_) {
      const double whole = std::sqrt(weighed_product(a.change, a.change));
      for (const Pair& b : axes_) {
        const double along = weighed_product(b.change, a.change);
        add(-along, b.change, a.change);
        add(-along, b.gone, a.gone);
      }
      const double left = std::sqrt(weighed_product(a.change, a.change));
      if (!(left > least * whole)) continue;
      for (double& v : a.change) v /= left;
      for (double& v : a.gone) v /= left;
      axes_.push_back(std::move(a));
    }
  }
  // Turns count as much as moves of the model's size.
  double weighed_product(const Numbers& a, const Numbers& b) const {
    double moves = 0, turns = 0;
    for (std::size_t i = 0; i < a.size(); ++i) (i % dofs < 3 ? moves : turns) += a[i] * b[i];
    return moves / (size_ * size_) + turns;
  }

  bool is_on_;
  double size_;
  bool is_slow_ = false;
  std::deque<Pair> gone_;   // the latest first
  std::vector<Pair> axes_;  // scratch
  Numbers asked_, made_;    // the last move, as the matrix asked for it and as it was made
};

}  // namespace ls
