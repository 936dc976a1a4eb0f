#include "step/static_step.h"

#include "math/rotation.h"
#include "step/energy.h"
#include "step/explicit_step.h"
#include "step/ledger.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

constexpr int most_halvings = 7;      // 1/128 of a load step
constexpr int easy = 5;               // iterations; a part that took no more may be followed by a longer one
constexpr double astray = 0.01;       // of the size: farther from what the first iteration foresaw is another branch,
constexpr double astray_share = 0.7;  // unless the move itself was long
constexpr double beside =
    0.05;                       // of the size: equilibria farther from the drawn state than this are not what was drawn
constexpr double nudge = 1e-3;  // of the size, along the mode that a symmetric state gives way to

double distance(const Nodes& a, const Nodes& b) {
  double most = 0;
  for (int i = 0; i < a.count; ++i) most = std::max(most, norm(a.frame(i).x - b.frame(i).x));
  return most;
}

void stop_moving(Nodes& nodes) {
  for (int c = 0; c < 3; ++c) {
    std::fill(nodes.v[c].begin(), nodes.v[c].end(), 0.0);
    std::fill(nodes.w[c].begin(), nodes.w[c].end(), 0.0);
  }
}

struct Trial {
  NewtonResult newton;
  bool stable = false, same_branch = false;
  bool good() const { return newton.ok() && stable && same_branch; }
};

// Tries to go to equilibrium with the given inputs; the state is where Newton's method ended.
Trial attempt(const Model& m, const Inputs& in, State& s, Work& k, NewtonWork& n, const StaticSettings& settings) {
  Trial t;
  t.newton = solve_newton(m, in, in.held, {}, s.nodes, s, k, n, settings.newton);
  s.memory.iterations += t.newton.iterations;
  if (!t.newton.ok()) return t;
  t.same_branch = t.newton.from_foreseen <= astray * n.size + astray_share * t.newton.first_move;
  t.stable = is_stable(m, in, s, n);
  return t;
}

std::optional<Vibration> lowest(const Model& m, const Inputs& in, const State& s, NewtonWork& n) {
  auto found = lowest_vibrations(m, in, in.held, s, n, 1);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

// A small push along a mode, so that which way a symmetric state gives way does not hang on rounding.
void push(const Vibration& mode, double distance, State& s) {
  double most = 0;
  for (const auto& a : mode.shape) most = std::max(most, norm(a.v));
  if (most == 0) return;
  for (int i = 0; i < s.nodes.count; ++i) {
    const auto f = s.nodes.frame(i);
    const auto& a = mode.shape[static_cast<std::size_t>(i)];
    const double share = distance / most;
    s.nodes.set(i, Frame<double>{f.x + share * a.v, normalized(turn(share * a.w) * f.q)});
  }
}

// From a state that is no longer stable down to one that is.
bool jump(const Model& m, const Inputs& in, const std::optional<Vibration>& mode, State& s, Work& k, NewtonWork& n,
          const StaticSettings& settings) {
  if (mode) push(*mode, nudge * n.size, s);
  return relax(m, in, s, k, n, settings.newton);
}

// Whether the lowest omega^2 goes to zero within a load step of here. Near a fold its square falls linearly.
bool runs_into_fold(double before, double here, double apart) {
  if (here <= 0) return true;
  if (here >= before) return false;
  return here * here / (before * before - here * here) * apart < 1.0;
}

}  // namespace

