#include "build/surfaces.h"

#include "base/error.h"
#include "base/sanitized.h"
#include "build/particles_on_sphere.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numbers>

namespace ls::surfaces_test {

using V = Vec3<double>;
using std::numbers::pi;

int euler_characteristic(const Mesh& m) {
  return static_cast<int>(m.vertices.size() + m.triangles.size()) - static_cast<int>(edges_of(m).size());
}
double area_of(const DrawnSurface& s) {
  double sum = 0;
  for (const double a : areas_of(s.mesh)) sum += a;
  double of_bonds = 0;
  for (const SurfaceBond& b : s.bonds) of_bonds += b.area;
  EXPECT_NEAR(of_bonds, sum, 1e-10 * sum) << "bonds stand for all of the surface";
  return sum;
}
const std::vector<int>& part(const DrawnSurface& s, const std::string& name) {
  return std::ranges::find(s.parts, name, &BodyPart::name)->nodes;
}
std::map<int, int> neighbours(const Mesh& m) {
  std::map<int, int> count;
  for (const MeshEdge& e : edges_of(m)) ++count[e.a], ++count[e.b];
  return count;
}
struct Distances {
  double least = 1e300, most = 0;  // of the nearest neighbours
};
Distances nearest_distances(const std::vector<V>& x) {
  Distances d;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double nearest = 1e300;
    for (std::size_t j = 0; j < x.size(); ++j)
      if (i != j) nearest = std::min(nearest, norm(x[i] - x[j]));
    d.least = std::min(d.least, nearest);
    d.most = std::max(d.most, nearest);
  }
  return d;
}

// Very many start on a spiral and are joined by local searches: a disc as even as others, and another for each seed.
TEST(Hemisphere, VeryManyParticlesAreSpreadEvenlyToo) {
  const auto s = hemisphere(1, 6000, 0, 1);
  ASSERT_EQ(s.mesh.vertices.size(), 6000u);
  EXPECT_NO_THROW(check_mesh(s.mesh, false));
  EXPECT_EQ(euler_characteristic(s.mesh), 1) << "a disc";
  const double spacing = 2 * pi / static_cast<double>(part(s, "rim").size());
  const auto d = nearest_distances(s.mesh.vertices);
  EXPECT_GT(d.least, 0.8 * spacing);
  EXPECT_LT(d.most, 1.1 * spacing);
  EXPECT_NEAR(area_of(s), 2 * pi, 0.001 * 2 * pi);
  // Delaunay's: the circle around a triangle has no other particle in it.
  const auto& x = s.mesh.vertices;
  for (std::size_t t = 0; t < s.mesh.triangles.size(); t += 97) {
    const auto& [a, b, c] = s.mesh.triangles[t];
    const V normal = cross(x[b] - x[a], x[c] - x[a]);
    for (const V& p : x) EXPECT_LT(dot(normal, p - x[a]), 1e-8 * norm(normal));
  }
  if (!is_sanitized) {
    EXPECT_GT(norm(hemisphere(1, 6000, 0, 2).mesh.vertices[3000] - x[3000]), 1e-3);
  }
}

TEST(Hemisphere, ParticlesAreSpreadEvenly) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto s = hemisphere(1, 458, 0, seed);
    ASSERT_EQ(s.mesh.vertices.size(), 458u);
    EXPECT_NO_THROW(check_mesh(s.mesh, false));
    EXPECT_EQ(euler_characteristic(s.mesh), 1) << "a disc";
    const double spacing = 2 * pi / static_cast<double>(part(s, "rim").size());
    const auto d = nearest_distances(s.mesh.vertices);
    RecordProperty("least_" + std::to_string(seed), std::to_string(d.least / spacing));
    RecordProperty("most_" + std::to_string(seed), std::to_string(d.most / spacing));
    EXPECT_GT(d.least, 0.8 * spacing);
    EXPECT_LT(d.most, 1.1 * spacing);
    EXPECT_NEAR(area_of(s), 2 * pi, 0.01 * 2 * pi);
    const auto& rim = part(s, "rim");
    for (const auto& [v, count] : neighbours(s.mesh)) {
      const bool on_rim = std::ranges::binary_search(rim, v);
      EXPECT_GE(count, on_rim ? 3 : 5) << v;
      EXPECT_LE(count, on_rim ? 5 : 7) << v;
    }
    for (const V& v : s.mesh.vertices) EXPECT_NEAR(norm(v), 1, 1e-14);
    for (const int v : rim) EXPECT_EQ(s.mesh.vertices[v].z, 0);
    EXPECT_LT(norm(s.mesh.vertices[part(s, "top")[0]] - V{0, 0, 1}), 1e-15);
  }
}

