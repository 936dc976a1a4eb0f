#include "physics/magnets.h"

#include "base/sanitized.h"
#include "math/rotation.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ls::magnets_test {

using V = Vec3<double>;
using D1 = Dual<double, 3>;
using D2 = Dual<D1, 3>;

struct Jet {
  double b[3], first[3][3], second[3][3][3];  // [component][variable][variable]
};

template <class Body>
Jet jet(const Body& body, const V& x) {
  const auto at = [](double v, int i) { return D2::variable(D1::variable(v, i), i); };
  const Vec3<D2> b = body.field(Vec3<D2>{at(x.x, 0), at(x.y, 1), at(x.z, 2)});
  const D2* c[3] = {&b.x, &b.y, &b.z};
  Jet j;
  for (int k = 0; k < 3; ++k) {
    j.b[k] = c[k]->val.val;
    for (int p = 0; p < 3; ++p) {
      j.first[k][p] = c[k]->d[p].val;
      for (int q = 0; q < 3; ++q) j.second[k][p][q] = c[k]->d[p].d[q];
    }
  }
  return j;
}
double size(const Jet& j, int order) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    if (order == 0) sum += j.b[k] * j.b[k];
    for (int p = 0; p < 3; ++p) {
      if (order == 1) sum += j.first[k][p] * j.first[k][p];
      for (int q = 0; q < 3 && order == 2; ++q) sum += j.second[k][p][q] * j.second[k][p][q];
    }
  }
  return std::sqrt(sum);
}

struct Sample {
  std::string name;
  Magnet magnet;
  double radius;  // m, of the body
};
std::vector<Sample> samples() {
  const V m{3e5, -2e5, 5e5};
  return {{"cuboid", CuboidMagnet{{{0.01, 0.02, 0.015}}, m}, 0.02},
          {"flat cuboid", CuboidMagnet{{{0.01, 0.03, 0.002}}, m}, 0.03},
          {"cylinder", CylinderMagnet{{0.01, 0.015}, m}, 0.015},
          {"flat cylinder", CylinderMagnet{{0.02, 0.003}, m}, 0.02},
          {"long cylinder", CylinderMagnet{{0.002, 0.03}, m}, 0.03},
          {"cylinder across", CylinderMagnet{{0.01, 0.01}, {1e5, 0, 0}}, 0.01},
          {"sphere", SphereMagnet{0.02, m}, 0.02},
          {"dipole", PointDipole{{1, -2, 0.5}}, 0.01},
          {"loop", CurrentLoop{0.02, 30}, 0.02},
          {"coil", Coil{{0.01, 0.03}, 500}, 0.03}};
}

// Directions that are generic, along the axes, in planes of symmetry, and along edges and faces.
const std::vector<V> directions = {{0.3, -0.5, 0.81}, {0.7, 0.6, -0.3}, {-0.2, 0.9, 0.1}, {0, 0, 1},
                                   {1, 0, 0},         {0, -1, 0},       {0.6, 0, 0.8},    {0.001, 0.0005, -1}};

template <class F>
void for_each_point(F&& visit) {
  for (const Sample& s : samples())
    for (const double distance : {1.2, 1.5, 2.2, 3.9, 4.1, 7.0, 20.0, 45.0}) {
      if (is_sanitized && distance != 1.2 && distance != 4.1) continue;
      for (const V& d : directions)
        std::visit([&](const auto& body) { visit(s, body, (distance * s.radius) * d, distance); }, s.magnet);
    }
}

TEST(Magnets, AreWithoutSourcesAndCurrentsOutside) {
  for_each_point([](const Sample& s, const auto& body, const V& x, double distance) {
    const Jet j = jet(body, x);
    const auto& g = j.first;
    const double scale = size(j, 1), loss = std::max(1.0, distance * distance);
    const double off = std::max({std::abs(g[0][0] + g[1][1] + g[2][2]), std::abs(g[0][1] - g[1][0]),
                                 std::abs(g[1][2] - g[2][1]), std::abs(g[2][0] - g[0][2])});
    EXPECT_LT(off, 2e-14 * loss * scale) << s.name << " " << distance << " at " << x.x << " " << x.y << " " << x.z;
    for (int p = 0; p < 3; ++p)
      EXPECT_LT(std::abs(j.second[0][0][p] + j.second[1][1][p] + j.second[2][2][p]), 2e-13 * loss * size(j, 2))
          << s.name << " " << distance << " " << p;
  });
}

