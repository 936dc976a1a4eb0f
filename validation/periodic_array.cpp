#include "validation/periodic_array.h"

#include <cmath>

namespace ls::validation {

namespace {

// The limit of a series that approaches it exponentially, from its last three members (Aitken).
double limit_of(const double (&u)[3]) {
  const double first = u[1] - u[0], second = u[2] - u[1];
  return u[2] - second * second / (second - first);
}

}  // namespace

double mobility(const PeriodicArray& array, const Vec3<double>& along) {
  constexpr double push = 1e-7;  // on the fluid, per cell: slow flow
  constexpr int most_samples = 2000;
  const Fluid fluid(array.fluid);
  const Lattice& lattice = fluid.lattice();
  Nodes nodes(1);
  nodes.set(0, Frame<double>{array.place, {1, {0, 0, 0}}});
  FluidWork work(fluid, array.markers);
  FluidState state = lattice.at_rest();
  Team team(1);
  LatticeDrive drive;
  drive.body = push * along;
  std::vector<Wrench<double>> got(array.markers.size());
  const auto& n = array.fluid.cells;
  const double nu = array.fluid.viscosity, cells = static_cast<double>(lattice.cells());
  const int every = std::max(60, static_cast<int>(0.02 * n[0] * n[1] / nu));
  double u[3] = {}, last = 0;
  for (int sample = 0; sample < most_samples; ++sample) {
    for (int i = 0; i < every; ++i) {
      gather_flow(fluid, state, drive, nodes, work, team);
      for (std::size_t k = 0; k < got.size(); ++k) {
        const MarkerFlow::Point p = work.flow.point(k);
        got[k].force = p.resistance * p.u;
      }
      spread_impulses(fluid, got, work, state, team);
      lattice.step(state, drive, &work.forces, team);
    }
    u[0] = u[1], u[1] = u[2], u[2] = dot(lattice.totals(state, team).momentum, along) / cells;
    const double limit = limit_of(u);
    if (sample > 4 && std::abs(limit - last) < 3e-5 * limit) return limit * nu / (push * cells);
    last = limit;
  }
  return std::nan("");
}

}  // namespace ls::validation
