// Drag without a lattice: a ball, a rod at an angle, a rod in shear, and a filament that is waved at one end.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::resistive_drag {

namespace {

using std::numbers::pi;
using V = Vec3<double>;
using Complex = std::complex<double>;

constexpr double g = 9.81, length = 0.1, radius = 1e-3;

// Per length of a rod with L/r = 100: written out here once more, from the page.
double across(double viscosity) {
  return 4 * pi * viscosity / (std::log(2 * length / radius) - 0.5);
}
double along(double viscosity) {
  return 2 * pi * viscosity / (std::log(2 * length / radius) - 1.5);
}

Row relative(std::string what, double ours, double reference, double limit) {
  return {std::move(what), ours, reference, std::abs(ours / reference - 1), limit, "of itself"};
}

// v = v_end (1 - exp(-t/tau)), and a spin that dies away.
void check_ball(const Context& c, Result& out) {
  const double a = 1e-3, rho = 7800, mu = 1, tau = 2 * rho * a * a / (9 * mu), end = g * tau;
  const double spin_tau = rho * a * a / (15 * mu);
  const SceneRun run = run_scene(c, "ball.toml", {}, "ball");
  const auto t = run["time"], v = run["ball.velocity.z"], w = run["ball.angular_velocity.y"];
  Series ours{"ball", t, {}}, exact{"closed form", {}, {}, true};
  double worst = 0, worst_spin = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    ours.y.push_back(-1e3 * v[i]);
    const double expected = end * (1 - std::exp(-t[i] / tau));
    if (i % 50 == 0) exact.x.push_back(t[i]), exact.y.push_back(1e3 * expected);
    worst = worse(worst, std::abs(-v[i] - expected) / end);
    worst_spin = worse(worst_spin, std::abs(w[i] - 100 * std::exp(-t[i] / spin_tau)) / 100);
  }
  out.rows.push_back(relative("ball: speed in the end, implicit", -v.back(), end, 2e-5));
  out.rows.push_back(small("ball: speed on the way, over the last", worst, 1e-4));
  out.rows.push_back(small("ball: spin that dies away, over the first", worst_spin, 1e-4));
  const double lost = run.last("system.ledger.dissipated");
  out.rows.push_back(small("ball: energy that the ledger does not explain, over the dissipated",
                           std::abs(run.last("system.ledger.balance")) / lost, 1e-6));
  const SceneRun direct =
      run_scene(c, "ball.toml", {"solver.kind=\"explicit\"", "solver.dt=\"auto\""}, "ball-explicit");
  out.rows.push_back(relative("ball: speed in the end, explicit", -direct.last("ball.velocity.z"), end, 2e-5));
  out.plots.push_back({"A ball sinks", "s", "mm/s", {ours, exact}});
}

// Along and across the rod the weight is divided by different drags, so that it glides to the side.
void check_rod(const Context& c, Result& out) {
  const double weight = 1000 * pi * radius * radius * g;
  Series down{"down", {}, {}}, side{"to the side", {}, {}}, down_exact{"closed form", {}, {}, true},
      side_exact = down_exact;
  double level = 0, upright = 0;
  for (const double degrees : {0.0, 30.0, 45.0, 60.0, 90.0})
    for (const std::string kind : {"implicit", "explicit"}) {
      if (kind == "explicit" && degrees != 45) continue;
      std::vector<std::string> sets = {fmt::format("define.angle=\"{} deg\"", degrees),
                                       fmt::format("solver.kind=\"{}\"", kind)};
      if (kind == "explicit") sets.emplace_back("solver.dt=\"auto\"");
      const SceneRun run = run_scene(c, "rod.toml", sets, fmt::format("rod-{}-{}", kind, degrees));
      const double vx = run.last("rod.mean_velocity.x"), vz = run.last("rod.mean_velocity.z");
      const double cosine = std::cos(degrees * pi / 180), sine = std::sin(degrees * pi / 180);
      const double x = -weight * sine * cosine * (1 / along(1) - 1 / across(1));
      const double z = -weight * (sine * sine / along(1) + cosine * cosine / across(1));
      const std::string what = fmt::format("rod at {} degrees, {}: ", degrees, kind);
      out.rows.push_back(relative(what + "speed down", -vz, -z, 1e-4));
      if (x < -1e-9) out.rows.push_back(relative(what + "speed to the side", -vx, -x, 1e-4));
      if (kind == "explicit") continue;
      if (degrees == 0) level = vz;
      if (degrees == 90) upright = vz;
      down.x.push_back(degrees), down.y.push_back(-1e3 * vz), down_exact.x.push_back(degrees);
      down_exact.y.push_back(-1e3 * z), side.x.push_back(degrees), side.y.push_back(-1e3 * vx);
      side_exact.x.push_back(degrees), side_exact.y.push_back(-1e3 * x);
    }
  out.rows.push_back(relative("rod: speed upright over speed level", upright / level, across(1) / along(1), 1e-4));
  out.plots.push_back({"A rod sinks at an angle", "degrees from level", "mm/s", {down, side, down_exact, side_exact}});
}

