#include "step/newton/solve/equations.h"
#include "step/newton/solve/islands.h"
#include "step/newton/solve/judging.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ls {

namespace {

// Of friction: one more than where all go together, for those whose friction has changed much by then. What rests would
// not come to rest any better by it, but be kept from it.
constexpr int rounds_of_an_island = 3;

// One solve, island by island. What an island remembers from one iteration to the next stands at its nodes, since
// islands may become one.
class IslandSolve {
 public:
  IslandSolve(const NewtonProblem& problem, State& s, Work& work, NewtonWork& newton, const NewtonSettings& settings)
      : problem_(problem),
        s_(s),
        newton_(newton),
        settings_(settings),
        solve_(problem, s, work, newton),
        contact_(*newton.terms.contact(problem.inputs)),
        held_(newton.held),
        rests_(held_.size(), 0),
        node_(held_.size()) {
    if (problem.guess) first_ = way_gone(problem.start, s.nodes, newton.size);
  }
  IslandSolve(const IslandSolve&) = delete;
  IslandSolve& operator=(const IslandSolve&) = delete;
  ~IslandSolve() { wake_all(); }

  NewtonResult run() {
    NewtonResult r;
    Nodes foreseen;  // after the first iteration, to see at the end how good its forecast was
    const auto stopped = [&](NewtonStop stop, int node) {
      r.stop = stop, r.node = node;
      return r;
    };
    if (problem_.guess) go_on_from_guess();
    for (;;) {
      const auto [stop, node, step] = find_solution();
      if (stop != NewtonStop::converged) return stopped(stop, node);
      const double now = std::max(step.length / newton_.size, step.turn);
      if (r.iterations == 0) first_ = std::max(first_, now), r.first_move = step.length;
      make_moves();
      ++r.iterations;
      if (r.iterations == 1) foreseen = s_.nodes;
      if (judge(r.iterations)) {
        if (is_too_slow(r.iterations))
          return stopped(NewtonStop::too_slow, largest_move(newton_.solution, problem_.model.nodes).node);
        if (find_knots()) r.iterations += settle_knots();
        continue;
      }
      wake_all();
      solve_.find_residual();
      if (const int bad = first_not_finite(newton_.residual); bad >= 0) return stopped(NewtonStop::not_finite, bad);
      r.from_foreseen = farthest(foreseen, s_.nodes);
      return r;
    }
  }

 private:
  // What one iteration would move, into newton_.solution. Converged: there is such a move.
  struct Solution {
    NewtonStop stop = NewtonStop::converged;
    int node = -1;
    LargestMove step;
  };
  Solution find_solution() {
    newton_.pulse.beat();
    find_residual_and_islands();
    if (const int bad = first_not_finite(newton_.residual); bad >= 0) return {NewtonStop::not_finite, bad, {}};
    if (!factor()) return {NewtonStop::singular, newton_.ldlt.lost(), {}};
    solve_.solve();
    const LargestMove step = largest_move(newton_.solution, problem_.model.nodes);
    if (!std::isfinite(step.length) || !std::isfinite(step.turn)) return {NewtonStop::singular, step.node, step};
    return {NewtonStop::converged, -1, step};
  }
  // At the poses that a solve with other rules came to, islands for which the rules are the same are at their end.
  void go_on_from_guess() {
    const NodeRules* const rules = problem_.scheme->rules;
    solve_.fit();
    islands_ = islands_of(newton_.pairs, held_);
    std::vector<std::uint8_t> anew(static_cast<std::size_t>(islands_.count), rules ? 0 : 1), moves(held_.size(), 0);
    for_each_free([&](int i, int k) { anew[k] = anew[k] || rules->anew[i] ? 1 : 0; });
    for_each_free([&](int i, int k) { moves[i] = anew[k], rests_[i] = anew[k] ? 0 : 1; });
    contact_.go_on(s_, problem_.inputs, moves);
  }
  // An island that was at rest and has got a new neighbour moves on, with it.
  void find_residual_and_islands() {
    solve_.find_residual();
    solve_.fit();
    islands_ = islands_of(newton_.pairs, held_);
    const auto count = static_cast<std::size_t>(islands_.count);
    active_.assign(count, 0), now_.assign(count, 0.0), last_.assign(count, {});
    for_each_free([&](int i, int k) {
      if (!rests_[i]) active_[k] = 1;
      last_[k].move = std::max(last_[k].move, node_[i].move);
      last_[k].rounds = std::max(last_[k].rounds, node_[i].rounds);
      last_[k].began = std::max(last_[k].began, node_[i].began);
      last_[k].has_asked = last_[k].has_asked || node_[i].has_asked;
    });
    bool woken = false;
    for_each_free([&](int i, int k) {
      if (!active_[k] || !rests_[i]) return;
      rests_[i] = 0, woken = true;
    });
    let_rest();
    if (!woken) return;
    solve_.forget_residual();
    solve_.find_residual();
  }

