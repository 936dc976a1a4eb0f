#pragma once
#include "base/parallel.h"

#include <array>
#include <memory>
#include <vector>

namespace ls {

// Values on a periodic mesh, convolved by way of their Fourier transform. Rows along z have room for `beyond` more
// nodes, so that what reaches round the box can be written and read in one go.
class MeshTransform {
 public:
  static constexpr int beyond = 8;

  explicit MeshTransform(const std::array<int, 3>& nodes);
  ~MeshTransform();
  MeshTransform(MeshTransform&&) noexcept;
  MeshTransform& operator=(MeshTransform&&) noexcept;

  const std::array<int, 3>& nodes() const { return nodes_; }
  int stride() const { return nodes_[2] + beyond; }
  double* values() { return values_.data(); }  // [x][y][z], rows of stride()
  // [x][y][z to nodes/2] the factor of each wave.
  std::vector<double>& influence() { return influence_; }
  int waves() const { return nodes_[2] / 2 + 1; }  // along z

  // values = sum over waves of influence times their transform. What is beyond the end of a row goes to its beginning
  // first, and the beginning comes there after.
  void convolve(Team& team);

 private:
  struct Plans;
  void transform_rows(Team& team, bool is_forward);
  void transform_columns(Team& team, bool is_forward);  // along y
  void transform_planes(Team& team);                    // along x, there and back, with the influence in between

  std::array<int, 3> nodes_;
  std::vector<double> values_, influence_;
  std::unique_ptr<Plans> plans_;
};

}  // namespace ls
