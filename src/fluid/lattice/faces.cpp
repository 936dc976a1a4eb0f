#include "fluid/lattice/faces.h"

namespace ls {

namespace {

using namespace d3q19;

int find_direction(int x, int y, int z) {
  int i = 0;
  while (cx[i] != x || cy[i] != y || cz[i] != z) ++i;
  return i;
}

// The faces other than periodic ones that a link goes through.
struct Crossing {
  const LatticeSpec& spec;
  bool is_through[3] = {};  // [axis]
  int c[3];

  Crossing(const LatticeSpec& s, int i) : spec(s), c{cx[i], cy[i], cz[i]} {}

  FaceKind kind_at(int axis) const { return spec.faces[axis][c[axis] > 0 ? 1 : 0]; }
  void leave(int axis) { is_through[axis] = kind_at(axis) != FaceKind::periodic; }
  bool any() const { return is_through[0] || is_through[1] || is_through[2]; }
  // Where faces meet, a wall counts before a pressure face, and that before free slip: it is what the fluid that one
  // may think of beyond a free-slip or pressure face would do.
  FaceKind kind() const {
    FaceKind result = FaceKind::free_slip;
    for (int axis = 0; axis < 3; ++axis) {
      if (!is_through[axis]) continue;
      if (kind_at(axis) == FaceKind::wall) return FaceKind::wall;
      if (kind_at(axis) == FaceKind::pressure) result = FaceKind::pressure;
    }
    return result;
  }
  bool comes_back() const { return any() && kind() == FaceKind::wall; }
  int mirrored() const {
    return find_direction(is_through[0] ? -c[0] : c[0], is_through[1] ? -c[1] : c[1], is_through[2] ? -c[2] : c[2]);
  }
};

class RowKindMaker {
 public:
  RowKindMaker(const LatticeSpec& spec, const LatticeStrides& strides, bool is_odd, int place)
      : spec_(spec), strides_(strides), is_odd_(is_odd), place_{0, place & 3, place >> 2} {}

  RowKind make() {
    for (int i = 0; i < count; ++i) add_direction(i);
    kind_.is_ring = spec_.faces[0][0] == FaceKind::periodic;
    kind_.long_links = kind_.links.size();
    kind_.links.insert(kind_.links.end(), short_links_.begin(), short_links_.end());
    return std::move(kind_);
  }

 private:
  bool is_outside(int axis, int c) const { return c != 0 && (place_[axis] & (c > 0 ? 2 : 1)) != 0; }

  // Rows from this one to the one that gets what leaves in this direction.
  std::ptrdiff_t rows_away(const Crossing& out) const {
    std::ptrdiff_t away[3] = {};
    for (int axis = 1; axis < 3; ++axis) {
      const std::ptrdiff_t n = spec_.cells[axis];
      away[axis] = out.is_through[axis] ? 0 : is_outside(axis, out.c[axis]) ? out.c[axis] * (1 - n) : out.c[axis];
    }
    return away[2] * spec_.cells[1] + away[1];
  }
  std::ptrdiff_t own(int i) const { return opposite[i] * strides_.column; }

  void add_direction(int i) {
    const auto k = static_cast<std::size_t>(i);
    const int nx = spec_.cells[0];
    Crossing side(spec_, i);
    for (int axis = 1; axis < 3; ++axis)
      if (is_outside(axis, side.c[axis])) side.leave(axis);
    const bool moves_on = is_odd_ && !side.comes_back();
    const std::ptrdiff_t to = rows_away(side) * strides_.row;
    kind_.slot[k] = moves_on ? side.mirrored() * strides_.column + to + cx[i] : own(i);
    const bool ends_in_face = cx[i] != 0 && side.kind_at(0) != FaceKind::periodic;
    const int first = ends_in_face && cx[i] < 0 ? 1 : 0, cells = nx - (ends_in_face ? 1 : 0);
    if (side.any()) add_link(kind_.links, side, i, first, cells, kind_.slot[k] + first, kind_.slot[k] + first);
    if (cx[i] == 0) return;

    const int last = cx[i] > 0 ? nx - 1 : 0;
    Crossing end = side;
    end.leave(0);
    kind_.end[k] = !is_odd_ || end.comes_back() ? own(i) + last
                   : ends_in_face               ? end.mirrored() * strides_.column + to + last
                                                : kind_.slot[k] + last - cx[i] * nx;
    if (moves_on) kind_.ends.push_back({kind_.slot[k] + last, kind_.end[k]});
    if (ends_in_face) add_link(short_links_, end, i, last, 1, kind_.end[k], kind_.slot[k] + last);
  }

  static void add_link(std::vector<FaceLink>& links, const Crossing& out, int i, int cell, int cells, std::ptrdiff_t at,
                       std::ptrdiff_t from) {
    if (cells <= 0) return;
    FaceLink link;
    link.kind = out.kind();
    link.direction = i;
    link.cell = cell, link.count = cells;
    link.at = at, link.from = from;
    link.back = out.comes_back() ? opposite[i] : out.mirrored();
    int* face = link.faces;
    for (int axis = 0; axis < 3; ++axis)
      if (out.is_through[axis]) *face++ = 2 * axis + (out.c[axis] > 0 ? 1 : 0);
    links.push_back(link);
  }

  const LatticeSpec& spec_;
  const LatticeStrides& strides_;
  bool is_odd_;
  int place_[3];  // [axis] 1: at the low face, 2: at the high one
  RowKind kind_;
  std::vector<FaceLink> short_links_;
};

}  // namespace

RowKinds row_kinds(const LatticeSpec& spec, const LatticeStrides& strides) {
  RowKinds kinds;
  for (std::size_t odd = 0; odd < 2; ++odd)
    for (std::size_t place = 0; place < 16; ++place)
      kinds[odd][place] = RowKindMaker(spec, strides, odd == 1, static_cast<int>(place)).make();
  return kinds;
}

}  // namespace ls
