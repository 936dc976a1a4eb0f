#include "dipoles/periodic/ewald_sum.h"
#include "dipoles/periodic/mesh_ewald.h"
#include "model/model.h"
#include "terms/dipoles/dipole_sum.h"
#include "terms/dipoles/dipole_term.h"

#include <algorithm>
#include <optional>

namespace ls {

namespace {

// Of so many the plain sum is as fast, and a mesh is not made for errors below this.
constexpr int few = 100;
constexpr double finest_mesh = 1e-8;

// One of the two ways to sum in a periodic box.
class BoxSum {
 public:
  BoxSum(const PeriodicBox& box, double accuracy) : plain_(box, accuracy) {
    if (accuracy >= finest_mesh) mesh_.emplace(box, accuracy);
  }
  void compute(const DipoleSet& set, Team& team, DipoleFields& out) {
    if (mesh_ && set.count > few)
      mesh_->compute(set, team, out);
    else
      plain_.compute(set, team, out);
  }

 private:
  EwaldSum plain_;
  std::optional<MeshEwald> mesh_;
};

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

// A dipole without a moment feels and disturbs nothing: its field is that of the place.
Vec3<double> field_of_copies(const Model& model, const State& state, const Inputs& in, const Vec3<double>& x) {
  const DipoleTable& t = model.dipoles;
  if (!t.interact || t.method != DipoleMethod::ewald) return {};
  std::array<Column, 3> place, moment;
  Vec3<double> bare{};
  const auto put = [](const Vec3<double>& a, std::array<Column, 3>& to) {
    to[0].push_back(a.x), to[1].push_back(a.y), to[2].push_back(a.z);
  };
  for (const Dipole& d : all_dipoles(model)) {
    const Frame<double> f = state.nodes.frame(d.node);
    const Vec3<double> at = f.x + rotate(f.q, d.position), m = rotate(f.q, moment_factor(in, d.node) * d.moment),
                       r = x - at;
    put(at, place), put(m, moment);
    const PairEffect e = pair_effect({r.x, r.y, r.z}, {m.x, m.y, m.z}, {});
    bare += dipole_constant * Vec3<double>{e.field[0], e.field[1], e.field[2]};
  }
  put(x, place), put({}, moment);
  const std::size_t last = place[0].size() - 1;
  const DipoleSet set{static_cast<int>(place[0].size()),
                      {place[0].data(), place[1].data(), place[2].data()},
                      {moment[0].data(), moment[1].data(), moment[2].data()},
                      {}};
  Team alone;
  DipoleFields out;
  BoxSum(periodic_box(t), t.accuracy).compute(set, alone, out);
  return in.load_factor * (Vec3<double>{out.field[0][last], out.field[1][last], out.field[2][last]} - bare);
}

}  // namespace ls
