// A ball that rolls down and up a valley on two rails of facets, and should lose nothing.
#include "output/files.h"
#include "validation/meshes.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::valley {

namespace {

constexpr double g = 9.81, ball = 0.05, mass = 0.5;                                   // m/s^2, m, kg
constexpr double half_length = 0.5, steep = 0.6, half_gauge = 0.035, section = 5e-3;  // m, 1/m, m, m
constexpr int places = 500, sides = 12;

Context with_rails(const Context& c) {
  Path valley;
  for (int i = 0; i < places; ++i) {
    const double x = half_length * (2.0 * i / (places - 1) - 1);
    valley.places.push_back({x, 0, steep * x * x});
  }
  Context own = c;
  own.folder = c.scratch / "scene";
  std::filesystem::create_directories(own.folder);
  write_obj(own.folder / "rail0.obj", swept(valley, section, sides, -half_gauge));
  write_obj(own.folder / "rail1.obj", swept(valley, section, sides, half_gauge));
  write_atomically(own.folder / "case.toml", read_file(c.folder / "case.toml"));
  return own;
}

// The ball lies, a gap away, on the inner ones of the uppermost but one edges of the rails' outlines, 60 degrees above
// the horizon: so far above these, and rolling on its own surface with that lever.
double height_above(double gap) {
  const double aside = half_gauge - section * std::cos(std::numbers::pi / 3), away = ball + gap;
  return std::sqrt(away * away - aside * aside);
}
double lever(double gap) {
  return height_above(gap) * ball / (ball + gap);
}

constexpr std::size_t settled = 100;  // records: it is let go a little above the rails

struct Motion {
  std::vector<double> t, energy, slip;  // s; J, of motion and height; m/s, between ball and rails
  std::size_t bottom = 0;               // record at which it first passes the lowest place
  double speed = 0, height = 0;         // m/s and m there
  double curving = 0;                   // J, what steps lose along a curved way, of first order
};

// A step takes the push of the rails at its end, by half of the step's turn against the way: so it takes N v dt/2 times
// the turn, v dt k, out of the motion.
double curving_loss(double x, double v, double dt, double gap) {
  const double slope = 2 * steep * x, stretched = std::sqrt(1 + slope * slope),
               of_rails = 2 * steep / std::pow(stretched, 3);
  const double above = height_above(gap) + section * std::sin(std::numbers::pi / 3);
  const double k = of_rails / (1 - above * of_rails);  // of the way of the centre
  return 0.5 * mass * (g / stretched + v * v * k) * k * v * v * dt * dt;
}

Motion motion_of(const SceneRun& run, double gap) {
  const auto col = [&](const std::string& what) { return run["ball." + what]; };
  const auto x = col("position.x"), z = col("position.z"), vx = col("velocity.x"), vy = col("velocity.y"),
             vz = col("velocity.z"), wx = col("angular_velocity.x"), wy = col("angular_velocity.y"),
             wz = col("angular_velocity.z");
  Motion m;
  m.t = run["time"];
  for (std::size_t i = 0; i < m.t.size(); ++i) {
    const double v2 = vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i];
    const double w2 = wx[i] * wx[i] + wy[i] * wy[i] + wz[i] * wz[i];
    m.energy.push_back(mass * (0.5 * v2 + 0.2 * ball * ball * w2 + g * z[i]));
    m.slip.push_back(std::abs(std::copysign(std::sqrt(v2), vx[i]) - wy[i] * lever(gap)));
    if (i > settled) m.curving += curving_loss(x[i], std::sqrt(v2), m.t[i] - m.t[i - 1], gap);
    if (m.bottom == 0 && x[i] > 0) m.bottom = i, m.height = z[i], m.speed = std::sqrt(v2);
  }
  return m;
}

// The largest loss within a second, of the energy that it has above the lowest place.
double most_lost(const Motion& m, double all) {
  double most = 0;
  for (std::size_t i = 0, j = 0; j < m.t.size(); ++j) {
    while (m.t[j] - m.t[i] > 1 + 1e-9) ++i;
    if (i >= settled) most = std::max(most, (m.energy[i] - m.energy[j]) / all);
  }
  return most;
}

// Friction far above what rolling needs, 0.16 at the ends.
void add_rolling(const Context& own, double mu, double duration, Result& r, Plot& plot) {
  const SceneRun run =
      run_scene(own, "case.toml", {fmt::format("solver.duration={}", duration), fmt::format("define.mu={}", mu)},
                fmt::format("friction-{}", mu));
  const auto named = [&](const char* what) { return fmt::format("friction {}: {}", mu, what); };
  r.rows.push_back(compared(named("it runs to the end"), run["time"].back(), duration, 1e-9, "s"));
  const auto gaps = run["system.min_gap"];
  const double gap = gaps.back();
  const Motion m = motion_of(run, gap);
  const double all = m.energy[settled] - mass * g * m.height;
  r.rows.push_back(small(named("energy lost in any second, of all it has"), most_lost(m, all), 5e-3));
  const double turning = 0.4 * std::pow(ball / lever(gap), 2);
  const double expected = std::sqrt(2 * all / mass / (1 + turning));
  r.rows.push_back(
      {named("speed at the bottom"), m.speed, expected, std::abs(m.speed / expected - 1), 0.005, "of itself"});
  const double slid = *std::max_element(m.slip.begin() + settled, m.slip.end());
  r.rows.push_back(small(named("it rolls: slip over its speed at the bottom"), slid / m.speed, 0.005));
  const auto since = [&](const std::string& entry) {
    const auto e = run["system.ledger." + entry];
    return e.back() - e[settled];
  };
  const double scheme = since("numerical");
  r.rows.push_back({named("the scheme's share, as of a curved way"), scheme, m.curving,
                    std::abs(scheme / m.curving - 1), 0.2, "of itself"});
  r.rows.push_back(small(named("what friction took, of all"), since("friction") / all, 2e-3));
  double unexplained = 0;
  for (const double b : run["system.ledger.balance"]) unexplained = worse(unexplained, std::abs(b));
  r.rows.push_back(small(named("energy that no entry of the ledger explains, of all"), unexplained / all, 1e-4));
  r.rows.push_back(small(named("how far ball and rails are within each other"),
                         std::max(0.0, -*std::min_element(gaps.begin(), gaps.end())), 0, "m"));
  std::vector<double> lost;
  for (const double e : m.energy) lost.push_back(100 * (m.energy[settled] - e) / all);
  plot.series.push_back(thinned(fmt::format("friction {}", mu), m.t, lost));
  r.remarks.push_back(fmt::format(
      "Friction {}: {:.2f} % lost from 0.1 s to {} s, of which friction took {:.2f} %; "
      "{:.2f} ms a step.",
      mu, lost.back(), duration, 100 * (run.last("system.ledger.friction") - run["system.ledger.friction"][100]) / all,
      1e3 * run.wall_seconds / static_cast<double>(run.steps)));
}

}  // namespace

Result run(const Context& c) {
  Result r;
  const Context own = with_rails(c);
  Plot plot{"What the ball has lost since 0.1 s", "time (s)", "%", {}};
  if (c.manner.fast) {
    add_rolling(own, 0.3, 1.3, r, plot);
  } else {
    for (const double mu : {0.3, 0.6}) add_rolling(own, mu, 6, r, plot);
  }
  r.plots.push_back(plot);
  return r;
}

}  // namespace ls::validation::valley
