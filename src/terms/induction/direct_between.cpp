#include "physics/dipole_pair.h"
#include "terms/dipoles/direct_loops.h"
#include "terms/induction/between_sum.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace ls {

namespace {

constexpr int most_parts = 8;          // of the work, each with sums of its own: they do not go by the threads
constexpr double nowhere = 1e12;       // m, of places in the columns that no dipole has
constexpr long long worth_it = 20000;  // pairs: below, threads cost more than they save

int tiles_of(int count) {
  return (count + dipole_tile - 1) / dipole_tile;
}

// [node] those that do not act on it, itself included.
std::map<int, std::vector<int>> strangers(const std::vector<int>& nodes,
                                          const std::vector<std::pair<int, int>>& apart) {
  std::map<int, std::vector<int>> all;
  for (const int n : nodes) all[n] = {n};
  for (const auto& [p, q] : apart) {
    if (const auto at = all.find(p); at != all.end()) at->second.push_back(q);
    if (const auto at = all.find(q); at != all.end()) at->second.push_back(p);
  }
  return all;
}

// Pair by pair, exact to rounding.
class DirectBetween final : public BetweenSum {
 public:
  DirectBetween(const std::vector<int>& first, const std::vector<int>& second,
                const std::vector<std::pair<int, int>>& apart);

  void place_first(int i, const Vec3<double>& x, const Vec3<double>& moment) override { place(i, x, moment); }
  void place_second(int j, const Vec3<double>& x, const Vec3<double>& moment) override {
    place(offset_ + j, x, moment);
  }
  void find_fields_of_first(Team& team) override { find(team); }
  void find(Team& team) override;
  Vec3<double> field_at_first(int i) const override { return triple(out_.b, i); }
  Vec3<double> field_at_second(int j) const override { return triple(out_.b, offset_ + j); }
  Vec3<double> force_on_first(int i) const override { return triple(out_.force, i); }
  Vec3<double> force_on_second(int j) const override { return triple(out_.force, offset_ + j); }
  std::size_t bytes() const override { return (shares_.size() + 2) * 6 * in_.x[0].size() * sizeof(double); }

 private:
  struct Masks {
    int tile = 0;  // of the first
    std::vector<std::uint64_t> bits;
  };
  void place(int k, const Vec3<double>& x, const Vec3<double>& m);
  void add_share(int share);
  static Vec3<double> triple(const Column (&c)[3], int i) { return {c[0][i], c[1][i], c[2][i]}; }

  int firsts_, seconds_, offset_;          // how many, and where the second begin in the columns
  std::vector<std::vector<Masks>> masks_;  // [tile of the second] by tile of the first, where some pairs do not act
  DipoleColumns in_;
  DipoleEffects out_;
  std::vector<DipoleEffects> shares_;
  const DirectLoops& loops_ = direct_loops();
};

DirectBetween::DirectBetween(const std::vector<int>& first, const std::vector<int>& second,
                             const std::vector<std::pair<int, int>>& apart)
    : firsts_(static_cast<int>(first.size())),
      seconds_(static_cast<int>(second.size())),
      offset_(tiles_of(firsts_) * dipole_tile) {
  in_.count = offset_ + seconds_;
  const auto room = static_cast<std::size_t>(padded(offset_ + tiles_of(seconds_) * dipole_tile));
  for (int c = 0; c < 3; ++c)
    for (Column* column : {&in_.x[c], &in_.m[c], &out_.b[c], &out_.force[c]}) column->assign(room, 0.0);
  for (std::size_t k = 0; k < room; ++k) in_.x[0][k] = nowhere * static_cast<double>(k + 1);
  shares_.resize(std::clamp(tiles_of(seconds_), 1, most_parts));
  masks_.resize(tiles_of(seconds_));
  const auto apart_of = strangers(second, apart);
  for (int j = 0; j < seconds_; ++j)
    for (const int node : apart_of.at(second[j])) {
      const auto [from, to] = std::equal_range(first.begin(), first.end(), node);
      for (auto i = from; i != to; ++i) {
        const int at = static_cast<int>(i - first.begin()), tile = at / dipole_tile;
        auto& row = masks_[j / dipole_tile];
        auto known = std::ranges::find(row, tile, &Masks::tile);
        if (known == row.end())
          known = row.insert(row.end(), Masks{tile, std::vector<std::uint64_t>(dipole_tile, ~std::uint64_t{0})});
        known->bits[j % dipole_tile] &= ~(std::uint64_t{1} << (at % dipole_tile));
      }
    }
}

void DirectBetween::place(int k, const Vec3<double>& x, const Vec3<double>& m) {
  in_.x[0][k] = x.x, in_.x[1][k] = x.y, in_.x[2][k] = x.z;
  in_.m[0][k] = m.x, in_.m[1][k] = m.y, in_.m[2][k] = m.z;
}

void DirectBetween::add_share(int share) {
  DipoleEffects& own = shares_[share];
  DipoleTiles t{};
  for (int c = 0; c < 3; ++c) {
    own.b[c].assign(in_.x[0].size(), 0.0), own.force[c].assign(in_.x[0].size(), 0.0);
    t.x[c] = in_.x[c].data(), t.m[c] = in_.m[c].data();
    t.b[c] = own.b[c].data(), t.force[c] = own.force[c].data();
  }
  for (int j = share; j < tiles_of(seconds_); j += static_cast<int>(shares_.size()))
    for (int i = 0; i < tiles_of(firsts_); ++i) {
      const auto masks = std::ranges::find(masks_[j], i, &Masks::tile);
      loops_.add(t, {offset_ + j * dipole_tile, std::min(dipole_tile, seconds_ - j * dipole_tile), i * dipole_tile,
                     dipole_tile, masks == masks_[j].end() ? nullptr : masks->bits.data()});
    }
}

void DirectBetween::find(Team& team) {
  const auto shares = static_cast<int>(shares_.size());
  const bool is_small = static_cast<long long>(firsts_) * seconds_ < worth_it;
  team.run(shares, is_small ? shares + 1 : 1, [&](int from, int to) {
    for (int k = from; k < to; ++k) add_share(k);
  });
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < in_.count; ++k) {
      double b = 0, force = 0;
      for (const DipoleEffects& own : shares_) b += own.b[c][k], force += own.force[c][k];
      out_.b[c][k] = mu0_over_4pi * b, out_.force[c][k] = mu0_over_4pi * force;
    }
}

}  // namespace

std::unique_ptr<BetweenSum> make_direct_between(const std::vector<int>& first, const std::vector<int>& second,
                                                const std::vector<std::pair<int, int>>& apart) {
  return std::make_unique<DirectBetween>(first, second, apart);
}

}  // namespace ls
