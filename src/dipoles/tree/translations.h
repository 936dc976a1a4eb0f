#pragma once
#include "dipoles/tree/harmonics.h"
#include "dipoles/tree/translation_loops.h"

#include <array>
#include <cstddef>
#include <vector>

namespace ls {

// Dense matrices between expansions of neighbouring cells, in cell units: one set serves all levels. Degree 0 is left
// out on both sides, since dipoles have no monopole and a constant potential no field. They are kept by columns, with
// rows padded to `height`, so that a lower order is the upper left corner of the same matrix.
template <class R>
class Translations {
 public:
  explicit Translations(int order);

  int order() const { return order_; }
  int size() const { return order_ * (order_ + 2); }
  int height() const { return height_; }

  // From the multipoles of cells to the local expansion of another: of all that are at `offset` (source - target, each
  // 0 to 3, not all below 2) or a mirror image of it. Its order is less than that of the expansions where such pairs
  // never need more.
  struct Far {
    int order = 0;
    MirrorMatrix<R> matrix{};
    std::array<std::vector<R>, 8> values;
    std::array<std::vector<int>, 8> rows, inputs;
  };
  const Far& far(const std::array<int, 3>& offset) const { return far_[far_index(offset)]; }
  // From a child (octant 0 to 7) to its parent, and from a parent to a child.
  const R* up(int octant) const { return up_.data() + static_cast<std::size_t>(octant) * block(); }
  const R* down(int octant) const { return down_.data() + static_cast<std::size_t>(octant) * block(); }
  // [harmonic] +1 or -1: what mirrored axes (bits 1, 2, 4 for x, y, z) do to an expansion.
  const R* mirror(int axes) const {
    return mirror_.data() + static_cast<std::size_t>(axes) * static_cast<std::size_t>(height_);
  }
  // [degree] the power (derivatives.h) of a random unit dipole in a cell.
  double unit_power(int degree) const { return unit_power_[static_cast<std::size_t>(degree)]; }

 private:
  static std::size_t far_index(const std::array<int, 3>& o) {
    const int index = o[0] + 4 * o[1] + 16 * o[2];
    return static_cast<std::size_t>(index);
  }
  std::size_t block() const { return static_cast<std::size_t>(height_) * static_cast<std::size_t>(size()); }
  void make_far();
  void sort_by_parity(const std::array<int, 3>& offset, const std::vector<double>& matrix, Far& far) const;
  // Bits of the axes in which a harmonic changes its sign when they are mirrored.
  int parity(int row) const;
  void make_shifts();
  void make_mirrors();
  void make_unit_power();

  int order_, height_;
  std::array<Far, 64> far_;
  std::vector<R> up_, down_, mirror_;
  std::array<double, most_order + 1> unit_power_{};
};

extern template class Translations<float>;
extern template class Translations<double>;

}  // namespace ls
