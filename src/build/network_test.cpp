#include "build/network.h"

#include "build/builder.h"
#include "build/test_strain_energy.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>

namespace ls::network_test {

using V = Vec3<double>;

const std::vector<int>& part(const StrutLattice& l, const std::string& name) {
  return std::ranges::find(l.parts, name, &BodyPart::name)->nodes;
}
std::vector<int> coordination(const StrutLattice& l) {
  std::vector<int> count(l.joints.size(), 0);
  for (const auto& s : l.struts)
    for (const int j : s) ++count[j];
  return count;
}

TEST(Lattices, HaveTheirJointsAndStruts) {
  const auto cubic = cubic_lattice({2, 3, 4}, 0.5);
  EXPECT_EQ(cubic.joints.size(), 3u * 4 * 5);
  EXPECT_EQ(cubic.struts.size(), 2u * 4 * 5 + 3u * 3 * 5 + 4u * 3 * 4);
  EXPECT_EQ(part(cubic, "high_z").size(), 12u);
  for (const int j : part(cubic, "high_z")) EXPECT_EQ(cubic.joints[j].z, 2);

  const auto octet = octet_lattice({4, 4, 4}, 1);
  const auto around = coordination(octet);
  EXPECT_EQ(*std::ranges::max_element(around), 12) << "every joint inside has twelve neighbours";
  for (const auto& s : octet.struts) EXPECT_NEAR(norm(octet.joints[s[0]] - octet.joints[s[1]]), std::sqrt(0.5), 1e-14);
  EXPECT_EQ(part(octet, "low_x").size(), 25u + 16u);

  const auto kagome = kagome_lattice(4, 3, 2);
  const auto few = coordination(kagome);
  EXPECT_EQ(*std::ranges::max_element(few), 4);
  EXPECT_GE(*std::ranges::min_element(few), 2);
  for (const auto& s : kagome.struts) EXPECT_NEAR(norm(kagome.joints[s[0]] - kagome.joints[s[1]]), 1, 1e-14);
  EXPECT_EQ(kagome.parts.size(), 4u);
}

NetworkSpec network(const StrutLattice& lattice) {
  NetworkSpec n;
  n.name = "net";
  n.lattice = lattice;
  n.diameter = 0.02;
  n.material = {1e6, 4e5};
  n.density = 1000;
  return n;
}

TEST(Network, WeighsWhatItsStrutsWeigh) {
  auto spec = network(cubic_lattice({2, 2, 2}, 0.3));
  spec.holds = {{"low_z", hold_all}};
  Builder b;
  b.add(assembled(spec));
  const auto r = b.finish();
  const auto struts = static_cast<double>(spec.lattice.struts.size());
  EXPECT_EQ(r.model.bonds(), 4 * static_cast<int>(spec.lattice.struts.size()));
  EXPECT_EQ(r.model.nodes, 27 + 3 * static_cast<int>(spec.lattice.struts.size()));
  const double mass = std::accumulate(r.model.mass.begin(), r.model.mass.begin() + r.model.nodes, 0.0);
  EXPECT_NEAR(mass, 1000 * struts * 0.3 * std::numbers::pi * 1e-4, 1e-12);
  EXPECT_EQ(std::count(r.model.held.begin(), r.model.held.end(), hold_all), 9);
  // The middle joint is alike in all directions.
  EXPECT_NEAR(r.model.inertia[0][13], r.model.inertia[2][13], 1e-12 * r.model.inertia[2][13]);
  // A node within a strut has the section's inertia: twice as much about the strut as across.
  EXPECT_NEAR(r.model.inertia[2][40], 2 * r.model.inertia[0][40], 1e-12 * r.model.inertia[2][40]);
  const auto energy = test::strain_energy(r.model, r.state.nodes);
  for (const double part : {energy.stretch, energy.shear, energy.bend, energy.twist}) EXPECT_LT(part, 1e-20);
}

}  // namespace ls::network_test
