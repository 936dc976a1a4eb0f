#pragma once
#include "fluid/immersed/immersed_boundary.h"

namespace ls {

// Reads the fluid at markers, from cells that have been seen and measures that have been spread: stations first, then
// the markers between them, as w.flow has it. Stations, and markers too, can be read in any order and by several
// threads.
class FlowReader {
 public:
  static constexpr int markers_at_once = 32;

  FlowReader(const Fluid& fluid, const LatticeDrive& drive, const Nodes& nodes, FluidWork& work);
  void read_station(std::size_t i);
  void read_markers(std::size_t first, std::size_t last);  // not more than at once

 private:
  void read_rotation(const Stencil& s, const Vec3<double>& tangent, FluidWork::Spin& at) const;
  void read_spin(std::size_t marker);
  void resist_by_axes(std::size_t marker, const Vec3<double>& overlap);
  void resist_along(std::size_t marker, double ease);
  double ease(const FluidWork::Reach& r, double overlap) const;
  Vec3<double> axis(std::size_t marker) const;  // of its line

  const Fluid& fluid_;
  const FluidSettings& set_;
  const LatticeDrive& drive_;
  Vec3<double> half_;     // of the body force: velocities are read with it
  double least_overlap_;  // a quarter of a lone marker's own
  const Nodes& nodes_;
  FluidWork& work_;
};

}  // namespace ls
