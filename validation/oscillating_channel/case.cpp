// The flow of the paper's filaments, without them: a channel that is shaken, from rest and when it has become periodic.
#include "validation/flows.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::oscillating_channel {

namespace {

using std::numbers::pi;

// mm and ms, as in the paper.
constexpr double height = 60, viscosity = 0.1, acceleration = 3.8e-3, period = 1000;

// A periodic box as thin as can be; y across.
class Channel {
 public:
  Channel(int cells, int steps) : dy_(height / cells), dt_(period / steps), flow_(spec(cells, dy_, dt_)) {}

  double time() const { return static_cast<double>(flow_.steps()) * dt_; }
  // A step acts with what its two ends say, half each: the velocity at a time has half the force of that time in it.
  template <class F>
  void step(const F& force) {
    flow_.step(drive(force));
  }
  template <class F>
  double speed(int cell, const F& force) const {
    return flow_.velocity({0, cell, 0}, drive(force)).x * dy_ / dt_;
  }
  double place(int cell) const { return (cell + 0.5) * dy_; }

 private:
  static LatticeSpec spec(int cells, double dy, double dt) {
    LatticeSpec s;
    s.cells = {2, cells, 2};
    s.faces[1] = {FaceKind::wall, FaceKind::wall};
    s.viscosity = viscosity * dt / (dy * dy);
    s.is_double = true;
    return s;
  }
  template <class F>
  LatticeDrive drive(const F& force) const {
    LatticeDrive d;
    d.body.x = force(time()) * dt_ * dt_ / dy_;
    return d;
  }
  double dy_, dt_;
  Flow flow_;
};

double sine(double t) {
  return acceleration * std::sin(2 * pi * t / period);
}
double cosine(double t) {
  return acceleration * std::cos(2 * pi * t / period);
}

// From rest with the sine: it leaves a mean flow that decays with 0.274/s.
void check_start(const Context& c, int cells, int steps, Result& out) {
  const Table t(c.folder / "channel_start.csv");
  const auto times = t["t_ms"];
  const double until = c.manner.fast ? 1000 : 10000, heights[2] = {height / 2, 10};
  const std::vector<double> exact[2] = {t["u_centre"], t["u_tip_height_10mm"]};
  Channel channel(cells, steps);
  std::vector<double> y(static_cast<std::size_t>(cells)), u = y;
  for (int k = 0; k < cells; ++k) y[k] = channel.place(k);
  Plot plot{"From rest", "ms", "mm/ms", {{"middle", {}, {}}, {"10 mm from the wall", {}, {}}}};
  Series marks[2] = {{"series", {}, {}, true}, {"series", {}, {}, true}};
  double worst[2] = {}, largest[2] = {};
  for (std::size_t i = 0; i < times.size() && times[i] <= until; ++i) {
    while (channel.time() < times[i] - 0.5 * period / steps) channel.step(sine);
    for (int k = 0; k < cells; ++k) u[k] = channel.speed(k, sine);
    for (int where = 0; where < 2; ++where) {
      const double ours = interpolate(y, u, heights[where]);
      worst[where] = worse(worst[where], std::abs(ours - exact[where][i]));
      largest[where] = std::max(largest[where], std::abs(exact[where][i]));
      plot.series[where].x.push_back(times[i]);
      plot.series[where].y.push_back(ours);
      if (i % 8 == 0) marks[where].x.push_back(times[i]), marks[where].y.push_back(exact[where][i]);
    }
  }
  for (int where = 0; where < 2; ++where)
    out.rows.push_back(small(
        fmt::format("from rest, {}: velocity, worst of {} s, over the largest", plot.series[where].name, until / 1000),
        worst[where] / largest[where], 1e-3));
  plot.series.insert(plot.series.end(), marks, marks + 2);
  out.plots.push_back(plot);
}

// Started with the cosine, it leaves 4 % of that mean flow, and what is left of it after some periods does not matter.
void check_profile(const Context& c, int cells, int steps, Result& out) {
  const Table t(c.folder / "channel_profile.csv");
  const auto y = t["y_mm"], amplitude = t["amplitude_mm_per_ms"];
  std::vector<double> lag;  // none at the wall itself, where nothing moves: there its limit
  for (const auto& cell : t.text("phase_lag_behind_force_deg")) lag.push_back(cell.empty() ? 45 : std::stod(cell));
  Channel channel(cells, steps);
  const int before = c.manner.fast ? 4 : 8;
  for (int i = 0; i < before * steps; ++i) channel.step(cosine);
  std::vector<double> in(static_cast<std::size_t>(cells), 0.0), behind = in;
  for (int i = 0; i < steps; ++i) {
    const double phase = 2 * pi * channel.time() / period;
    for (int k = 0; k < cells; ++k) {
      const double u = 2 * channel.speed(k, cosine) / steps;
      in[k] += u * std::cos(phase), behind[k] += u * std::sin(phase);
    }
    channel.step(cosine);
  }
  Plot sizes{"Amplitude across the channel", "mm", "mm/ms", {{"lattice", {}, {}}, {"closed form", {}, {}, true}}};
  Plot lags{"Lag behind the force", "mm", "degrees", {{"lattice", {}, {}}, {"closed form", {}, {}, true}}};
  double worst = 0, worst_lag = 0;
  for (int k = 0; k < cells; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double at = channel.place(k), size = std::hypot(in[i], behind[i]),
                 angle = std::atan2(behind[i], in[i]) * 180 / pi;
    const double from_wall = std::min(at, height - at);
    const double exact = interpolate(y, amplitude, from_wall), exact_lag = interpolate(y, lag, from_wall);
    worst = worse(worst, std::abs(size / exact - 1)), worst_lag = worse(worst_lag, std::abs(angle - exact_lag));
    sizes.series[0].x.push_back(at), sizes.series[0].y.push_back(size);
    lags.series[0].x.push_back(at), lags.series[0].y.push_back(angle);
    if (k % 4 != 0) continue;
    sizes.series[1].x.push_back(at), sizes.series[1].y.push_back(exact);
    lags.series[1].x.push_back(at), lags.series[1].y.push_back(exact_lag);
  }
  out.rows.push_back(small("periodic: amplitude, worst place, over itself", worst, 0.01));
  out.rows.push_back(small("periodic: lag behind the force, worst place", worst_lag, 1, "degrees"));
  out.plots.push_back(sizes);
  out.plots.push_back(lags);
}

// The same as a scene, in single precision: what its probes record, and that what the force gave is in the walls or
// still under way.
void check_scene(const Context& c, Result& out) {
  const Table t(c.folder / "channel_start.csv");
  const SceneRun run = run_scene(c, "channel.toml", {}, "scene");
  const auto times = run["time"], expected_times = t["t_ms"];
  for (const auto& [probe, column] : {std::pair{"middle", "u_centre"}, std::pair{"tips", "u_tip_height_10mm"}}) {
    const auto ours = run[fmt::format("{}.velocity.x", probe)], exact = t[column];
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double expected = interpolate(expected_times, exact, 1000 * times[i]);
      worst = worse(worst, std::abs(ours[i] - expected)), largest = std::max(largest, std::abs(expected));
    }
    out.rows.push_back(
        small(fmt::format("as a scene, {}: velocity, worst of 2 s, over the largest", probe), worst / largest, 2e-3));
  }
  const double given = run.last("all.body_impulse.x"), taken = -run.last("all.wall_impulse.x"),
               left = run.last("all.momentum.x");
  double swing = 0;
  for (const double p : run["all.momentum.x"]) swing = std::max(swing, std::abs(p));
  out.rows.push_back(small("as a scene: impulse of force, walls and fluid that does not add up, over the momentum",
                           std::abs(given - taken - left) / swing, 1e-4));
}

}  // namespace

Result run(const Context& c) {
  const int cells = c.manner.fast ? 48 : 96, steps = c.manner.fast ? 4000 : 8000;
  Result out;
  check_profile(c, cells, steps, out);
  check_start(c, cells, steps, out);
  check_scene(c, out);
  return out;
}

}  // namespace ls::validation::oscillating_channel