// Two central differences, so that the error is of order h^4.
template <class F>
auto slope(const F& f, double h) {
  return (1 / (12 * h)) * (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h)));
}

V unit(int axis) {
  return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
}

TEST(Magnets, DerivativesAreThoseOfTheField) {
  for_each_point([](const Sample& s, const auto& body, const V& x, double distance) {
    const Jet j = jet(body, x);
    const double h = (distance < 2 ? 3e-4 : 2e-3) * s.radius * distance;
    double first = 0, second = 0;
    for (int p = 0; p < 3; ++p) {
      const V along = unit(p);
      const V to_p = slope([&](double e) { return body.field(x + e * along); }, h);
      const double right[3] = {to_p.x, to_p.y, to_p.z};
      for (int k = 0; k < 3; ++k) {
        first = std::max(first, std::abs(j.first[k][p] - right[k]) / size(j, 1));
        for (int q = 0; q < 3; ++q) {
          const double to_pq = slope([&](double e) { return jet(body, x + e * along).first[k][q]; }, h);
          second = std::max(second, std::abs(j.second[k][p][q] - to_pq) / size(j, 2));
        }
      }
    }
    EXPECT_LT(first, 1e-7) << s.name << " " << distance << " at " << x.x << " " << x.y << " " << x.z;
    EXPECT_LT(second, 1e-7) << s.name << " " << distance << " at " << x.x << " " << x.y << " " << x.z;
  });
}

// At 20 and 45 times its size any magnet is its dipole, up to the square of size over distance.
TEST(Magnets, AreDipolesFarAway) {
  const V m{3e5, -2e5, 5e5};
  const double pi = std::numbers::pi;
  const std::vector<std::pair<Magnet, V>> pairs = {
      {CuboidMagnet{{{0.01, 0.01, 0.01}}, m}, 8e-6 * m},
      {CylinderMagnet{{0.01, 0.01 * std::sqrt(3.0) / 2}, m}, (pi * 1e-6 * std::sqrt(3.0)) * m},  // without quadrupole
      {CurrentLoop{0.01, 1}, {0, 0, pi * 1e-4}},
      {Coil{{0.01, 0.01}, 7}, {0, 0, 7 * pi * 1e-4}}};
  for (const auto& [magnet, moment] : pairs)
    for (const double distance : {0.2, 0.39, 0.41, 100.0})
      for (const V& d : directions) {
        const V x = distance * d, right = PointDipole{moment}.field(x);
        const V b = std::visit([&](const auto& body) { return body.field(x); }, magnet);
        EXPECT_LT(norm(b - right), (3 * 1e-4 / (distance * distance) + 1e-13) * norm(right))
            << magnet.index() << " " << distance << " " << d.x;
      }
}

// A cuboid has another form beyond 40 half-sides, a cylinder beyond four radii of the sphere around it: no seam there.
TEST(Magnets, FarAndNearFormsMeet) {
  const V m{3e5, -2e5, 5e5};
  const std::vector<std::pair<Magnet, double>> borders = {
      {CuboidMagnet{{{0.01, 0.02, 0.015}}, m}, 40 * 0.02},
      {CuboidMagnet{{{0.01, 0.03, 0.002}}, m}, 40 * 0.03},
      {CylinderMagnet{{0.01, 0.015}, m}, 4 * std::hypot(0.01, 0.015)},
      {CylinderMagnet{{0.02, 0.003}, m}, 4 * std::hypot(0.02, 0.003)},
      {CylinderMagnet{{0.002, 0.03}, m}, 4 * std::hypot(0.002, 0.03)}};
  for (const auto& [magnet, border] : borders)
    for (const V& d : directions) {
      const auto at = [&, &one = magnet, r = border](double e) {
        return std::visit([&](const auto& body) { return body.field(((1 + e) * r / norm(d)) * d); }, one);
      };
      const double e = 1e-9;
      const V jump = at(e) - at(-e), smooth = at(3 * e) - at(e);
      EXPECT_LT(norm(jump - smooth), 1e-11 * norm(at(e))) << magnet.index() << " " << border;
    }
}