  // Islands whose moves have become small go by the exact stiffness of contact, the others by the projected one; those
  // in which that has negative pivots as well, at first at the nodes that have them.
  [[nodiscard]] bool factor() {
    std::vector<std::uint8_t> projected(held_.size(), 0);
    for_each_free([&](int i, int k) { projected[i] = is_exact(k) ? 0 : 1; });
    if (!solve_.factor(false, false, &projected)) return false;
    if (newton_.ldlt.negative_pivots() == 0) return true;
    std::vector<std::uint8_t> bends(static_cast<std::size_t>(islands_.count), 0);
    for (const int i : newton_.ldlt.negative_rows()) projected[i] = 1, bends[islands_.of[i]] = 1;
    if (!solve_.factor(false, false, &projected)) return false;
    if (newton_.ldlt.negative_pivots() == 0) return true;
    for (const int i : newton_.ldlt.negative_rows()) bends[islands_.of[i]] = 1;
    for_each_free([&](int i, int k) { projected[i] = projected[i] || bends[k] ? 1 : 0; });
    return solve_.factor(false, false, &projected);
  }

  // Moves each island as far as it may go by itself, and notes the share of its way.
  void make_moves() {
    constexpr int most_cuts = 12;
    constexpr double push_back = 0.5;
    constexpr double least_cut = 0.3;  // what pushes back is steeper than a line: it lets go further than that tells
    std::vector<double> most = longest_shares();
    share_.assign(most.size(), 1.0);
    set_move(most);
    contact_.allow_by_island(s_, problem_.inputs, newton_.move, islands_.of, share_);
    const std::vector<double> pulls = pull();
    move_by(most);
    for (int cut = 0; cut < most_cuts; ++cut) {
      solve_.find_residual();
      const std::vector<double> ends = pull();
      bool all_fine = true;
      for (std::size_t k = 0; k < ends.size(); ++k) {
        if (!active_[k] || !(pulls[k] > 0) || ends[k] >= -push_back * pulls[k]) continue;
        share_[k] *= std::clamp(pulls[k] / (pulls[k] - ends[k]), least_cut, 0.7);
        all_fine = false;
      }
      if (all_fine) return solve_.keep_residual(), finish_shares(most);
      copy_poses(newton_.before, s_.nodes);
      move_by(most);
    }
    finish_shares(most);
  }
  // By the present shares of the longest moves. What is known to be free is the way that all go together, so where two
  // islands with different shares would meet, both go the smaller one, and only they: others do not wait for them.
  void move_by(const std::vector<double>& most) {
    set_move(product(most, share_));
    const bool together = std::all_of(share_.begin(), share_.end(), [&](double a) { return a == share_.front(); });
    while (!together && contact_.islands_meet(s_, problem_.inputs, newton_.move, islands_.of, share_))
      set_move(product(most, share_));
    make_move(s_, newton_);
  }
  void finish_shares(const std::vector<double>& most) { share_ = product(most, share_); }
  static std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> c(a.size());
    std::transform(a.begin(), a.end(), b.begin(), c.begin(), std::multiplies<>());
    return c;
  }

