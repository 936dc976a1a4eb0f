#pragma once
#include "base/hd.h"

namespace ls::inline LS_ISA {

// Something for each of the four ways in which a bond deforms.
template <class T>
struct Modes {
  T stretch{}, shear{}, bend{}, twist{};
};

template <class T>
LS_HD constexpr Modes<T>& operator+=(Modes<T>& a, const Modes<T>& b) {
  return a = {a.stretch + b.stretch, a.shear + b.shear, a.bend + b.bend, a.twist + b.twist};
}
template <class T>
LS_HD constexpr T total(const Modes<T>& m) {
  return m.stretch + m.shear + m.bend + m.twist;
}

}  // namespace ls::inline LS_ISA
