#pragma once
#include <utility>
#include <vector>

namespace ls {

// Where a symmetric matrix of 6x6 blocks has blocks: its lower triangle, column by column, the diagonal first and then
// the rows below it in order.
struct BlockPattern {
  int size = 0;            // block rows
  std::vector<int> first;  // [column] where its blocks begin; one more at the end
  std::vector<int> row;    // [block]

  BlockPattern() = default;
  BlockPattern(int n, const std::vector<std::pair<int, int>>& pairs);
  int find(int r, int column) const;  // r >= column; -1 for none
  int blocks() const { return static_cast<int>(row.size()); }
};

// A symmetric matrix of 6x6 blocks, one block row a node.
class BlockMatrix {
 public:
  static constexpr int width = 6;
  static constexpr int area = 36;

  BlockMatrix() = default;
  explicit BlockMatrix(BlockPattern pattern);

  const BlockPattern& pattern() const { return pattern_; }
  const double* values() const { return values_.data(); }  // [block][row][column]
  void clear();
  // Block (row, column), row >= column, which the pattern must have.
  double* block(int row, int column) { return values_.data() + area * pattern_.find(row, column); }
  double* diagonal(int row) { return values_.data() + area * pattern_.first[row]; }
  const double* diagonal(int row) const { return values_.data() + area * pattern_.first[row]; }
  // Adds the symmetric 12x12 stiffness of two nodes, [row][column].
  void add_pair(int node1, int node2, const double (&h)[12][12]);
  // The same as three blocks of [row][column]: the diagonal ones of both nodes, and that of the second with the first.
  void add_pair(int node1, int node2, const double* blocks);
  // y += A x, over [node][6].
  void add_product(const double* x, double* y) const;
  std::size_t bytes() const { return values_.size() * sizeof(double) + pattern_.row.size() * sizeof(int); }

 private:
  BlockPattern pattern_;
  std::vector<double> values_;
};

}  // namespace ls
