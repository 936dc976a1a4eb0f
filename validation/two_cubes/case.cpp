// Two cubes that are drawn together by their magnets meet when the energy says so, and stay.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::two_cubes {

namespace {

constexpr double side = 0.1, thickness = 1e-4;  // m

// Two equal dipoles on one axis that fall towards each other from rest: half the reduced mass times the square of the
// closing speed is what their energy went down by.
struct Fall {
  double moment, mass, from;  // A m^2, kg of each, m between them

  double speed(double r) const {
    const double strength = 4e-7 * std::numbers::pi * moment * moment / (2 * std::numbers::pi);
    return std::sqrt(4 * strength / mass * (1 / (r * r * r) - 1 / (from * from * from)));
  }
  // With r = from - (from - to) u^2 the integrand is smooth at the start; Simpson's rule.
  double time(double to) const {
    constexpr int parts = 20000;
    const auto f = [&](double u) {
      const double r = from - (from - to) * u * u;
      return u == 0 ? slope_at_rest(to) : 2 * (from - to) * u / speed(r);
    };
    double sum = f(0) + f(1);
    for (int k = 1; k < parts; ++k) sum += (k % 2 ? 4 : 2) * f(static_cast<double>(k) / parts);
    return sum / (3 * parts);
  }

 private:
  double slope_at_rest(double to) const {  // the limit of 2 (from - to) u / speed
    const double strength = 4e-7 * std::numbers::pi * moment * moment / (2 * std::numbers::pi);
    return 2 * std::sqrt((from - to) * mass * from * from * from * from / (12 * strength));
  }
};

struct Way {
  std::vector<double> time, gap, closing, kinetic, energy, most;  // s, m, m/s, J, J with the dipoles', m/s

  explicit Way(const SceneRun& run)
      : time(run["time"]),
        closing(run["right.velocity.x"]),
        kinetic(run["system.energy.kinetic"]),
        most(run["system.max_speed"]) {
    const auto left = run["left.position.x"], right = run["right.position.x"];
    const auto dipole = run["system.energy.dipole"];
    for (std::size_t i = 0; i < time.size(); ++i) {
      gap.push_back(right[i] - left[i] - side), energy.push_back(kinetic[i] + dipole[i]);
      closing[i] *= -2;
    }
  }
  // The first record with a gap below the thickness.
  std::size_t met() const {
    const auto at = std::find_if(gap.begin(), gap.end(), [](double g) { return g < thickness; });
    return static_cast<std::size_t>(at - gap.begin());
  }
};

// How far apart they come after they have first come to rest.
double widens(const Way& way) {
  std::size_t i = way.met();
  while (i < way.gap.size() && way.most[i] > 1e-3) ++i;
  double worst = i < way.gap.size() ? 0 : std::nan("");
  for (const double rest = i < way.gap.size() ? way.gap[i] : 0; i < way.gap.size(); ++i)
    worst = worse(worst, way.gap[i] - rest);
  return worst;
}

void add_rest(const std::string& name, const Way& way, Result& r) {
  const std::size_t at = way.met();
  r.rows.push_back(small(name + ": the gap widens after they came to rest by", widens(way), 1e-5, "m"));
  double fastest = 0, nearest = INFINITY;
  for (std::size_t i = at; i < way.time.size(); ++i) {
    nearest = std::min(nearest, way.gap[i]);
    if (way.time[i] > way.time[at] + 0.05) fastest = worse(fastest, way.most[i]);
  }
  r.rows.push_back(small(name + ": fastest 0.05 s after that, and later", fastest, 1e-3, "m/s"));
  r.rows.push_back(small(name + ": how far they are within each other", nearest > 0 ? 0 : -nearest, 0, "m"));
}

void add_meeting(const std::string& name, const Way& way, const Fall& fall, double limit, Result& r) {
  const std::size_t at = way.met();
  const bool has_met = at < way.time.size();
  r.rows.push_back(compared(name + ": they meet at", has_met ? way.time[at] : std::nan(""), fall.time(side + thickness),
                            limit, "s"));
  add_rest(name, way, r);
}

// In steps as long as that one sees no more than before and after: 2 ms before the energy's time they have not met,
// and 2 ms later they have.
void add_long_steps(const Context& c, const std::string& name, std::vector<std::string> sets, const Fall& fall,
                    const std::string& folder, Result& r) {
  constexpr double off = 2e-3;  // s
  const double before = fall.time(side + thickness) - off;
  sets.push_back(fmt::format("define.flight={:.9g} s", before));
  sets.push_back(fmt::format("define.meeting={} s", 2 * off));
  sets.push_back(fmt::format("define.fine={} s", 2 * off));
  for (const char* set : {"solver.dt=10 ms", "solver.accuracy=1e-4"}) sets.emplace_back(set);
  const Way way(run_scene(c, "case.toml", sets, folder));
  const auto at = [&](double t) {
    const auto i = std::find_if(way.time.begin(), way.time.end(), [&](double x) { return x > t - 1e-6; });
    return i < way.time.end() ? way.gap[static_cast<std::size_t>(i - way.time.begin())] : std::nan("");
  };
  const std::string long_steps = name + ", steps of 10 ms";
  r.rows.push_back(
      small(long_steps + ": thickness over the gap 2 ms before they should meet", thickness / at(before), 1));
  r.rows.push_back(small(long_steps + ": gap over the thickness 2 ms after", at(before + 2 * off) / thickness, 1));
  add_rest(long_steps, way, r);
}

// With the force of the magnets frozen over each step they bounce, as solvers do that know of it from outside.
void add_frozen(const Context& c, const Way& ours, Result& r) {
  const std::vector<std::string> frozen = {"dipoles.far=lagged", "dipoles.implicit_distance=0 m",
                                           "define.meeting=0.1 s"};
  const Way way(run_scene(c, "case.toml", frozen, "frozen"));
  const auto widest = [](const Way& w) {
    double gap = 0;
    for (std::size_t i = w.met(); i < w.gap.size(); ++i) gap = std::max(gap, w.gap[i]);
    return gap;
  };
  r.rows.push_back(
      small("10 A m^2: thickness over the widest gap after they met, the magnets' force frozen over a step",
            thickness / widest(way), 0.5));
  r.rows.push_back(
      small("10 A m^2: widest gap after they met over the thickness, strongly coupled", widest(ours) / thickness, 1));
  Plot plot{"Gap between the cubes of 10 A m^2 as they meet, steps of 1 ms", "time (s)", "gap (mm)", {}};
  for (const auto& [name, one] :
       {std::pair<const char*, const Way*>{"strongly coupled", &ours}, {"frozen over a step", &way}}) {
    std::vector<double> t, gap;
    for (std::size_t i = 0; i < one->time.size(); ++i)
      if (one->time[i] > 0.775 && one->time[i] < 0.83) t.push_back(one->time[i]), gap.push_back(1e3 * one->gap[i]);
    plot.series.push_back({name, t, gap});
  }
  r.plots.push_back(plot);
}

}  // namespace

