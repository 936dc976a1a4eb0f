#include "collide/broad_phase.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ls {

namespace {

constexpr int bits = 21;  // of a cell's place along one axis
constexpr std::int64_t most = (1LL << bits) - 1;
constexpr double most_cells = 64;  // that one box is written to; larger boxes are compared with all

struct Grid {
  Vec3<double> origin{};
  double per_metre = 1;
  std::array<std::int64_t, 3> cell(const Vec3<double>& p) const {
    const auto at = [&](double x, double o) {
      return std::clamp(static_cast<std::int64_t>((x - o) * per_metre), std::int64_t{0}, most);
    };
    return {at(p.x, origin.x), at(p.y, origin.y), at(p.z, origin.z)};
  }
};

std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
  return static_cast<std::uint64_t>((z << (2 * bits)) | (y << bits) | x);
}

double largest_side(const Box& b) {
  return std::max({b.high.x - b.low.x, b.high.y - b.low.y, b.high.z - b.low.z});
}

}  // namespace

// By cell, by bytes from the lowest that matters; stable, so boxes stay in order within a cell.
void BroadPhase::sort() {
  std::uint64_t any = 0, all = ~0ULL;
  for (const Entry& e : entries_) any |= e.cell, all &= e.cell;
  other_.resize(entries_.size());
  constexpr int digit = 11;
  counts_.resize(1 << digit);
  for (int shift = 0; shift < 3 * bits; shift += digit) {
    const std::uint64_t mask = (1ULL << digit) - 1;
    if ((((any ^ all) >> shift) & mask) == 0) continue;  // all cells agree in these bits
    std::fill(counts_.begin(), counts_.end(), 0);
    for (const Entry& e : entries_) ++counts_[(e.cell >> shift) & mask];
    int sum = 0;
    for (int& c : counts_) sum += std::exchange(c, sum);
    for (const Entry& e : entries_) other_[counts_[(e.cell >> shift) & mask]++] = e;
    std::swap(entries_, other_);
  }
}

void BroadPhase::find(const std::vector<Box>& boxes, std::vector<std::pair<int, int>>& pairs) {
  pairs.clear();
  const int n = static_cast<int>(boxes.size());
  if (n < 2) return;
  sizes_.clear();
  Vec3<double> low = boxes[0].low, high = boxes[0].high;
  for (const Box& b : boxes) {
    sizes_.push_back(largest_side(b));
    low = {std::min(low.x, b.low.x), std::min(low.y, b.low.y), std::min(low.z, b.low.z)};
    high = {std::max(high.x, b.high.x), std::max(high.y, b.high.y), std::max(high.z, b.high.z)};
  }
  // Cells as large as nine in ten boxes: few boxes then lie in more than eight.
  const auto tenth = sizes_.begin() + static_cast<std::ptrdiff_t>(0.9 * (n - 1));
  std::nth_element(sizes_.begin(), tenth, sizes_.end());
  const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  const double cell = std::max({*tenth, extent / static_cast<double>(most), 1e-300});
  const Grid grid{low, 1 / cell};

  entries_.clear();
  large_.clear();
  for (int i = 0; i < n; ++i) {
    const auto a = grid.cell(boxes[i].low), b = grid.cell(boxes[i].high);
    if (static_cast<double>(b[0] - a[0] + 1) * static_cast<double>(b[1] - a[1] + 1) *
            static_cast<double>(b[2] - a[2] + 1) >
        most_cells) {
      large_.push_back(i);
      continue;
    }
    for (auto z = a[2]; z <= b[2]; ++z)
      for (auto y = a[1]; y <= b[1]; ++y)
        for (auto x = a[0]; x <= b[0]; ++x) entries_.push_back({key(x, y, z), i});
  }
  sort();
  for (std::size_t first = 0, last = 0; first < entries_.size(); first = last) {
    while (last < entries_.size() && entries_[last].cell == entries_[first].cell) ++last;
    for (std::size_t p = first; p < last; ++p)
      for (std::size_t q = p + 1; q < last; ++q) {
        const Box &a = boxes[entries_[p].box], &b = boxes[entries_[q].box];
        if (!overlap(a, b)) continue;
        // Two boxes may share many cells: the pair belongs to the lowest corner of what they share.
        const auto c = grid.cell({std::max(a.low.x, b.low.x), std::max(a.low.y, b.low.y), std::max(a.low.z, b.low.z)});
        if (key(c[0], c[1], c[2]) == entries_[p].cell) pairs.emplace_back(entries_[p].box, entries_[q].box);
      }
  }
  for (std::size_t k = 0; k < large_.size(); ++k)
    for (int i = 0; i < n; ++i) {
      const int l = large_[k];
      if (i == l || !overlap(boxes[i], boxes[l])) continue;
      if (i < l && std::binary_search(large_.begin(), large_.end(), i)) continue;
      pairs.emplace_back(std::min(i, l), std::max(i, l));
    }
  std::sort(pairs.begin(), pairs.end());
}

}  // namespace ls
