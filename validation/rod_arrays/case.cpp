#include "validation/periodic_array.h"
#include "validation/support.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::rod_arrays {

namespace {

using std::numbers::pi;

constexpr int cells = 32, length = 4;  // side of the square array, and of the rod that the box shows

// Force per length over viscosity and mean velocity of square arrays of rods that fill a share c of the space.
double across(double c) {  // Sangani and Acrivos 1982
  return 4 * pi / (-0.5 * std::log(c) - 0.738 + c - 0.887 * c * c + 2.038 * c * c * c);
}
double along(double c) {  // Drummond and Tahir 1984
  return 4 * pi / (-std::log(c) - 1.476 + 2 * c - 0.5 * c * c - 0.0509 * c * c * c * c);
}

struct Rod {
  DeltaKernel kernel = DeltaKernel::roma;
  Coupling coupling = Coupling::friction;
  double tau = 1, radius = 0.4, apart = 1;  // steps, cells, cells between markers
  int stride = 1;                           // every so many markers one meets the fluid
  bool is_along = false, trt = true;
};

// Drag over the exact one of a rod of its radius.
double drag(const Rod& rod, double x, double y) {
  PeriodicArray array;
  array.fluid.cells = {cells, cells, length};
  array.fluid.spacing = array.fluid.dt = array.fluid.density = 1;
  array.fluid.viscosity = (rod.tau - 0.5) / 3;
  array.fluid.is_double = true;
  array.fluid.trt = rod.trt;
  array.fluid.kernel = rod.kernel;
  array.fluid.coupling = rod.coupling;
  const int middle = cells / 2;
  array.place = {middle + x, middle + y, 0.13};
  const int many = static_cast<int>(std::lround(length / rod.apart));
  for (int i = 0; i < many; ++i) {
    Marker m;
    m.kind = MarkerKind::line;
    m.anchor[0] = {0, 1, {0, 0, length * (i + 0.0) / many}};
    m.tangent = {0, 0, 1};
    m.measure = static_cast<double>(length) / many;
    m.radius = rod.radius;
    m.before = i % rod.stride;
    if (m.before > 0 && i + 1 < many) {
      m.after = std::min(many - 1, i - m.before + rod.stride) - i;
      m.share = static_cast<double>(m.before) / (m.before + m.after);
    } else {
      m.before = 0;
    }
    array.markers.push_back(m);
  }
  const double ease = mobility(array, rod.is_along ? Vec3<double>{0, 0, 1} : Vec3<double>{1, 0, 0});
  const double c = pi * rod.radius * rod.radius / (cells * cells);
  return 1 / (ease * length) / (rod.is_along ? along(c) : across(c));
}

struct Range {
  double low = 1e300, high = -1e300;
  double middle() const { return 0.5 * (low + high); }
  double half() const { return 0.5 * (high - low); }
};
Range over_places(const Rod& rod, bool fast) {
  Range r;
  const std::vector<std::pair<double, double>> few{{0, 0}, {0.5, 0.5}, {0.25, 0.1}};
  std::vector<std::pair<double, double>> places = few;
  if (!fast) places.insert(places.end(), {{0, 0.5}, {0.5, 0}, {0.25, 0.25}, {0.4, 0.15}});
  for (const auto& [x, y] : places) {
    const double d = drag(rod, x, y);
    r.low = std::min(r.low, d), r.high = std::max(r.high, d);
    if (std::isnan(d)) r.low = r.high = d;
  }
  return r;
}

const char* name(DeltaKernel k) {
  return k == DeltaKernel::roma ? "roma" : "peskin";
}

// What the radius of the rod does to the drag, with and without the slip that accounts for it.
Plot by_radius() {
  Plot p{"Drag across, over that of a rod of the true radius", "radius (cells)", "drag over exact", {}};
  for (const Coupling coupling : {Coupling::friction, Coupling::direct}) {
    Series s{coupling == Coupling::friction ? "friction in series (default)" : "direct forcing", {}, {}};
    for (const double r : {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}) {
      Rod rod;
      rod.radius = r;
      rod.coupling = coupling;
      s.x.push_back(r), s.y.push_back(drag(rod, 0.25, 0.1));
    }
    p.series.push_back(s);
  }
  p.series.push_back({"exact", {0.2, 0.4, 0.6, 0.8}, {1, 1, 1, 1}, true});
  return p;
}

}  // namespace

Result run(const Context& context) {
  Result r;
  double widest[2] = {0, 0};
  for (const DeltaKernel kernel : {DeltaKernel::roma, DeltaKernel::peskin})
    for (const bool is_along : {false, true})
      for (const double tau : {0.55, 1.0, 2.0})
        for (const double radius : {0.2, 0.4, 0.8}) {
          if (context.manner.fast && (tau == 0.55 || radius == 0.4)) continue;
          Rod rod;
          rod.kernel = kernel, rod.is_along = is_along, rod.tau = tau, rod.radius = radius;
          const Range range = over_places(rod, context.manner.fast);
          const std::string what =
              fmt::format("{}, {}, tau {}, r = {} cells", name(kernel), is_along ? "along" : "across", tau, radius);
          r.rows.push_back(compared(what + ": drag over exact, middle of all places", range.middle(), 1, 0.03));
          r.rows.push_back(
              small(what + ": half of its range over places", range.half(), kernel == DeltaKernel::roma ? 0.02 : 0.01));
          widest[kernel == DeltaKernel::peskin] = worse(widest[kernel == DeltaKernel::peskin], range.half());
        }
  for (const double apart : {0.4, 2.0}) {
    Rod rod;
    rod.apart = apart;
    r.rows.push_back(
        compared(fmt::format("markers {} cells apart: drag over exact", apart), drag(rod, 0.25, 0.1), 1, 0.03));
  }
  for (const bool is_along : {false, true}) {
    Rod rod;
    rod.apart = 0.4;
    rod.stride = 3;
    rod.is_along = is_along;
    r.rows.push_back(compared(fmt::format("markers 0.4 cells apart, every third a station, {}: drag over exact",
                                          is_along ? "along" : "across"),
                              drag(rod, 0.25, 0.1), 1, 0.03));
  }
  Rod direct;
  direct.coupling = Coupling::direct;
  r.remarks.push_back(fmt::format(
      "Without the friction in series, a rod of 0.4 cells would have {:.2f} times its drag.", drag(direct, 0.25, 0.1)));
  Rod single = direct;
  single.trt = false, single.tau = 2;
  Rod slow = single;
  slow.tau = 0.55;
  r.remarks.push_back(fmt::format(
      "With one relaxation time it would be {:.2f} times at tau = 0.55 and {:.2f} at tau = 2: two are the default.",
      drag(slow, 0.25, 0.1), drag(single, 0.25, 0.1)));
  r.remarks.push_back(
      fmt::format("Where in a cell the rod lies changes its drag by {:.1f} % (roma) and {:.1f} % (peskin).",
                  100 * widest[0], 100 * widest[1]));
  r.plots.push_back(by_radius());
  return r;
}

}  // namespace ls::validation::rod_arrays
