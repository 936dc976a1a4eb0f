#pragma once
#include "build/mesh.h"

#include <filesystem>
#include <functional>
#include <span>

// Surfaces that cases draw for themselves and leave beside their scene as OBJ files.
namespace ls::validation {

// A line of places, and a direction that is nowhere along it: sections stand across the line, their first corner lies
// towards tangent x up.
struct Path {
  std::vector<Vec3<double>> places;  // m
  bool closed = false;               // the last place is followed by the first one
  Vec3<double> up{0, 0, 1};
};

// A round bar along the path, with flat ends where it is open; a path shifted sideways by `aside` along tangent x up.
Mesh swept(const Path& path, double radius, int sides, double aside = 0);
// A pipe with a wall along an open path.
Mesh pipe(const Path& path, double inner, double outer, int sides);

// About z.
Mesh torus(double radius, double section, int around, int across);
// A geodesic sphere with 20 frequency^2 triangles, each vertex moved to radius(direction).
Mesh star_shaped(int frequency, const std::function<double(const Vec3<double>&)>& radius);

void write_obj(const std::filesystem::path& file, const Mesh& mesh);

}  // namespace ls::validation
