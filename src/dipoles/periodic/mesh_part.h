#pragma once
#include "base/parallel.h"
#include "dipoles/periodic/box_cells.h"
#include "dipoles/periodic/mesh_loops.h"
#include "dipoles/periodic/mesh_plan.h"
#include "dipoles/periodic/mesh_transform.h"

#include <array>
#include <vector>

namespace ls {

// The smooth part of an Ewald sum, on a mesh. Its energy is
//   U = 1/2 sum over waves G |s|^2,   s at the nodes = sum over dipoles (m . grad) W(node - x),
// W a product of B-splines; field and force are its exact derivatives by moment and place.
class MeshPart {
 public:
  MeshPart(const PeriodicBox& box, const MeshPlan& plan);

  // Sets fields and forces.
  void compute(const BoxCells& cells, Team& team, DipoleFields& out);

 private:
  void find_influence(const PeriodicBox& box, double alpha);
  void sort_by_plane(const BoxCells& cells);
  void spread(const BoxCells& cells, int first_plane, int last_plane);
  void read(const BoxCells& cells, int begin, int end, DipoleFields& out) const;
  // Nodes around a dipole and the weights of the splines there.
  MeshStencil stencil(const BoxCells& cells, int i, SplineWeights& weights) const;
  MeshRows rows() const { return {mesh_values_, mesh_.nodes()[1], mesh_.stride()}; }

  int order_;
  MeshTransform mesh_;
  double* mesh_values_;
  double inverse_spacing_[3];
  std::vector<int> plane_, by_plane_, plane_begin_;  // [dipole] its first plane; dipoles by first planes
};

}  // namespace ls
