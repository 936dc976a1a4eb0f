#include "build/mesh.h"
#include "collide/part_tree.h"

#include <algorithm>
#include <cmath>
#include <compare>

// Where a mesh passes through itself.
namespace ls {

namespace {

using V = Vec3<double>;
using Triangle = std::array<int, 3>;
constexpr double near = 1e-6;  // of its size: what comes no nearer to the other side of a triangle only touches it

Box box_of(const Mesh& mesh, const Triangle& t) {
  const V& first = mesh.vertices[t[0]];
  Box box{first, first};
  for (const int v : {t[1], t[2]}) extend(box, {mesh.vertices[v], mesh.vertices[v]});
  return box;
}

bool has(const Triangle& t, int vertex) {
  return std::ranges::find(t, vertex) != t.end();
}

int shared_corners(const Triangle& a, const Triangle& b) {
  return static_cast<int>(std::ranges::count_if(a, [&](int v) { return has(b, v); }));
}

// How an edge that goes from one side of a triangle to the other passes it.
enum class Way { beside, at_a_side, inside };
Way way_through(const V& from, const V& to, const V& corner, const V& u, const V& v) {
  const V n = cross(u, v), start = from - corner, along = to - from;
  const double square = dot(n, n), before = dot(n, start), after = before + dot(n, along);
  const double touching = near * std::sqrt(square) * std::max(norm(u), norm(v));
  if (!(before * after < 0) || std::min(std::abs(before), std::abs(after)) < touching) return Way::beside;
  const V p = start + (before / (before - after)) * along;
  const double w1 = dot(cross(p, v), n) / square, w2 = dot(cross(u, p), n) / square;
  double weights[] = {w1, w2, 1 - w1 - w2};
  std::ranges::sort(weights);
  if (weights[0] > near) return Way::inside;
  return weights[0] < -near || weights[1] < near ? Way::beside : Way::at_a_side;  // a corner is what may only touch
}

// An edge by its two ends, of a triangle, that meets another one at a side.
struct AtSide {
  int from, to, met, of;
  auto operator<=>(const AtSide&) const = default;  // NOLINT(modernize-use-nullptr): it sees a 0 that is not there
};

// Some triangles of a mesh.
struct Patch {
  int hub;                     // a corner of all of them; -1: there is none
  std::vector<int> triangles;  // [part of the tree]
  PartTree tree;               // with a hub: of how they are seen from there, on a sphere of radius 1
};

// Two ends of an edge as they are seen from a place, and how far the arc between them is off the straight way.
struct Seen {
  V start, way;
  double off;
};
Seen seen_from(const V& hub, const V& from, const V& to) {
  const V a = from - hub, b = to - hub;
  if (!(norm(a) > 1e-9 * norm(b) && norm(b) > 1e-9 * norm(a))) return {{}, {}, 2};  // it may be anywhere
  const V start = normalized(a), way = normalized(b) - start;
  return {start, way, 1 - std::sqrt(std::max(0.0, 1 - dot(way, way) / 4)) + 1e-9};
}

Box box_of(const Seen& seen) {
  Box box{seen.start, seen.start};
  extend(box, {seen.start + seen.way, seen.start + seen.way});
  const V off{seen.off, seen.off, seen.off};
  return {box.low - off, box.high + off};
}

Box box_from(const Mesh& mesh, const Triangle& t, int hub) {
  const auto k = static_cast<std::size_t>(std::ranges::find(t, hub) - t.begin());
  return box_of(seen_from(mesh.vertices[hub], mesh.vertices[t[(k + 1) % 3]], mesh.vertices[t[(k + 2) % 3]]));
}

// Where very many triangles share a corner, as in the lid of a cylinder, the boxes of nearly all of them overlap. Seen
// from there they lie beside each other.
std::vector<Patch> patches_of(const Mesh& mesh) {
  constexpr int very_many = 200;
  std::vector<int> count(mesh.vertices.size(), 0), of(mesh.vertices.size(), -1);
  for (const Triangle& t : mesh.triangles)
    for (const int v : t) ++count[v];
  std::vector<std::pair<int, std::vector<int>>> sorted{{-1, {}}};
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    const int hub = *std::ranges::max_element(mesh.triangles[k], {}, [&](int v) { return count[v]; });
    std::size_t patch = 0;
    if (count[hub] > very_many) {
      if (of[hub] < 0) of[hub] = static_cast<int>(sorted.size()), sorted.push_back({hub, {}});
      patch = static_cast<std::size_t>(of[hub]);
    }
    sorted[patch].second.push_back(static_cast<int>(k));
  }
  std::vector<Patch> patches;
  for (auto& [hub, triangles] : sorted) {
    if (triangles.empty()) continue;
    std::vector<Box> boxes;
    for (const int k : triangles) {
      const Triangle& t = mesh.triangles[static_cast<std::size_t>(k)];
      boxes.push_back(hub < 0 ? box_of(mesh, t) : box_from(mesh, t, hub));
    }
    patches.push_back({hub, std::move(triangles), PartTree(boxes)});
  }
  return patches;
}

// An edge cannot pass through a triangle that has one of its ends for a corner, nor through any of a patch whose hub is
// one of them: pairs of those are never made.
class Crossings {
 public:
  explicit Crossings(const Mesh& mesh) : mesh_(mesh), patches_(patches_of(mesh)) {}

