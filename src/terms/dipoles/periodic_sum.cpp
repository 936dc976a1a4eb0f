#include "model/model.h"
#include "terms/dipoles/box_sum.h"
#include "terms/dipoles/dipole_sum.h"
#include "terms/dipoles/dipole_term.h"

#include <algorithm>

namespace ls {

namespace {

class PeriodicSum final : public DipoleSum {
 public:
  PeriodicSum(const DipoleRules& rules, const PeriodicBox& box, double accuracy)
      : excluded_(excluded_pairs(rules)), sum_(box, accuracy) {}

  std::string_view name() const override { return "ewald"; }
  std::size_t bytes() const override {
    return excluded_.size() * sizeof(excluded_[0]) + 12 * fields_.field[0].size() * sizeof(double);
  }
  void find(const DipoleColumns& in, DipoleEffects& out, Team& team) override {
    const DipoleSet set{in.count,
                        {in.x[0].data(), in.x[1].data(), in.x[2].data()},
                        {in.m[0].data(), in.m[1].data(), in.m[2].data()},
                        excluded_};
    sum_.compute(set, team, fields_);
    for (std::size_t c = 0; c < 3; ++c) {
      std::copy_n(fields_.field[c].begin(), in.count, out.b[c].begin());
      std::copy_n(fields_.force[c].begin(), in.count, out.force[c].begin());
    }
  }

 private:
  std::vector<std::array<int, 2>> excluded_;
  BoxSum sum_;
  DipoleFields fields_;
};

}  // namespace

std::unique_ptr<DipoleSum> make_periodic_sum(const DipoleRules& rules, const PeriodicBox& box, double accuracy) {
  return std::make_unique<PeriodicSum>(rules, box, accuracy);
}

PeriodicBox periodic_box(const DipoleTable& t) {
  return {t.box, t.in_vacuum ? PeriodicBox::Surround::vacuum : PeriodicBox::Surround::tin_foil};
}

}  // namespace ls