// Directions of the rod, and its spins, in time.
struct Tumbling {
  std::vector<double> t;
  std::vector<V> way, spin;

  explicit Tumbling(const SceneRun& run) : t(run["time"]) {
    const auto three = [&](const std::string& what) {
      return std::array{run[what + ".x"], run[what + ".y"], run[what + ".z"]};
    };
    const auto from = three("start.position"), to = three("end.position"), w = three("end.angular_velocity");
    for (std::size_t i = 0; i < t.size(); ++i) {
      way.push_back(V{to[0][i] - from[0][i], to[1][i] - from[1][i], to[2][i] - from[2][i]});
      spin.push_back(V{w[0][i], w[1][i], w[2][i]});
    }
  }
};

// A line that goes with the flow: its direction is (1 + G t) p0, and it spins with half the vorticity along it. Steps
// far longer than drag needs to slow it down make velocities of midpoint steps swing: spins are those of the other
// scheme.
void check_shear(const Context& c, Result& out) {
  const Tumbling rod(run_scene(c, "shear.toml", {}, "shear"));
  const Tumbling calm(run_scene(c, "shear.toml", {"solver.scheme=\"backward-euler\""}, "shear-euler"));
  Plot plot{"A rod tumbles in shear", "s", "degrees from the flow", {{"rod", {}, {}}, {"closed form", {}, {}, true}}};
  double worst = 0, worst_spin = 0;
  for (std::size_t i = 0; i < rod.t.size(); ++i) {
    const V p = normalized(rod.way[i]), exact = normalized(rod.way[0] + V{rod.t[i] * rod.way[0].y, 0, 0});
    worst = worse(worst, norm(p - exact));
    const auto angle = [](const V& a) { return std::atan2(a.y, a.x) * 180 / pi; };
    plot.series[0].x.push_back(rod.t[i]), plot.series[0].y.push_back(angle(p));
    if (i % 20 == 0) plot.series[1].x.push_back(rod.t[i]), plot.series[1].y.push_back(angle(exact));
  }
  for (std::size_t i = 1; i < calm.t.size(); ++i) {
    const V p = normalized(calm.way[i]);
    worst_spin = worse(worst_spin, std::abs(dot(calm.spin[i], p) + 0.5 * p.z));
  }
  out.rows.push_back(small("rod in shear: direction, worst of 6 strains", worst, 2e-5, "rad"));
  out.rows.push_back(small("rod in shear: spin about its axis, over the rate of shear", worst_spin, 1e-3));
  out.plots.push_back(plot);
}

// c y_t + m y_tt + EI y_xxxx = 0 with y = Im(a h(x) exp(i w t)), h(0) = 1, h'(0) = 0, h''(L) = h'''(L) = 0.
struct Wave {
  Complex root[4], factor[4];

  Wave(double c, double m, double bending, double w) {
    const Complex k4 = Complex(m * w * w, -c * w) / bending, k = std::pow(k4, 0.25);
    Eigen::Matrix4cd a;
    for (int i = 0; i < 4; ++i) {
      root[i] = k * std::pow(Complex(0, 1), i);
      const Complex e = std::exp(root[i] * length), r = root[i];
      a(0, i) = 1, a(1, i) = r, a(2, i) = r * r * e, a(3, i) = r * r * r * e;
    }
    const Eigen::Vector4cd f = a.fullPivLu().solve(Eigen::Vector4cd(1, 0, 0, 0));
    for (int i = 0; i < 4; ++i) factor[i] = f[i];
  }
  Complex at(double x, int slope) const {
    Complex sum = 0;
    for (int i = 0; i < 4; ++i) sum += factor[i] * std::pow(root[i], slope) * std::exp(root[i] * x);
    return sum;
  }
};

