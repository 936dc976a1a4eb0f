#include "dipoles/tree/octree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace ls {

namespace {

constexpr int bits_per_axis = Octree::deepest + 1;
constexpr int digit_bits = 11, digits = 6;  // of the radix sort
constexpr std::uint64_t digit_mask = (1U << digit_bits) - 1;

// The lowest 21 bits, two zeros after each.
std::uint64_t spread(std::uint64_t v) {
  v = (v | v << 32) & 0x1f00000000ffffULL;
  v = (v | v << 16) & 0x1f0000ff0000ffULL;
  v = (v | v << 8) & 0x100f00f00f00f00fULL;
  v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
  return (v | v << 2) & 0x1249249249249249ULL;
}

int octant_of(const std::array<int, 3>& place) {
  return (place[0] & 1) | (place[1] & 1) << 1 | (place[2] & 1) << 2;
}

}  // namespace

bool touch(const OctreeCell& a, const OctreeCell& b) {
  const bool a_is_coarse = a.level <= b.level;
  const OctreeCell &coarse = a_is_coarse ? a : b, &fine = a_is_coarse ? b : a;
  const int shift = fine.level - coarse.level;
  for (std::size_t k = 0; k < 3; ++k) {
    const int first = coarse.place[k] << shift;
    if (fine.place[k] < first - 1 || fine.place[k] > first + (1 << shift)) return false;
  }
  return true;
}

double Octree::side(const OctreeCell& c) const {
  return std::ldexp(size_, -c.level);
}

std::array<double, 3> Octree::centre(const OctreeCell& c) const {
  std::array<double, 3> middle{};
  for (std::size_t k = 0; k < 3; ++k) middle[k] = origin_[k] + (c.place[k] + 0.5) * side(c);
  return middle;
}

void Octree::build(const DipoleSet& set, double wanted) {
  double extent = std::numeric_limits<double>::min();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [low, high] = std::minmax_element(set.position[k], set.position[k] + set.count);
    origin_[k] = *low;
    extent = std::max(extent, *high - *low);
  }
  constexpr double room = 1 + 1e-12;  // so that the last dipole is within the last cell
  size_ = extent * room;
  sort(set);
  if (const double factor = stretch(wanted); factor > 1) {
    size_ = extent * factor * room;
    sort(set);
  }
  const auto n = static_cast<std::size_t>(set.count);
  order_.resize(n);
  place_.resize(n);
  for (auto& column : position_) column.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto dipole = static_cast<std::size_t>(keys_[i].dipole);
    order_[i] = static_cast<int>(dipole);
    place_[dipole] = static_cast<int>(i);
    for (std::size_t k = 0; k < 3; ++k) position_[k][i] = set.position[k][dipole];
  }
  split(static_cast<int>(3 * wanted));
  find_neighbours();
}

void Octree::sort(const DipoleSet& set) {
  const auto n = static_cast<std::size_t>(set.count);
  keys_.resize(n);
  other_.resize(n);
  constexpr double most = (1 << bits_per_axis) - 1;
  const double scale = (1 << bits_per_axis) / size_;
  std::vector<std::array<std::size_t, digit_mask + 1>> counts(digits);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t key = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double at = (set.position[k][i] - origin_[k]) * scale;
      // So that what is not a number comes to lie in a corner.
      if (at > 0) key |= spread(static_cast<std::uint64_t>(std::min(at, most))) << k;
    }
    keys_[i] = {key, static_cast<std::int64_t>(i)};
    for (int d = 0; d < digits; ++d) ++counts[static_cast<std::size_t>(d)][key >> (digit_bits * d) & digit_mask];
  }
  for (int d = 0; d < digits; ++d) {
    auto& count = counts[static_cast<std::size_t>(d)];
    if (*std::max_element(count.begin(), count.end()) == n) continue;
    std::size_t sum = 0;
    for (auto& c : count) sum += std::exchange(c, sum);
    for (const Key& key : keys_) other_[count[key.key >> (digit_bits * d) & digit_mask]++] = key;
    keys_.swap(other_);
  }
}

