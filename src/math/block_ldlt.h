#pragma once
#include "base/pulse.h"
#include "math/block_matrix.h"

#include <cstdint>

namespace ls {

// P A P^T = L D L^T of a symmetric matrix of 6x6 blocks, without pivoting: the signs of D are the inertia of A, which
// is how a solver sees a loss of stability. The order of elimination and the places of L are found once for a pattern.
// A rod needs no fill: time and memory are linear in its bonds.
class BlockLdlt {
 public:
  BlockLdlt() = default;
  explicit BlockLdlt(const BlockPattern& pattern);

  // held: [block row] six bits; those rows and columns are left out. False where a pivot is no number; then lost()
  // names its row. With much fill it may take seconds: the pulse beats meanwhile.
  [[nodiscard]] bool factor(const BlockMatrix& a, const std::vector<std::uint8_t>& held, const Pulse& pulse = {});
  int negative_pivots() const { return negative_; }
  const std::vector<int>& negative_rows() const { return negative_rows_; }  // block rows that have some, in no order
  int lost() const { return lost_; }
  // Pivots that are nothing but rounding beside what their diagonal was: motions that nothing resists. Each such degree
  // of freedom is held, so that a solution exists wherever nothing pushes along them. The block row of the first; -1:
  // none.
  int floating() const { return floating_; }

  // x = A^-1 x over [block row][6]; zero where held.
  void solve(double* x);
  std::size_t bytes() const { return (l_.size() + d_.size() + y_.size()) * sizeof(double) + row_.size() * sizeof(int); }
  int blocks() const { return static_cast<int>(row_.size()); }  // of L
  double products() const;                                      // of blocks, that factor() takes: the work of it
  static constexpr int products_a_beat = 20000;                 // some 1 ms

 private:
  void find_places(const BlockPattern& pattern);
  void load(const BlockMatrix& a, const std::vector<std::uint8_t>& held);
  bool finish_column(int j);
  void hold_floating(int j, double* d);

  int size_ = 0;
  std::vector<int> place_, origin_;   // [row of A] its row in L; the other way round
  std::vector<int> first_, row_;      // L below its diagonal, by columns, rows in order
  std::vector<int> source_;           // [block of A] where it goes: 0.. in L, or -1 - j: the diagonal of row j
  std::vector<std::uint8_t> turned_;  // [block of A] 1: transposed on the way
  std::vector<double> l_;             // [block][row][column]
  std::vector<double> d_;             // [row][6x6] unit lower L of the diagonal block with the pivots on its diagonal
  std::vector<double> scale_;         // [row][6] the diagonal of A
  std::vector<std::uint8_t> held_;
  std::vector<double> y_;
  std::vector<int> head_, next_, at_, where_;  // scratch
  std::vector<int> negative_rows_;
  int negative_ = 0, lost_ = -1, floating_ = -1;
  // A pivot this small beside its diagonal counts as rounding. That of a rod of N bonds, clamped at one end, comes down
  // to 1/4N^3: a hundred times more.
  double rounding_ = 0;
};

}  // namespace ls
