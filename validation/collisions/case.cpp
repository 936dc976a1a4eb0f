#include "step/critical_step.h"
#include "step/explicit_step.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::collisions {

namespace {

constexpr double young = 1e7, poisson = 0.3, density = 1200, radius1 = 2e-3, radius2 = 3e-3;  // SI

struct Pair {
  double mass, radius, young;  // m*, R*, E*
};
double ball_mass(double r) {
  return density * 4.0 / 3.0 * 3.141592653589793 * r * r * r;
}
Pair pair_of(bool wall) {
  const double m1 = ball_mass(radius1), m2 = ball_mass(radius2), e = young / (1 - poisson * poisson);
  if (wall) return {m1, radius1, e};
  return {m1 * m2 / (m1 + m2), radius1 * radius2 / (radius1 + radius2), 0.5 * e};
}

// Hertz: deepest overlap, time in touch, largest force.
struct Hertz {
  double deepest, time, force;
};
Hertz hertz(const Pair& p, double speed) {
  const double d = std::pow(15 * p.mass * speed * speed / (16 * std::sqrt(p.radius) * p.young), 0.4);
  return {d, 2.94327 * d / speed, 4.0 / 3.0 * p.young * std::sqrt(p.radius) * std::pow(d, 1.5)};
}

// One ball against a rigid wall, or two balls head on. It starts so much later, s.
Builder::Result thrown(bool wall, double speed, double restitution, double late = 0) {
  Builder b;
  b.set_contact({}, false);
  RigidSpec ball;
  ball.name = "ball";
  ball.shape = ball_shape(radius1);
  ball.fill(density);
  ball.surface = {0, restitution, young, poisson};
  ball.velocity = {0, 0, -speed};
  ball.pose.x = {0, 0, radius1 + 1e-6 + late * speed};
  b.add(ball);
  if (wall) {
    WallSpec floor = plane_wall({0, 0, 0}, {0, 0, 1});
    floor.name = "floor";
    floor.surface = {0, restitution, 0, poisson};
    b.add(floor);
  } else {
    RigidSpec other = ball;
    other.name = "other";
    other.shape = ball_shape(radius2);
    other.fill(density);
    other.velocity = {};
    other.pose.x = {0, 0, -radius2};
    b.add(other);
  }
  return b.finish();
}

struct Seen {
  double time = 0, force = 0, restitution = 0, dt = 0;
  std::vector<double> at, press;  // s since the touch began, N
};
// steps: a collision by Hertz; 0: the automatic step.
Seen collide(bool wall, double speed, double restitution, int steps, double phase = 0) {
  Builder::Result r = thrown(wall, speed, restitution);
  Inputs in;
  in.contact = ContactLaw::hertz_mindlin;
  in.dt = steps > 0 ? hertz(pair_of(wall), speed).time / steps
                    : 0.5 * ls::critical_step(critical_step_of(r.model, r.state), make_terms(r.model), r.state, in);
  if (phase > 0) r = thrown(wall, speed, restitution, phase * in.dt);
  if (wall) in.held = {{1, hold_all, r.state.nodes.frame(1), {}}};
  Work work(r.model, 1);
  start_explicit(r.model, in, r.state, work);
  Seen s;
  s.dt = in.dt;
  // How long ago the surfaces met or parted: in free flight before and, to a good part of a step, after.
  const auto since = [&] {
    const double apart = r.state.nodes.x[2][0] - r.state.nodes.x[2][1] - radius1 - (wall ? 0 : radius2);
    return apart / (r.state.nodes.v[2][0] - r.state.nodes.v[2][1]);
  };
  double now = 0, began = 0;
  for (bool touched = false;; now += in.dt) {
    if (step_explicit(r.model, in, r.state, work) != Outcome::done) break;
    const bool touches = !r.state.memory.touching.empty();
    if (touched && !touches) break;
    if (touches && !touched) began = now - since();
    touched = touches;
    if (!touches) continue;
    s.at.push_back(now - began), s.press.push_back(r.state.nodes.f[2][0]);
    s.force = std::max(s.force, s.press.back());
  }
  s.time = now - since() - began;
  s.restitution = (r.state.nodes.v[2][0] - r.state.nodes.v[2][1]) / speed;
  return s;
}

std::string name(bool wall, double speed) {
  return fmt::format("{}, {} m/s", wall ? "ball on a wall" : "two balls", speed);
}

// The largest and the smallest restitution at the automatic step, wherever in a step the collision begins.
std::pair<double, double> over_phases(bool wall, double speed, double restitution, int phases) {
  double low = 2, high = 0;
  for (int k = 0; k < phases; ++k) {
    const double e = collide(wall, speed, restitution, 0, static_cast<double>(k) / phases).restitution;
    low = std::min(low, e), high = std::max(high, e);
  }
  return {low, high};
}

Plot presses(double speed) {
  const Hertz h = hertz(pair_of(true), speed);
  Plot p{"Force during a collision with a wall", "time over Hertz's", "force over Hertz's largest", {}};
  for (const double e : {1.0, 0.8, 0.5, 0.3}) {
    const Seen fine = collide(true, speed, e, 2000), coarse = collide(true, speed, e, 0);
    const auto scaled = [&](const std::string& of, const Seen& s, bool reference) {
      Series c{of, {}, {}, reference};
      for (std::size_t k = 0; k < s.at.size(); ++k)
        c.x.push_back(s.at[k] / h.time), c.y.push_back(s.press[k] / h.force);
      return c;
    };
    const Series all = scaled("", fine, false);
    p.series.push_back(thinned(fmt::format("e = {}", e), all.x, all.y));
    p.series.push_back(scaled(fmt::format("e = {}, automatic step", e), coarse, true));
  }
  return p;
}

}  // namespace

Result run(const Context& context) {
  Result r;
  for (const bool wall : {false, true})
    for (const double speed : {0.01, 1.0}) {
      const Hertz h = hertz(pair_of(wall), speed);
      const Seen fine = collide(wall, speed, 1, 2000), coarse = collide(wall, speed, 1, 0);
      const auto row = [&](const std::string& what, double ours, double reference, double limit) {
        r.rows.push_back(compared(name(wall, speed) + ": " + what, ours / reference, 1, limit));
      };
      row("time in touch", fine.time, h.time, 2e-3);
      row("largest force", fine.force, h.force, 1e-3);
      row("largest force, automatic step", coarse.force, h.force, 0.01);
      row("speed after it, undamped, automatic step", coarse.restitution, 1, 5e-4);
      for (const double e : {0.3, 0.5, 0.8}) {
        const auto [low, high] = over_phases(wall, speed, e, context.manner.fast ? 10 : 100);
        const double worst = std::max(high - e, e - low) > high - e ? low : high;
        row(fmt::format("restitution {}, automatic step, worst phase", e), worst, e, 0.01);
      }
    }
  r.plots = {presses(1.0)};
  const Hertz slow = hertz(pair_of(true), 0.01), fast = hertz(pair_of(true), 1.0);
  r.remarks = {
      fmt::format("At the automatic step a collision with the wall takes {:.0f} steps at 0.01 m/s and {:.0f} "
                  "at 1 m/s; the overlap reaches {:.2g} and {:.2g} of the radius.",
                  slow.time / collide(true, 0.01, 1, 0).dt, fast.time / collide(true, 1, 1, 0).dt,
                  slow.deepest / radius1, fast.deepest / radius1)};
  return r;
}

}  // namespace ls::validation::collisions