  // Lets islands rest that have come to their end, and whose friction needs no further round. False where all have. The
  // first time friction is asked about early, since the tail of that round is not needed; not the last time, since what
  // presses is not known before the end where the reach is small beside the move.
  bool judge(int iterations) {
    const double tolerance = tolerance_in_time(settings_, true, first_);
    std::vector<std::uint8_t> done(active_.size(), 1), again(active_.size(), 0);
    for (std::size_t k = 0; k < active_.size(); ++k) {
      if (!active_[k]) continue;
      const double before = last_[k].move, left = error_left(now_[k], before);
      const bool rounding = iterations > 2 && now_[k] > 0.5 * before && now_[k] < 1e-7;
      const bool whole = share_[k] == 1.0;
      done[k] = (whole && (left <= tolerance || rounding)) || now_[k] <= tolerance ? 1 : 0;
      const bool early =
          last_[k].rounds + 1 < rounds_of_an_island && !last_[k].has_asked && whole && left <= round_tolerance * first_;
      const bool asks = last_[k].rounds < rounds_of_an_island && (done[k] || early);
      again[k] = static_cast<std::uint8_t>(asks ? last_[k].rounds + 1 : 0);
      last_[k].has_asked = last_[k].has_asked || asks;
    }
    if (std::any_of(again.begin(), again.end(), [](auto round) { return round > 0; }))
      contact_.renew_by_island(s_, problem_.inputs, islands_.of, again);
    bool all_done = true, any_again = false;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      if (!active_[k]) continue;
      if (!again[k]) last_[k].move = share_[k] * now_[k];
      if (again[k]) ++last_[k].rounds, last_[k].began = iterations, last_[k].has_asked = false, any_again = true;
      if (again[k]) now_[k] = 0;  // which tells nothing of what friction makes of it now
      done[k] = done[k] && !again[k];
      all_done = all_done && done[k];
    }
    if (all_done) return false;
    for_each_free([&](int i, int k) {
      rests_[i] = done[k];
      if (active_[k]) node_[i] = last_[k];
    });
    let_rest();
    if (any_again) solve_.forget_residual();
    return true;
  }
  // Where only few of an island still go far, a slide, an edge that tips, these and those beside them are its knot.
  // Notes the knots, and how far those go that are in none of their island. Whether there are any that are worth it.
  bool find_knots() {
    constexpr std::size_t least_size = 20;
    constexpr double far_share = 0.05, few = 0.25;  // of the largest move of an island, of its nodes
    constexpr double tolerances_off = 100;
    const double least_move = tolerances_off * tolerance_in_time(settings_, true, first_);
    const auto is_far = [&](int i) {
      const int k = islands_.of[i];
      return k >= 0 && active_[k] && !rests_[i] && move_of(i) > far_share * now_[k];
    };
    knotted_.assign(held_.size(), 0);
    for_each_free([&](int i, int) { knotted_[i] = is_far(i) ? 1 : 0; });
    std::vector<std::uint8_t> far = knotted_;
    for (const auto& [a, b] : newton_.pairs) {
      if (far[a]) knotted_[b] = 1;
      if (far[b]) knotted_[a] = 1;
    }
    std::vector<std::size_t> size(active_.size(), 0), in_knots(active_.size(), 0);
    for_each_free([&](int i, int k) { ++size[k], in_knots[k] += knotted_[i]; });
    has_knot_.assign(active_.size(), 0);
    for (std::size_t k = 0; k < has_knot_.size(); ++k) {
      const bool is_few = static_cast<double>(in_knots[k]) < few * static_cast<double>(size[k]);
      has_knot_[k] = active_[k] && size[k] >= least_size && is_few && now_[k] > least_move ? 1 : 0;
    }
    calm_ = 0;
    for_each_free([&](int i, int k) {
      if (has_knot_[k] && !knotted_[i]) calm_ = std::max(calm_, move_of(i));
    });
    return std::any_of(has_knot_.begin(), has_knot_.end(), [](auto has) { return has != 0; });
  }
  // Lets knots go on by themselves, all else being held, until they are no farther off than the rest of their islands.
  // Returns the iterations that took: all that look at the whole only wait for a few otherwise.
  int settle_knots() {
    constexpr int most = 20;
    const double enough = std::max(calm_, tolerance_in_time(settings_, true, first_));
    const std::vector<std::uint8_t> held = held_, rests = rests_;
    for_each_free([&](int i, int k) {
      if (!has_knot_[k])
        rests_[i] = 1;
      else if (!knotted_[i])
        held_[i] = hold_all;
    });
    let_rest();
    solve_.forget_residual();
    int count = 0;
    std::vector<std::uint8_t> stays = rests;  // and nothing has come near it
    for (bool all_done = false; !all_done && count < most;) {
      if (find_solution().stop != NewtonStop::converged) break;  // the whole will tell
      std::transform(stays.begin(), stays.end(), rests_.begin(), stays.begin(), std::bit_and<>());
      make_moves();
      ++count;
      all_done = true;
      std::vector<std::uint8_t> done(active_.size(), 1);
      for (std::size_t k = 0; k < active_.size(); ++k) {
        if (!active_[k]) continue;
        done[k] = share_[k] == 1.0 && error_left(now_[k], last_[k].move) <= enough ? 1 : 0;
        last_[k].move = share_[k] * now_[k];
        all_done = all_done && done[k];
      }
      for_each_free([&](int i, int k) {
        rests_[i] = done[k];
        if (active_[k]) node_[i].move = last_[k].move;
      });
    }
    held_ = held, rests_ = stays;
    for (Past& p : node_) p.began += count;
    let_rest();
    solve_.forget_residual();
    return count;
  }
  bool is_too_slow(int iterations) const {
    for (std::size_t k = 0; k < active_.size(); ++k)
      if (active_[k] && iterations - last_[k].began >= settings_.most_iterations) return true;
    return false;
  }

  // Those that rest are as if held, and nobody need look at what is among them.
  void let_rest() {
    for (std::size_t i = 0; i < held_.size(); ++i) newton_.held[i] = rests_[i] ? std::uint8_t{hold_all} : held_[i];
    contact_.leave_out(&newton_.held);
    solve_.leave_out(&rests_);
  }
  void wake_all() {
    std::fill(rests_.begin(), rests_.end(), 0);
    newton_.held = held_;
    contact_.leave_out(nullptr);
    solve_.leave_out(nullptr);
    solve_.forget_residual();
  }

  bool is_exact(int island) const { return last_[island].move > 0 && last_[island].move <= exact_below; }

  // How far the solution moves a node, beside the size or in rad.
  double move_of(int i) const {
    const double* u = newton_.solution.data() + static_cast<std::ptrdiff_t>(dofs) * i;
    return std::max(std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / newton_.size,
                    std::sqrt(u[3] * u[3] + u[4] * u[4] + u[5] * u[5]));
  }
  // How much of its move an island may make in one iteration; notes how large it is.
  std::vector<double> longest_shares() {
    std::vector<LargestMove> largest(active_.size());
    for_each_free([&](int i, int k) {
      const double* u = newton_.solution.data() + static_cast<std::ptrdiff_t>(dofs) * i;
      largest[k].length = std::max(largest[k].length, std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
      largest[k].turn = std::max(largest[k].turn, std::sqrt(u[3] * u[3] + u[4] * u[4] + u[5] * u[5]));
    });
    std::vector<double> most;
    for (std::size_t k = 0; k < largest.size(); ++k) {
      now_[k] = std::max(largest[k].length / newton_.size, largest[k].turn);
      most.push_back(most_share(largest[k], settings_, newton_.size));
    }
    return most;
  }
  // How hard what is not in balance pulls along the solution.
  std::vector<double> pull() const {
    std::vector<double> sum(active_.size(), 0.0);
    for_each_free([&](int i, int k) {
      for (int c = 0; c < dofs; ++c) {
        const std::size_t at = static_cast<std::size_t>(dofs) * i + c;
        if (!((newton_.held[i] >> c) & 1)) sum[k] += newton_.residual[at] * newton_.solution[at];
      }
    });
    return sum;
  }
  void set_move(const std::vector<double>& share) {
    for (int i = 0; i < problem_.model.nodes; ++i) {
      const double by = islands_.of[i] >= 0 ? share[islands_.of[i]] : 0.0;
      for (int c = 0; c < 3; ++c) {
        newton_.move.v[c][i] = by * newton_.solution[dofs * i + c];
        newton_.move.w[c][i] = by * newton_.solution[dofs * i + 3 + c];
      }
    }
  }
  template <class Visit>
  void for_each_free(const Visit& visit) const {
    for (int i = 0; i < problem_.model.nodes; ++i)
      if (islands_.of[i] >= 0) visit(i, islands_.of[i]);
  }

  const NewtonProblem& problem_;
  State& s_;
  NewtonWork& newton_;
  const NewtonSettings& settings_;
  Equations solve_;
  Contact& contact_;
  std::vector<std::uint8_t> held_;   // [node] Hold bits of the problem
  std::vector<std::uint8_t> rests_;  // [node] its island has come to its end
  // What an island goes by.
  struct Past {
    double move = 0;         // size of its last one
    int rounds = 0;          // of friction: see Rounds
    int began = 0;           // the last of them, in iterations
    bool has_asked = false;  // in this round
  };
  std::vector<Past> node_;  // [node]
  double first_ = 0;        // size of the first move of all, or of what a guess has gone already
  Islands islands_;
  std::vector<std::uint8_t> active_;              // [island]
  std::vector<Past> last_;                        // [island]
  std::vector<std::uint8_t> knotted_, has_knot_;  // [node], [island]
  double calm_ = 0;                               // largest move of those in no knot of an island that has some
  std::vector<double> now_, share_;               // [island] size of this move, and how much of it was made
};

}  // namespace

NewtonResult solve_by_islands(const NewtonProblem& problem, State& s, Work& work, NewtonWork& newton,
                              const NewtonSettings& settings) {
  return IslandSolve(problem, s, work, newton, settings).run();
}

}  // namespace ls