  std::vector<int> found() {
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const int from = mesh_.triangles[t][k], to = mesh_.triangles[t][(k + 1) % 3];
        for (const Patch& patch : patches_)
          if (patch.hub < 0 || (patch.hub != from && patch.hub != to)) look_along(from, to, static_cast<int>(t), patch);
      }
    look_at_sides();
    return std::move(found_);
  }

 private:
  const Triangle& triangle(int t) const { return mesh_.triangles[static_cast<std::size_t>(t)]; }

  // For triangles of a patch that an edge of one passes through.
  void look_along(int from, int to, int one, const Patch& patch) {
    const V &a = mesh_.vertices[from], &b = mesh_.vertices[to];
    const Seen seen = patch.hub < 0 ? Seen{a, b - a, 1e-9 * norm(b - a)} : seen_from(mesh_.vertices[patch.hub], a, b);
    const V off{seen.off, seen.off, seen.off};
    waiting_.assign(1, 0);
    while (!waiting_.empty()) {
      const PartTree::Branch& branch = patch.tree[waiting_.back()];
      waiting_.pop_back();
      if (!crosses(seen.start - branch.centre, seen.way, branch.half + off)) continue;
      if (branch.child >= 0) {
        waiting_.push_back(branch.child), waiting_.push_back(branch.child + 1);
        continue;
      }
      const int other = patch.triangles[static_cast<std::size_t>(branch.part)];
      if (!has(triangle(other), from) && !has(triangle(other), to)) look(from, to, one, other);
    }
  }
  void look(int from, int to, int one, int other) {
    const Triangle& t = triangle(other);
    const V& corner = mesh_.vertices[t[0]];
    const V u = mesh_.vertices[t[1]] - corner, v = mesh_.vertices[t[2]] - corner;
    const Way way = way_through(mesh_.vertices[from], mesh_.vertices[to], corner, u, v);
    if (way == Way::inside) found_.push_back(one), found_.push_back(other);
    if (way == Way::at_a_side) at_sides_.push_back({std::min(from, to), std::max(from, to), other, one});
  }
  // What goes from one side to the other of both triangles where they meet goes through, as at the diagonal of a
  // square. It only touches where it goes along one of them, as at the rim of a box.
  void look_at_sides() {
    std::ranges::sort(at_sides_);
    for (std::size_t i = 0; i < at_sides_.size(); ++i)
      for (std::size_t j = i + 1; j < at_sides_.size(); ++j) {
        const AtSide &first = at_sides_[i], &second = at_sides_[j];
        if (first.from != second.from || first.to != second.to) break;
        if (first.met != second.met && shared_corners(triangle(first.met), triangle(second.met)) == 2)
          for (const int t : {first.of, first.met, second.met}) found_.push_back(t);
      }
  }

  const Mesh& mesh_;
  std::vector<Patch> patches_;
  std::vector<int> waiting_;
  std::vector<int> found_;
  std::vector<AtSide> at_sides_;
};

}  // namespace

std::vector<int> crossings_of(const Mesh& mesh) {
  return Crossings(mesh).found();
}

}  // namespace ls
