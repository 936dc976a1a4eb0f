#include "build/mesh.h"

#include "base/error.h"
#include "base/sanitized.h"
#include "build/meshes/mesh_file.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <gtest/gtest.h>
#include <numbers>

namespace ls::mesh_test {

using V = Vec3<double>;

// A box from the origin, 12 triangles, as an OBJ file of quadrilaterals with every way to write a corner.
std::string box_text(double a, double b, double c) {
  std::string text = "# a box\no box\n";
  for (int i = 0; i < 8; ++i)
    text += "v " + std::to_string(i & 1 ? a : 0) + " " + std::to_string(i & 2 ? b : 0) + " " +
            std::to_string(i & 4 ? c : 0) + "\n";
  text += "vn 0 0 1\n";
  return text +
         "f 1 3 4 2\nf 5/1 6/1 8/1 7/1\nf 1//1 2//1 6//1 5//1\nf 3/1/1 7/1/1 8/1/1 \\\n 4/1/1\n"
         "f -8 -4 -2 -6\nf 2 4 8 6\n";
}
Mesh box(double a, double b, double c) {
  return read_obj(box_text(a, b, c), "box.obj");
}
std::string message_of(const Mesh& mesh, bool closed) {
  try {
    check_mesh(mesh, closed);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Mesh, ABoxHasItsVolumeAndInertia) {
  const Mesh m = placed(box(1, 2, 3), {}, {10, 20, 30});
  EXPECT_EQ(m.triangles.size(), 12u);
  EXPECT_EQ(message_of(m, true), "");
  const auto p = mass_properties(m);
  EXPECT_NEAR(p.volume, 6, 1e-13);
  EXPECT_LT(norm(p.centre - V{10.5, 21, 31.5}), 1e-13);
  EXPECT_NEAR(p.inertia.c1.x, 6.0 / 12 * (4 + 9), 1e-12);
  EXPECT_NEAR(p.inertia.c2.y, 6.0 / 12 * (1 + 9), 1e-12);
  EXPECT_NEAR(p.inertia.c3.z, 6.0 / 12 * (1 + 4), 1e-12);
  EXPECT_NEAR(p.inertia.c1.y, 0, 1e-12);
  EXPECT_NEAR(p.inertia.c3.x, 0, 1e-12);
}

TEST(Mesh, InertiaTurnsWithTheBody) {
  const auto p = mass_properties(placed(box(1, 2, 3), {0, 0, 0.3}, {}));
  // About z the tensor keeps its zz and turns the other two by 0.3 rad.
  const double c = std::cos(0.3), s = std::sin(0.3), a = 6.5, b = 5.0;
  EXPECT_NEAR(p.inertia.c1.x, c * c * a + s * s * b, 1e-12);
  EXPECT_NEAR(p.inertia.c1.y, c * s * (a - b), 1e-12);
  EXPECT_NEAR(p.inertia.c3.z, 2.5, 1e-12);
}

TEST(Mesh, EdgesAreThereOnceWithTheirTriangles) {
  const Mesh m = box(1, 1, 1);
  const auto edges = edges_of(m);
  EXPECT_EQ(edges.size(), 18u);
  for (const auto& e : edges) {
    EXPECT_LT(e.a, e.b);
    EXPECT_FALSE(e.is_boundary());
    for (const int t : {e.left, e.right}) {
      const auto& c = m.triangles[t];
      EXPECT_EQ(std::ranges::count(c, e.a) + std::ranges::count(c, e.b), 2);
    }
  }
  EXPECT_TRUE(boundary_of(m).empty());
  Mesh open = m;
  open.triangles.resize(10);  // the side x = 1 is gone
  EXPECT_EQ(boundary_of(open), (std::vector<int>{1, 3, 5, 7}));
  double area = 0;
  for (const double a : areas_of(m)) area += a;
  EXPECT_NEAR(area, 6, 1e-14);
  EXPECT_LT(norm(normals_of(m)[7] - normalized(V{1, 1, 1})), 1e-14) << "angles, not the number of triangles, count";
}

TEST(Mesh, WhatIsWrongIsNamed) {
  Mesh m = box(1, 1, 1);
  m.triangles.resize(10);
  EXPECT_EQ(message_of(m, false), "");
  EXPECT_TRUE(has(message_of(m, true), "open")) << message_of(m, true);
  m = box(1, 1, 1);
  std::swap(m.triangles[4][0], m.triangles[4][1]);
  EXPECT_TRUE(has(message_of(m, false), "outside: triangles")) << message_of(m, false);
  EXPECT_TRUE(has(message_of(m, false), "4")) << message_of(m, false);
  m = box(1, 1, 1);
  for (auto& t : m.triangles) std::swap(t[0], t[1]);
  EXPECT_EQ(message_of(m, false), "");
  EXPECT_TRUE(has(message_of(m, true), "inside out")) << message_of(m, true);
  m = box(1, 1, 1);
  m.triangles.push_back({0, 1, 7});
  EXPECT_TRUE(has(message_of(m, false), "more than two")) << message_of(m, false);
  EXPECT_TRUE(has(message_of(m, false), "12")) << message_of(m, false);
  m = box(1, 1, 1);
  m.vertices[3] = 0.5 * (m.vertices[0] + m.vertices[7]);
  m.triangles.push_back({0, 3, 7});
  EXPECT_TRUE(has(message_of(m, false), "degenerate")) << message_of(m, false);
  EXPECT_TRUE(has(message_of(m, false), "triangle 12 (")) << message_of(m, false);
  m = box(1, 1, 1);
  m.triangles.push_back({0, 1, 8});
  EXPECT_TRUE(has(message_of(m, false), "no vertices")) << message_of(m, false);
  m = box(1, 1, 1);
  m.vertices.push_back({5, 5, 5});
  EXPECT_TRUE(has(message_of(m, false), "vertex 8")) << message_of(m, false);
  EXPECT_EQ(message_of(without_loose_vertices(m), true), "");
  Mesh flat;
  for (int i = 0; i < 36; ++i) flat.vertices.push_back({0.1 * i, 0, 0});
  for (int i = 0; i < 12; ++i) flat.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  EXPECT_TRUE(has(message_of(flat, false), "8, 9 and 2 more")) << message_of(flat, false);
}

Mesh together(Mesh a, const Mesh& b) {
  const auto first = static_cast<int>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const auto& t : b.triangles) a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return a;
}

TEST(Mesh, WhatPassesThroughItselfIsRefused) {
  const auto beside = [](const V& way, const V& turned = {}) {
    return message_of(together(box(1, 1, 1), placed(box(1, 1, 1), turned, way)), true);
  };
  // Also where edges meet faces at their diagonals, or at a turn.
  for (const V& way : {V{0.5, 0.5, 0.5}, V{0.3, 0.4, 0.5}, V{-0.9, 0.2, 0.1}, V{0.1, 0.2, 0.3}})
    EXPECT_TRUE(has(beside(way), "passes through itself")) << way.x;
  EXPECT_TRUE(has(beside({0.5, 0.5, 0.5}, {0.3, 0.2, 0.1}), "passes through itself"));
  EXPECT_TRUE(has(beside({0.4, 0.4, 0.9}), "triangles 2, 3, ")) << beside({0.4, 0.4, 0.9});
  // What lies beside itself, touches itself or has a hollow does not.
  for (const V& way : {V{1, 0, 0}, V{1, 0.5, 0.2}, V{1, 1, 0}, V{1, 1, 1}, V{0.5, 0.5, 1}, V{3, 0, 0}})
    EXPECT_EQ(beside(way), "") << way.x << " " << way.y << " " << way.z;
  Mesh hollow = placed(box(0.5, 0.5, 0.5), {}, {0.25, 0.25, 0.25});
  for (auto& t : hollow.triangles) std::swap(t[0], t[1]);
  EXPECT_EQ(message_of(together(box(1, 1, 1), hollow), true), "");
  // A corner that is pushed out through the face on the other side.
  Mesh folded = box(1, 1, 1);
  folded.vertices[7] = {0.6, 0.7, -0.3};
  EXPECT_TRUE(has(message_of(folded, true), "passes through itself"));
  EXPECT_EQ(message_of(folded, false), "");
}

// A cylinder whose lids are fans of n triangles each.
Mesh fan(int n, double height) {
  Mesh m;
  for (const double z : {0.0, height}) {
    m.vertices.push_back({0, 0, z});
    for (int k = 0; k < n; ++k) {
      const double a = 2 * std::numbers::pi * k / n;
      m.vertices.push_back({std::cos(a), std::sin(a), z});
    }
  }
  for (int k = 0; k < n; ++k) {
    const int a = 1 + k, b = 1 + (k + 1) % n, c = a + n + 1, d = b + n + 1;
    for (const std::array<int, 3>& t : {std::array{0, b, a}, {n + 1, c, d}, {a, b, d}, {a, d, c}})
      m.triangles.push_back(t);
  }
  return m;
}

// Neighbours at a corner were listed pair by pair: these would have taken a minute and gigabytes.
TEST(Mesh, FansOfManyTrianglesAreCheckedAtOnce) {
  const std::clock_t began = std::clock();
  const int n = is_sanitized ? 1000 : 10000;
  const Mesh turned = placed(fan(n, 0.5), {0.3, 0.2, 0.1}, {0, 0, 0});
  EXPECT_TRUE(crossings_of(turned).empty());
  Mesh cone = fan(n, 0.5);
  cone.vertices[0].z = -2, cone.vertices[n + 1].z = 0.4;
  EXPECT_TRUE(crossings_of(cone).empty());
  EXPECT_LT(std::clock() - began, 10 * CLOCKS_PER_SEC);
  // A hub that is pushed out through the other lid.
  Mesh pushed = fan(300, 0.5);
  pushed.vertices[0].z = 0.7;
  EXPECT_GT(crossings_of(pushed).size(), 300U);
  // A spike of one triangle that reaches through a lid.
  for (const V& tip : {V{0.3, 0.4, 0.7}, V{0.01, 0.005, 0.7}, V{-0.9, 0.1, 0.6}}) {
    Mesh spiked = fan(300, 0.5);
    spiked.vertices[17] = tip;
    EXPECT_FALSE(crossings_of(spiked).empty()) << tip.x;
  }
}

std::string text_stl(const Mesh& m) {
  std::string text = "solid box\n";
  for (const auto& t : m.triangles) {
    text += "  facet normal 0 0 0\n    outer loop\n";
    for (const int v : t) {
      const V& p = m.vertices[v];
      text += "      vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
    }
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid box\n";
}
std::string binary_stl(const Mesh& m) {
  std::string text(80, ' ');
  text.replace(0, 5, "solid");  // many programs write so
  const auto put = [&](const auto& value) { text.append(reinterpret_cast<const char*>(&value), sizeof value); };
  put(static_cast<std::uint32_t>(m.triangles.size()));
  for (const auto& t : m.triangles) {
    for (int k = 0; k < 3; ++k) put(0.0f);
    for (const int v : t) {
      const V& p = m.vertices[v];
      for (const double c : {p.x, p.y, p.z}) put(static_cast<float>(c));
    }
    put(std::uint16_t{0});
  }
  return text;
}

TEST(MeshFile, StlIsTheSameBoxInTextAndBinary) {
  const Mesh m = box(1, 2, 4);
  for (const std::string& text : {text_stl(m), binary_stl(m)}) {
    const Mesh back = read_stl(text, "box.stl");
    EXPECT_EQ(back.vertices.size(), 8u);
    EXPECT_EQ(message_of(back, true), "");
    EXPECT_NEAR(mass_properties(back).volume, 8, 1e-13);
  }
}

TEST(MeshFile, BrokenFilesAreErrorsWithTheirLine) {
  const auto obj = [](const std::string& text) { return message_of([&] { read_obj(text, "a.obj"); }); };
  const auto stl = [](const std::string& text) { return message_of([&] { read_stl(text, "a.stl"); }); };
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(obj(three + "f 1 2 3\n"), "");
  EXPECT_EQ(obj("f 1 2 3\n" + three), "") << "faces may come first";
  EXPECT_TRUE(has(obj("v 0 0 0\nv 1 x 0\n"), "a.obj:2")) << obj("v 0 0 0\nv 1 x 0\n");
  EXPECT_TRUE(has(obj("v 0 0\n"), "a.obj:1"));
  EXPECT_TRUE(has(obj("v 0 0 nan\n"), "finite"));
  EXPECT_TRUE(has(obj(three + "f 1 2\n"), "a.obj:4"));
  EXPECT_TRUE(has(obj(three + "f 1 2 4\n"), "there are 3"));
  EXPECT_TRUE(has(obj(three + "f 1 2 0\n"), "a.obj:4"));
  EXPECT_TRUE(has(obj(three + "f 1 2 -4\n"), "a.obj:4"));
  EXPECT_TRUE(has(obj(three + "f 1 2 99999999999\n"), "there are 3"));
  EXPECT_TRUE(has(obj(three), "no faces"));
  const std::string good = text_stl(box(1, 1, 1));
  EXPECT_TRUE(has(stl(good.substr(0, 200)), "a.stl:")) << stl(good.substr(0, 200));
  EXPECT_TRUE(has(stl("solid a\nfacet normal 0 0 1\nvertex 0 0 0\nendfacet\n"), "a.stl:4"));
  EXPECT_TRUE(has(stl("solid a\nfacet normal 0 0 1\nhello\n"), "a.stl:3"));
  const std::string binary = binary_stl(box(1, 1, 1));
  EXPECT_TRUE(has(stl(binary.substr(0, binary.size() - 7)), "cut short"));
  EXPECT_TRUE(has(stl(""), "no STL"));
  EXPECT_TRUE(has(message_of([] { read_mesh("/nowhere/a.obj"); }), "no such file"));
  EXPECT_TRUE(has(message_of([] { read_mesh("/nowhere/a.ply"); }), ".stl"));
}

double drawn_area(const Mesh& m) {
  double sum = 0;
  for (const auto& t : m.triangles)
    sum += 0.5 * norm(cross(m.vertices[t[1]] - m.vertices[t[0]], m.vertices[t[2]] - m.vertices[t[0]]));
  return sum;
}

// Whichever corner comes first, and whichever way round: a dart, a comb, a spiral.
TEST(MeshFile, ConcavePolygonsKeepTheirArea) {
  const std::vector<std::vector<V>> shapes{
      {{2, 0, 0}, {0.5, 0.5, 0}, {0, 2, 0}, {0, 0, 0}},
      {{0, 0, 1},
       {5, 0, 1},
       {5, 2, 1},
       {4, 2, 1},
       {4, 1, 1},
       {3, 1, 1},
       {3, 2, 1},
       {2, 2, 1},
       {2, 1, 1},
       {1, 1, 1},
       {1, 2, 1},
       {0, 2, 1}},
      {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {1, 4, 0}, {1, 2, 0}, {2, 2, 0}, {2, 3, 0}, {3, 3, 0}, {3, 1, 0}, {0, 1, 0}},
      {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 2, 2}, {0, 1, 1}, {0, 0, 2}}};  // with a corner on a straight side
  const double areas[] = {1, 8, 10, 3};
  for (std::size_t shape = 0; shape < shapes.size(); ++shape)
    for (std::size_t first = 0; first < shapes[shape].size(); ++first)
      for (const bool backwards : {false, true}) {
        const std::size_t n = shapes[shape].size();
        std::string text, face = "f";
        for (std::size_t k = 0; k < n; ++k) {
          const V& p = shapes[shape][(backwards ? n - k : k + n) % n];
          text += "v " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
          face += " " + std::to_string((k + first) % n + 1);
        }
        const Mesh m = read_obj(text + face + "\n", "a.obj");
        EXPECT_EQ(m.triangles.size(), n - 2);
        EXPECT_NEAR(drawn_area(m), areas[shape], 1e-12)
            << shape << " from " << first << (backwards ? " backwards" : "");
      }
}

TEST(MeshFile, PolygonsThatCrossThemselvesAreRefused) {
  const std::string bow = "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1.5 0\nf 1 2 3 4\n";
  EXPECT_TRUE(has(message_of([&] { read_obj(bow, "a.obj"); }), "a.obj:5: found a face that crosses"));
  const std::string star = "v 0 1 0\nv 0.6 -0.8 0\nv -0.95 0.3 0\nv 0.95 0.3 0\nv -0.6 -0.8 0\nf 1 2 3 4 5\n";
  EXPECT_TRUE(has(message_of([&] { read_obj(star, "a.obj"); }), "a.obj:6: found a face that crosses"));
  const std::string line = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3 4\n";
  EXPECT_TRUE(has(message_of([&] { read_obj(line, "a.obj"); }), "no area"));
}

}  // namespace ls::mesh_test
