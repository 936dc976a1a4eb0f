#include "build/builder.h"

#include "base/error.h"
#include "build/test_strain_energy.h"
#include "math/rotation.h"

#include <gtest/gtest.h>
#include <numbers>
#include <numeric>

namespace ls::builder_test {

using V = Vec3<double>;
using std::numbers::pi;

RodSpec rod(const CentreLine& line, const std::string& model = "exact") {
  RodSpec r;
  r.name = "rod";
  r.model = model;
  r.line = line;
  r.section = [](double) { return circular_section(0.01, 0.25); };
  r.material = [](double) { return Elasticity{1e6, 4e5}; };
  r.density = [](double) { return 1000.0; };
  return r;
}
Builder::Result built(const RodSpec& spec) {
  Builder b;
  b.add(spec);
  return b.finish();
}
double strain_energy(const Builder::Result& r) {
  EXPECT_FALSE(r.model.bond_tables.empty());
  return total(test::strain_energy(r.model, r.state.nodes));
}

TEST(CentreLines, HaveTheirLengthAndDirection) {
  const auto a = arc(0.5, 2.0, 40, {0, 0, 1});
  EXPECT_NEAR(a.arc.back(), 1.0, 1e-15);
  EXPECT_LT(norm(axis_z(a.frames.front().q) - V{1, 0, 0}), 1e-15);
  EXPECT_LT(norm(axis_z(a.frames.back().q) - V{std::cos(2.0), std::sin(2.0), 0}), 1e-14);
  EXPECT_NEAR(norm(a.frames.back().x - V{0, 0.5, 0}), 0.5, 1e-15);

  const double psi = 0.96 * pi / 2;
  const auto h = helix(0.01, psi, 0.1, 100, {0, 0, 1});
  EXPECT_NEAR(h.frames.back().x.z, 0.1 * std::cos(psi), 1e-15);
  EXPECT_NEAR(norm(h.frames[37].x - V{0, 0, h.frames[37].x.z}), 0.01, 1e-15);
  for (int i = 0; i < 100; ++i) EXPECT_NEAR(norm(h.frames[i + 1].x - h.frames[i].x), 1e-3, 1e-6);
  EXPECT_NEAR(dot(axis_z(h.frames[50].q), V{0, 0, 1}), std::cos(psi), 1e-14);

  const auto p = through_points({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, 4, {0, 0, 1});
  EXPECT_LT(norm(p.frames[1].x - V{0.5, 0, 0}), 1e-15);
  EXPECT_LT(norm(p.frames[3].x - V{1, 0.5, 0}), 1e-15);
  EXPECT_NEAR(p.arc.back(), 2, 1e-15);
  EXPECT_LT(norm(axis_x(p.frames[4].q) - V{0, 0, 1}), 1e-14) << "carried along without twist";

  const auto moved = placed(line({0, 0, 0}, {1, 0, 0}, 2, {0, 0, 1}), {0, 0, pi / 2}, {5, 0, 0});
  EXPECT_LT(norm(moved.frames.back().x - V{5, 1, 0}), 1e-15);
}

// Far from the origin the places of nodes round the lengths of their bonds. The hot loops want one class all the same.
TEST(Builder, BondsThatDifferByRoundingAreOfOneClass) {
  const auto classes = [](const RodSpec& spec) { return built(spec).model.bond_tables[0].classes.size(); };
  EXPECT_EQ(classes(rod(line({30, 20, 10}, {30.1, 20.1, 10.1}, 1000, {0, 0, 1}))), 1U);
  auto graded = rod(line({30, 20, 10}, {30.1, 20.1, 10.1}, 1000, {0, 0, 1}));
  graded.section = [](double s) { return circular_section(0.01 * (1 + 1e-4 * s), 0.25); };
  EXPECT_EQ(classes(graded), 1000U);
}

// Bending stiffness over bond length is 0.015 N m here; the vector bond's energy is a difference of numbers of that
// size.
constexpr double rounding = 1e-15;  // J

TEST(Builder, TheDrawnShapeIsAtRest) {
  for (const char* model : {"exact", "corotational", "vector"}) {
    EXPECT_LT(strain_energy(built(rod(helix(0.05, 1.2, 1.0, 30, {0, 0, 1}), model))), rounding) << model;
    EXPECT_LT(strain_energy(built(rod(arc(0.2, 3.0, 20, {1, 2, 3}), model))), rounding) << model;
    EXPECT_LT(
        strain_energy(built(rod(through_points({{0, 0, 0}, {1, 0.2, 0}, {1, 1, 1}, {2, 0, 3}}, 3, {0, 1, 0}), model))),
        rounding)
        << model;
  }
}

TEST(Builder, RestCurvatureIsThatOfTheArc) {
  // A straight rod whose rest state is an arc is strained as much as an arc of no curvature bent straight.
  const double k = 2.0, length = 1.0;
  auto spec = rod(line({0, 0, 0}, {length, 0, 0}, 50, {0, 0, 1}));
  spec.rest_curvature = V{k, 0, 0};
  const double ei = 1e6 * circular_section(0.01, 0.25).i1;
  EXPECT_NEAR(strain_energy(built(spec)), 0.5 * ei * k * k * length, 1e-10 * ei);
  spec.rest_curvature = V{0, 0, 3.0};
  const double gj = 4e5 * circular_section(0.01, 0.25).torsion;
  EXPECT_NEAR(strain_energy(built(spec)), 0.5 * gj * 9 * length, 1e-10 * gj);
}

TEST(Builder, LumpsMassByTrapezoids) {
  auto spec = rod(line({0, 0, 0}, {1, 0, 0}, 10, {0, 0, 1}));
  const double mass = 1000 * circular_section(0.01, 0.25).area;
  const auto trapezoidal = built(spec);
  EXPECT_NEAR(std::accumulate(trapezoidal.model.mass.begin(), trapezoidal.model.mass.end(), 0.0), mass, 1e-14);
  EXPECT_NEAR(trapezoidal.model.mass[0], mass / 20, 1e-16);
  spec.weights = Weights::full;
  EXPECT_NEAR(built(spec).model.mass[0], mass / 10, 1e-16);
  spec.inertia = NodeInertia::sphere;
  spec.sphere_diameter = 0.3;
  const auto ball = built(spec);
  EXPECT_NEAR(ball.model.inertia[2][4], 0.1 * ball.model.mass[4] * 0.09, 1e-18);
  spec.inertia = NodeInertia::section;
  const auto section = built(spec);
  EXPECT_NEAR(section.model.inertia[2][4], 2 * section.model.inertia[0][4], 1e-20);
}

TEST(Builder, TaperedRodsHaveAClassABond) {
  auto spec = rod(line({0, 0, 0}, {1, 0, 0}, 20, {0, 0, 1}));
  spec.section = [](double u) { return circular_section(0.01 * (1 - 0.5 * u), 0.25); };
  const auto r = built(spec);
  const auto frustum = [](double a, double b) {
    return a * a + a * b + b * b;
  };  // of the lengths the two end nodes have
  EXPECT_NEAR(r.model.mass[20] / r.model.mass[0], frustum(0.5125, 0.5) / frustum(1, 0.9875), 1e-12);
  EXPECT_LT(strain_energy(r), 1e-20);
}

TEST(Builder, RodsMayShareANode) {
  Builder b;
  b.add(rod(line({0, 0, 0}, {1, 0, 0}, 4, {0, 0, 1})));
  auto branch = rod(line({0.5, 0, 0}, {0.5, 1, 0}, 4, {0, 0, 1}));
  branch.name = "branch";
  branch.start_node = 2;
  b.add(branch);
  auto far = rod(line({0.4, 0, 0}, {0.5, 1, 0}, 4, {0, 0, 1}));
  far.start_node = 2;
  EXPECT_THROW(b.add(far), Error);
  Builder again;
  again.add(rod(line({0, 0, 0}, {1, 0, 0}, 4, {0, 0, 1})));
  again.add(branch);
  const auto r = again.finish();
  EXPECT_EQ(r.model.nodes, 9);
  EXPECT_EQ(r.model.bonds(), 8);
  EXPECT_NEAR(r.model.mass[2], 1.5 * r.model.mass[1], 1e-15);
  EXPECT_LT(strain_energy(r), 1e-20);
}

TEST(Builder, CoincidingNodesAreAnError) {
  EXPECT_THROW(built(rod(through_points({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, 2, {0, 0, 1}))), Error);
}

TEST(Builder, MomentsTurnWithTheirNodes) {
  auto spec = rod(line({0, 0, 0}, {1, 0, 0}, 4, {0, 0, 1}));
  spec.magnetisation = [](double) { return V{0, 0, 1e5}; };  // along the rod
  const auto r = built(spec);
  EXPECT_NEAR(r.model.moment[2][1], 1e5 * circular_section(0.01, 0.25).area / 4, 1e-9);
}

// Where dipoles are, and that they add up to the moments of their nodes.
TEST(Builder, DipolesOfARodLieAsNearAsAskedFor) {
  const auto place = [](const Builder::Result& r, const Dipole& d) {
    const auto f = r.state.nodes.frame(d.node);
    return f.x + rotate(f.q, d.position);
  };
  auto spec = rod(line({0, 0, 0}, {1, 0, 0}, 4, {0, 0, 1}));
  spec.magnetisation = [](double) { return V{0, 1e5, 0}; };
  for (const auto& [sampling, apart] : {std::pair{0.25, 0.25}, {0.2, 0.125}, {0.05, 0.125 / 3}}) {
    spec.sampling = sampling;
    const auto r = built(spec);
    const auto all = all_dipoles(r.model);
    std::vector<V> sum(5);
    for (std::size_t k = 0; k < all.size(); ++k) {
      sum[all[k].node] += all[k].moment;
      if (apart < 0.25) EXPECT_NEAR(place(r, all[k]).x, (static_cast<double>(k) + 0.5) * apart, 1e-12) << sampling;
    }
    EXPECT_EQ(all.size(), apart < 0.25 ? static_cast<std::size_t>(std::lround(1 / apart)) : 5u);
    for (int i = 0; i < 5; ++i)
      EXPECT_LT(norm(sum[i] - V{r.model.moment[0][i], r.model.moment[1][i], r.model.moment[2][i]}), 1e-12) << i;
  }
}

TEST(Builder, SharedNodesKeepTheMomentsOfBothRods) {
  auto trunk = rod(line({0, 0, 0}, {1, 0, 0}, 4, {0, 0, 1})),
       branch = rod(line({0.5, 0, 0}, {0.5, 1, 0}, 4, {0, 0, 1}));
  trunk.magnetisation = branch.magnetisation = [](double) { return V{0, 0, 1e5}; };
  branch.sampling = 0.1;
  branch.name = "branch", branch.start_node = 2;
  Builder b;
  b.add(trunk);
  b.add(branch);
  const auto r = b.finish();
  V sum{};
  int here = 0;
  for (const Dipole& d : all_dipoles(r.model))
    if (d.node == 2) sum += d.moment, ++here;
  EXPECT_EQ(here, 3);  // two of the branch, that of the trunk
  EXPECT_LT(norm(sum - V{r.model.moment[0][2], r.model.moment[1][2], r.model.moment[2][2]}), 1e-12);
}

}  // namespace ls::builder_test
