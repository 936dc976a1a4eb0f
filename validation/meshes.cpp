#include "validation/meshes.h"

#include "build/surfaces.h"
#include "output/files.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation {

namespace {

// Corners of the section at place i.
void add_ring(const Path& path, int i, double aside, double radius, int sides, Mesh& mesh) {
  const int n = static_cast<int>(path.places.size());
  const auto place = [&](int k) { return path.places[path.closed ? (k + n) % n : std::clamp(k, 0, n - 1)]; };
  const Vec3<double> tangent = normalized(place(i + 1) - place(i - 1));
  const Vec3<double> across = normalized(cross(tangent, path.up)), over = cross(across, tangent);
  for (int j = 0; j < sides; ++j) {
    const double a = 2 * std::numbers::pi * j / sides;
    mesh.vertices.push_back(place(i) + (aside + radius * std::cos(a)) * across + radius * std::sin(a) * over);
  }
}

// Two triangles for each side between two rings, which start at these vertices; seen from where the corners of the
// rings go round anticlockwise with `first` behind.
void join_rings(int first, int second, int sides, Mesh& mesh) {
  for (int j = 0; j < sides; ++j) {
    const int k = (j + 1) % sides;
    mesh.triangles.push_back({first + j, second + j, second + k});
    mesh.triangles.push_back({first + j, second + k, first + k});
  }
}

// Closes a ring by a fan about its middle.
void close_ring(int ring, int sides, bool at_start, Mesh& mesh) {
  const int centre = static_cast<int>(mesh.vertices.size());
  Vec3<double> middle{};
  for (int j = 0; j < sides; ++j) middle += (1.0 / sides) * mesh.vertices[ring + j];
  mesh.vertices.push_back(middle);
  for (int j = 0; j < sides; ++j) {
    const int k = (j + 1) % sides;
    if (at_start)
      mesh.triangles.push_back({centre, ring + j, ring + k});
    else
      mesh.triangles.push_back({centre, ring + k, ring + j});
  }
}

}  // namespace

Mesh swept(const Path& path, double radius, int sides, double aside) {
  Mesh mesh;
  const int n = static_cast<int>(path.places.size());
  for (int i = 0; i < n; ++i) add_ring(path, i, aside, radius, sides, mesh);
  for (int i = 0; i + 1 < n; ++i) join_rings(i * sides, (i + 1) * sides, sides, mesh);
  if (path.closed) {
    join_rings((n - 1) * sides, 0, sides, mesh);
  } else {
    close_ring(0, sides, true, mesh);
    close_ring((n - 1) * sides, sides, false, mesh);
  }
  return mesh;
}

Mesh pipe(const Path& path, double inner, double outer, int sides) {
  Mesh mesh;
  const int n = static_cast<int>(path.places.size());
  for (int i = 0; i < n; ++i) add_ring(path, i, 0, outer, sides, mesh);
  for (int i = 0; i < n; ++i) add_ring(path, i, 0, inner, sides, mesh);
  const int within = n * sides;  // the first vertex of the inner surface, whose rings are joined the other way
  for (int i = 0; i + 1 < n; ++i) {
    join_rings(i * sides, (i + 1) * sides, sides, mesh);
    join_rings(within + (i + 1) * sides, within + i * sides, sides, mesh);
  }
  join_rings(within, 0, sides, mesh);
  join_rings((n - 1) * sides, within + (n - 1) * sides, sides, mesh);
  return mesh;
}

Mesh torus(double radius, double section, int around, int across) {
  Path circle;
  circle.closed = true;
  for (int i = 0; i < around; ++i) {
    const double a = 2 * std::numbers::pi * i / around;
    circle.places.push_back({radius * std::cos(a), radius * std::sin(a), 0});
  }
  return swept(circle, section, across);
}

Mesh star_shaped(int frequency, const std::function<double(const Vec3<double>&)>& radius) {
  Mesh mesh = geodesic_sphere(1, frequency).mesh;
  for (auto& place : mesh.vertices) {
    const Vec3<double> direction = normalized(place);
    place = radius(direction) * direction;
  }
  return mesh;
}

void write_obj(const std::filesystem::path& file, const Mesh& mesh) {
  std::string text;
  for (const auto& v : mesh.vertices) text += fmt::format("v {:.12g} {:.12g} {:.12g}\n", v.x, v.y, v.z);
  for (const auto& t : mesh.triangles) text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  write_atomically(file, text);
}

}  // namespace ls::validation