Result run(const Context& c) {
  Result r;
  const Fall slow{10, 0.1, 0.25};
  const Way weak(run_scene(c, "case.toml", {}, "weak"));
  add_meeting("10 A m^2", weak, slow, 1e-3, r);
  add_long_steps(c, "10 A m^2", {}, slow, "weak-long", r);
  add_frozen(c, weak, r);

  const std::vector<std::string> heavy = {"define.m=1000 A m^2", "define.mass=250 g", "define.half=1 m"};
  std::vector<std::string> sets = heavy;
  sets.insert(sets.end(), {"define.flight=2.355 s", "define.meeting=0.01 s"});
  const Fall fall{1000, 0.25, 2};
  const Way strong(run_scene(c, "case.toml", sets, "strong"));
  add_meeting("1000 A m^2", strong, fall, 2e-3, r);
  add_long_steps(c, "1000 A m^2", heavy, fall, "strong-long", r);

  auto finely = sets;
  finely.emplace_back("define.fine=2 us");
  const Way fine(run_scene(c, "case.toml", finely, "fine"));
  double speed = 0, drift = 0, most = 0;
  for (std::size_t i = 0; i < fine.met(); ++i)
    if (fine.gap[i] > 1e-3) {
      drift = worse(drift, std::abs(fine.energy[i] - fine.energy[0]));
      most = std::max(most, fine.kinetic[i]);
      speed = fine.closing[i] / fall.speed(side + fine.gap[i]);
    }
  r.rows.push_back(
      compared("1000 A m^2: closing speed 1 mm before they meet, over that of the energy", speed, 1, 0.01));
  r.rows.push_back(
      small("1000 A m^2: change of kinetic and magnetic energy until then, of the former", drift / most, 0.01));

  Plot plot{"Gap between the cubes of 10 A m^2", "time (s)", "gap (m)", {{"steps of 1 ms", weak.time, weak.gap}}};
  r.plots.push_back(plot);
  return r;
}

}  // namespace ls::validation::two_cubes
