#include "step/newton/static_step.h"

#include "step/energy.h"
#include "step/explicit_step.h"
#include "step/hold.h"
#include "step/ledger.h"
#include "step/move.h"
#include "step/newton/follower_loads.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

constexpr int most_halvings = 7;  // 1/128 of a load step
constexpr int easy = 5;           // iterations; a part that took no more may be followed by a longer one
constexpr int easy_in_contact = 15;
constexpr double beside =
    0.05;                       // of the size: equilibria farther from the drawn state than this are not what was drawn
constexpr double nudge = 1e-3;  // of the size, along the mode that a symmetric state gives way to

struct Trial {
  NewtonResult newton;
  bool stable = false, same_branch = false;
  bool good() const { return newton.ok() && stable && same_branch; }
};

// Tries to go to equilibrium with the given inputs; the state is where Newton's method ended.
Trial attempt(const Model& m, const Inputs& in, State& s, Work& work, NewtonWork& newton,
              const StaticSettings& settings) {
  Trial t;
  t.newton = solve_newton({m, in, in.held, s.nodes, {}}, s, work, newton, settings.newton);
  s.memory.iterations += t.newton.iterations;
  if (t.newton.ok() && in.contact == ContactLaw::barrier && !(contact_report(m, work.terms, s, in).min_gap > 0))
    t.newton.stop = NewtonStop::blocked;
  if (!t.newton.ok()) return t;
  t.same_branch = t.newton.from_foreseen <= branch_width(newton.size, t.newton.first_move);
  t.stable = is_stable(m, in, s, newton) || !is_conservative(in);
  return t;
}

