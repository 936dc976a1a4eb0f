#include "build/mesh.h"

#include "base/error.h"
#include "math/rotation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace ls {

namespace {

using V = Vec3<double>;

// One side of a triangle, running from one corner to the next.
struct Side {
  int low, high;  // its vertices
  bool forward;   // from low to high
  int triangle;
};

// Sides of the same edge stand next to each other.
std::vector<Side> sorted_sides(const Mesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), from < to, static_cast<int>(t)});
    }
  std::ranges::sort(sides, [](const Side& p, const Side& q) {
    return std::tie(p.low, p.high, p.triangle) < std::tie(q.low, q.high, q.triangle);
  });
  return sides;
}

// Calls visit(first, last) for the sides of each edge.
template <class Visit>
void for_each_edge(const std::vector<Side>& sides, const Visit& visit) {
  for (std::size_t i = 0, j = 0; i < sides.size(); i = j) {
    while (j < sides.size() && sides[j].low == sides[i].low && sides[j].high == sides[i].high) ++j;
    visit(&sides[i], &sides[i] + (j - i));
  }
}

// Twice the area times the unit normal.
V area_vector(const Mesh& m, const std::array<int, 3>& t) {
  const auto at = [&](int k) { return m.vertices[t[k]]; };
  return cross(at(1) - at(0), at(2) - at(0));
}

// "triangles 3, 5 and 12 more": the first ten, each once.
std::string listed(std::vector<int> triangles) {
  std::ranges::sort(triangles);
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  constexpr std::size_t most = 10;
  std::string text = triangles.size() == 1 ? "triangle " : "triangles ";
  for (std::size_t i = 0; i < std::min(most, triangles.size()); ++i)
    text += fmt::format("{}{}", i > 0 ? ", " : "", triangles[i]);
  if (triangles.size() > most) text += fmt::format(" and {} more", triangles.size() - most);
  return text + " (counted from 0)";
}

void fail_if_any(const std::vector<int>& triangles, const char* what) {
  if (!triangles.empty()) throw Error(fmt::format("{}: {}", what, listed(triangles)));
}

void check_corners(const Mesh& mesh) {
  const auto count = static_cast<int>(mesh.vertices.size());
  std::vector<int> bad;
  const auto is_vertex = [count](int v) { return v >= 0 && v < count; };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (!std::ranges::all_of(mesh.triangles[t], is_vertex)) bad.push_back(static_cast<int>(t));
  fail_if_any(bad, "the mesh has triangles whose corners are no vertices of it");
}

void check_areas(const Mesh& mesh) {
  constexpr double least = 1e-10;  // of the square of the longest side
  std::vector<int> bad;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& c = mesh.triangles[t];
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const V side = mesh.vertices[c[(k + 1) % 3]] - mesh.vertices[c[k]];
      longest = std::max(longest, dot(side, side));
    }
    if (!(norm(area_vector(mesh, c)) > least * longest)) bad.push_back(static_cast<int>(t));
  }
  fail_if_any(bad, "the mesh has degenerate triangles, without an area");
}

void check_edges(const Mesh& mesh, bool closed) {
  std::vector<int> crowded, turned, open;
  for_each_edge(sorted_sides(mesh), [&](const Side* first, const Side* last) {
    const auto n = last - first;
    std::vector<int>* bad = nullptr;
    if (n > 2)
      bad = &crowded;
    else if (n == 2 && first[0].forward == first[1].forward)
      bad = &turned;
    else if (n == 1)
      bad = &open;
    if (bad)
      for (const Side* s = first; s < last; ++s) bad->push_back(s->triangle);
  });
  fail_if_any(crowded, "the mesh has edges that more than two triangles share");
  fail_if_any(turned, "the mesh has neighbours that do not agree on which side is outside");
  if (closed) fail_if_any(open, "the mesh is open, expected a closed surface; there is no neighbour at a side of");
}

void check_vertices(const Mesh& mesh) {
  std::vector<char> used(mesh.vertices.size(), 0);
  for (const auto& t : mesh.triangles)
    for (const int v : t) used[v] = 1;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (!used[v]) throw Error(fmt::format("vertex {} of the mesh belongs to no triangle", v));
}

}  // namespace

std::vector<MeshEdge> edges_of(const Mesh& mesh) {
  std::vector<MeshEdge> edges;
  for_each_edge(sorted_sides(mesh), [&](const Side* first, const Side* last) {
    MeshEdge e{first->low, first->high, -1, -1};
    for (const Side* s = first; s < last; ++s) (s->forward ? e.left : e.right) = s->triangle;
    edges.push_back(e);
  });
  return edges;
}