// sigma = M cos(phi) on the mantle, M_z on the ends: the field by summing charges, no elliptic integrals.
V charged_cylinder(const CylinderShape& c, double m, const V& x) {
  V h{};
  const int n = 4000;
  for (int k = 0; k < n; ++k) {
    const double phi = 2 * std::numbers::pi * (k + 0.5) / n, px = c.radius * std::cos(phi),
                 py = c.radius * std::sin(phi);
    const double dx = x.x - px, dy = x.y - py, s2 = dx * dx + dy * dy;
    const auto end = [&](double u) {  // primitives of 1/D^3 and u/D^3
      const double d = std::sqrt(s2 + u * u);
      return std::pair{u / (s2 * d), -1 / d};
    };
    const auto top = end(x.z + c.half), bottom = end(x.z - c.half);
    const double sigma = m * std::cos(phi) * c.radius * 2 * std::numbers::pi / n / (4 * std::numbers::pi);
    h = h + sigma * V{dx * (top.first - bottom.first), dy * (top.first - bottom.first), top.second - bottom.second};
  }
  return h;
}

TEST(Magnets, CylinderMagnetisedAcrossItsAxis) {
  const CylinderShape c{0.01, 0.015};
  const double m = 1e6;
  for (const V& x : {V{0.02, 0.005, 0.01}, V{0.012, 0, 0.003}, V{0.006, 0.008, 0.02}, V{0, 0.01, 0.018}, V{0, 0, 0.02},
                     V{0.001, -0.002, 0.016}, V{0.009, 0.002, 0.025}, V{0.05, 0.02, 0.03}, V{0.0095, 0.0095, 0},
                     V{0.002, 0.001, 0.003}, V{0, 0, 0}, V{0.007, -0.002, -0.012}, V{0, 0.0085, 0.001}}) {
    const bool inside = std::hypot(x.x, x.y) < c.radius && std::abs(x.z) < c.half;
    const V right = charged_cylinder(c, m, x) + V{inside ? m : 0, 0, 0};
    const V ours = cylinder_field(c, {m, 0, 0}, x);
    EXPECT_LT(norm(ours - right), 1e-12 * m) << x.x << " " << x.y << " " << x.z;
  }
}

// Of independent programs, to the digits they gave.
TEST(Magnets, KnownValues) {
  const CuboidMagnet cube{{{0.05, 0.05, 0.05}}, {5e3, 0, 0}};
  EXPECT_NEAR(cube.field(V{0.1, 0, 0}).x, 8.468627088735e-04, 1e-15);
  EXPECT_NEAR(cube.field(V{0, 0.25, 0}).x, -3.182718747680e-05, 1e-16);
  const V b = cube.field(V{0.075, 0.03, 0.02});
  EXPECT_NEAR(norm(b - V{1.281486851704e-03, 5.716058338059e-04, 3.430671312488e-04}), 0, 1e-15);
  const double l = std::cbrt(4 / (std::numbers::pi * 0.25));  // half as wide as long, of volume 1
  const CylinderShape c{0.25 * l, 0.5 * l};
  EXPECT_NEAR(cylinder_field(c, {0, 0, 1}, V{0, 0, 1}).z, 0.332649746815, 1e-12);
  EXPECT_NEAR(cylinder_field(c, {0, 0, 1}, V{0, 1.5, 0}).z, -0.016026862721, 1e-12);
  EXPECT_NEAR(cylinder_field(c, {0, 0, 1}, V{1.2, 0, 1.2}).x, 0.025455814809, 1e-12);
}

TEST(Magnets, InsideTheLawOfMatterHolds) {
  // Demagnetising factors sum to one: div H = 0, so the trace of grad grad psi is -1.
  for (const V& x : {V{0, 0, 0}, V{0.004, -0.003, 0.002}, V{-0.009, 0.001, 0.012}}) {
    double cuboid = 0, cylinder = 0;
    const V axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const V& a : axes) {
      cuboid += dot(a, cuboid_field({{0.01, 0.02, 0.015}}, a, x)) - 1;
      cylinder += dot(a, cylinder_field({0.01, 0.015}, a, x)) - 1;
    }
    EXPECT_NEAR(cuboid, -1, 1e-14);
    EXPECT_NEAR(cylinder, -1, 1e-14);
  }
  EXPECT_NEAR(cuboid_field({{1, 1, 1}}, {1, 0, 0}, V{}).x, 2.0 / 3, 1e-15);
  EXPECT_NEAR(norm(SphereMagnet{1, {0, 3 / mu0, 0}}.field(V{0.1, 0.2, 0.3}) - V{0, 2, 0}), 0, 1e-14);
}

