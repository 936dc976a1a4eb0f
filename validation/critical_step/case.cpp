#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ls::validation::critical_step {

namespace {

constexpr int bonds = 30;
constexpr long long most_steps = 20000;
constexpr double none = std::numeric_limits<double>::quiet_NaN();  // a limit, but nothing to compare with
constexpr double blown_up = 10;                                    // times the energy of the start

// A straight silicone rod, bonds twice as long as thick. Its nodes move at a millionth of the speed of sound: the
// critical step is meant for small vibrations.
Builder::Result rod(const std::string& model, bool clamped) {
  const Elasticity e{1e6, 1e6 / 3};
  const double diameter = 5e-3, density = 1000, speed = 1e-6 * std::sqrt(e.young / density);
  RodSpec r;
  r.name = "rod";
  r.model = model;
  r.line = line({0, 0, 0}, {2 * diameter * bonds, 0, 0}, bonds, {0, 0, 1});
  r.section = [=](double) { return circular_section(diameter, e.poisson()); };
  r.material = [=](double) { return e; };
  r.density = [=](double) { return density; };
  if (clamped) r.hold_start = hold_all;
  r.random.speed = speed;
  r.random.spin = speed * 4 / diameter;  // as much energy in turning as in moving
  Builder b;
  b.add(r);
  return b.finish();
}

struct Growth {
  std::vector<double> step, energy;  // energy over that of the start
  double largest() const { return *std::max_element(energy.begin(), energy.end()); }
};

// The energy at every step until it is `enough` times that of the start.
Growth grow(const std::string& model, bool clamped, double dt, double enough) {
  Flight flight(rod(model, clamped), dt);
  const double first = flight.energy();
  Growth g{{0}, {1}};
  for (long long k = 1; k <= most_steps && g.energy.back() < enough && flight.fly(1); ++k) {
    g.step.push_back(static_cast<double>(k));
    g.energy.push_back(flight.energy() / first);
  }
  return g;
}

// The share of the critical step beyond which the energy passes a million times its first, by halving. Just below the
// limit the energy of a stable vibration swings by up to 1/(1 - share^2), so less than a million would see it too
// early.
double measured_limit(const std::string& model, bool clamped, double critical) {
  double stable = 0.97, unstable = 1.03;
  while (unstable - stable > 2e-6) {
    const double middle = 0.5 * (stable + unstable);
    (grow(model, clamped, middle * critical, 1e6).largest() < 1e6 ? stable : unstable) = middle;
  }
  return 0.5 * (stable + unstable);
}

void check(const std::string& model, bool clamped, const Context& context, Result& r) {
  const auto at_rest = rod(model, clamped);
  const double critical = critical_step_of(at_rest.model, at_rest.state);
  const std::string what = fmt::format("{}, {}", model, clamped ? "clamped" : "free");
  const auto below = grow(model, clamped, 0.97 * critical, 1e6),
             above = grow(model, clamped, 1.03 * critical, blown_up);
  r.rows.push_back({what + ": largest energy at 0.97 of the critical step", below.largest(), none, below.largest(),
                    blown_up, "of the first"});
  const bool grew = above.energy.back() >= blown_up;
  r.rows.push_back({what + ": steps to ten times the energy at 1.03", above.step.back(), none,
                    grew ? above.step.back() : std::numeric_limits<double>::infinity(), static_cast<double>(most_steps),
                    "steps"});
  if (context.manner.fast) return;
  r.remarks.push_back(
      fmt::format("{}: the rod really becomes unstable at {:.6f} of the critical step ({:.6g} s) that we compute.",
                  what, measured_limit(model, clamped, critical), critical));
}

Plot histories(double critical) {
  Plot p{"Energy of the free rod, exact bonds", "step", "energy over that of the start", {}, true, true};
  for (const double share : {0.97, 0.999, 1.001, 1.03}) {
    const auto g = grow("exact", false, share * critical, 1e6);
    std::vector<double> step, energy;  // as many points in every decade of steps
    for (std::size_t k = 1; k < g.step.size(); k = std::max(k + 1, k * 21 / 20))
      step.push_back(g.step[k]), energy.push_back(g.energy[k]);
    p.series.push_back({fmt::format("{} of the critical step", share), step, energy});
  }
  return p;
}

Plot scan(double critical) {
  Plot p{"Largest energy in 20 000 steps", "step over critical step", "energy over that of the start", {}, false, true};
  Series ours{"exact, free", {}, {}}, bound{"1/(1 − s²)", {}, {}};
  for (int k = 0; k <= 30; ++k) {
    const double share = 0.94 + 0.003 * k;
    ours.x.push_back(share);
    ours.y.push_back(std::min(1e6, grow("exact", false, share * critical, 1e6).largest()));
    if (share < 0.9995) bound.x.push_back(share), bound.y.push_back(1 / (1 - share * share));
  }
  p.series = {ours, bound};
  return p;
}

}  // namespace

Result run(const Context& context) {
  Result r;
  for (const auto* model : {"exact", "vector"})
    for (const bool clamped : {true, false}) check(model, clamped, context, r);
  const auto free = rod("exact", false);
  const double critical = critical_step_of(free.model, free.state);
  r.plots.push_back(histories(critical));
  if (!context.manner.fast) r.plots.push_back(scan(critical));
  return r;
}

}  // namespace ls::validation::critical_step