std::vector<int> boundary_of(const Mesh& mesh) {
  std::vector<int> on;
  for (const MeshEdge& e : edges_of(mesh))
    if (e.is_boundary()) on.push_back(e.a), on.push_back(e.b);
  std::ranges::sort(on);
  on.erase(std::unique(on.begin(), on.end()), on.end());
  return on;
}

std::vector<V> normals_of(const Mesh& mesh) {
  std::vector<V> normals(mesh.vertices.size());
  for (const auto& t : mesh.triangles) {
    const V n = normalized(area_vector(mesh, t));
    for (std::size_t k = 0; k < 3; ++k) {
      const V& at = mesh.vertices[t[k]];
      const V one = mesh.vertices[t[(k + 1) % 3]] - at;
      const V other = mesh.vertices[t[(k + 2) % 3]] - at;
      normals[t[k]] += std::atan2(norm(cross(one, other)), dot(one, other)) * n;
    }
  }
  for (V& n : normals) n = norm(n) > 0 ? normalized(n) : V{0, 0, 1};
  return normals;
}

std::vector<double> areas_of(const Mesh& mesh) {
  std::vector<double> areas(mesh.vertices.size(), 0.0);
  for (const auto& t : mesh.triangles)
    for (const int v : t) areas[v] += norm(area_vector(mesh, t)) / 6;
  return areas;
}

void check_mesh(const Mesh& mesh, bool closed) {
  if (mesh.triangles.empty()) throw Error("the mesh has no triangles");
  check_corners(mesh);
  check_areas(mesh);
  check_edges(mesh, closed);
  check_vertices(mesh);
  if (closed && !(mass_properties(mesh).volume > 0))
    throw Error(
        "the mesh is inside out: its triangles go round clockwise as seen from outside, so its volume is "
        "negative; expected anticlockwise, starting with triangle 0");
  if (closed)
    fail_if_any(crossings_of(mesh),
                "the mesh passes through itself, so that it has no inside (make one surface of it, or "
                "a body of each piece)");
}

// Sums over the tetrahedra between the triangles and a point in the middle, with a sign: those outside cancel. The
// integral of x_i x_j over one of volume v with corners 0, a, b, c is v/20 (s_i s_j + a_i a_j + b_i b_j + c_i c_j),
// s = a + b + c.
MassProperties mass_properties(const Mesh& mesh) {
  V middle;
  for (const V& v : mesh.vertices) middle += (1.0 / static_cast<double>(mesh.vertices.size())) * v;
  double volume = 0, second[3][3] = {};
  V first;
  for (const auto& t : mesh.triangles) {
    V p[4];
    for (std::size_t k = 0; k < 3; ++k) p[k] = mesh.vertices[t[k]] - middle;
    p[3] = p[0] + p[1] + p[2];
    const double v = dot(p[0], cross(p[1], p[2])) / 6;
    volume += v;
    first += (v / 4) * p[3];
    for (const V& q : p) {
      const double c[3] = {q.x, q.y, q.z};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) second[i][j] += v / 20 * c[i] * c[j];
    }
  }
  const V shift = (1 / volume) * first;
  const double s[3] = {shift.x, shift.y, shift.z};
  double inertia[3][3], trace = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) inertia[i][j] = -(second[i][j] - volume * s[i] * s[j]);
  for (int i = 0; i < 3; ++i) trace -= inertia[i][i];
  for (int i = 0; i < 3; ++i) inertia[i][i] += trace;
  const auto column = [&](int j) { return V{inertia[0][j], inertia[1][j], inertia[2][j]}; };
  return {volume, middle + shift, {column(0), column(1), column(2)}};
}

Mesh without_loose_vertices(const Mesh& mesh) {
  Mesh kept;
  std::vector<int> number(mesh.vertices.size(), -1);
  for (const auto& t : mesh.triangles)
    for (const int v : t) number[v] = 0;
  for (std::size_t v = 0; v < number.size(); ++v)
    if (number[v] == 0) {
      number[v] = static_cast<int>(kept.vertices.size());
      kept.vertices.push_back(mesh.vertices[v]);
    }
  for (auto t : mesh.triangles) {
    for (int& v : t) v = number[v];
    kept.triangles.push_back(t);
  }
  return kept;
}

Mesh placed(Mesh mesh, const V& turn_by, const V& origin) {
  const Quat<double> q = turn(turn_by);
  for (V& v : mesh.vertices) v = origin + rotate(q, v);
  return mesh;
}

}  // namespace ls
