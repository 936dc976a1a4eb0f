#include "math/block_ldlt.h"

#include "math/block_ldlt_loops.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

namespace ls {

namespace {

constexpr int w = BlockMatrix::width, area = BlockMatrix::area;

// Approximate minimum degree on the graph of the blocks: rods come out without fill, nets with little.
std::vector<int> elimination_order(const BlockPattern& p) {
  using Matrix = Eigen::SparseMatrix<double>;
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < p.size; ++c)
    for (int b = p.first[c]; b < p.first[c + 1]; ++b) {
      entries.emplace_back(p.row[b], c, 1.0);
      if (p.row[b] != c) entries.emplace_back(c, p.row[b], 1.0);
    }
  Matrix a(p.size, p.size);
  a.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(a, order);
  return {order.indices().data(), order.indices().data() + p.size};
}

// Whether every row couples to its neighbours only: then its own order has no fill and reads memory straight.
bool is_chain(const BlockPattern& p) {
  for (int c = 0; c < p.size; ++c)
    for (int b = p.first[c]; b < p.first[c + 1]; ++b)
      if (p.row[b] > c + 1) return false;
  return true;
}

}  // namespace

BlockLdlt::BlockLdlt(const BlockPattern& p) : size_(p.size), place_(static_cast<std::size_t>(p.size)) {
  origin_.resize(place_.size());
  for (int i = 0; i < size_; ++i) origin_[i] = i;
  if (!is_chain(p)) origin_ = elimination_order(p);
  for (int i = 0; i < size_; ++i) place_[origin_[i]] = i;
  find_places(p);
  l_.assign(static_cast<std::size_t>(area) * row_.size(), 0.0);
  d_.assign(static_cast<std::size_t>(area) * place_.size(), 0.0);
  scale_.assign(static_cast<std::size_t>(w) * place_.size(), 0.0);
  y_.assign(static_cast<std::size_t>(w) * place_.size(), 0.0);
  rounding_ = std::min(1e-12, 0.0025 / (static_cast<double>(size_) * size_ * size_));
  head_.assign(place_.size(), -1);
  next_ = at_ = where_ = head_;
}

// Column j of L has the rows of column j of A and those of its children in the elimination tree.
void BlockLdlt::find_places(const BlockPattern& p) {
  std::vector<std::vector<int>> rows(place_.size()), children(place_.size());
  for (int c = 0; c < size_; ++c)
    for (int b = p.first[c] + 1; b < p.first[c + 1]; ++b) {
      const auto [low, high] = std::minmax(place_[c], place_[p.row[b]]);
      rows[low].push_back(high);
    }
  std::vector<int> mark(place_.size(), -1);
  first_.assign(1, 0);
  for (int j = 0; j < size_; ++j) {
    std::vector<int> all;
    const auto take = [&](const std::vector<int>& from) {
      for (const int r : from)
        if (r > j && mark[r] != j) mark[r] = j, all.push_back(r);
    };
    take(rows[j]);
    for (const int child : children[j]) {
      take(rows[child]);
      std::vector<int>().swap(rows[child]);
    }
    std::sort(all.begin(), all.end());
    if (!all.empty()) children[all.front()].push_back(j);
    row_.insert(row_.end(), all.begin(), all.end());
    first_.push_back(static_cast<int>(row_.size()));
    rows[j] = std::move(all);
  }
  for (int c = 0; c < size_; ++c)
    for (int b = p.first[c]; b < p.first[c + 1]; ++b) {
      const auto [low, high] = std::minmax(place_[c], place_[p.row[b]]);
      const int* from = row_.data() + first_[low];
      const int* to = row_.data() + first_[low + 1];
      const int at = static_cast<int>(std::lower_bound(from, to, high) - row_.data());
      source_.push_back(low == high ? -1 - low : at);
      turned_.push_back(place_[c] > place_[p.row[b]] ? 1 : 0);
    }
}

// A goes where L will stand; held rows and columns become those of the unit matrix.
void BlockLdlt::load(const BlockMatrix& a, const std::vector<std::uint8_t>& held) {
  held_ = held;
  std::fill(l_.begin(), l_.end(), 0.0);
  const auto& p = a.pattern();
  for (int c = 0; c < size_; ++c)
    for (int b = p.first[c]; b < p.first[c + 1]; ++b) {
      const int r = p.row[b];
      const double* from = a.values() + area * b;
      double* to = source_[b] < 0 ? d_.data() + area * (-1 - source_[b]) : l_.data() + area * source_[b];
      const unsigned hr = held[r], hc = held[c];
      if (hr == 0 && hc == 0 && !turned_[b]) {
        std::copy(from, from + area, to);
        continue;
      }
      for (int i = 0; i < w; ++i)
        for (int j = 0; j < w; ++j) {
          const bool out = ((hr >> i) & 1U) || ((hc >> j) & 1U);
          to[turned_[b] ? w * j + i : w * i + j] = out ? (r == c && i == j ? 1.0 : 0.0) : from[w * i + j];
        }
    }
  for (int j = 0; j < size_; ++j)
    for (int k = 0; k < w; ++k) scale_[w * j + k] = std::abs(d_[area * j + (w + 1) * k]);
}