StaticResult find_equilibrium(const Model& m, const InputsAt& at, State& s, Work& k, NewtonWork& n,
                              const StaticSettings& settings) {
  StaticResult r;
  const State before = s;
  stop_moving(s.nodes);
  Trial t = attempt(m, at(0), s, k, n, settings);
  double factor = 0, part = 0.125;
  if (!t.newton.ok()) {
    const long long spent = s.memory.iterations;
    s = before;
    stop_moving(s.nodes);
    s.memory.iterations = spent;
    while (factor < 1) {
      const State here = s;
      Inputs in = at(0);
      in.load_factor = std::min(1.0, factor + part);
      t = attempt(m, in, s, k, n, settings);
      if (t.newton.ok()) {
        factor = in.load_factor, part *= 2;
        continue;
      }
      const long long iterations = s.memory.iterations;
      s = here;
      s.memory.iterations = iterations;
      part /= 2;
      if (part < 1e-4) {
        k.lost_node = t.newton.node;
        s = before;
        stop_moving(s.nodes);
        s.memory.iterations = iterations;
        if (relax(m, at(0), s, k, n, settings.newton)) {  // slide down from there
          sum_wrenches(m, at(0), s, k);
          return r;
        }
        r.outcome = Outcome::diverged, r.reason = t.newton.stop, r.share = factor;
        s = before;
        return r;
      }
    }
  }
  const Inputs& in = at(0);
  // From afar Newton's method may end on an equilibrium that no rod would come to: an inverted pendulum.
  if (!t.stable && distance(before.nodes, s.nodes) > beside * n.size) {
    const State there = s;
    s.nodes = before.nodes;
    stop_moving(s.nodes);
    t.stable = relax(m, in, s, k, n, settings.newton);
    if (!t.stable) s = there;
  }
  if (!t.stable) {
    r.mode = lowest(m, in, s, n);
    r.event = StaticEvent::fold, r.share = 0;
    if (settings.on_instability == OnInstability::jump) {
      r.event = StaticEvent::jump;
      if (!jump(m, in, r.mode, s, k, n, settings))
        r.outcome = Outcome::diverged, r.reason = NewtonStop::no_rest, s = before;
    }
  }
  sum_wrenches(m, in, s, k);
  return r;
}

StaticResult step_static(const Model& m, const InputsAt& at, State& s, Work& k, NewtonWork& n,
                         const StaticSettings& settings) {
  StaticResult r;
  int& level = s.memory.halvings;
  double done = 0, last_part = 0;
  Nodes previous = s.nodes;  // the equilibrium before this one
  stop_moving(s.nodes);
  while (done < 1) {
    const double part = std::ldexp(1.0, -level);
    const State here = s;
    const Trial t = attempt(m, at(done + part), s, k, n, settings);
    if (t.good()) {
      record_static(m, at, done, done + part, here.nodes, s, k);
      previous = here.nodes, last_part = part, done += part;
      if (t.newton.iterations <= easy && level > 0 && std::fmod(done, 2 * part) == 0) --level;
      continue;
    }
    const State there = s;
    const long long spent = s.memory.iterations;
    const int was = level;
    s = here;
    s.memory.iterations = spent;
    if (was < most_halvings) {
      level = was + 1;
      continue;
    }
    // Nothing stable lies ahead on this branch, even in the smallest part.
    level = 0;
    const bool unstable = t.newton.ok() && !t.stable, elsewhere = t.newton.ok() && !t.same_branch;
    if (unstable) {
      r.mode = lowest(m, at(done + part), there, n);
    } else {
      r.mode = lowest(m, at(done), s, n);
      State earlier = s;
      earlier.nodes = previous;
      const auto mode_before = last_part > 0 ? lowest(m, at(done - last_part), earlier, n) : std::nullopt;
      const bool fold =
          r.mode &&
          (elsewhere || (mode_before && runs_into_fold(mode_before->omega_squared, r.mode->omega_squared, last_part)));
      if (!fold) {
        k.lost_node = t.newton.node;
        r.outcome = Outcome::diverged, r.reason = t.newton.stop, r.share = done;
        return r;
      }
    }
    r.share = done;
    if (settings.on_instability == OnInstability::stop) {
      r.event = StaticEvent::fold;
      sum_wrenches(m, at(done), s, k);
      return r;
    }
    r.event = StaticEvent::jump;
    if (unstable) s = there;
    const Inputs in = at(done + part);  // a copy: relaxing must see the same to the end
    const double before = total_energy(energies(m, in, s, k.team));
    if (!jump(m, in, r.mode, s, k, n, settings)) {
      r.outcome = Outcome::diverged, r.reason = NewtonStop::no_rest;
      s = here;
      return r;
    }
    s.memory.ledger.dissipated += before - total_energy(energies(m, in, s, k.team));
    previous = s.nodes, last_part = 0, done += part;
  }
  const Inputs& in = at(1.0);
  sum_wrenches(m, in, s, k);
  for (const auto& term : m.terms) term->advance(s, s.memory);
  ++s.clock.step;
  ++s.clock.step_in_stage;
  s.clock.time = in.t;
  return r;
}

}  // namespace ls
