#include "dipoles/periodic/mesh_ewald.h"

#include "dipoles/periodic/ewald_sum.h"
#include "dipoles/periodic/mesh_part.h"
#include "dipoles/periodic/screened_pairs.h"

namespace ls {

struct MeshEwald::Parts {
  PeriodicBox box;
  double accuracy;
  int planned_for = 0;  // number of dipoles
  MeshPlan plan;
  std::unique_ptr<MeshPart> mesh;
  BoxCells cells;
  ScreenedPairs pairs;

  void prepare(int count) {
    if (planned_for == count) return;
    plan = mesh_plan(box, count, accuracy);
    mesh = std::make_unique<MeshPart>(box, plan);
    planned_for = count;
  }
};

MeshEwald::MeshEwald(const PeriodicBox& box, double accuracy) : parts_(std::make_unique<Parts>()) {
  parts_->box = box;
  parts_->accuracy = accuracy;
}
MeshEwald::~MeshEwald() = default;
MeshEwald::MeshEwald(MeshEwald&&) noexcept = default;
MeshEwald& MeshEwald::operator=(MeshEwald&&) noexcept = default;

const MeshPlan& MeshEwald::plan() const {
  return parts_->plan;
}

void MeshEwald::compute(const DipoleSet& set, Team& team, DipoleFields& out) {
  if (!begin_sum(set, out)) return;
  Parts& p = *parts_;
  p.prepare(set.count);
  p.cells.build(p.box, set, p.plan.cut);
  p.mesh->compute(p.cells, team, out);
  p.pairs.add(p.cells, p.plan.alpha, p.plan.cut, team, out);
  add_whole(p.box, p.plan.alpha, p.plan.cut, set, out);
  out.energy = pair_energy(set, out);
}

}  // namespace ls