std::optional<Vibration> lowest(const Model& m, const Inputs& in, const State& s, NewtonWork& newton) {
  auto found = lowest_vibrations(m, in, in.held, s, newton, 1);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

// A small push along a mode, so that which way a symmetric state gives way does not hang on rounding. No farther than
// nothing passes through anything.
void push(const Inputs& in, const Vibration& mode, double distance, State& s, NewtonWork& newton) {
  double most = 0;
  for (const auto& a : mode.shape) most = std::max(most, norm(a.v));
  if (most == 0) return;
  const auto set = [&](double share) {
    for (int i = 0; i < s.nodes.count; ++i) {
      const auto& a = mode.shape[i];
      const double v[3] = {a.v.x, a.v.y, a.v.z}, w[3] = {a.w.x, a.w.y, a.w.z};
      for (int c = 0; c < 3; ++c) newton.move.v[c][i] = share * v[c], newton.move.w[c][i] = share * w[c];
    }
  };
  double share = distance / most, allowed = 1;
  set(share);
  if (Contact* contact = newton.terms.contact(in)) allowed = contact->allowed(s, in, newton.move);
  if (allowed < 1) set(share * allowed);
  make_move(s, newton);
}

// From a state that is no longer stable down to one that is.
bool jump(const Model& m, const Inputs& in, const std::optional<Vibration>& mode, State& s, Work& work,
          NewtonWork& newton, const StaticSettings& settings) {
  if (mode) push(in, *mode, nudge * newton.size, s, newton);
  return relax(m, in, s, work, newton, settings.newton);
}

// Whether the lowest omega^2 goes to zero within a load step of here. Near a fold its square falls linearly.
bool runs_into_fold(double before, double here, double apart) {
  if (here <= 0) return true;
  if (here >= before) return false;
  return here * here / (before * before - here * here) * apart < 1.0;
}

// Back to an earlier state; the work done since stays counted.
void go_back(const State& to, State& s) {
  const long long spent = s.memory.iterations;
  s = to;
  s.memory.iterations = spent;
}

// Builds the loads up from nothing, in steps as small as it takes, to the equilibrium of `at(0)`.
Trial build_up(const Model& m, const InputsAt& at, State& s, Work& work, NewtonWork& newton,
               const StaticSettings& settings) {
  constexpr double least = 1e-4;
  double factor = 0;
  bool grows = true;  // what failed just now would fail again
  Trial t;
  for (double part = 0.125; factor < 1 && part >= least;) {
    const State here = s;
    Inputs in = at(0);
    in.load_factor = std::min(1.0, factor + part);
    t = attempt(m, in, s, work, newton, settings);
    if (t.newton.ok()) {
      factor = in.load_factor, part *= grows ? 2 : 1, grows = true;
    } else {
      go_back(here, s);
      part /= 2, grows = false;
    }
  }
  return t;
}

// Adds a slide from one equilibrium to another, over a part of a load step: what drives, loads and fields brought in
// and the state does not store is lost on the way.
void record_slide(const Model& m, const InputsAt& at, double from, double to, const State& before, State& end,
                  Work& work) {
  if (work.terms.joints) work.terms.joints->note_forces(false, {}, end.memory);
  end.memory.reels = at(to).reels;
  Ledger& ledger = end.memory.ledger;
  const double off = total_energy(m, at(from), before, work) - before.memory.ledger.supplied();
  record_static(m, at, from, to, before, end, work);
  ledger.dissipated += ledger.supplied() - total_energy(m, at(to), end, work) + off;
}

// Whether bonds are asked for more than they bear; `after` then knows which.
bool breaks(const Inputs& in, const State& s, const Work& work, Memory& after) {
  if (s.memory.broken.empty()) return false;
  after = s.memory;
  for (const auto& term : work.terms.all) term->advance(s, in, after);
  return after.broken != s.memory.broken;
}

// An equilibrium in which bonds bear more than they can is none: they break, and the rest slides to another, in which
// others may break. False where nothing holds what came loose. What bonds had stored is lost.
bool break_and_rest(const Model& m, const InputsAt& at, double share, State& s, Work& work, NewtonWork& newton,
                    const StaticSettings& settings) {
  const Inputs in = at(share);
  for (Memory after; breaks(in, s, work, after);) {
    const State before = s;
    s.memory.broken = after.broken;
    if (!relax(m, in, s, work, newton, settings.newton)) return false;
    record_slide(m, at, share, share, before, s, work);
  }
  return true;
}

// Where a load step stands on its branch.
struct Walk {
  double done = 0;       // share of the load step
  double last_part = 0;  // the part before; 0: none on this branch
  Nodes previous;        // the equilibrium before this one
};

bool touches(const Model& m, const Inputs& in, const State& s, const Terms& terms) {
  return m.shapes && in.contact == ContactLaw::barrier && contact_report(m, terms, s, in).contacts > 0;
}

// The smallest part of a load step that did not lead to anything stable.
struct DeadEnd {
  const Walk& walk;
  double part;
  const Trial& trial;
  const State& here;   // where it set out from
  const State& there;  // where it led
};

// Nothing stable lies ahead on the branch. Tells whether that is a loss of stability, with the mode that gives way, or
// only a failure.
bool gives_way(const Model& m, const InputsAt& at, const DeadEnd& end, NewtonWork& newton, StaticResult& r) {
  const auto& [walk, part, t, here, there] = end;
  if (t.newton.stop == NewtonStop::blocked) return false;
  if (t.newton.ok() && !t.stable) {
    r.mode = lowest(m, at(walk.done + part), there, newton);
    return true;
  }
  r.mode = lowest(m, at(walk.done), here, newton);
  if (touches(m, at(walk.done), here, newton.terms)) return true;  // no stiffness need go to zero
  if (!r.mode) return false;
  if (t.newton.ok()) return true;  // the branch ended and Newton's method found another
  if (walk.last_part == 0) return false;
  State earlier = here;
  earlier.nodes = walk.previous;
  const auto before = lowest(m, at(walk.done - walk.last_part), earlier, newton);
  return before && runs_into_fold(before->omega_squared, r.mode->omega_squared, walk.last_part);
}

// Where shapes touch, equilibria can end without any stiffness going to zero: a contact slides off an edge or opens.
// Often the next one lies close by, and letting the state slide there is all it takes; false where it goes far.
// `far` is then where it came to rest, if it did.
bool slips(const Model& m, const InputsAt& at, Walk& walk, double part, State& s, Work& work, NewtonWork& newton,
           const StaticSettings& settings, std::optional<State>& far) {
  constexpr double close = 0.01;  // of the size
  const Inputs in = at(walk.done + part);
  if (!touches(m, in, s, newton.terms)) return false;
  const State here = s;
  const bool rests = relax(m, in, s, work, newton, settings.newton);
  if (!rests || farthest(here.nodes, s.nodes) > close * newton.size) {
    if (rests) far = s;
    go_back(here, s);
    return false;
  }
  record_slide(m, at, walk.done, walk.done + part, here, s, work);
  walk = {walk.done + part, 0, s.nodes};
  return true;
}

// A part of a load step that was good.
struct Found {
  double part;
  const Trial& trial;
  const State& here;  // where it set out from
  bool broke;         // bonds do not bear it
};

// Notes what the part brought in, and goes on from where it led. False where what broke finds no rest.
bool go_on(const Model& m, const InputsAt& at, const Found& found, Walk& walk, State& s, Work& work, NewtonWork& newton,
           const StaticSettings& settings) {
  const double from = walk.done, to = walk.done + found.part;
  const Inputs in = at(to);
  int& level = s.memory.halvings;
  if (work.terms.joints) work.terms.joints->note_forces(false, {}, s.memory);
  s.memory.reels = in.reels;
  record_static(m, at, from, to, found.here, s, work);
  if (Contact* contact = newton.terms.contact(in)) s.memory.ledger.friction += contact->friction_work(s, in, 0);
  walk = {to, found.part, found.here.nodes};
  if (found.broke) {
    if (!break_and_rest(m, at, to, s, work, newton, settings)) return false;
    walk = {to, 0, s.nodes};
  }
  const int few = m.shapes ? easy_in_contact : easy;
  if (found.trial.newton.iterations <= few && level > 0 && std::fmod(to, 2 * found.part) == 0) --level;
  return true;
}

}  // namespace

