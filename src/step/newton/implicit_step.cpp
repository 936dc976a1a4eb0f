#include "step/newton/implicit_step.h"

#include "math/rotation.h"
#include "model/finite.h"
#include "step/energy.h"
#include "step/explicit_step.h"
#include "step/hold.h"
#include "step/ledger.h"
#include "step/move.h"
#include "step/newton/follower_loads.h"
#include "step/newton/joints/blow.h"
#include "step/newton/leftover.h"
#include "step/newton/node_rules.h"
#include "step/newton/vibrations.h"
#include "step/thermal.h"
#include "terms/marker_term.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ls {

namespace {

constexpr int most_halvings = 16;
constexpr int easy = 6;  // iterations; a step that took no more may try to be longer
// rad, of a drive in a part of a midpoint step: Cayley's map makes more of it than its angle, by a twelfth of its
// square.
constexpr double most_driven_step = 0.8;
constexpr int easy_in_contact = 25;
constexpr int tries_longer_every = 16;  // steps, where nothing can touch: what fails costs a sixteenth at most

// Where held nodes must be at the point that forces are taken at, for them to end where the schedule wants them.
std::vector<HeldNode> held_at_pose(const std::vector<HeldNode>& end, const Nodes& start, int a) {
  std::vector<HeldNode> held = end;
  if (a == 1) return held;
  for (auto& h : held) {
    const auto f = start.frame(h.node);
    const Quat<double> q = nearer(h.pose.q, f.q);
    h.pose.x = 0.5 * (f.x + h.pose.x);
    h.pose.q = normalized(turn(0.5 * rotation_vector(q * conj(f.q))) * f.q);
  }
  return held;
}

// A part of a step, by shares of it, and the rule that it goes by.
struct Part {
  double from, to;
  int a;
  const NodeRules* rules = nullptr;  // of single nodes
  Nodes* came_to = nullptr;          // the poses that forces were taken at; not empty: those to begin the search at
};

NewtonResult take_by_rule(const Model& m, const InputsAt& at, const Part& part, State& s, Work& work,
                          NewtonWork& newton, const ImplicitSettings& settings) {
  const auto [from, to, a, rules, came_to] = part;
  const Nodes start = s.nodes;
  const Memory known = s.memory;
  const Inputs later = at(to);
  const std::vector<HeldNode>&end = later.held, held = held_at_pose(end, start, a);
  Inputs in = at(a == 1 ? to : 0.5 * (from + to));
  if (a == 2) in.step_start = &start;
  in.rule = {&start, a, rules ? &rules->a : nullptr, in.dt * (to - from)};
  for (std::size_t k = 0; k < in.motors.size(); ++k)
    if (m.joints.motors[k].kind == MotorKind::position) in.motors[k] = later.motors[k];
  const ImplicitScheme scheme{in.dt * (to - from), a, &newton.bonded, rules};
  const Nodes* guess = came_to && came_to->count > 0 ? came_to : nullptr;
  auto r = solve_newton({m, in, held, start, scheme, guess}, s, work, newton, settings.newton);
  for (int i = 0; i < m.nodes && r.ok(); ++i)
    if (!is_within_reach(scheme, i, start.frame(i), s.nodes.frame(i))) r.stop = NewtonStop::too_slow, r.node = i;
  if (!r.ok()) {
    s.nodes = start;
    return r;
  }
  const State pose = s;
  s.memory.reels = later.reels;
  if (came_to) *came_to = s.nodes;
  for (int i = 0; i < m.nodes; ++i) {
    const auto e = end_of_step(scheme, start, i, pose.nodes.frame(i));
    s.nodes.set(i, e.frame);
    s.nodes.set(i, e.twist);
  }
  if (a == 2) give_leftover(m, end, newton, scheme.dt, pose.nodes, s.nodes);
  put_held(end, true, s);
  if (const int lost = first_without_numbers(s.nodes); lost >= 0) {
    s.nodes = start;
    r.stop = NewtonStop::not_finite, r.node = lost;
    return r;
  }
  if (in.contact == ContactLaw::barrier && !(contact_report(m, work.terms, s, in).min_gap > 0)) {  // two that are held
    s.nodes = start;
    r.stop = NewtonStop::blocked, r.node = end.empty() ? 0 : end.front().node;
    return r;
  }
  record_implicit(m, at, in, {from, to, scheme.dt}, start, known, pose, s, work);
  if (Joints* joints = work.terms.joints) {
    std::vector<double> blows;
    if (a == 2 && joints->has_blows()) blows = take_blow(m, later, s, newton, false);
    for (double& b : blows) b /= scheme.dt;
    joints->note_forces(a == 2, blows, s.memory);
  }
  if (in.flow) {
    note_marker_impulses(m.markers.markers, *in.flow, pose.nodes, scheme.dt, s.memory);
    std::vector<Vec3<double>> push, before;
    for (const auto& h : in.held) {
      push.push_back(scheme.dt * pose.nodes.wrench(h.node).force);
      before.push_back(start.twist(h.node).v);
    }
    s.memory.drive_impulse += drive_impulse(m, in, push, before, s.nodes);
  }
  return r;
}

// One part of a step, from share `from` of it to share `to`. a: the rule that it went by.
NewtonResult take_part(const Model& m, const InputsAt& at, double from, double to, State& s, Work& work,
                       NewtonWork& newton, const ImplicitSettings& settings, int& a) {
  a = settings.a;
  if (!settings.flies) return take_by_rule(m, at, {from, to, a}, s, work, newton, settings);
  const State start = s;
  const Inputs in = at(to);
  foresee_way(m, in.held, start.nodes, in.dt * (to - from), newton.move);
  let_fly(m, in, in.held, start, newton);
  int iterations = 0;
  Nodes came_to;
  for (;;) {
    const Flight flight = flight_of(in.held, newton);
    a = flight == Flight::all ? 2 : 1;
    const NodeRules* rules = a == 1 ? &newton.rules : nullptr;
    auto r = take_by_rule(m, at, {from, to, a, rules, &came_to}, s, work, newton, settings);
    r.iterations += std::exchange(iterations, r.iterations + iterations);
    if (!r.ok() || flight == Flight::none) return r;
    find_way(start.nodes, s.nodes, newton.move);
    if (!take_back(in, start, newton)) return r;
    s = start;
  }
}

// Midpoint steps keep energy (physics/bond_step.h) but where nodes turn by a large angle in one of them, and in fields
// that bend within the way of a step: parts that do not are taken again in halves. Where drives, loads or changing
// fields do work the ledger knows it only to second order, so that there only a step that feeds on itself counts.
// What is gained or lost, over what may be: above 1 the part is too long. 0 where that says nothing about longer parts.
double energy_error(const Model& m, const InputsAt& at, double from, double to, const State& before, const State& after,
                    double size, Work& work) {
  constexpr double most = 0.02;  // of all that moves and strains
  // Where nothing does work from outside. What bonds make in hard steps has the same sign in most of them, and adds up
  // over tens of thousands; what joints make comes and goes with their swings.
  const double most_closed = m.joints.joints.empty() ? 1e-7 : 1e-6;
  constexpr int halvings_for_closed = 4;  // beyond, the error stands
  constexpr double rounding = 1e-16;      // of what it would take to move the whole by its own size in one step
  const auto work_done = [](const Ledger& l) { return l.supplied() - l.start; };
  const auto first = energies(m, at(from), before, work);
  const auto last = energies(m, at(to), after, work);
  const auto total = [](const std::vector<EnergyPart>& e) { return energy_of(e, "total"); };
  const auto inner = [&](const std::vector<EnergyPart>& e) {
    const double dipoles = energy_of(e, "dipole") + energy_of(e, "induction");  // below zero where they attract
    return total(e) - energy_of(e, "gravity") - energy_of(e, "zeeman") - dipoles + std::abs(dipoles);
  };
  const double gain = total(last) - total(first) - work_done(after.memory.ledger) + work_done(before.memory.ledger);
  double mass = 0;
  for (int i = 0; i < m.nodes; ++i) mass += m.mass[i];
  const double speed = size / (at(to).dt * (to - from));
  const double all = inner(first) + inner(last), noise = rounding * mass * speed * speed;
  if (gain > most * all + noise) return std::numeric_limits<double>::infinity();
  const Ledger &l0 = before.memory.ledger, &l1 = after.memory.ledger;
  const bool closed =
      l0.drives == l1.drives && l0.loads == l1.loads && l0.fields == l1.fields && l0.motors == l1.motors;
  if (!closed || gain == 0) return 0;
  const double error = std::abs(gain) / (most_closed * all + noise);
  return to - from <= std::ldexp(1.0, -halvings_for_closed) ? std::fmin(error, 1.0) : error;
}

// What became of a part of a step: whether it was good enough, and whether one of twice the length may be tried next.
// Not good: the node that it failed at, and whether that is one that jumped.
struct Tried {
  bool good = false, coarser = false;
  int node = -1;
  bool by_jump = false;
};

// A part that is not good leaves the state as it was, but for the iterations that it took.
Tried try_part(const Model& m, const InputsAt& at, double from, double to, State& s, Work& work, NewtonWork& newton,
               const ImplicitSettings& settings) {
  const double middle = 0.5 * (from + to);
  const State here = s;
  int a = settings.a;
  const auto r = take_part(m, at, from, to, s, work, newton, settings, a);
  s.memory.iterations += r.iterations;
  bool good = r.ok(), coarser = r.iterations <= (m.shapes ? easy_in_contact : easy);
  if (good && settings.accuracy > 0) {  // the same again in two halves tells the error
    const Nodes whole = s.nodes;
    const long long spent = s.memory.iterations;
    s = here;
    int a1 = a, a2 = a;
    const auto r1 = take_part(m, at, from, middle, s, work, newton, settings, a1);
    const auto r2 = r1.ok() ? take_part(m, at, middle, to, s, work, newton, settings, a2) : r1;
    a = std::min({a, a1, a2});
    s.memory.iterations = spent + r1.iterations + r2.iterations;
    const double error = farthest(whole, s.nodes) / (a == 2 ? 3 : 1);
    const double allowed = settings.accuracy * newton.size;
    good = r2.ok() && error <= allowed;
    coarser = coarser && error < allowed / (a == 2 ? 10 : 5);
  }
  if (good && a == 2) {  // a part of twice the length would have eight times the error
    const double error = energy_error(m, at, from, to, here, s, newton.size, work);
    good = error <= 1;
    coarser = coarser && error < 1.0 / 8;
  }
  if (!good) {
    const int thrown = r.ok() ? farthest_node(here.nodes, s.nodes) : r.node;
    const long long spent = s.memory.iterations;
    s = here;
    s.memory.iterations = spent;
    return {false, false, thrown, r.ok()};
  }
  const int pieces = settings.accuracy > 0 ? 2 : 1;
  for (int k = 0; k < pieces; ++k) s.memory.parts.add(at(to).dt * (to - from) / pieces);
  return {true, coarser};
}

// On a way down friction only slows: contacts that open and close again would go to and fro with their stretch for
// ever.
void forget_stretch(Memory& memory) {
  memory.stuck.clear(), memory.stretch.clear();
}

}  // namespace

