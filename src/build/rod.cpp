#include "build/rod.h"

#include "build/average.h"

namespace ls {

namespace {

Section section_at(const RodSpec& rod, double u) {
  const Section s = rod.section(u);
  if (!(s.radius > 0))
    throw Error(
        fmt::format("its section has a size of {:.4g} m at u = {:.6g}, expected a value above 0", 2 * s.radius, u));
  return s;
}

}  // namespace

NodeShare node_share(const RodSpec& rod, double from, double u, double to) {
  const Section here = section_at(rod, u);
  const NodeShare at_node{here.area, here.i1, here.i2, rod.density(u),
                          rod.magnetisation ? rod.magnetisation(u) : Vec3<double>{}};
  if (rod.is_uniform) return at_node;
  const auto per_length = [&](double v) {
    const Section s = section_at(rod, v);
    const double rho = rod.density(v);
    const Vec3<double> m = rod.magnetisation ? s.area * rod.magnetisation(v) : Vec3<double>{};
    return std::array<double, 7>{s.area, rho * s.area, rho * s.i1, rho * s.i2, m.x, m.y, m.z};
  };
  const auto [mean, is_constant] = average_over<7>(from, u, to, per_length);
  if (is_constant) return at_node;
  NodeShare n;
  n.area = mean[0];
  n.density = mean[1] / mean[0];
  // A body without a density gets its mass otherwise, and the section's own moments with it.
  n.i1 = n.density > 0 ? mean[2] / n.density : at_node.i1;
  n.i2 = n.density > 0 ? mean[3] / n.density : at_node.i2;
  n.magnetisation = (1 / mean[0]) * Vec3<double>{mean[4], mean[5], mean[6]};
  return n;
}

Section bond_section(const RodSpec& rod, double from, double to) {
  const double middle = 0.5 * (from + to);
  Section s = section_at(rod, middle);
  if (rod.is_uniform) return s;
  const auto compliance = [&](double v) {
    const Section at = section_at(rod, v);
    return std::array<double, 4>{1 / at.area, 1 / at.i1, 1 / at.i2, 1 / at.torsion};
  };
  const auto [mean, is_constant] = average_over<4>(from, middle, to, compliance);
  if (is_constant) return s;
  s.area = 1 / mean[0];
  s.i1 = 1 / mean[1];
  s.i2 = 1 / mean[2];
  s.torsion = 1 / mean[3];
  return s;
}

}  // namespace ls