// How much larger the root must be for leaves with the number wanted: of the levels of the tight cube, the cells of one
// have more and those of the next have fewer; in between their number goes by a power of their size.
double Octree::stretch(double wanted) const {
  std::array<double, deepest + 2> occupied{};  // [level] cells with dipoles in them
  occupied[0] = 1;
  for (std::size_t i = 1; i < keys_.size(); ++i) {
    const std::uint64_t different = keys_[i].key ^ keys_[i - 1].key;
    const auto level = bits_per_axis - (std::bit_width(different) - 1) / 3;  // the first at which they differ
    if (different) occupied[static_cast<std::size_t>(level)] += 1;
  }
  const auto n = static_cast<double>(keys_.size());
  int level = 0;  // the last with more than wanted
  for (int l = 1; l <= deepest; ++l) {
    occupied[static_cast<std::size_t>(l)] += occupied[static_cast<std::size_t>(l - 1)];
    if (n / occupied[static_cast<std::size_t>(l)] > wanted) level = l;
  }
  if (level == 0 || level == deepest) return 1;
  const double more = n / occupied[static_cast<std::size_t>(level)];
  const double fewer = n / occupied[static_cast<std::size_t>(level) + 1];
  double across = std::ldexp(std::pow(2.0, std::log(more / wanted) / std::log(more / fewer)), level);
  // A whole number of cells across: else those at the far faces would be thin slices.
  if (across < 4096) across = std::max(std::ldexp(1.0, level), std::round(across));
  const double factor = std::ldexp(1.0, level + 1) / across;
  return factor < 2 ? factor : 1;
}

void Octree::split(int most) {
  cells_.assign(1, OctreeCell{});
  cells_[0].end = static_cast<int>(keys_.size());
  level_ = {0, 1};
  for (int l = 0; l < deepest; ++l) {
    for (int c = level_begin(l); c < level_begin(l + 1); ++c)
      if (cell(c).count() > most) add_children(c);
    if (static_cast<int>(cells_.size()) == level_.back()) break;
    level_.push_back(static_cast<int>(cells_.size()));
  }
}

void Octree::add_children(int c) {
  const OctreeCell parent = cell(c);
  cells_[static_cast<std::size_t>(c)].is_leaf = false;
  const int shift = 3 * (deepest - parent.level);
  for (int begin = parent.begin; begin < parent.end;) {
    const std::uint64_t prefix = keys_[static_cast<std::size_t>(begin)].key >> shift;
    const auto last = std::partition_point(keys_.begin() + begin, keys_.begin() + parent.end,
                                           [&](const Key& k) { return k.key >> shift <= prefix; });
    OctreeCell child;
    child.begin = begin;
    child.end = static_cast<int>(last - keys_.begin());
    child.parent = c;
    child.level = parent.level + 1;
    child.octant = static_cast<int>(prefix & 7);
    for (std::size_t k = 0; k < 3; ++k) child.place[k] = 2 * parent.place[k] + (child.octant >> k & 1);
    cells_[static_cast<std::size_t>(c)].child[static_cast<std::size_t>(child.octant)] = static_cast<int>(cells_.size());
    begin = child.end;
    cells_.push_back(child);
  }
}

void Octree::find_neighbours() {
  mates_.resize(cells_.size());
  coarse_.assign(cells_.size(), {});
  apart_.assign(cells_.size(), {});
  mates_[0].fill(-1);
  mates_[0][13] = 0;
  for (std::size_t c = 1; c < cells_.size(); ++c) {
    const OctreeCell& a = cells_[c];
    const auto& of_parent = mates(a.parent);
    for (int k = 0; k < 27; ++k) {
      const std::array<int, 3> at{(a.octant & 1) + k % 3 - 1, (a.octant >> 1 & 1) + k / 3 % 3 - 1,
                                  (a.octant >> 2) + k / 9 - 1};
      const int mate = (at[0] >> 1) + 1 + 3 * ((at[1] >> 1) + 1) + 9 * ((at[2] >> 1) + 1);
      const int uncle = of_parent[static_cast<std::size_t>(mate)];
      mates_[c][static_cast<std::size_t>(k)] =
          uncle < 0 ? -1 : cell(uncle).child[static_cast<std::size_t>(octant_of(at))];
    }
    const auto add = [&](int leaf) { (touch(a, cell(leaf)) ? coarse_ : apart_)[c].push_back(leaf); };
    for (const int leaf : coarse_[static_cast<std::size_t>(a.parent)]) add(leaf);
    for (const int uncle : of_parent)
      if (uncle >= 0 && cell(uncle).is_leaf) add(uncle);
  }
}

}  // namespace ls
