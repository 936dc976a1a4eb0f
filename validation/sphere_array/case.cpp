#include "fluid/immersed/grid_radius.h"
#include "validation/periodic_array.h"
#include "validation/support.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::sphere_array {

namespace {

using std::numbers::pi;

// Drag of a ball of radius a in a cubic array of side n, over Stokes' 6 pi mu a U; the markers as a scene would lay
// them.
double drag(DeltaKernel kernel, double a, int n, double tau, double off) {
  PeriodicArray array;
  array.fluid.cells = {n, n, n};
  array.fluid.spacing = array.fluid.dt = array.fluid.density = 1;
  array.fluid.viscosity = (tau - 0.5) / 3;
  array.fluid.is_double = true;
  array.fluid.kernel = kernel;
  const int middle = n / 2;
  array.place = {middle + off, middle + 0.7 * off, middle + 0.4 * off};
  const double inner = retracted_ball(kernel, a);
  const int many = static_cast<int>(std::ceil(4 * pi * inner * inner / 0.64));
  for (int k = 0; k < many; ++k) {
    const double z = 1 - (2 * k + 1.0) / many, r = std::sqrt(1 - z * z), phi = k * pi * (3 - std::sqrt(5.0));
    Marker m;
    m.anchor[0] = {0, 1, {inner * r * std::cos(phi), inner * r * std::sin(phi), inner * z}};
    m.measure = 4 * pi * inner * inner / many;
    array.markers.push_back(m);
  }
  return 1 / mobility(array, {1, 0, 0}) / (6 * pi * a);
}

}  // namespace

Result run(const Context& context) {
  Result r;
  const Table table(context.folder / "hasimoto.csv");
  const auto share = table["a_over_L"], exact = table["K_Hasimoto_6th"];
  Plot plot{"Drag of a ball in a cubic array", "radius over side", "over Stokes'", {}};
  plot.series = {{"roma", {}, {}}, {"peskin", {}, {}}, {"Hasimoto", {}, {}, true}};
  const auto check = [&](DeltaKernel kernel, double of_side, double a, double tau, double off) {
    const double k = drag(kernel, a, static_cast<int>(std::lround(a / of_side)), tau, off);
    const double reference = interpolate(share, exact, of_side);
    r.rows.push_back(compared(fmt::format("{}, a = {} cells, a/L = {}, tau {}, {} off the middle: K over Hasimoto's",
                                          kernel == DeltaKernel::roma ? "roma" : "peskin", a, of_side, tau, off),
                              k / reference, 1, 0.02));
    Series& s = plot.series[kernel == DeltaKernel::roma ? 0 : 1];
    s.x.push_back(of_side), s.y.push_back(k);
  };
  for (const DeltaKernel kernel : {DeltaKernel::roma, DeltaKernel::peskin}) {
    if (!context.manner.fast) check(kernel, 0.1, 6, 1, 0.2);
    check(kernel, 0.2, 6, 1, 0.2);
    if (context.manner.fast) continue;
    check(kernel, 0.2, 6, 0.6, 0);
    check(kernel, 0.2, 6, 2, 0.5);
    check(kernel, 0.2, 8, 1, 0.3);
  }
  for (std::size_t k = 0; k < share.size(); ++k)
    if (share[k] >= 0.05 && share[k] <= 0.25)
      plot.series[2].x.push_back(share[k]), plot.series[2].y.push_back(exact[k]);
  r.plots.push_back(plot);
  return r;
}

}  // namespace ls::validation::sphere_array
