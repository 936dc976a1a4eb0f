#pragma once
#include "math/frame.h"
#include "physics/cuboid_magnet.h"
#include "physics/cylinder_magnet.h"

#include <variant>

// Magnets and coils as exact fields: each has `field`, B in its own axes about its centre, for any number type, so that
// Duals give its derivatives. Inside a body B is that of the magnetised matter, mu0 (H + M).
namespace ls::inline LS_ISA {

inline constexpr double mu0 = 4e-7 * std::numbers::pi;  // T m/A

struct CuboidMagnet {
  CuboidShape shape;
  Vec3<double> magnetisation{};  // A/m
  template <class T>
  Vec3<T> field(const Vec3<T>& x) const {
    return mu0 * cuboid_field(shape, magnetisation, x);
  }
};

struct CylinderMagnet {
  CylinderShape shape;  // about z
  Vec3<double> magnetisation{};
  template <class T>
  Vec3<T> field(const Vec3<T>& x) const {
    return mu0 * cylinder_field(shape, magnetisation, x);
  }
};

struct PointDipole {
  Vec3<double> moment{};  // A m^2
  template <class T>
  Vec3<T> field(const Vec3<T>& x) const {
    return mu0 * dipole_field(moment, x);
  }
};

// Outside, that of a dipole at its centre; inside, 2/3 mu0 M everywhere (Jackson, Classical Electrodynamics, 5.10).
struct SphereMagnet {
  double radius = 1;  // m
  Vec3<double> magnetisation{};
  template <class T>
  Vec3<T> field(const Vec3<T>& x) const {
    const T r2 = dot(x, x);
    if (value_of(r2) < radius * radius) {
      const Vec3<double> b = (mu0 * 2 / 3) * magnetisation;
      return {T(b.x), T(b.y), T(b.z)};
    }
    const double volume = 4 * std::numbers::pi / 3 * radius * radius * radius;
    return mu0 * dipole_field(volume * magnetisation, x);
  }
};

// A thin wire around a circle about z, in the right-handed sense.
struct CurrentLoop {
  double radius = 1;   // m
  double current = 0;  // A, times the number of turns
  template <class T>
  Vec3<T> field(const Vec3<T>& x) const {
    const auto loop = loop_field(radius, T(x.x * x.x + x.y * x.y), x.z);
    return (mu0 * current) * Vec3<T>{x.x * loop.g, x.y * loop.g, loop.f};
  }
};

// Turns wound evenly and thinly around a cylinder about z: a sheet of current, which has the field of a magnet
// magnetised along its axis by current per length.
struct Coil {
  CylinderShape shape;
  double current = 0;  // A, times the number of turns
  template <class T>
  Vec3<T> field(const Vec3<T>& x) const {
    return mu0 * cylinder_field(shape, {0, 0, current / (2 * shape.half)}, x);
  }
};

using Magnet = std::variant<CuboidMagnet, CylinderMagnet, SphereMagnet, PointDipole, CurrentLoop, Coil>;

// B of a magnet that stands at a pose, in world axes.
template <class Body, class T>
Vec3<T> field_at(const Body& body, const Frame<double>& pose, const Vec3<T>& x) {
  return rotate(pose.q, body.field(rotate(conj(pose.q), x - pose.x)));
}

}  // namespace ls::inline LS_ISA
