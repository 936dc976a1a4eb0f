#include "terms/dipoles/dipole_term.h"
#include "terms/induction/between_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr double out_of_sight = 1e12;  // m, of places in the columns that no dipole has

// By a sum over both sets together. Fields and forces are linear and bilinear in the moments: with those of the second
// set turned round, what the two do to each other changes its sign, and what each does to itself does not. The second
// set's moments are made as large as the first's meanwhile, so that the error of a sum is one of the forces between
// them, however weak these are beside those within one set.
class FastBetween final : public BetweenSum {
 public:
  FastBetween(const DipoleTable& table, const std::vector<int>& first, const std::vector<int>& second,
              const std::vector<std::pair<int, int>>& apart) {
    DipoleRules rules;
    rules.apart = apart;
    std::size_t j = 0;
    const auto add_seconds_below = [&](int node) {
      for (; j < second.size() && second[j] < node; ++j) {
        at_second_.push_back(static_cast<int>(rules.node.size()));
        rules.node.push_back(second[j]);
      }
    };
    for (const int node : first) {
      add_seconds_below(node);
      at_first_.push_back(static_cast<int>(rules.node.size()));
      rules.node.push_back(node);
    }
    add_seconds_below(std::numeric_limits<int>::max());
    sum_ = make_dipole_sum(table, rules);
    in_.count = static_cast<int>(rules.node.size());
    const auto room = static_cast<std::size_t>(padded(in_.count));
    for (int c = 0; c < 3; ++c)
      for (Column* column : {&in_.x[c], &in_.m[c], &plus_.b[c], &plus_.force[c], &minus_.b[c], &minus_.force[c]})
        column->assign(room, 0.0);
    for (std::size_t k = 0; k < room; ++k) in_.x[0][k] = out_of_sight * static_cast<double>(k + 1);
    moment_first_.resize(first.size()), moment_second_.resize(second.size());
  }

  void place_first(int i, const V& x, const V& moment) override {
    moment_first_[i] = moment;
    set(in_.x, at_first_[i], x);
  }
  void place_second(int j, const V& x, const V& moment) override {
    moment_second_[j] = moment;
    set(in_.x, at_second_[j], x);
  }

  void find_fields_of_first(Team& team) override {
    sum(0, plus_, team);
    for (int c = 0; c < 3; ++c) minus_.b[c] = plus_.b[c];
  }
  void find(Team& team) override {
    const double of_first = rms(moment_first_), of_second = rms(moment_second_);
    unit_ = of_first > 0 && of_second > 0 ? std::exp2(std::round(std::log2(of_first / of_second))) : 1;
    sum(unit_, plus_, team);
    sum(-unit_, minus_, team);
  }

  V field_at_first(int i) const override {
    return (0.5 / unit_) * (get(plus_.b, at_first_[i]) - get(minus_.b, at_first_[i]));
  }
  V field_at_second(int j) const override { return 0.5 * (get(plus_.b, at_second_[j]) + get(minus_.b, at_second_[j])); }
  V force_on_first(int i) const override { return between(at_first_[i]); }
  V force_on_second(int j) const override { return between(at_second_[j]); }
  V field_among_first(int i) const override { return 0.5 * (get(plus_.b, at_first_[i]) + get(minus_.b, at_first_[i])); }
  V force_among_first(int i) const override {
    return 0.5 * (get(plus_.force, at_first_[i]) + get(minus_.force, at_first_[i]));
  }
  std::size_t bytes() const override { return sum_->bytes() + 18 * in_.x[0].size() * sizeof(double); }

 private:
  static void set(Column (&c)[3], int i, const V& a) { c[0][i] = a.x, c[1][i] = a.y, c[2][i] = a.z; }
  static V get(const Column (&c)[3], int i) { return {c[0][i], c[1][i], c[2][i]}; }
  V between(int k) const { return (0.5 / unit_) * (get(plus_.force, k) - get(minus_.force, k)); }
  static double rms(const std::vector<V>& all) {
    double sum = 0;
    for (const V& m : all) sum += dot(m, m);
    return all.empty() ? 0 : std::sqrt(sum / static_cast<double>(all.size()));
  }

  // With the second set's moments that many times as large.
  void sum(double factor, DipoleEffects& out, Team& team) {
    for (int c = 0; c < 3; ++c) std::fill_n(in_.m[c].begin(), in_.count, 0.0);
    for (std::size_t i = 0; i < at_first_.size(); ++i) set(in_.m, at_first_[i], moment_first_[i]);
    for (std::size_t j = 0; j < at_second_.size(); ++j) set(in_.m, at_second_[j], factor * moment_second_[j]);
    sum_->find(in_, out, team);
  }

  std::unique_ptr<DipoleSum> sum_;
  std::vector<int> at_first_, at_second_;  // where in the columns
  std::vector<V> moment_first_, moment_second_;
  DipoleColumns in_;
  DipoleEffects plus_, minus_;
  double unit_ = 1;
};

}  // namespace

std::unique_ptr<BetweenSum> make_between_sum(const DipoleTable& table, const std::vector<int>& first,
                                             const std::vector<int>& second,
                                             const std::vector<std::pair<int, int>>& apart) {
  if (table.method == DipoleMethod::direct) return make_direct_between(first, second, apart);
  return std::make_unique<FastBetween>(table, first, second, apart);
}

}  // namespace ls
