#pragma once
#include "math/quat.h"

// The words of the whole code: where a node is, how it moves, what acts on it. All in world axes.
namespace ls::inline LS_ISA {

template <class T>
struct Frame {
  Vec3<T> x{};
  Quat<T> q{};
};

// Velocity of a node and its spin.
template <class T>
struct Twist {
  Vec3<T> v{}, w{};
};

// A force, and a torque about the node's own position.
template <class T>
struct Wrench {
  Vec3<T> force{}, torque{};
};

template <class T>
LS_HD constexpr Wrench<T>& operator+=(Wrench<T>& a, const Wrench<T>& b) {
  return a = {a.force + b.force, a.torque + b.torque};
}
template <class T>
LS_HD constexpr Wrench<T>& operator-=(Wrench<T>& a, const Wrench<T>& b) {
  return a = {a.force - b.force, a.torque - b.torque};
}

}  // namespace ls::inline LS_ISA