Outcome step_implicit(const Model& m, const InputsAt& at, State& s, Work& work, NewtonWork& newton,
                      const ImplicitSettings& settings) {
  const State before = s;
  int& level = s.memory.halvings;
  double done = 0;
  const auto fail = [&](int node, bool by_jump = false) {
    s = before;
    work.lost_node = node, work.lost_by_jump = by_jump;
    return Outcome::diverged;
  };
  const Inputs in = at(1.0);
  const bool heated = in.temperature > 0;
  if (heated) add_heat(m, in, s, 0), put_held(at(0.0).held, true, s);
  if (s.clock.step_in_stage == 0) take_blow(m, at(0.0), s, newton, true);
  // Steps that are slow at any length would stay as short as the hardest of them had to be.
  if (level > 0 && !m.shapes && settings.accuracy == 0 && s.clock.step_in_stage % tries_longer_every == 0) --level;
  const double most_turn = settings.a == 2 ? most_driven_step : most_driven_turn;
  while (done < 1) {
    const double part = std::ldexp(1.0, -level);
    if (level < most_halvings && !in.held.empty() && driven_turn(at, done, done + part) > most_turn) {
      ++level;
      continue;
    }
    const Tried tried = try_part(m, at, done, done + part, s, work, newton, settings);
    if (!tried.good) {
      if (++level > most_halvings) return fail(tried.node, tried.by_jump);
      continue;
    }
    done += part;
    const double twice = 2 * part;  // only where a longer part would begin, so that parts nest
    if (tried.coarser && level > 0 && std::fmod(done, twice) == 0) --level;
  }
  if (heated) add_heat(m, in, s, 1), put_held(in.held, true, s);
  sum_wrenches(m, in, s, work);
  if (const int lost = first_without_numbers(s.nodes); lost >= 0) return fail(lost);
  end_step(in, s, work);
  return Outcome::done;
}

