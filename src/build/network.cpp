#include "build/network.h"

#include "base/error.h"
#include "build/magnets/soft_cells.h"
#include "math/rotation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace ls {

namespace {

using V = Vec3<double>;

// A point by whole numbers, so that neighbours are found without a tolerance.
using Site = std::array<int, 3>;
using Sites = std::map<Site, int>;  // its joint

void add_site(StrutLattice& lattice, Sites& sites, const Site& site, const V& at) {
  if (sites.try_emplace(site, static_cast<int>(lattice.joints.size())).second) lattice.joints.push_back(at);
}

// Struts from every joint to those that lie by one of the steps further on.
void add_struts(StrutLattice& lattice, const Sites& sites, const std::vector<Site>& steps) {
  for (const auto& [site, joint] : sites)
    for (const Site& s : steps)
      if (const auto to = sites.find({site[0] + s[0], site[1] + s[1], site[2] + s[2]}); to != sites.end())
        lattice.struts.push_back({joint, to->second});
}

void add_faces(StrutLattice& lattice, bool is_flat) {
  const auto coordinate = [](const V& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
  for (int k = 0; k < (is_flat ? 2 : 3); ++k) {
    double low = 1e300, high = -1e300;
    for (const V& v : lattice.joints) low = std::min(low, coordinate(v, k)), high = std::max(high, coordinate(v, k));
    const double near = 1e-9 * (high - low);
    const std::string axis(1, "xyz"[k]);
    BodyPart bottom{"low_" + axis, {}}, top{"high_" + axis, {}};
    for (std::size_t i = 0; i < lattice.joints.size(); ++i) {
      if (coordinate(lattice.joints[i], k) <= low + near) bottom.nodes.push_back(static_cast<int>(i));
      if (coordinate(lattice.joints[i], k) >= high - near) top.nodes.push_back(static_cast<int>(i));
    }
    lattice.parts.push_back(bottom);
    lattice.parts.push_back(top);
  }
}

void drop_dangling(StrutLattice& lattice) {
  for (bool again = true; again;) {
    std::vector<int> struts(lattice.joints.size(), 0), number(lattice.joints.size(), -1);
    for (const auto& s : lattice.struts)
      for (const int j : s) ++struts[j];
    StrutLattice kept;
    for (std::size_t i = 0; i < struts.size(); ++i)
      if (struts[i] > 1) {
        number[i] = static_cast<int>(kept.joints.size());
        kept.joints.push_back(lattice.joints[i]);
      }
    for (const auto& s : lattice.struts) {
      const int a = number[s[0]], b = number[s[1]];
      if (a >= 0 && b >= 0) kept.struts.push_back({a, b});
    }
    again = kept.joints.size() != lattice.joints.size();
    lattice = std::move(kept);
  }
}

// The bonds of one strut, and what they weigh: half of each goes to either end.
class StrutBuilder {
 public:
  StrutBuilder(const NetworkSpec& network, Assembly& out)
      : network_(network), out_(out), section_(circular_section(network.diameter, network.material.poisson())) {}

  void add(const std::array<int, 2>& strut) {
    const V from = joint(strut[0]), to = joint(strut[1]);
    const double length = norm(to - from);
    if (!(length > 0)) throw Error(fmt::format("{}: two joints coincide", network_.name));
    const V along = (1 / length) * (to - from);
    const Quat<double> q = quaternion(Mat3<double>{any_across(along), cross(along, any_across(along)), along});
    const int n = network_.bonds_per_strut;
    const double l = length / n;
    ElasticBond bond = elastic_bond(network_.calibration, section_, network_.material, l);
    if (network_.adjust) network_.adjust(bond);
    int before = strut[0];
    for (int k = 1; k <= n; ++k) {
      int now = strut[1];
      if (k < n) {
        now = static_cast<int>(out_.nodes.size());
        out_.nodes.push_back({{from + (l * k) * along, q}, 0, {}, {}, section_.radius, 0, false, {}, {}});
      }
      out_.bonds.push_back({before, now, q, bond});
      for (const int node : {before, now}) {
        lump(node, along, l / 2);
        if (network_.soft.is_soft()) lump_soft(node, q, l);
      }
      before = now;
    }
  }

 private:
  V joint(int j) const { return network_.lattice.joints[j]; }
  void lump(int node, const V& along, double length) {
    auto& n = out_.nodes[node];
    n.mass += network_.density * section_.area * length;
    n.moment += (section_.area * length) * network_.magnetisation;
    // Across the strut it has i, about it 2 i: as much about every axis, and the same once more about the strut.
    const double i = network_.density * section_.i1 * length;
    n.inertia += V{i, i, i};
    n.more_inertia.emplace_back(i, along);
  }

  // Half a bond; of a node along a strut both halves are one.
  void lump_soft(int node, const Quat<double>& q, double spacing) {
    auto& soft = out_.nodes[node].soft;
    const SoftCell half = rod_cell(network_.soft, section_.area, section_.i1, section_.i2, spacing / 2, spacing);
    const bool goes_on = !out_.nodes[node].is_joint && !soft.empty();
    if (goes_on)
      soft.back().second.volume += half.volume;
    else
      soft.emplace_back(q, half);
  }

  const NetworkSpec& network_;
  Assembly& out_;
  Section section_;
};

}  // namespace

StrutLattice cubic_lattice(const std::array<int, 3>& cells, double size) {
  StrutLattice lattice;
  Sites sites;
  for (int i = 0; i <= cells[0]; ++i)
    for (int j = 0; j <= cells[1]; ++j)
      for (int k = 0; k <= cells[2]; ++k) add_site(lattice, sites, {i, j, k}, {size * i, size * j, size * k});
  add_struts(lattice, sites, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  add_faces(lattice, false);
  return lattice;
}

// Sites count half cells; those with an even sum are corners and centres of faces.
StrutLattice octet_lattice(const std::array<int, 3>& cells, double size) {
  StrutLattice lattice;
  Sites sites;
  const double half = 0.5 * size;
  for (int i = 0; i <= 2 * cells[0]; ++i)
    for (int j = 0; j <= 2 * cells[1]; ++j)
      for (int k = 0; k <= 2 * cells[2]; ++k)
        if ((i + j + k) % 2 == 0) add_site(lattice, sites, {i, j, k}, {half * i, half * j, half * k});
  add_struts(lattice, sites, {{1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}});
  add_faces(lattice, false);
  return lattice;
}

// Rows of a triangular lattice with sides of half the size, in which every other row lacks every other joint. Sites
// count a quarter of the size along x, and rows.
StrutLattice kagome_lattice(int along_x, int along_y, double size) {
  StrutLattice lattice;
  Sites sites;
  const double quarter = 0.25 * size, row_height = std::sqrt(3.0) * quarter;
  for (int row = 0; row <= 4 * along_y; ++row) {
    const int first = row % 4 == 1 ? 1 : row % 4 == 3 ? 3 : 0, step = row % 2 ? 4 : 2;
    for (int x = first; x <= 4 * along_x; x += step)
      add_site(lattice, sites, {x, row, 0}, {quarter * x, row_height * row, 0});
  }
  add_struts(lattice, sites, {{2, 0, 0}, {1, 1, 0}, {-1, 1, 0}});
  drop_dangling(lattice);
  add_faces(lattice, true);
  return lattice;
}

Assembly assembled(const NetworkSpec& network) {
  Assembly a(network, BodyKind::network, 0.5 * network.diameter);
  for (const V& joint : network.lattice.joints)
    a.nodes.push_back({{joint, {}}, 0, {}, {}, 0.5 * network.diameter, 0, true, {}, {}});
  StrutBuilder struts(network, a);
  for (const auto& strut : network.lattice.struts) struts.add(strut);
  a.take_parts(network, network.lattice.parts);
  return a;
}

}  // namespace ls
