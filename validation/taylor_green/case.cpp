// Vortices that decay: the viscosity of the lattice, and its order.
#include "validation/flows.h"
#include "validation/support.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::taylor_green {

namespace {

struct Decay {
  double viscosity_error = 0;  // of the rate at which the energy goes, over itself
  double velocity_error = 0;   // root mean square over that of the exact flow, at the end
};

// u = U (sin kx cos ky, -cos kx sin ky) exp(-2 nu k^2 t) in the plane of two axes, in a box of n cells; the speed goes
// with 1/n, so that compressibility shrinks along with the grid's errors.
Decay decay(double viscosity, int n, int a, int b) {
  const double k = 2 * std::numbers::pi / n, speed = 0.6 / n, rate = 2 * viscosity * k * k;
  LatticeSpec spec;
  spec.cells = {1, 1, 1};
  spec.cells[a] = spec.cells[b] = n;
  spec.viscosity = viscosity;
  spec.is_double = true;
  Flow flow(spec);
  const auto each = [&](const auto& visit) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        std::array<int, 3> cell{};
        cell[a] = i, cell[b] = j;
        const double x = k * (i + 0.5), y = k * (j + 0.5);
        visit(cell, x, y, speed * std::sin(x) * std::cos(y), -speed * std::cos(x) * std::sin(y));
      }
  };
  each([&](const auto& cell, double x, double y, double u, double v) {
    Vec3<double> velocity{};
    component(velocity, a) = u, component(velocity, b) = v;
    // The pressure that belongs to it, p = U^2 (cos 2kx + cos 2ky)/4, so that no sound is heard.
    const double density = 1 + 3 * 0.25 * speed * speed * (std::cos(2 * x) + std::cos(2 * y));
    flow.lattice().set(flow.state(), cell[0], cell[1], cell[2], density, velocity);
  });
  const auto energy = [&] {
    double sum = 0;
    each([&](const auto& cell, double, double, double, double) {
      const auto u = flow.velocity(cell, {});
      sum += dot(u, u);
    });
    return sum;
  };
  const auto go = [&](double until) {  // in units of the decay time
    for (const auto last = static_cast<long long>(until / rate); flow.steps() < last;) flow.step({});
    return static_cast<double>(flow.steps());
  };
  const double from = go(0.2), first = energy(), to = go(1.2), last = energy();
  Decay out;
  out.viscosity_error = std::log(first / last) / (2 * rate * (to - from)) - 1;
  double error = 0, scale = 0;
  each([&](const auto& cell, double, double, double u, double v) {
    Vec3<double> now = flow.velocity(cell, {});
    const double left = std::exp(-rate * to), du = component(now, a) - left * u, dv = component(now, b) - left * v;
    error += du * du + dv * dv, scale += left * left * (u * u + v * v);
  });
  out.velocity_error = std::sqrt(error / scale);
  return out;
}

// From N = 16 on: the coarsest is not yet on the line.
double order(const Series& error) {
  std::vector<double> h, e;
  for (std::size_t i = 0; i < error.x.size(); ++i)
    if (error.x[i] >= 16) h.push_back(1 / error.x[i]), e.push_back(error.y[i]);
  return convergence_order(h, e);
}

}  // namespace

Result run(const Context&) {
  const std::vector<int> sizes = {12, 16, 24, 32, 48};
  Result out;
  Plot plot{"Error of decaying vortices", "cells N", "over itself", {}, true, true};
  Series second{"second order", {}, {}, true};
  for (const double nu : {0.02, 0.1}) {
    const std::string what = fmt::format("viscosity {}: ", nu);
    Series viscosities{what + "viscosity", {}, {}}, velocities{what + "velocities", {}, {}};
    for (const int n : sizes) {
      const Decay d = decay(nu, n, 0, 1);
      viscosities.x.push_back(n), viscosities.y.push_back(std::abs(d.viscosity_error));
      velocities.x.push_back(n), velocities.y.push_back(d.velocity_error);
      if (nu == 0.02)
        second.x.push_back(n), second.y.push_back(viscosities.y[0] * std::pow(static_cast<double>(sizes[0]) / n, 2));
    }
    out.rows.push_back(small(what + "as measured, N = 48, off by", viscosities.y.back(), 1.5e-3, "of itself"));
    const double found = order(viscosities);
    out.rows.push_back({what + "order of the measured viscosity from N = 16 on", found, 2, 2 - found, 0.1, ""});
    out.rows.push_back(compared(what + "order of the velocities from N = 16 on", order(velocities), 2, 0.1));
    plot.series.push_back(viscosities), plot.series.push_back(velocities);
    out.remarks.push_back(fmt::format(
        "{}with {} cells to a wave the measured one is off by {:.2e} of itself, and the velocities after 1.2 "
        "decay times by {:.2e}.",
        what, sizes.back(), viscosities.y.back(), velocities.y.back()));
  }
  plot.series.push_back(second);
  out.plots.push_back(plot);
  const double flat = decay(0.02, 24, 0, 1).viscosity_error;
  out.rows.push_back(
      compared("plane yz as plane xy: viscosity, N = 24", decay(0.02, 24, 1, 2).viscosity_error, flat, 1e-9));
  out.rows.push_back(
      compared("plane zx as plane xy: viscosity, N = 24", decay(0.02, 24, 2, 0).viscosity_error, flat, 1e-9));
  return out;
}

}  // namespace ls::validation::taylor_green