// Left-looking: column j takes what all earlier columns with a block in row j have for it. head_[j] heads the list of
// those columns, next_ links it, at_[k] is where column k stands.
bool BlockLdlt::factor(const BlockMatrix& a, const std::vector<std::uint8_t>& held, const Pulse& pulse) {
  const auto& loops = block_loops();
  constexpr int alone = 0;
  load(a, held);
  negative_ = 0, lost_ = floating_ = -1;
  negative_rows_.clear();
  std::fill(head_.begin(), head_.end(), -1);
  const auto queue = [&](int k, int at) {
    at_[k] = at;
    if (at < first_[k + 1]) next_[k] = head_[row_[at]], head_[row_[at]] = k;
  };
  for (int j = 0, products = 0; j < size_; ++j) {
    if (products > products_a_beat) products = 0, pulse.beat();
    for (int b = first_[j]; b < first_[j + 1]; ++b) where_[row_[b]] = b;
    for (int k = head_[j], following = -1; k >= 0; k = following) {
      following = next_[k];
      const int at = at_[k];
      double scaled[area];
      loops.scale(l_.data() + area * at, d_.data() + area * k, scaled);
      const double* l = l_.data() + static_cast<std::ptrdiff_t>(area) * at;
      const int below = first_[k + 1] - at - 1;
      loops.subtract_products(l, &alone, 1, scaled, &alone, d_.data() + static_cast<std::ptrdiff_t>(area) * j);
      loops.subtract_products(l + area, row_.data() + at + 1, below, scaled, where_.data(), l_.data());
      products += below + 1;
      queue(k, at + 1);
    }
    if (!finish_column(j)) return false;
    queue(j, first_[j]);
  }
  return true;
}

double BlockLdlt::products() const {
  double sum = 0;
  for (int j = 0; j < size_; ++j) {
    const double below = first_[j + 1] - first_[j];
    sum += 0.5 * below * (below + 1);
  }
  return sum;
}

bool BlockLdlt::finish_column(int j) {
  const auto& loops = block_loops();
  double* d = d_.data() + area * j;
  double before[area];
  std::copy(d, d + area, before);
  loops.factor_diagonal(d);
  for (int k = 0; k < w; ++k)
    if (std::abs(d[(w + 1) * k]) <= rounding_ * scale_[w * j + k]) {
      std::copy(before, before + area, d);
      hold_floating(j, d);
      break;
    }
  for (int k = 0; k < w; ++k) {
    const double pivot = d[(w + 1) * k];
    if (!std::isfinite(pivot) || pivot == 0) {
      lost_ = origin_[j];
      return false;
    }
    if (pivot < 0) ++negative_;
    if (pivot < 0 && (negative_rows_.empty() || negative_rows_.back() != origin_[j]))
      negative_rows_.push_back(origin_[j]);
  }
  for (int b = first_[j]; b < first_[j + 1]; ++b) loops.divide(l_.data() + area * b, d);
  return true;
}

// The same as factor_diagonal, with the diagonal of A put in for pivots that vanish.
void BlockLdlt::hold_floating(int j, double* d) {
  for (int k = 0; k < w; ++k) {
    double& pivot = d[(w + 1) * k];
    if (std::abs(pivot) <= rounding_ * scale_[w * j + k]) {
      pivot = scale_[w * j + k] > 0 ? scale_[w * j + k] : 1.0;  // nothing at all holds it
      if (floating_ < 0) floating_ = origin_[j];
    }
    for (int i = w - 1; i > k; --i) {
      const double l = d[w * i + k] / pivot;
      for (int c = k + 1; c <= i; ++c) d[w * i + c] -= l * d[w * c + k];
    }
    for (int i = k + 1; i < w; ++i) d[w * i + k] /= pivot;
  }
}

void BlockLdlt::solve(double* x) {
  const auto& loops = block_loops();
  for (int i = 0; i < size_; ++i)
    for (int k = 0; k < w; ++k) y_[w * place_[i] + k] = (held_[i] >> k) & 1U ? 0.0 : x[w * i + k];
  for (int j = 0; j < size_; ++j) {
    double* yj = y_.data() + w * j;
    loops.solve_lower(d_.data() + area * j, yj);
    for (int b = first_[j]; b < first_[j + 1]; ++b)
      loops.subtract_apply(l_.data() + area * b, yj, y_.data() + w * row_[b]);
  }
  for (int j = 0; j < size_; ++j)
    for (int k = 0; k < w; ++k) y_[w * j + k] /= d_[area * j + (w + 1) * k];
  for (int j = size_ - 1; j >= 0; --j) {
    double* yj = y_.data() + w * j;
    for (int b = first_[j]; b < first_[j + 1]; ++b)
      loops.subtract_apply_transposed(l_.data() + area * b, y_.data() + w * row_[b], yj);
    loops.solve_upper(d_.data() + area * j, yj);
  }
  for (int i = 0; i < size_; ++i)
    for (int k = 0; k < w; ++k) x[w * i + k] = y_[w * place_[i] + k];
}

}  // namespace ls
