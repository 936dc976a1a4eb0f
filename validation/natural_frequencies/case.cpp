// Natural frequencies of straight rods: bending on four kinds of supports, twist and stretch.
#include "step/newton/vibrations.h"
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
constexpr double slender = 1e-3;  // diameter
constexpr double stout = 0.05;    // to find twist and stretch among the lowest
constexpr double poisson = 0.3;

double speed_of_sound(double diameter) {  // sqrt(E/rho)
  return 4 / diameter;
}

struct Supports {
  std::string name;
  int start, end;  // Hold bits
  int rigid;       // motions without stiffness
  int order;       // of the error
  double limit;    // of omega, with the most bonds
  double beta[3];  // times L

  // The integral of w'^2 over that of w^2, for the shape w of mode k.
  double slope(int k) const {
    const double b = beta[k];
    if (start != hold_all && rigid == 0) return b * b;
    if (end != hold_all && rigid == 0) {
      const double a = b * (std::sinh(b) - std::sin(b)) / (std::cosh(b) + std::cos(b));
      return a * (a + 2);
    }
    const double a = b * (std::cosh(b) - std::cos(b)) / (std::sinh(b) - std::sin(b));
    return rigid > 0 ? a * (a + 6) : a * (a - 2);
  }
  // Euler's beam, and Rayleigh's term for the inertia of sections that turn: it is a millionth, but we see it.
  double omega(int k) const { return beta[k] * beta[k] / std::sqrt(1 + slope(k) * slender * slender / 16); }
};
constexpr int pin = hold_position | 8, slide = hold_y | hold_z;  // 8: it may not spin about its own axis
constexpr double first_roots[3] = {4.730040744863, 7.853204624096, 10.995607838002};  // of cos x cosh x = 1
const Supports all_supports[] = {
    {"clamped-free", hold_all, 0, 0, 2, 5e-4, {1.875104068712, 4.694091132974, 7.854757438238}},
    {"clamped-clamped", hold_all, hold_all, 0, 4, 1e-7, {first_roots[0], first_roots[1], first_roots[2]}},
    {"simply supported", pin, slide, 0, 4, 1e-7, {pi, 2 * pi, 3 * pi}},
    {"free-free", 0, 0, 6, 2, 5e-4, {first_roots[0], first_roots[1], first_roots[2]}}};

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
    if (const auto mask = m.made.model.held[i]) in.held.push_back({i, mask, m.made.state.nodes.frame(i), {}});
  const Terms terms = make_terms(m.made.model);
  NewtonWork work(m.made.model, terms);
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
  const double s = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta));
  const auto w = [=](double b) { return std::cosh(b) - std::cos(b) - s * (std::sinh(b) - std::sin(b)); };
  return w(beta * x) / w(beta);
}

void add_shapes(const Modes& m, const Supports& supports, Result& out) {
  Plot plot{"Shapes of a clamped-free rod", "x / L", "displacement over that of the tip", {}};
  std::vector<Series> right;
  const int bonds = m.made.model.nodes - 1;
  for (int k = 0; k < 3; ++k) {
    const auto w = shape(m.found[2 * static_cast<std::size_t>(k)]);
    Series ours{fmt::format("mode {}", k + 1), {}, {}}, theirs{fmt::format("Euler's beam, {}", k + 1), {}, {}, true};
    double worst = 0;
    for (int i = 0; i <= bonds; ++i) {
      const double x = static_cast<double>(i) / bonds, exact = cantilever_shape(supports.beta[k], x);
      ours.x.push_back(x), ours.y.push_back(w[i]);
      worst = worse(worst, std::abs(ours.y.back() - exact));
      if (i % (bonds / 16) == 0) theirs.x.push_back(x), theirs.y.push_back(exact);
    }
    out.rows.push_back(small(fmt::format("{}, shape of mode {}", supports.name, k + 1), worst, 1e-3, "of the tip's"));
    plot.series.push_back(ours);
    right.push_back(theirs);
  }
  plot.series.insert(plot.series.end(), right.begin(), right.end());
  out.plots.push_back(plot);
}

struct Refinement {
  std::vector<double> length, bonds, error[3];  // of a bond; [mode] of omega

  // Of the middle ones: 16 bonds are few for a third mode, and at fourth order the finest are right to rounding.
  double order(std::size_t k) const {
    return convergence_order(std::span(length).subspan(1, 2), std::span(error[k]).subspan(1, 2));
  }
};

void add_bending(const Supports& supports, const std::vector<int>& bonds, Result& out, Plot& errors) {
  Refinement r;
  const auto first = static_cast<std::size_t>(supports.rigid);
  for (const int n : bonds) {
    const Modes m = modes_of("exact", slender, n, supports, supports.rigid + 6);
    r.length.push_back(1.0 / n), r.bonds.push_back(n);
    for (std::size_t k = 0; k < 3; ++k) {
      const double right = supports.omega(static_cast<int>(k));
      const double one = omega(m.found[first + 2 * k]), other = omega(m.found[first + 2 * k + 1]);
      r.error[k].push_back(std::abs(one / right - 1));
      if (n != bonds.back()) continue;
      const std::string name = fmt::format("{}, bending {}", supports.name, k + 1);
      out.rows.push_back({name, one, right, std::abs(one / right - 1), supports.limit, "of omega"});
      out.rows.push_back(small(name + ", its twin across", std::abs(one / other - 1), 1e-6, "of omega"));
      out.rows.push_back(compared(name + ", order", r.order(k), supports.order, 0.1));
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
      const auto& a = v.shape[i];
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

Result run(const Context&) {
  Result out;
  const std::vector<int> bonds{16, 32, 64, 128};  // a tenth of a second: no need for a faster one
  Plot errors{"Error of the first frequency", "bonds", "of omega", {}, true, true};
  for (const auto& supports : all_supports) add_bending(supports, bonds, out, errors);
  add_along(bonds, out, errors);
  for (const char* model : {"corotational", "vector"}) {
    const double ours = omega(modes_of(model, slender, bonds.back(), all_supports[0], 2).found[0]);
    const double right = all_supports[0].omega(0);
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
