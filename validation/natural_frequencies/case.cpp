// Natural frequencies of straight rods: bending on four kinds of supports, twist and stretch.
#include "step/vibrations.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <stdexcept>

namespace ls::validation::natural_frequencies {

namespace {

using std::numbers::pi;

// Rods of length 1 along x with EI = 1 and a mass of 1: omega is then (beta L)^2.
constexpr double slender = 1e-3;  // diameter; the rotary inertia that Euler's beam lacks is below 1e-5 of omega
constexpr double stout = 0.05;    // to find twist and stretch among the lowest
constexpr double poisson = 0.3;

double speed_of_sound(double diameter) {  // sqrt(E/rho)
  return 4 / diameter;
}

struct Supports {
  std::string name;
  int start, end;  // Hold bits
  int rigid;       // motions without stiffness
  double beta[3];  // times L
};
constexpr int pin = hold_position | 8, slide = hold_y | hold_z;  // 8: it may not spin about its own axis
const Supports all_supports[] = {
    {"clamped-free", hold_all, 0, 0, {1.8751040687, 4.6940911330, 7.8547574382}},
    {"clamped-clamped", hold_all, hold_all, 0, {4.7300407449, 7.8532046241, 10.9956078380}},
    {"simply supported", pin, slide, 0, {pi, 2 * pi, 3 * pi}},
    {"free-free", 0, 0, 6, {4.7300407449, 7.8532046241, 10.9956078380}}};

struct Modes {
  Builder::Result made;
  std::vector<Vibration> found;
};

Modes modes_of(const std::string& model, double diameter, int bonds, const Supports& supports, int count) {
  RodSpec r;
  r.name = "rod";
  r.model = model;
  r.line = line({0, 0, 0}, {1, 0, 0}, bonds, {0, 0, 1});
  const double young = 64 / (pi * std::pow(diameter, 4));
  r.section = [=](double) { return circular_section(diameter, poisson); };
  r.material = [=](double) { return Elasticity{young, young / (2 * (1 + poisson))}; };
  r.density = [=](double) { return 4 / (pi * diameter * diameter); };
  r.hold_start = static_cast<std::uint8_t>(supports.start);
  r.hold_end = static_cast<std::uint8_t>(supports.end);
  Builder b;
  b.add(r);
  Modes m{b.finish(), {}};
  Inputs in;
  for (const int i : {0, bonds})
    if (const auto mask = m.made.model.held[static_cast<std::size_t>(i)])
      in.held.push_back({i, mask, m.made.state.nodes.frame(i), {}});
  NewtonWork work(m.made.model);
  m.found = natural_vibrations(m.made.model, in, in.held, m.made.state, work, count);
  if (static_cast<int>(m.found.size()) != count) throw std::runtime_error("too few modes were found");
  return m;
}

double omega(const Vibration& v) {
  return 2 * pi * v.frequency();
}

// ---- Bending
// ---------------------------------------------------------------------------------------------------------

// Across the rod, in the direction in which it goes farthest: a round rod has no other that stands out.
std::vector<double> shape(const Vibration& v) {
  Vec3<double> most{};
  for (const auto& a : v.shape)
    if (norm(a.v) > norm(most)) most = a.v;
  std::vector<double> w;
  for (const auto& a : v.shape) w.push_back(dot(a.v, most) / dot(most, most));
  if (w.back() < 0)
    for (auto& a : w) a = -a;
  return w;
}

double cantilever_shape(double beta, double x) {  // 1 at the tip
  const double s = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta)), b = beta * x;
  return 0.5 * (std::cosh(b) - std::cos(b) - s * (std::sinh(b) - std::sin(b))) *
         (s * (std::sinh(beta) - std::sin(beta)) < std::cosh(beta) - std::cos(beta) ? 1 : -1);
}

void add_shapes(const Modes& m, const Supports& supports, Result& out) {
  Plot plot{"Shapes of a clamped-free rod", "x / L", "displacement over that of the tip", {}};
  std::vector<Series> right;
  const int bonds = m.made.model.nodes - 1;
  for (int k = 0; k < 3; ++k) {
    const auto w = shape(m.found[static_cast<std::size_t>(2 * k)]);
    Series ours{fmt::format("mode {}", k + 1), {}, {}}, theirs{fmt::format("Euler's beam, {}", k + 1), {}, {}, true};
    double worst = 0;
    for (int i = 0; i <= bonds; ++i) {
      const double x = static_cast<double>(i) / bonds, exact = cantilever_shape(supports.beta[k], x);
      ours.x.push_back(x), ours.y.push_back(w[static_cast<std::size_t>(i)]);
      worst = worse(worst, std::abs(ours.y.back() - exact));
      if (i % (bonds / 16) == 0) theirs.x.push_back(x), theirs.y.push_back(exact);
    }
    out.rows.push_back(small(fmt::format("{}, shape of mode {}", supports.name, k + 1), worst, 2e-3, "of the tip's"));
    plot.series.push_back(ours);
    right.push_back(theirs);
  }
  plot.series.insert(plot.series.end(), right.begin(), right.end());
  out.plots.push_back(plot);
}

