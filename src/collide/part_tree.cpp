#include "collide/part_tree.h"

#include "math/component.h"

#include <algorithm>
#include <numeric>

namespace ls {

namespace {

using V = Vec3<double>;

V absolute(const V& a) {
  return {std::abs(a.x), std::abs(a.y), std::abs(a.z)};
}
// Of twice the middle of a box.
double middle(const Box& b, int axis) {
  return component(b.low, axis) + component(b.high, axis);
}
int widest_axis(const std::vector<Box>& boxes, const int* first, const int* last) {
  int axis = 0;
  double widest = -1;
  for (int c = 0; c < 3; ++c) {
    double low = 1e300, high = -1e300;
    for (const int* k = first; k != last; ++k)
      low = std::min(low, middle(boxes[*k], c)), high = std::max(high, middle(boxes[*k], c));
    if (high - low > widest) widest = high - low, axis = c;
  }
  return axis;
}

}  // namespace

PartTree::PartTree(const std::vector<Box>& boxes) {
  std::vector<int> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  branches_.reserve(2 * boxes.size());
  branches_.emplace_back();
  grow(0, boxes, order.data(), order.data() + order.size());
}

// Halves the parts where their middles spread widest. (Splitting by surface area gives trees that are no better for
// the even meshes that bodies have, and takes longer.)
void PartTree::grow(int branch, const std::vector<Box>& boxes, int* first, int* last) {
  Box all = boxes[*first];
  for (const int* k = first; k != last; ++k) extend(all, boxes[*k]);
  Branch b;
  b.centre = 0.5 * (all.low + all.high);
  b.half = 0.5 * (all.high - all.low);
  b.lever = norm(absolute(b.centre) + b.half);
  if (last - first == 1) {
    b.part = *first;
    branches_[branch] = b;
    return;
  }
  const int axis = widest_axis(boxes, first, last);
  int* const half = first + (last - first) / 2;
  std::nth_element(first, half, last, [&](int i, int j) {
    return std::pair(middle(boxes[i], axis), i) < std::pair(middle(boxes[j], axis), j);
  });
  b.child = static_cast<int>(branches_.size());
  branches_[branch] = b;
  branches_.emplace_back(), branches_.emplace_back();
  grow(b.child, boxes, first, half);
  grow(b.child + 1, boxes, half, last);
}

Passing::Passing(const Frame<double>& a, const Frame<double>& b, const V& way_of_b, double within) : reach(within) {
  const Mat3<double> own = matrix(a.q), other = matrix(b.q);
  turn = {transposed_times(own, other.c1), transposed_times(own, other.c2), transposed_times(own, other.c3)};
  sizes = {absolute(turn.c1), absolute(turn.c2), absolute(turn.c3)};
  at = transposed_times(own, b.x - a.x);
  way = transposed_times(own, way_of_b);
}

bool Passing::may_meet(const PartTree::Branch& a, const PartTree::Branch& b) const {
  const double around = reach + arc_a * a.lever + arc_b * b.lever;
  return crosses(at + turn * b.centre - a.centre, way, a.half + sizes * b.half + V{around, around, around});
}

bool crosses(const V& from, const V& way, const V& half) {
  double first = 0, last = 1;
  for (int c = 0; c < 3; ++c) {
    const double x = component(from, c), d = component(way, c), h = component(half, c);
    if (d == 0) {
      if (!(std::abs(x) <= h)) return false;
      continue;
    }
    const double in = (-h - x) / d, out = (h - x) / d;
    first = std::max(first, std::min(in, out)), last = std::min(last, std::max(in, out));
  }
  return first <= last;
}

}  // namespace ls
