#include "build/surfaces.h"

#include "base/error.h"
#include "build/particles_on_sphere.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace ls {

namespace {

using V = Vec3<double>;

int farthest(const std::vector<V>& points, const V& along) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (dot(points[i], along) > dot(points[best], along)) best = i;
  return static_cast<int>(best);
}

// A third of a triangle goes to each of its sides: then an equilateral lattice is isotropic, at its free edges too.
std::vector<SurfaceBond> bonds_of(const Mesh& mesh) {
  const auto area = [&](int t) {
    if (t < 0) return 0.0;
    const auto& c = mesh.triangles[t];
    const auto at = [&](std::size_t k) { return mesh.vertices[c[k]]; };
    return 0.5 * norm(cross(at(1) - at(0), at(2) - at(0)));
  };
  std::vector<SurfaceBond> bonds;
  for (const MeshEdge& e : edges_of(mesh)) bonds.push_back({e.a, e.b, (area(e.left) + area(e.right)) / 3});
  return bonds;
}

// The triangles between two rows of vertices, each row in ascending x, the upper one behind the lower: the shorter
// diagonal first.
void add_strip(Mesh& mesh, const std::vector<int>& lower, const std::vector<int>& upper) {
  const auto distance = [&](int a, int b) { return norm(mesh.vertices[a] - mesh.vertices[b]); };
  for (std::size_t i = 0, j = 0; i + 1 < lower.size() || j + 1 < upper.size();) {
    const bool can_lower = i + 1 < lower.size(), can_upper = j + 1 < upper.size();
    if (can_lower && (!can_upper || distance(lower[i + 1], upper[j]) <= distance(lower[i], upper[j + 1]))) {
      mesh.triangles.push_back({lower[i], lower[i + 1], upper[j]});
      ++i;
    } else {
      mesh.triangles.push_back({lower[i], upper[j + 1], upper[j]});
      ++j;
    }
  }
}

std::vector<BodyPart> parts_of_sheet(const Mesh& mesh, double size_x, double size_y) {
  std::vector<BodyPart> parts{{"rim", boundary_of(mesh)}, {"low_x", {}}, {"high_x", {}}, {"low_y", {}}, {"high_y", {}}};
  const double near = 1e-9 * std::max(size_x, size_y);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const V& v = mesh.vertices[i];
    const bool on[] = {v.x<near, v.x> size_x - near, v.y<near, v.y> size_y - near};
    for (std::size_t k = 0; k < 4; ++k)
      if (on[k]) parts[k + 1].nodes.push_back(static_cast<int>(i));
  }
  return parts;
}

int cells(double size, double spacing) {
  return static_cast<int>(std::max(1.0, std::round(size / spacing)));
}

}  // namespace

DrawnSurface hemisphere(double radius, int particles, double spacing, std::uint64_t seed) {
  if (particles == 0) particles = static_cast<int>(std::lround(hemisphere_particles(radius, spacing)));
  if (spacing == 0) {
    const double pi = std::numbers::pi, a = 4 * pi / std::sqrt(3.0);
    spacing = radius / ((std::sqrt(pi * pi + 4 * a * particles) - pi) / (2 * a));
  }
  DrawnSurface s;
  s.mesh.vertices = particles_on_half_sphere(particles, 1, spacing / radius, seed);
  s.mesh.triangles = triangles_on_half_sphere(s.mesh.vertices);
  for (V& v : s.mesh.vertices) v = radius * v;
  s.bonds = bonds_of(s.mesh);
  s.parts = {{"rim", boundary_of(s.mesh)}, {"top", {farthest(s.mesh.vertices, {0, 0, 1})}}};
  return s;
}

