#include "validation/support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::energy_conservation {

namespace {

constexpr int between = 20;  // steps from one look at the energy to the next

// Ten bonds, twice as long as thick, straight and free. Speeds up to 1.6 % of the speed of sound strain the rod by a
// few per cent; the spins hold as much energy.
Builder::Result chain(const std::string& model) {
  const Elasticity e{1e6, 0.4e6};
  const double diameter = 5e-3, speed = 0.5;
  RodSpec rod;
  rod.name = "chain";
  rod.model = model;
  rod.line = line({0, 0, 0}, {20 * diameter, 0, 0}, 10, {0, 0, 1});
  rod.section = [=](double) { return circular_section(diameter, e.poisson()); };
  rod.material = [=](double) { return e; };
  rod.density = [](double) { return 1000.0; };
  rod.random.speed = speed;
  rod.random.spin = speed * 4 / diameter;
  Builder builder;
  builder.add(rod);
  return builder.finish();
}

struct History {
  std::vector<double> time, energy;        // s, over the energy of the start
  std::array<double, 4> largest_strain{};  // stretch, shear, bend, twist of any bond
  double drift() const {                   // of the mean, from the first quarter to the last
    const auto quarter = energy.size() / 4;
    return mean(std::span(energy).last(quarter)) - mean(std::span(energy).first(quarter));
  }
};

History watch(const std::string& model, double share, long long steps) {
  auto start = chain(model);
  const double dt = share * critical_step_of(start.model, start.state);
  Flight flight(std::move(start), dt);
  const double first = flight.energy();
  History h;
  h.time.push_back(0), h.energy.push_back(1);
  for (long long k = 0; k < steps; k += between) {
    const bool well = flight.fly(between);
    h.time.push_back(flight.time());
    h.energy.push_back(well ? flight.energy() / first : std::nan(""));
    if (!well) break;
    for (const auto& b : flight.bonds())
      for (std::size_t m = 0; m < 4; ++m) h.largest_strain[m] = std::max(h.largest_strain[m], std::abs(b.strain[m]));
  }
  return h;
}

}  // namespace

Result run(const Context& context) {
  Result r;
  const long long steps = context.manner.fast ? 100'000 : 1'000'000;
  for (const auto* model : {"exact", "vector"}) {
    Plot p{fmt::format("Total energy, {} bonds", model), "time (s)", "energy over that of the start, less 1", {}};
    double bands[2];
    for (const bool half : {false, true}) {
      const double share = half ? 0.05 : 0.1;
      const auto h = watch(model, share, steps);
      const std::string what = fmt::format("{}, {} of the critical step: ", model, share);
      bands[half] = band(h.energy);
      r.rows.push_back(small(what + "band of the energy", bands[half], half ? 8e-4 : 3e-3, "of E0"));
      r.rows.push_back(small(what + "drift of the mean", h.drift() / bands[half], 0.05, "of the band"));
      auto off = h.energy;
      for (double& e : off) e -= 1;
      p.series.push_back(thinned(fmt::format("{} of the critical step", share), h.time, off));
      if (!half)
        r.remarks.push_back(fmt::format(
            "{}: bonds stretch by up to {:.1f} %, shear by {:.2f}, bend by {:.2f} and twist by {:.2f} rad.", model,
            100 * h.largest_strain[0], h.largest_strain[1], h.largest_strain[2], h.largest_strain[3]));
    }
    r.remarks.push_back(
        fmt::format("{}: half the step makes the band {:.2f} times narrower.", model, bands[0] / bands[1]));
    r.plots.push_back(p);
  }
  return r;
}

}  // namespace ls::validation::energy_conservation
