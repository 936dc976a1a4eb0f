#pragma once
#include "math/vec.h"

#include <array>
#include <vector>

namespace ls {

// A surface of triangles. Seen from the side their normals point to (the outside of a closed one) the corners of a
// triangle go round anticlockwise.
struct Mesh {
  std::vector<Vec3<double>> vertices;         // m
  std::vector<std::array<int, 3>> triangles;  // [triangle][corner] vertex
};

// An edge, once, with the triangles on its two sides; -1 where there is none.
struct MeshEdge {
  int a = 0, b = 0;  // vertices, a < b
  int left = -1;     // the triangle that runs through it from a to b
  int right = -1;    // from b to a
  bool is_boundary() const { return left < 0 || right < 0; }
};

// In ascending order of (a, b). Of a mesh that check_mesh lets pass.
std::vector<MeshEdge> edges_of(const Mesh& mesh);

// The vertices on edges that have one triangle only, ascending; none of a closed mesh.
std::vector<int> boundary_of(const Mesh& mesh);

// [vertex] the mean of the normals around it, weighted with the angles there; of length 1.
std::vector<Vec3<double>> normals_of(const Mesh& mesh);

// [vertex] m^2, a third of the triangles around it.
std::vector<double> areas_of(const Mesh& mesh);

// The triangles that pass through others of the mesh, some of them more than once; none where they only touch.
std::vector<int> crossings_of(const Mesh& mesh);

// Throws Error where triangles name no vertex or have no area, where edges have more than two triangles or two that do
// not agree on which side is outside, where a vertex has no triangle; and where the mesh should be closed and is open,
// inside out or passes through itself. The message names the triangles.
void check_mesh(const Mesh& mesh, bool closed);

// Of the body inside a closed mesh.
struct MassProperties {
  double volume = 0;       // m^3
  Vec3<double> centre{};   // m
  Mat3<double> inertia{};  // m^5 about the centre: times the density it is the tensor of inertia
};
MassProperties mass_properties(const Mesh& mesh);

// Without the vertices that no triangle has.
Mesh without_loose_vertices(const Mesh& mesh);

// Turned about the origin by a rotation vector, then shifted.
Mesh placed(Mesh mesh, const Vec3<double>& turn, const Vec3<double>& origin);

}  // namespace ls