bool relax(const Model& m, const Inputs& in, State& s, Work& work, NewtonWork& newton, const NewtonSettings& settings) {
  constexpr int most_steps = 4000;
  double dt = 1e-3 * std::sqrt(newton.size / 10.0);  // a small share of the time in which a body falls by its own size
  int calm = 0;
  int wait = 0;  // steps until a longer one is tried
  const Nodes first = s.nodes;
  // The way down need not be exact, only its end; and most of what has not converged by then never does: a shorter step
  // is cheaper.
  NewtonSettings rough = settings;
  rough.tolerance = std::max(settings.tolerance, 1e-4);
  rough.most_iterations = std::min(settings.most_iterations, 10);
  for (int i = 0; i < most_steps; ++i) {
    stop_moving(s.nodes);
    const Nodes start = s.nodes;
    const Memory known = s.memory;  // of contacts, whose past a move that is not made must not change
    forget_stretch(s.memory);
    const auto r = solve_newton({m, in, in.held, start, ImplicitScheme{dt, 1}}, s, work, newton, rough);
    s.memory.iterations += r.iterations;
    const double moved = r.ok() ? farthest(start, s.nodes) / newton.size : 1.0;
    // With a negative pivot the step is so long that it may end on a saddle instead of further down.
    if (!r.ok() || moved > 0.05 || newton.ldlt.negative_pivots() > 0) {
      const long long spent = s.memory.iterations;
      s.nodes = start, s.memory = known, s.memory.iterations = spent;
      dt *= 0.5, wait = 4;
      if (dt < 1e-12) return false;
      continue;
    }
    if (farthest(first, s.nodes) > 10 * newton.size) return false;  // nothing holds it
    if (r.iterations <= easy && moved < 0.02 && wait-- <= 0) dt *= 2;
    calm = moved < 1e-4 ? calm + 1 : 0;
    if (calm < 3) continue;
    const Nodes slid = s.nodes;  // close to an equilibrium: go there, if it is one that this slide would reach
    stop_moving(s.nodes), forget_stretch(s.memory);
    NewtonSettings near = settings;
    near.most_iterations = std::min(settings.most_iterations, settings.guarded_after);
    const auto still = solve_newton({m, in, in.held, slid, {}}, s, work, newton, near);
    s.memory.iterations += still.iterations;
    if (still.ok() && farthest(slid, s.nodes) < 0.05 * newton.size &&
        (is_stable(m, in, s, newton) || !is_conservative(in)))
      return true;
    s.nodes = slid;
    calm = 0;
  }
  return false;
}

}  // namespace ls
