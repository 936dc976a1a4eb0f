#pragma once
#include "collide/broad_phase.h"
#include "math/frame.h"

#include <cmath>

namespace ls {

// A tree of boxes around the parts of a rigid body, in the body's own axes: made once, however it moves and turns, and
// for all copies of it (a bounding volume hierarchy).
class PartTree {
 public:
  struct Branch {
    Vec3<double> centre{}, half{};  // m, of the box
    double lever = 0;               // m, how far from the body's node its farthest place is
    int child = -1;                 // the first of two, side by side; -1: none
    int part = -1;                  // of those that the tree was made of, where it has no children
  };

  explicit PartTree(const std::vector<Box>& boxes);
  const Branch& operator[](int i) const { return branches_[i]; }
  const Branch& root() const { return branches_[0]; }
  std::size_t bytes() const { return branches_.size() * sizeof(Branch); }

 private:
  void grow(int branch, const std::vector<Box>& boxes, int* first, int* last);
  std::vector<Branch> branches_;
};

// How two bodies a and b pass each other during a move, as seen in a's axes of its start: b goes straight along `way`
// relative to a, while a place of a body that turns strays from its straight way by its lever times an arc.
struct Passing {
  Mat3<double> turn, sizes;  // b's axes, and the absolute values of their components
  Vec3<double> at{};         // m, b's node
  Vec3<double> way{};        // m
  double arc_a = 0, arc_b = 0;
  double reach = 0;  // m

  Passing(const Frame<double>& a, const Frame<double>& b, const Vec3<double>& way_of_b, double within);
  // Whether what is in two boxes may come within the reach of each other on the way.
  bool may_meet(const PartTree::Branch& a, const PartTree::Branch& b) const;
};

// Whether the straight way from `from` to `from + way` leads through a box about the origin.
bool crosses(const Vec3<double>& from, const Vec3<double>& way, const Vec3<double>& half);

// Visits the pairs of parts of two trees that may meet. stack: scratch.
template <class Visit>
void for_each_meeting(const PartTree& a, const PartTree& b, const Passing& passing,
                      std::vector<std::pair<int, int>>& stack, const Visit& visit) {
  const auto size = [](const PartTree::Branch& c) { return c.half.x + c.half.y + c.half.z; };
  stack.assign(1, {0, 0});
  while (!stack.empty()) {
    const auto [i, j] = stack.back();
    stack.pop_back();
    const PartTree::Branch &p = a[i], &q = b[j];
    if (!passing.may_meet(p, q)) continue;
    if (p.child < 0 && q.child < 0) {
      visit(p.part, q.part);
    } else if (q.child < 0 || (p.child >= 0 && size(p) > size(q))) {
      stack.emplace_back(p.child, j), stack.emplace_back(p.child + 1, j);
    } else {
      stack.emplace_back(i, q.child), stack.emplace_back(i, q.child + 1);
    }
  }
}

// Visits the parts of a tree that may meet one box of b.
template <class Visit>
void for_each_meeting(const PartTree& a, const PartTree::Branch& b, const Passing& passing, std::vector<int>& stack,
                      const Visit& visit) {
  stack.assign(1, 0);
  while (!stack.empty()) {
    const PartTree::Branch& p = a[stack.back()];
    stack.pop_back();
    if (!passing.may_meet(p, b)) continue;
    if (p.child < 0)
      visit(p.part);
    else
      stack.push_back(p.child), stack.push_back(p.child + 1);
  }
}

}  // namespace ls
