#pragma once
#include "model/field_grid.h"
#include "model/state.h"

#include <filesystem>
#include <span>

namespace ls {

// B at the places of a grid, T: [place], the first side fastest; no number where a dipole sits.
using FieldValues = std::span<const Vec3<double>>;

// As a VTK structured grid (point data), for ParaView, VTK, PyVista.
void write_field_vts(const std::filesystem::path& path, const FieldGrid& grid, FieldValues b, const Clock& clock);

// As HDF5: datasets grid/points (how many along each side), point/position and point/B.
void write_field_h5(const std::filesystem::path& path, const FieldGrid& grid, FieldValues b, const Clock& clock);

inline constexpr double bytes_per_field_point = 48;  // of either

}  // namespace ls
