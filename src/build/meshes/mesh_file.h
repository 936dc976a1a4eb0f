#pragma once
#include "build/mesh.h"

#include <string>

namespace ls {

// A mesh from a file, by its ending: Wavefront .obj (polygons are cut into triangles) or .stl (text or binary;
// corners at the same place become one vertex). Numbers are metres. Throws Error with file and line for what it can't
// read; whether the surface makes sense is left to check_mesh. Vertices that no triangle has are left out.
Mesh read_mesh(const std::string& path);

// A mesh from the text of such a file; `file` is what its errors call it.
Mesh read_obj(const std::string& text, const std::string& file);
Mesh read_stl(const std::string& text, const std::string& file);

// The triangles of a flat polygon, convex or not, in its own sense of rotation. corners: numbers of points. A fan from
// the first corner where that is right, else ears are clipped off one by one. Empty where it crosses or touches itself,
// or has no area.
std::vector<std::array<int, 3>> triangulated(const std::vector<int>& corners, const std::vector<Vec3<double>>& points);

}  // namespace ls
