#pragma once
#include "base/rng.h"
#include "collide/pairs.h"
#include "math/rotation.h"

#include <array>
#include <numbers>

// Scenes for tests: bodies of many triangles, rods, sheets, balls and walls at random places.
namespace ls::test {

using V = Vec3<double>;

class RandomShapes {
 public:
  Shapes shapes;
  std::vector<Frame<double>> frames;  // [node]

  explicit RandomShapes(std::uint64_t seed) : seed_(seed) {}

  double draw() { return uniform(seed_, count_++, 0, 0); }
  V draw_vector(double size) { return {size * (2 * draw() - 1), size * (2 * draw() - 1), size * (2 * draw() - 1)}; }

  int add_node(const Frame<double>& frame, bool wall = false) {
    frames.push_back(frame);
    shapes.is_wall.push_back(wall ? 1 : 0);
    shapes.body_of.push_back(0);
    return static_cast<int>(frames.size()) - 1;
  }
  int add_point(int node, const V& offset, double radius) {
    shapes.points.push_back({node, offset, radius});
    return static_cast<int>(shapes.points.size()) - 1;
  }
  Frame<double> random_frame(double room) { return {draw_vector(room), turn(draw_vector(3.0))}; }

  // A torus of 2 rings x sides triangles; copies of it are the same to the last bit.
  void add_ring(double room, double size, int rings, int sides, double radius, bool wall = false) {
    const int node = add_node(random_frame(room), wall), first = static_cast<int>(shapes.points.size());
    for (int i = 0; i < rings; ++i)
      for (int j = 0; j < sides; ++j) {
        const double a = 2 * std::numbers::pi * i / rings, b = 2 * std::numbers::pi * j / sides;
        const double r = size * (1 + 0.4 * std::cos(b));
        add_point(node, {r * std::cos(a), r * std::sin(a), 0.4 * size * std::sin(b)}, radius);
      }
    const auto at = [&](int i, int j) { return first + (i % rings) * sides + j % sides; };
    for (int i = 0; i < rings; ++i)
      for (int j = 0; j < sides; ++j) {
        shapes.edges.push_back({at(i, j), at(i + 1, j)});
        shapes.edges.push_back({at(i, j), at(i, j + 1)});
        shapes.edges.push_back({at(i, j), at(i + 1, j + 1)});
        shapes.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        shapes.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      }
  }
  void add_ball(double room, double radius) {
    shapes.spheres.push_back(add_point(add_node(random_frame(room)), {}, radius));
  }
  void add_capsule(double room, double length, double radius) {
    const int node = add_node(random_frame(room)), a = add_point(node, {0, 0, -0.5 * length}, radius);
    shapes.edges.push_back({a, add_point(node, {0, 0, 0.5 * length}, radius)});
  }
  void add_rod(double room, int nodes, double bond, double radius) {
    const V start = draw_vector(room), along = draw_vector(1.0), step = (bond / norm(along)) * along;
    int last = -1;
    for (int k = 0; k < nodes; ++k) {
      const int node = add_node({start + static_cast<double>(k) * step, {}}), point = add_point(node, {}, radius);
      if (last >= 0) {
        shapes.edges.push_back({last, point});
        shapes.links.push_back({node - 1, node, bond});
      }
      last = point;
    }
  }
  // A sheet of triangles with a node at each corner.
  void add_sheet(double room, int side, double spacing, double radius) {
    const V start = draw_vector(room);
    const int first = static_cast<int>(shapes.points.size()), node = static_cast<int>(frames.size());
    const auto at = [&](int i, int j) { return side * i + j; };
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        const V place = start + V{spacing * i, spacing * j, 0.1 * spacing * draw()};
        add_point(add_node({place, {}}), {}, radius);
      }
    const auto edge = [&](int a, int b) {
      shapes.edges.push_back({first + a, first + b});
      shapes.links.push_back({node + a, node + b, spacing});
    };
    for (int i = 0; i + 1 < side; ++i)
      for (int j = 0; j + 1 < side; ++j) {
        edge(at(i, j), at(i + 1, j)), edge(at(i, j), at(i, j + 1)), edge(at(i, j), at(i + 1, j + 1));
        shapes.triangles.push_back({first + at(i, j), first + at(i + 1, j), first + at(i + 1, j + 1)});
        shapes.triangles.push_back({first + at(i, j), first + at(i + 1, j + 1), first + at(i, j + 1)});
      }
  }
  void add_hollow(HollowKind kind, double radius) {
    const int node = add_node(random_frame(0.1 * radius), true);
    const V axis = kind == HollowKind::plane ? V{0, 0, 1} : normalized(draw_vector(1.0));
    shapes.hollows.push_back(
        {kind, node, kind == HollowKind::plane ? V{0, 0, -radius} : draw_vector(0.1 * radius), axis, radius});
  }

  Nodes nodes() const {
    Nodes n(static_cast<int>(frames.size()));
    for (std::size_t i = 0; i < frames.size(); ++i) n.set(static_cast<int>(i), frames[i]);
    return n;
  }
  // Nodes fly and turn; those that bonds join almost together.
  Move random_move(double way, double angle, bool walls) {
    Move move;
    const std::size_t padded = (frames.size() + 7) / 8 * 8;
    for (int c = 0; c < 3; ++c) move.v[c].assign(padded, 0.0), move.w[c].assign(padded, 0.0);
    std::vector<std::uint8_t> follows(frames.size(), 0);
    for (const ShapeLink& l : shapes.links) follows[l.node2] = 1;
    V v{};
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (shapes.is_wall[i] && !walls) continue;
      v = follows[i] ? v + draw_vector(0.02 * way) : draw_vector(way);
      const V w = draw_vector(angle);
      move.v[0][i] = v.x, move.v[1][i] = v.y, move.v[2][i] = v.z;
      move.w[0][i] = w.x, move.w[1][i] = w.y, move.w[2][i] = w.z;
    }
    return move;
  }

 private:
  std::uint64_t seed_, count_ = 0;
};

// A bit of everything.
inline RandomShapes mixed_shapes(std::uint64_t seed, double room) {
  RandomShapes r(seed);
  r.add_hollow(HollowKind::plane, 2 * room);
  r.add_ring(room, 0.3, 6, 4, 0.0);
  r.add_rod(room, 8, 0.15, 0.02);
  r.add_ring(room, 0.3, 6, 4, 0.0);
  r.add_ball(room, 0.2);
  r.add_capsule(room, 0.4, 0.05);
  r.add_hollow(seed % 2 ? HollowKind::sphere : HollowKind::cylinder, 2 * room);
  r.add_sheet(room, 4, 0.2, 0.01);
  r.add_ring(room, 0.6, 5, 3, 0.01, true);
  r.add_ring(room, 0.2, 4, 3, 0.0, true);
  r.add_ball(room, 0.1);
  return r;
}

}  // namespace ls::test
