#include "physics/dipole_pair.h"
#include "terms/dipoles/dipole_sum.h"
#include "terms/dipoles/direct_loops.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace ls {

namespace {

constexpr int most_tiles = 4;       // at once, whose columns the first-level cache holds
constexpr int most_shares = 16;     // of the work, each with sums of its own: their number does not go by the threads
constexpr int least_pairs = 20000;  // below, threads cost more than they save

// Pairs of tiles in which some pairs of dipoles do not act.
class TileRules {
 public:
  explicit TileRules(const DipoleRules& rules) : rules_(rules), count_(static_cast<int>(rules.node.size())) {
    for (int t = 0; t < tiles(); ++t) {
      const int front = rules.node[t * dipole_tile], back = rules.node[last_of(t)];
      only_.push_back(front == back ? front : -1);
    }
    row_.resize(tiles());
    for (int a = 0; a < tiles(); ++a)
      for (int b = a; b < tiles() && rules.node[b * dipole_tile] <= rules.node[last_of(a)]; ++b)
        if (!is_inside_one(a, b)) row_[a].push_back({b, 0});
    for (const auto& [p, q] : rules.apart) note_apart(p, q);
    for (int a = 0; a < tiles(); ++a) {
      auto& row = row_[a];
      std::sort(row.begin(), row.end(), [](const Special& x, const Special& y) { return x.tile < y.tile; });
      row.erase(
          std::unique(row.begin(), row.end(), [](const Special& x, const Special& y) { return x.tile == y.tile; }),
          row.end());
      for (Special& s : row) s.masks = masks_.size(), add_masks(a, s.tile);
    }
  }
  int tiles() const { return (count_ + dipole_tile - 1) / dipole_tile; }
  std::size_t bytes() const { return (masks_.size() + static_cast<std::size_t>(tiles())) * sizeof(std::uint64_t); }

  // Calls visit(pair) for all pairs of tiles of a row, ascending, but for those within one body.
  template <class F>
  void for_row(int a, const F& visit) const {
    TilePair run{a * dipole_tile, size_of(a), 0, 0, nullptr};
    const auto end_run = [&] {
      if (run.seconds > 0) visit(run);
      run.seconds = 0;
    };
    auto special = row_[a].begin();
    for (int b = a; b < tiles(); ++b) {
      const int size = (size_of(b) + block - 1) / block * block;
      const bool is_special = special != row_[a].end() && special->tile == b, is_left_out = is_inside_one(a, b);
      if (is_special || is_left_out || run.seconds == most_tiles * dipole_tile) end_run();
      if (is_special) {
        const std::uint64_t* masks = masks_.data() + special++->masks;
        if (!is_left_out) visit(TilePair{run.first, run.firsts, b * dipole_tile, size, masks});
      } else if (!is_left_out) {
        if (run.seconds == 0) run.second = b * dipole_tile;
        run.seconds += size;
      }
    }
    end_run();
  }

 private:
  struct Special {
    int tile;
    std::size_t masks;  // where they begin
  };

  int last_of(int tile) const { return std::min(count_, (tile + 1) * dipole_tile) - 1; }
  int size_of(int tile) const { return last_of(tile) + 1 - tile * dipole_tile; }
  bool is_inside_one(int a, int b) const { return only_[a] >= 0 && only_[a] == only_[b]; }
  bool acts(int i, int j) const {
    const int p = rules_.node[i], q = rules_.node[j];
    return i < j && p != q && !std::binary_search(rules_.apart.begin(), rules_.apart.end(), std::pair{p, q});
  }
  void note_apart(int p, int q) {
    assert(p < q);
    const auto of = [&](int node) { return std::equal_range(rules_.node.begin(), rules_.node.end(), node); };
    const auto [p0, p1] = of(p);
    const auto [q0, q1] = of(q);
    if (p0 == p1 || q0 == q1) return;
    const auto tile = [&](auto at) { return static_cast<int>(at - rules_.node.begin()) / dipole_tile; };
    for (int a = tile(p0); a <= tile(p1 - 1); ++a)
      for (int b = std::max(a, tile(q0)); b <= tile(q1 - 1); ++b) row_[a].push_back({b, 0});
  }
  void add_masks(int a, int b) {
    for (int i = 0; i < size_of(a); ++i) {
      std::uint64_t mask = 0;
      for (int j = 0; j < size_of(b); ++j)
        if (acts(a * dipole_tile + i, b * dipole_tile + j)) mask |= std::uint64_t{1} << j;
      masks_.push_back(mask);
    }
  }

  const DipoleRules& rules_;
  int count_;
  std::vector<int> only_;                  // [tile] the node of all its dipoles; -1: they have several
  std::vector<std::vector<Special>> row_;  // [tile] those it makes with tiles after it
  std::vector<std::uint64_t> masks_;
};

class DirectSum final : public DipoleSum {
 public:
  explicit DirectSum(const DipoleRules& rules) : rules_(rules), tiles_(rules_) {
    shares_.resize(std::clamp(tiles_.tiles(), 1, most_shares));
  }
  DirectSum(const DirectSum&) = delete;
  DirectSum& operator=(const DirectSum&) = delete;

  std::string_view name() const override { return "direct"; }
  std::size_t bytes() const override {
    return tiles_.bytes() + shares_.size() * 6 * rules_.node.size() * sizeof(double);
  }
  void find(const DipoleColumns& in, DipoleEffects& out, Team& team) override {
    assert(in.count == static_cast<int>(rules_.node.size()));
    const auto shares = static_cast<int>(shares_.size());
    const bool is_small = in.count < least_pairs / std::max(1, in.count);
    team.run(shares, is_small ? shares + 1 : 1, [&](int first, int last) {
      for (int k = first; k < last; ++k) add_share(in, k);
    });
    for (int c = 0; c < 3; ++c) {
      sum_up(
          in.count, [&](int k) { return shares_[k].b[c].data(); }, out.b[c]);
      sum_up(
          in.count, [&](int k) { return shares_[k].force[c].data(); }, out.force[c]);
    }
  }

 private:
  // Rows of tiles get shorter, so each share takes some from both ends.
  void add_share(const DipoleColumns& in, int k) {
    const auto shares = static_cast<int>(shares_.size());
    const auto room = static_cast<std::size_t>(padded(in.count));
    DipoleEffects& own = shares_[k];
    DipoleTiles t{};
    for (int c = 0; c < 3; ++c) {
      own.b[c].assign(room, 0.0), own.force[c].assign(room, 0.0);
      t.x[c] = in.x[c].data(), t.m[c] = in.m[c].data();
      t.b[c] = own.b[c].data(), t.force[c] = own.force[c].data();
    }
    for (int a = 0; a < tiles_.tiles(); ++a) {
      const int turn = a % (2 * shares);
      if ((turn < shares ? turn : 2 * shares - 1 - turn) != k) continue;
      tiles_.for_row(a, [&](const TilePair& pair) { loops_.add(t, pair); });
    }
  }
  template <class F>
  void sum_up(int count, const F& part, Column& out) const {
    std::fill_n(out.begin(), count, 0.0);
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      const double* own = part(static_cast<int>(k));
      for (int i = 0; i < count; ++i) out[i] += own[i];
    }
    for (int i = 0; i < count; ++i) out[i] *= mu0_over_4pi;
  }

  const DipoleRules rules_;
  const TileRules tiles_;
  std::vector<DipoleEffects> shares_;
  const DirectLoops& loops_ = direct_loops();
};

}  // namespace

std::unique_ptr<DipoleSum> make_direct_sum(const DipoleRules& rules) {
  return std::make_unique<DirectSum>(rules);
}

}  // namespace ls