DrawnSurface geodesic_sphere(double radius, int frequency) {
  std::vector<V> corner{{0, 0, 1}};
  const double low = 1 / std::sqrt(5.0), wide = 2 * low, fifth = 2 * std::numbers::pi / 5;
  for (int k = 0; k < 5; ++k) corner.push_back({wide * std::cos(fifth * k), wide * std::sin(fifth * k), low});
  for (int k = 0; k < 5; ++k)
    corner.push_back({wide * std::cos(fifth * (k + 0.5)), wide * std::sin(fifth * (k + 0.5)), -low});
  corner.push_back({0, 0, -1});
  std::vector<std::array<int, 3>> faces;
  for (int k = 0; k < 5; ++k) {
    const int n = (k + 1) % 5;
    faces.push_back({0, 1 + k, 1 + n});
    faces.push_back({1 + k, 6 + k, 1 + n});
    faces.push_back({6 + k, 6 + n, 1 + n});
    faces.push_back({11, 6 + n, 6 + k});
  }
  DrawnSurface s;
  // A vertex by the corners of the icosahedron that it lies between and its weights of them, so that neighbours agree.
  std::map<std::map<int, int>, int> number;
  const auto vertex = [&](const std::array<int, 3>& face, int i, int j) {
    std::map<int, int> weights;
    const int w[3] = {frequency - i - j, i, j};
    for (std::size_t k = 0; k < 3; ++k)
      if (w[k] > 0) weights[face[k]] = w[k];
    const auto [at, is_new] = number.try_emplace(weights, static_cast<int>(s.mesh.vertices.size()));
    if (is_new) {
      V sum;
      for (const auto& [c, weight] : weights) sum += static_cast<double>(weight) * corner[c];
      s.mesh.vertices.push_back(radius * normalized(sum));
    }
    return at->second;
  };
  for (const auto& f : faces)
    for (int i = 0; i < frequency; ++i)
      for (int j = 0; i + j < frequency; ++j) {
        s.mesh.triangles.push_back({vertex(f, i, j), vertex(f, i + 1, j), vertex(f, i, j + 1)});
        if (i + j + 1 < frequency)
          s.mesh.triangles.push_back({vertex(f, i + 1, j), vertex(f, i + 1, j + 1), vertex(f, i, j + 1)});
      }
  s.bonds = bonds_of(s.mesh);
  s.parts = {{"top", {farthest(s.mesh.vertices, {0, 0, 1})}}, {"bottom", {farthest(s.mesh.vertices, {0, 0, -1})}}};
  return s;
}

DrawnSurface triangular_sheet(double size_x, double size_y, double spacing) {
  DrawnSurface s;
  const int nx = cells(size_x, spacing), ny = cells(size_y, spacing * std::sqrt(3.0) / 2);
  std::vector<int> before;
  for (int row = 0; row <= ny; ++row) {
    std::vector<int> now;
    const double y = size_y * row / ny;
    const auto add = [&](double x) {
      now.push_back(static_cast<int>(s.mesh.vertices.size()));
      s.mesh.vertices.push_back({x, y, 0});
    };
    // Every other row is shifted by half a spacing; its ends are filled up to the sides.
    if (row % 2) add(0);
    for (int i = 0; i <= nx - row % 2; ++i) add(size_x * (i + 0.5 * (row % 2)) / nx);
    if (row % 2) add(size_x);
    if (row > 0) add_strip(s.mesh, before, now);
    before = now;
  }
  s.bonds = bonds_of(s.mesh);
  s.parts = parts_of_sheet(s.mesh, size_x, size_y);
  return s;
}

DrawnSurface square_sheet(double size_x, double size_y, double spacing) {
  DrawnSurface s;
  const int nx = cells(size_x, spacing), ny = cells(size_y, spacing);
  const double area = size_x / nx * (size_y / ny);
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) s.mesh.vertices.push_back({size_x * i / nx, size_y * j / ny, 0});
  const auto at = [nx](int i, int j) { return j * (nx + 1) + i; };
  std::map<std::pair<int, int>, double> bonds;
  const auto share = [&](int a, int b, double part) { bonds[std::minmax(a, b)] += part; };
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
      if ((i + j) % 2) {
        s.mesh.triangles.push_back({a, b, d});
        s.mesh.triangles.push_back({b, c, d});
      } else {
        s.mesh.triangles.push_back({a, b, c});
        s.mesh.triangles.push_back({a, c, d});
      }
      // Four directions with a quarter of the square each: isotropic.
      for (const auto& [p, q] : {std::pair{a, b}, {b, c}, {c, d}, {d, a}}) share(p, q, area / 8);
      share(a, c, area / 4);
      share(b, d, area / 4);
    }
  for (const auto& [ends, part] : bonds) s.bonds.push_back({ends.first, ends.second, part});
  s.parts = parts_of_sheet(s.mesh, size_x, size_y);
  return s;
}

DrawnSurface drawn(Mesh mesh) {
  DrawnSurface s;
  s.mesh = std::move(mesh);
  s.bonds = bonds_of(s.mesh);
  if (const auto rim = boundary_of(s.mesh); !rim.empty()) s.parts.push_back({"rim", rim});
  s.parts.push_back({"top", {farthest(s.mesh.vertices, {0, 0, 1})}});
  s.parts.push_back({"bottom", {farthest(s.mesh.vertices, {0, 0, -1})}});
  return s;
}

DrawnSurface placed(DrawnSurface surface, const V& turn, const V& origin) {
  surface.mesh = placed(std::move(surface.mesh), turn, origin);
  return surface;
}

}  // namespace ls
