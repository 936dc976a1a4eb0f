#pragma once
#include "math/frame.h"
#include "model/model.h"
#include "terms/dipoles/dipole_sum.h"
#include "terms/induction/krylov.h"
#include "terms/induction/soft_grids.h"

#include <memory>

namespace ls {

// The magnetisation of all soft cells in an outer field that goes with itself: each cell is magnetised by the field
// within it, which is the outer one less what its shape takes away and, where dipoles act on each other, the fields of
// all other cells. That is the stationary point of
//   sum V w(M) + mu0/2 sum m.Q.m - sum m.B - 1/2 sum m.B_of_others,     w' = mu0 H(M),
// for susceptibilities above 0 the only minimum. Newton's method in the inner fields, where no magnetisation can pass
// its saturation; each of its systems by conjugate gradients, or where some cells are diamagnetic, and the energy has
// a saddle, by the least residual.
class InducedMoments {
 public:
  explicit InducedMoments(const Model& model);

  int count() const { return static_cast<int>(cells_.size()); }

  // [cell] where they are: the middle of each in the world, and how its node is turned.
  void set_places(const std::vector<Frame<double>>& at);
  // outer: [cell] A/m, world axes. inner: [cell] A/m, the field within it in its node's axes: to start from, and found.
  // False where it does not settle.
  bool find(const std::vector<Vec3<double>>& outer, std::vector<Vec3<double>>& inner, Team& team);

  // Of the last inner fields that were found: moments in world axes, A m^2; what all other soft bodies do to each.
  const DipoleColumns& moments() const { return at_; }
  const DipoleEffects& of_others() const { return effects_; }
  // J, of the cells by themselves: what their matter and their shapes store.
  double stored(const std::vector<Vec3<double>>& inner) const;

  long long iterations() const { return iterations_; }  // of the linear solver in the last search
  // Nodes of the cells that did not settle, two at most.
  const std::vector<int>& unsettled() const { return unsettled_; }
  bool was_indefinite() const { return was_indefinite_; }

  // Second derivatives of the energy to the moments, over mu0, in the axes of each cell's node, without what cells of
  // different bodies do to each other.
  Eigen::MatrixXd curvature(const std::vector<Vec3<double>>& inner) const;
  const std::vector<std::pair<int, int>>& apart() const { return apart_; }
  std::size_t bytes() const;

 private:
  using Fields = std::vector<Vec3<double>>;  // [cell] in its node's axes

  Sym3 hardness(int cell, const Vec3<double>& inner) const;  // dH/dM of the matter
  void add_shape_fields(const std::vector<double>& m, std::vector<double>& product) const;
  void add_fields_of_others(const std::vector<double>& m, double factor, std::vector<double>& product, Team& team);
  void note_unsettled(const std::vector<double>& size);
  void set_preconditioner();
  void apply_preconditioner(const std::vector<double>& r, std::vector<double>& z) const;
  double residual(const Fields& outer, const Fields& inner, std::vector<double>& out, Team& team);

  std::vector<SoftCell> cells_;
  std::vector<double> sign_;  // [cell] of its susceptibility
  std::vector<int> grid_of_;  // [cell] -1: none
  std::vector<SoftGrid> grids_;
  std::vector<std::shared_ptr<const GridMatrix>> matrices_;  // [grid] one for all that are alike
  std::vector<std::pair<int, int>> apart_;
  std::unique_ptr<DipoleSum> sum_;  // none: they do not act on each other
  bool is_linear_ = true, has_diamagnets_ = false;
  // Of the outer field: what is left of it in the balance at best, and at least.
  double wanted_ = 0, enough_ = 0;

  std::vector<Quat<double>> turned_;  // [cell]
  DipoleColumns at_;
  DipoleEffects effects_;
  std::vector<Sym3> hard_;  // [cell] 1/m^3, dH/dm of the matter at the present iteration
  std::vector<Sym3> soft_;  // [cell] m^3, the inverse of that with its own factor, as if it were positive
  long long iterations_ = 0;
  std::vector<int> unsettled_;
  bool was_indefinite_ = false;
};

}  // namespace ls