TEST(Hemisphere, TheSeedDecides) {
  const auto a = hemisphere(2, 0, 0.5, 7), b = hemisphere(2, 0, 0.5, 7), c = hemisphere(2, 0, 0.5, 8);
  EXPECT_EQ(a.mesh.triangles, b.mesh.triangles);
  EXPECT_NE(a.mesh.triangles, c.mesh.triangles);
  for (std::size_t i = 0; i < a.mesh.vertices.size(); ++i) EXPECT_EQ(norm(a.mesh.vertices[i] - b.mesh.vertices[i]), 0);
  EXPECT_EQ(a.mesh.vertices.size(), static_cast<std::size_t>(std::lround(hemisphere_particles(2, 0.5))));
}

TEST(Hemisphere, WhatDoesNotFitIsAnError) {
  EXPECT_THROW(hemisphere(1, 20, 0.1, 1), Error) << "the rim alone has more";
  EXPECT_THROW(hemisphere(1, 5000, 0.1, 1), Error);
  EXPECT_THROW(hemisphere(1, 0, 2, 1), Error);
}

TEST(GeodesicSphere, IsClosedAndRound) {
  for (const int f : {1, 2, 5}) {
    const auto s = geodesic_sphere(3, f);
    EXPECT_EQ(s.mesh.vertices.size(), static_cast<std::size_t>(10 * f * f + 2));
    EXPECT_NO_THROW(check_mesh(s.mesh, true));
    EXPECT_EQ(euler_characteristic(s.mesh), 2);
    for (const V& v : s.mesh.vertices) EXPECT_NEAR(norm(v), 3, 1e-14);
  }
  EXPECT_NEAR(area_of(geodesic_sphere(1, 12)), 4 * pi, 0.02 * pi);
}

TEST(Sheet, HasItsSizeAndItsEdges) {
  for (const auto& s : {triangular_sheet(2, 1, 0.1), square_sheet(2, 1, 0.1)}) {
    EXPECT_NO_THROW(check_mesh(s.mesh, false));
    EXPECT_EQ(euler_characteristic(s.mesh), 1);
    EXPECT_NEAR(area_of(s), 2, 1e-12);
    EXPECT_GT(normals_of(s.mesh)[5].z, 0.999);
    for (const int v : part(s, "high_x")) EXPECT_EQ(s.mesh.vertices[v].x, 2);
    EXPECT_EQ(part(s, "low_y").size(), 21u);
    EXPECT_GE(part(s, "low_x").size(), 11u);
    EXPECT_EQ(part(s, "rim").size(), part(s, "low_x").size() * 2 + part(s, "low_y").size() * 2 - 4);
  }
}

// What every bond stands for makes the lattice isotropic: the sum of area n n n n is that of all directions alike.
TEST(Sheet, BondsAreAlikeInAllDirections) {
  for (const auto& s : {triangular_sheet(1, std::sqrt(3.0) / 2, 0.01), square_sheet(1, 1, 0.01)}) {
    double xxxx = 0, yyyy = 0, xxyy = 0, xxxy = 0;
    for (const SurfaceBond& b : s.bonds) {
      const V n = normalized(s.mesh.vertices[b.b] - s.mesh.vertices[b.a]);
      xxxx += b.area * n.x * n.x * n.x * n.x;
      yyyy += b.area * n.y * n.y * n.y * n.y;
      xxyy += b.area * n.x * n.x * n.y * n.y;
      xxxy += b.area * n.x * n.x * n.x * n.y;
    }
    const double area = area_of(s);
    EXPECT_NEAR(xxxx, 3 * area / 8, 0.005 * area);
    EXPECT_NEAR(yyyy, 3 * area / 8, 0.005 * area);
    EXPECT_NEAR(xxyy, area / 8, 0.005 * area);
    EXPECT_NEAR(xxxy, 0, 0.005 * area);
  }
}

}  // namespace ls::surfaces_test