struct Refinement {
  std::vector<double> length, bonds, error[3];  // of a bond; [mode] of omega
};

void add_bending(const Supports& supports, const std::vector<int>& bonds, Result& out, Plot& errors) {
  Refinement r;
  const auto first = static_cast<std::size_t>(supports.rigid);
  for (const int n : bonds) {
    const Modes m = modes_of("exact", slender, n, supports, supports.rigid + 6);
    r.length.push_back(1.0 / n), r.bonds.push_back(n);
    for (std::size_t k = 0; k < 3; ++k) {
      const double right = supports.beta[k] * supports.beta[k];
      const double one = omega(m.found[first + 2 * k]), other = omega(m.found[first + 2 * k + 1]);
      r.error[k].push_back(std::abs(one / right - 1));
      if (n != bonds.back()) continue;
      const std::string name = fmt::format("{}, bending {}", supports.name, k + 1);
      out.rows.push_back({name, one, right, std::abs(one / right - 1), 4e-4, "of omega"});
      out.rows.push_back(small(name + ", its twin across", std::abs(one / other - 1), 1e-6, "of omega"));
      out.rows.push_back(compared(name + ", order", convergence_order(r.length, r.error[k]), 2, 0.05));
    }
    double rigid = 0;
    for (std::size_t k = 0; k < first; ++k) rigid = worse(rigid, std::abs(omega(m.found[k]) / omega(m.found[first])));
    if (supports.rigid > 0 && n == bonds.back())
      out.rows.push_back(small(supports.name + ", six rigid motions", rigid, 1e-3, "of omega 1"));
    if (supports.start == hold_all && supports.end == 0 && n == bonds.back()) add_shapes(m, supports, out);
  }
  errors.series.push_back({supports.name, r.bonds, r.error[0]});
}

// ---- Twist and stretch
// -------------------------------------------------------------------------------------------------

// The first mode of its kind: more than half of its motion is in turning about x, or in going along it.
const Vibration& first_along(const Modes& m, bool turning) {
  const Model& model = m.made.model;
  for (const auto& v : m.found) {
    double sum = 0;
    for (int i = 0; i < model.nodes; ++i) {
      const auto& a = v.shape[static_cast<std::size_t>(i)];
      sum += turning ? model.inertia[2][i] * a.w.x * a.w.x : model.mass[i] * a.v.x * a.v.x;
    }
    if (sum > 0.5 && v.omega_squared > 1e-3) return v;
  }
  throw std::runtime_error("no mode along the rod was found");
}

void add_along(const std::vector<int>& bonds, Result& out, Plot& errors) {
  for (const bool turning : {true, false}) {
    const std::string name = fmt::format("clamped-free, {}", turning ? "twist" : "stretch");
    const double speed = speed_of_sound(stout) / (turning ? std::sqrt(2 * (1 + poisson)) : 1), right = speed * pi / 2;
    std::vector<double> length, error, count;
    double ours = 0;
    for (const int n : bonds) {
      ours = omega(first_along(modes_of("exact", stout, n, all_supports[0], 16), turning));
      length.push_back(1.0 / n), count.push_back(n);
      error.push_back(std::abs(ours / right - 1));
    }
    out.rows.push_back({name + " 1", ours, right, error.back(), 1e-4, "of omega"});
    out.rows.push_back(compared(name + " 1, order", convergence_order(length, error), 2, 0.02));
    errors.series.push_back({name, count, error});
  }
}

}  // namespace

Result run(const Context& context) {
  Result out;
  const std::vector<int> bonds = context.fast ? std::vector{32, 64, 128} : std::vector{16, 32, 64, 128};
  Plot errors{"Error of the first frequency", "bonds", "of omega", {}, true, true};
  for (const auto& supports : all_supports) add_bending(supports, bonds, out, errors);
  add_along(bonds, out, errors);
  for (const char* model : {"corotational", "vector"}) {
    const double ours = omega(modes_of(model, slender, bonds.back(), all_supports[0], 2).found[0]);
    const double right = all_supports[0].beta[0] * all_supports[0].beta[0];
    out.rows.push_back({fmt::format("clamped-free, bending 1, {} bonds", model), ours, right,
                        std::abs(ours / right - 1), 4e-4, "of omega"});
  }
  std::string first;
  for (const auto& s : errors.series)
    first += fmt::format("{}{} {:.1e}", first.empty() ? "" : ", ", s.name, s.y.back());
  out.remarks = {fmt::format("With {} bonds the first frequencies are off by: {}.", bonds.back(), first)};
  out.plots.push_back(errors);
  return out;
}

}  // namespace ls::validation::natural_frequencies
