#include "dipoles/tree/dipole_tree.h"
#include "terms/dipoles/dipole_sum.h"

#include <algorithm>

namespace ls {

std::vector<std::array<int, 2>> excluded_pairs(const DipoleRules& rules) {
  std::vector<std::array<int, 2>> pairs;
  const auto& node = rules.node;
  const auto dipoles_of = [&](int n) {
    const auto [from, to] = std::equal_range(node.begin(), node.end(), n);
    return std::pair{static_cast<int>(from - node.begin()), static_cast<int>(to - node.begin())};
  };
  const auto count = static_cast<int>(node.size());
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count && node[j] == node[i]; ++j) pairs.push_back({i, j});
  for (const auto& [p, q] : rules.apart) {
    const auto [p0, p1] = dipoles_of(p);
    const auto [q0, q1] = dipoles_of(q);
    for (int i = p0; i < p1; ++i)
      for (int j = q0; j < q1; ++j) pairs.push_back({i, j});
  }
  return pairs;
}

namespace {

class TreeSum final : public DipoleSum {
 public:
  TreeSum(const DipoleRules& rules, double accuracy) : excluded_(excluded_pairs(rules)), tree_(accuracy) {}

  std::string_view name() const override { return "tree"; }
  std::size_t bytes() const override { return excluded_.size() * sizeof(excluded_[0]) + 12 * count_ * sizeof(double); }
  void find(const DipoleColumns& in, DipoleEffects& out, Team& team) override {
    count_ = static_cast<std::size_t>(in.count);
    const DipoleSet set{in.count,
                        {in.x[0].data(), in.x[1].data(), in.x[2].data()},
                        {in.m[0].data(), in.m[1].data(), in.m[2].data()},
                        excluded_};
    tree_.compute(set, team, fields_);
    for (std::size_t c = 0; c < 3; ++c) {
      std::copy_n(fields_.field[c].begin(), in.count, out.b[c].begin());
      std::copy_n(fields_.force[c].begin(), in.count, out.force[c].begin());
    }
  }

 private:
  std::vector<std::array<int, 2>> excluded_;
  DipoleTree tree_;
  DipoleFields fields_;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<DipoleSum> make_tree_sum(const DipoleRules& rules, double accuracy) {
  return std::make_unique<TreeSum>(rules, accuracy);
}

}  // namespace ls
