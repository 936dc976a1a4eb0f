#include "fluid/lattice/fluid.h"

namespace ls {

namespace {

LatticeSpec lattice_spec(const FluidSettings& s) {
  LatticeSpec spec;
  spec.cells = s.cells;
  spec.viscosity = s.viscosity * s.dt / (s.spacing * s.spacing);
  spec.faces = s.faces;
  spec.trt = s.trt;
  spec.is_double = s.is_double;
  return spec;
}

}  // namespace

Fluid::Fluid(const FluidSettings& settings)
    : settings_(settings), per_spacing_(1 / settings.spacing), lattice_(lattice_spec(settings)) {}

Vec3<double> Fluid::size() const {
  const auto& n = settings_.cells;
  return {n[0] * settings_.spacing, n[1] * settings_.spacing, n[2] * settings_.spacing};
}
double Fluid::mass_unit() const {
  return settings_.density * settings_.spacing * settings_.spacing * settings_.spacing;
}

}  // namespace ls