// On the axis everything has textbook forms, values and derivatives.
TEST(Magnets, OnTheAxis) {
  const double a = 0.02, i = 30;
  for (const double z : {-0.05, 0.0, 0.013, 0.4}) {
    const double s = a * a + z * z;
    const Jet j = jet(CurrentLoop{a, i}, V{0, 0, z});
    const double b = mu0 * i * a * a / (2 * std::pow(s, 1.5)), slope_z = -3 * z / s * b;
    const double curvature = (12 * z * z - 3 * a * a) / (s * s) * b;
    EXPECT_NEAR(j.b[2], b, 1e-15 * b + 1e-25);
    EXPECT_NEAR(j.first[2][2], slope_z, 1e-14 * b / a);
    EXPECT_NEAR(j.first[0][0], -0.5 * slope_z, 1e-14 * b / a);
    EXPECT_NEAR(j.second[2][2][2], curvature, 1e-13 * b / (a * a));
    EXPECT_NEAR(j.second[2][0][0], -0.5 * curvature, 1e-13 * b / (a * a));
    EXPECT_NEAR(j.second[0][0][2], -0.5 * curvature, 1e-13 * b / (a * a));
    EXPECT_EQ(j.b[0], 0.0);
    EXPECT_EQ(j.second[0][0][0], 0.0);
  }
  const Coil coil{{a, 0.05}, 400};
  const double z = 0.03, up = z + 0.05, down = z - 0.05;
  const double b = mu0 * 400 / 0.1 / 2 * (up / std::hypot(up, a) - down / std::hypot(down, a));
  EXPECT_NEAR(coil.field(V{0, 0, z}).z, b, 1e-15);
}

// On lines through edges and planes through faces the terms of the closed form are singular, the field is not.
TEST(Magnets, CuboidBesideItsEdges) {
  const CuboidMagnet c{{{0.01, 0.02, 0.015}}, {3e5, -2e5, 5e5}};
  for (const V& x : {V{0.01, 0.02, 0.03}, V{0.01, 0.02, -0.4}, V{0.01, -0.05, 0.015}, V{0.03, 0.02, 0.015},
                     V{0.01, 0.03, 0.004}, V{0.012, 0.02, 0.001}, V{-0.01, 0.3, -0.02}, V{0.02, 0.001, 0.015}}) {
    const Jet j = jet(c, x);
    for (const V& d : directions) {
      const V b = c.field(x + 1e-9 * d);
      EXPECT_LT(norm(b - V{j.b[0], j.b[1], j.b[2]}), 1e-6 * size(j, 0)) << x.x << " " << x.y << " " << x.z;
    }
    for (int k = 0; k < 3; ++k)
      for (int p = 0; p < 3; ++p) {
        const auto at = [&](double e) {
          const V b = c.field(x + e * V{p == 0 ? 1.0 : 0, p == 1 ? 1.0 : 0, p == 2 ? 1.0 : 0});
          return k == 0 ? b.x : k == 1 ? b.y : b.z;
        };
        EXPECT_NEAR(j.first[k][p], slope(at, 1e-5), 1e-7 * size(j, 1)) << x.x << " " << x.y << " " << x.z;
      }
    EXPECT_TRUE(std::isfinite(size(j, 2)));
  }
}

// On the continuation of the mantle beyond the ends the terms of the closed form jump, the field does not.
TEST(Magnets, CylinderBesideItsRim) {
  const CylinderMagnet c{{0.01, 0.015}, {3e5, -2e5, 5e5}};
  for (const V& x : {V{0.01, 0, 0.02}, V{0.006, 0.008, -0.016}, V{0, 0.01, 0.03}, V{0.02, 0.01, 0.015}}) {
    const V here = c.field(x);
    for (const V& d : directions) EXPECT_LT(norm(c.field(x + 1e-10 * d) - here), 1e-6 * norm(here));
    EXPECT_TRUE(std::isfinite(size(jet(c, x), 2)));
  }
}

TEST(Magnets, StandWhereTheyAreTurnedTo) {
  const CuboidMagnet c{{{0.01, 0.02, 0.015}}, {0, 0, 1e6}};
  const CuboidMagnet turned{{{0.015, 0.02, 0.01}}, {1e6, 0, 0}};
  const Frame<double> pose{{0.1, 0.2, 0.3}, turn(V{0, std::numbers::pi / 2, 0})};  // z to x
  const V x{0.13, 0.24, 0.28};
  EXPECT_LT(norm(field_at(c, pose, x) - turned.field(x - pose.x)), 1e-14);
}

}  // namespace ls::magnets_test
