#include "dipoles/tree/dipole_tree.h"

#include "dipoles/tree/translation_error.h"
#include "dipoles/tree/tree_work.h"

#include <cmath>

namespace ls {

namespace {

double rms_moment(const DipoleSet& set) {
  double sum = 0;
  for (int i = 0; i < set.count; ++i)
    for (const double* m : set.moment) sum += m[i] * m[i];
  return sum > 0 ? std::sqrt(sum / set.count) : 1;
}

template <class R>
void take_dipoles(const DipoleSet& set, double unit, TreeWork<R>& work) {
  work.tree.build(set, leaf_for(work.order()));
  work.excluded.build(set);
  for (std::size_t k = 0; k < 3; ++k) {
    work.moment[k].resize(static_cast<std::size_t>(set.count));
    work.field[k].resize(static_cast<std::size_t>(set.count));
    work.force[k].resize(static_cast<std::size_t>(set.count));
    for (std::size_t i = 0; i < work.moment[k].size(); ++i)
      work.moment[k][i] = set.moment[k][work.tree.order()[i]] / unit;
  }
}

template <class R>
void give_fields(const TreeWork<R>& work, double unit, DipoleFields& out) {
  const std::vector<int>& order = work.tree.order();
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto to = static_cast<std::size_t>(order[i]);
      out.field[k][to] = dipole_constant * unit * work.field[k][i];
      out.force[k][to] = dipole_constant * unit * unit * work.force[k][i];
    }
}

template <class R>
void sum_by_tree(const DipoleSet& set, double accuracy, TreeWork<R>& work, Team& team, DipoleFields& out) {
  const double unit = rms_moment(set);
  take_dipoles(set, unit, work);
  expand_sources(work, team);
  sum_near(work, team);
  translate(work, accuracy, team);
  read_far(work, team);
  give_fields(work, unit, out);
}

}  // namespace

struct DipoleTree::Parts {
  double accuracy;
  std::unique_ptr<TreeWork<float>> in_single;
  std::unique_ptr<TreeWork<double>> in_double;
};

DipoleTree::DipoleTree(double accuracy) : parts_(std::make_unique<Parts>()) {
  parts_->accuracy = accuracy;
  const int order = order_for(accuracy);
  if (serves_in_single(accuracy))
    parts_->in_single = std::make_unique<TreeWork<float>>(order);
  else
    parts_->in_double = std::make_unique<TreeWork<double>>(order);
}
DipoleTree::~DipoleTree() = default;
DipoleTree::DipoleTree(DipoleTree&&) noexcept = default;
DipoleTree& DipoleTree::operator=(DipoleTree&&) noexcept = default;

void DipoleTree::compute(const DipoleSet& set, Team& team, DipoleFields& out) {
  if (!begin_sum(set, out)) return;
  if (parts_->in_single)
    sum_by_tree(set, parts_->accuracy, *parts_->in_single, team, out);
  else
    sum_by_tree(set, parts_->accuracy, *parts_->in_double, team, out);
  out.energy = pair_energy(set, out);
}

}  // namespace ls
