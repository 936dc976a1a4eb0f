#include "terms/dipoles/dipole_sum.h"

#include <algorithm>
#include <array>

namespace ls {

namespace {

constexpr int few_dipoles = 64;         // whose sum takes no longer than a look at the last ones
constexpr int most_states = 6;          // a step in time comes back to its start when it judges its end
constexpr int numbers_to_keep = 60000;  // of dipoles, in all states together, but one state at least

// Residual, stiffness and energies ask for the same state, one after the other.
class RememberedSum final : public DipoleSum {
 public:
  explicit RememberedSum(std::unique_ptr<DipoleSum> sum) : sum_(std::move(sum)) {}

  std::string_view name() const override { return sum_->name(); }
  std::size_t bytes() const override {
    std::size_t all = sum_->bytes();
    for (const Known& k : known_) all += 12 * k.at[0].size() * sizeof(double);
    return all;
  }
  void find(const DipoleColumns& in, DipoleEffects& out, Team& team) override {
    if (in.count < few_dipoles) return sum_->find(in, out, team);
    const auto known = std::ranges::find_if(known_, [&](const Known& k) { return is_of(k, in); });
    if (known != known_.end()) {
      std::rotate(known_.begin(), known, known + 1);
      for (std::size_t c = 0; c < 3; ++c)
        out.b[c] = known_.front().effects[c], out.force[c] = known_.front().effects[3 + c];
      return;
    }
    sum_->find(in, out, team);
    const auto most = static_cast<std::size_t>(std::clamp(numbers_to_keep / in.count, 1, most_states));
    if (known_.size() < most) known_.emplace_back();
    std::rotate(known_.begin(), known_.end() - 1, known_.end());  // the one that was not asked for the longest
    for (std::size_t c = 0; c < 3; ++c) {
      known_.front().at[c] = in.x[c], known_.front().at[3 + c] = in.m[c];
      known_.front().effects[c] = out.b[c], known_.front().effects[3 + c] = out.force[c];
    }
  }

 private:
  struct Known {
    std::array<Column, 6> at, effects;  // places, moments; fields, forces
  };
  static bool is_of(const Known& k, const DipoleColumns& in) {
    for (std::size_t c = 0; c < 3; ++c)
      if (k.at[c] != in.x[c] || k.at[3 + c] != in.m[c]) return false;
    return true;
  }

  std::unique_ptr<DipoleSum> sum_;
  std::vector<Known> known_;  // those asked for last come first
};

}  // namespace

std::unique_ptr<DipoleSum> make_remembered_sum(std::unique_ptr<DipoleSum> sum) {
  return std::make_unique<RememberedSum>(std::move(sum));
}

}  // namespace ls