StaticResult find_equilibrium(const Model& m, const InputsAt& at, State& s, Work& work, NewtonWork& newton,
                              const StaticSettings& settings) {
  StaticResult r;
  stop_moving(s.nodes);
  const State drawn = s;
  Trial t = attempt(m, at(0), s, work, newton, settings);
  if (!t.newton.ok()) {
    go_back(drawn, s);
    t = build_up(m, at, s, work, newton, settings);
  }
  const Inputs in = at(0);
  // From afar Newton's method may end on an equilibrium that no rod would come to, an inverted pendulum, or on none.
  if (!t.newton.ok() || (!t.stable && farthest(drawn.nodes, s.nodes) > beside * newton.size)) {
    const State there = s;
    go_back(drawn, s);
    const bool slid = relax(m, in, s, work, newton, settings.newton);
    if (!slid && !t.newton.ok()) {
      go_back(drawn, s);
      work.lost_node = t.newton.node;
      r.outcome = Outcome::diverged, r.reason = t.newton.stop;
      return r;
    }
    if (slid)
      t.stable = true;
    else
      go_back(there, s);
  }
  if (!t.stable) {
    r.mode = lowest(m, in, s, newton);
    r.event = StaticEvent::fold, r.share = 0;
    if (settings.on_instability == OnInstability::jump) {
      r.event = StaticEvent::jump;
      if (!jump(m, in, r.mode, s, work, newton, settings))
        r.outcome = Outcome::diverged, r.reason = NewtonStop::no_rest, go_back(drawn, s);
    }
  }
  if (work.terms.joints) work.terms.joints->note_forces(false, {}, s.memory);
  if (r.event != StaticEvent::fold && !break_and_rest(m, at, 0, s, work, newton, settings))
    r.outcome = Outcome::diverged, r.reason = NewtonStop::no_rest, go_back(drawn, s);
  sum_wrenches(m, in, s, work);
  return r;
}

// A load step follows the branch that it is on; only a jump may leave it.
static StaticSettings staying_on_branch(StaticSettings settings) {
  settings.newton.one_branch = true;
  return settings;
}

StaticResult step_static(const Model& m, const InputsAt& at, State& s, Work& work, NewtonWork& newton,
                         const StaticSettings& settings) {
  StaticResult r;
  int& level = s.memory.halvings;
  Walk walk{0, 0, s.nodes};
  const StaticSettings on_branch = staying_on_branch(settings);
  const auto no_rest = [&](const State& last) {
    r.outcome = Outcome::diverged, r.reason = NewtonStop::no_rest;
    go_back(last, s);
    return r;
  };
  stop_moving(s.nodes);
  while (walk.done < 1) {
    const double part = std::ldexp(1.0, -level);
    if (level < most_halvings && driven_turn(at, walk.done, walk.done + part) > most_driven_turn) {
      ++level;
      continue;
    }
    const State here = s;
    const Trial t = attempt(m, at(walk.done + part), s, work, newton, on_branch);
    Memory after;
    const bool broke = t.good() && breaks(at(walk.done + part), s, work, after);
    if (t.good() && (!broke || level == most_halvings)) {
      if (go_on(m, at, {part, t, here, broke}, walk, s, work, newton, settings)) continue;
      return no_rest(here);
    }
    const State there = s;
    go_back(here, s);
    if (level < most_halvings) {
      ++level;
      continue;
    }
    std::optional<State> slid;
    if (t.newton.stop != NewtonStop::blocked && slips(m, at, walk, part, s, work, newton, settings, slid)) continue;
    r.share = walk.done;
    if (!gives_way(m, at, {walk, part, t, here, there}, newton, r)) {
      work.lost_node = t.newton.node;
      r.outcome = Outcome::diverged, r.reason = t.newton.stop;
      return r;
    }
    r.event = settings.on_instability == OnInstability::stop ? StaticEvent::fold : StaticEvent::jump;
    if (r.event == StaticEvent::fold) return r;           // with the wrenches that were in balance where it stands
    const bool from_saddle = t.newton.ok() && !t.stable;  // where rounding must not choose the side
    if (from_saddle) s.nodes = there.nodes;
    const Inputs in = at(walk.done + part);
    if (slid && !from_saddle) {
      go_back(*slid, s);
    } else if (!jump(m, in, r.mode, s, work, newton, settings)) {
      return no_rest(here);
    }
    record_slide(m, at, walk.done, walk.done + part, here, s, work);
    walk = {walk.done + part, 0, s.nodes};
  }
  const State there = s;
  if (!break_and_rest(m, at, 1, s, work, newton, settings)) return no_rest(there);  // after a jump
  const Inputs in = at(1.0);
  sum_wrenches(m, in, s, work);
  end_step(in, s, work);
  return r;
}

}  // namespace ls