void check_filament(const Context& c, Result& out) {
  const double mu = 1, period = 10, w = 2 * pi / period, a = 2e-3;
  const double bending = 1e6 * pi * std::pow(radius, 4) / 4, mass = 1000 * pi * radius * radius;
  const Wave wave(across(mu), mass, bending, w);
  const SceneRun run = run_scene(c, "filament.toml", {}, "filament");
  const auto t = run["time"], push = run["base.reaction_force.x"];
  const auto& stage = run.text("stage");
  const auto first = static_cast<std::size_t>(std::find(stage.begin(), stage.end(), "periodic") - stage.begin());
  const auto count = static_cast<double>(t.size() - first);

  Plot plot{"Height of the filament, over that of its end", "x/L", "", {}};
  Series ours[2] = {{"in phase", {}, {}}, {"a quarter behind", {}, {}}};
  Series exact[2] = {{"closed form", {}, {}, true}, {"closed form", {}, {}, true}};
  constexpr int bonds = 40;
  double worst = 0;
  for (int n = 0; n <= bonds; ++n) {
    const auto y = run[fmt::format("filament.displacement[{}].y", n)];
    Complex h = 0;
    for (std::size_t i = first; i < t.size(); ++i)
      h += 2 / (count * a) * y[i] * Complex(std::sin(w * t[i]), std::cos(w * t[i]));
    const double x = static_cast<double>(n) / bonds;
    const Complex expected = wave.at(x * length, 0);
    worst = worse(worst, std::abs(h - expected));
    ours[0].x.push_back(x), ours[0].y.push_back(h.real());
    ours[1].x.push_back(x), ours[1].y.push_back(-h.imag());
    if (n % 4 != 0) continue;
    exact[0].x.push_back(x), exact[0].y.push_back(expected.real());
    exact[1].x.push_back(x), exact[1].y.push_back(-expected.imag());
  }
  plot.series = {ours[0], ours[1], exact[0], exact[1]};
  out.plots.push_back(plot);
  out.rows.push_back(small("filament: complex amplitude, worst of all nodes, over that of its end", worst, 5e-3));

  // Mean force along x: (across - along) times the mean of y_t y_x, Simpson's rule.
  double thrust = 0;
  constexpr int pieces = 2000;
  for (int i = 0; i <= pieces; ++i) {
    const double x = length * i / pieces, weight = i == 0 || i == pieces ? 1 : i % 2 == 1 ? 4 : 2;
    const Complex velocity = Complex(0, w) * wave.at(x, 0), slope = wave.at(x, 1);
    thrust += weight * length / (3 * pieces) * 0.5 * a * a * (velocity * std::conj(slope)).real();
  }
  thrust *= across(mu) - along(mu);
  double held = 0;
  for (std::size_t i = first; i < t.size(); ++i) held += push[i] / count;
  out.rows.push_back(relative("filament: mean thrust on its holder, uN", -1e6 * held, 1e6 * thrust, 0.01));
  out.rows.push_back(small("filament: energy that the ledger does not explain, over the dissipated",
                           std::abs(run.last("system.ledger.balance") / run.last("system.ledger.dissipated")), 1e-3));
  out.remarks.push_back(fmt::format(
      "The waved filament has L (c w/EI)^(1/4) = {:.2f} and pushes its holder {} with {:.3g} uN on average.",
      length * std::pow(across(mu) * w / bending, 0.25), thrust < 0 ? "towards -x, away from its tail" : "towards +x",
      std::abs(1e6 * thrust)));
}

}  // namespace

Result run(const Context& c) {
  Result out;
  check_ball(c, out);
  check_rod(c, out);
  check_shear(c, out);
  check_filament(c, out);
  return out;
}

}  // namespace ls::validation::resistive_drag
