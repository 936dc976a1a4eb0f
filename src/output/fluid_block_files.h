#pragma once
#include "model/state.h"
#include "output/fluid_field.h"

#include <filesystem>

namespace ls {

// One block of cells as a VTK image (cell data), for ParaView, VTK, PyVista.
void write_vti(const std::filesystem::path& path, const Fluid& fluid, const FluidBlock& block, const Clock& clock);

// Likewise as HDF5: datasets grid/origin, grid/cells, cell/velocity, cell/pressure, cell/vorticity, x fastest.
void write_fluid_h5(const std::filesystem::path& path, const Fluid& fluid, const FluidBlock& block, const Clock& clock);

inline constexpr double bytes_per_cell = 28;  // of either

}  // namespace ls
