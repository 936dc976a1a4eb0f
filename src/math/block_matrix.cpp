#include "math/block_matrix.h"

#include <algorithm>

namespace ls {

BlockPattern::BlockPattern(int n, const std::vector<std::pair<int, int>>& pairs) : size(n) {
  std::vector<std::pair<int, int>> entries;  // column, row
  entries.reserve(pairs.size() + static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i);
  for (const auto& [a, b] : pairs)
    if (a != b) entries.emplace_back(std::min(a, b), std::max(a, b));
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  first.assign(static_cast<std::size_t>(n) + 1, 0);
  row.reserve(entries.size());
  for (const auto& [column, r] : entries) {
    ++first[static_cast<std::size_t>(column) + 1];
    row.push_back(r);
  }
  for (int i = 0; i < n; ++i) first[i + 1] += first[i];
}

int BlockPattern::find(int r, int column) const {
  const int* from = row.data() + first[column];
  const int* to = row.data() + first[column + 1];
  const int* at = to - from <= 8 ? std::find(from, to, r) : std::lower_bound(from, to, r);
  return at != to && *at == r ? static_cast<int>(at - row.data()) : -1;
}

BlockMatrix::BlockMatrix(BlockPattern pattern)
    : pattern_(std::move(pattern)), values_(static_cast<std::size_t>(area) * pattern_.row.size(), 0.0) {}

void BlockMatrix::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

void BlockMatrix::add_pair(int node1, int node2, const double (&h)[12][12]) {
  double blocks[3 * area];
  const bool turned = node1 > node2;  // the same number where h is symmetric to the last bit
  for (int r = 0; r < width; ++r)
    for (int c = 0; c < width; ++c) {
      const int e = width * r + c;
      blocks[e] = h[r][c], blocks[area + e] = h[width + r][width + c];
      blocks[2 * area + e] = turned ? h[c][width + r] : h[width + r][c];
    }
  add_pair(node1, node2, blocks);
}

void BlockMatrix::add_pair(int node1, int node2, const double* blocks) {
  double *d1 = diagonal(node1), *d2 = diagonal(node2), *off = block(std::max(node1, node2), std::min(node1, node2));
  const double *second = blocks + area, *between = second + area;
  for (int e = 0; e < area; ++e) d1[e] += blocks[e];
  for (int e = 0; e < area; ++e) d2[e] += second[e];
  if (node1 < node2) {
    for (int e = 0; e < area; ++e) off[e] += between[e];
    return;
  }
  for (int r = 0; r < width; ++r)
    for (int c = 0; c < width; ++c) off[width * r + c] += between[width * c + r];
}

void BlockMatrix::add_product(const double* x, double* y) const {
  for (int column = 0; column < pattern_.size; ++column) {
    const double* xc = x + width * column;
    double sum[width];  // of the row that this column is, too
    std::copy(y + width * column, y + width * (column + 1), sum);
    for (int b = pattern_.first[column]; b < pattern_.first[column + 1]; ++b) {
      const double* a = values_.data() + area * b;
      const int row = pattern_.row[b];
      if (row == column) {
        for (int r = 0; r < width; ++r)
          for (int c = 0; c < width; ++c) sum[r] += a[width * r + c] * xc[c];
        continue;
      }
      const double* xr = x + width * row;
      double* yr = y + width * row;
      for (int r = 0; r < width; ++r) {
        double along = yr[r];
        for (int c = 0; c < width; ++c) along += a[width * r + c] * xc[c];
        for (int c = 0; c < width; ++c) sum[c] += a[width * r + c] * xr[r];
        yr[r] = along;
      }
    }
    std::copy(sum, sum + width, y + width * column);
  }
}

}  // namespace ls
