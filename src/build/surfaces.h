#pragma once
#include "build/mesh.h"
#include "model/model.h"

#include <cstdint>

namespace ls {

// A bond of a shell: an edge, and how much of the surface it stands for. All bonds together stand for all of it.
struct SurfaceBond {
  int a = 0, b = 0;  // vertices
  double area = 0;   // m^2
};

// A surface to make a shell of.
struct DrawnSurface {
  Mesh mesh;
  std::vector<SurfaceBond> bonds;
  std::vector<BodyPart> parts;  // "rim" where it has one, "top", ...
};

// Half a sphere above the plane z = 0, its centre at the origin: particles that push each other apart on the sphere
// until they are spread evenly [Kuzkin & Asonov, eq. 44], then joined by a Delaunay triangulation. A ring of them is
// fixed on the rim and one at the top. Of the numbers that are 0, spacing follows from particles or particles from
// spacing. Parts: rim, top.
DrawnSurface hemisphere(double radius, int particles, double spacing, std::uint64_t seed);

// A sphere about the origin: the icosahedron with each edge cut into `frequency` parts. Parts: top, bottom.
DrawnSurface geodesic_sphere(double radius, int frequency);

// A rectangle from the origin along +x and +y, facing +z. Triangular: rows along x. Square: bonds along both diagonals
// of the squares as well. Parts: rim, low_x, high_x, low_y, high_y.
DrawnSurface triangular_sheet(double size_x, double size_y, double spacing);
DrawnSurface square_sheet(double size_x, double size_y, double spacing);

// Any mesh: each edge a bond. Parts: rim where it is open, top, bottom.
DrawnSurface drawn(Mesh mesh);

// Turned about the origin by a rotation vector, then shifted. The parts stay what they are.
DrawnSurface placed(DrawnSurface surface, const Vec3<double>& turn, const Vec3<double>& origin);

}  // namespace ls
