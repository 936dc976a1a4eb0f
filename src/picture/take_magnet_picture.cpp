#include "picture/take_magnet_picture.h"

#include <cmath>
#include <numbers>

namespace ls {

namespace {

using V = Vec3<double>;

Snapshot::Triple as_triple(const V& a) {
  return {a.x, a.y, a.z};
}

// Draws in the magnet's own axes.
class MagnetOutline {
 public:
  explicit MagnetOutline(const Frame<double>& pose) : pose_(pose) { out_.centre = as_triple(pose.x); }

  void operator()(const CuboidMagnet& m) {
    const V h = m.shape.half;
    for (const double a : {-1.0, 1.0})
      for (const double b : {-1.0, 1.0}) {
        line({-h.x, a * h.y, b * h.z}, {h.x, a * h.y, b * h.z});
        line({a * h.x, -h.y, b * h.z}, {a * h.x, h.y, b * h.z});
        line({a * h.x, b * h.y, -h.z}, {a * h.x, b * h.y, h.z});
      }
    north(m.magnetisation);
  }
  void operator()(const CylinderMagnet& m) {
    tube(m.shape);
    north(m.magnetisation);
  }
  void operator()(const SphereMagnet& m) {
    circle(m.radius, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    circle(m.radius, {0, 0, 0}, {0, 1, 0}, {0, 0, 1});
    circle(m.radius, {0, 0, 0}, {0, 0, 1}, {1, 0, 0});
    north(m.magnetisation);
  }
  void operator()(const PointDipole& m) { north(m.moment); }
  void operator()(const CurrentLoop& m) {
    circle(m.radius, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    north({0, 0, m.current});
  }
  void operator()(const Coil& m) {
    tube(m.shape);
    circle(m.shape.radius, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    north({0, 0, m.current});
  }
  PictureMagnet take() { return std::move(out_); }

 private:
  void line(const V& a, const V& b) {
    out_.lines.push_back({as_triple(pose_.x + rotate(pose_.q, a)), as_triple(pose_.x + rotate(pose_.q, b))});
  }
  void circle(double r, const V& at, const V& x, const V& y) {
    constexpr int parts = 36;
    const auto point = [&](int k) {
      const double phi = 2 * std::numbers::pi * k / parts;
      return at + r * (std::cos(phi) * x + std::sin(phi) * y);
    };
    for (int k = 0; k < parts; ++k) line(point(k), point(k + 1));
  }
  void tube(const CylinderShape& shape) {
    for (const double end : {-shape.half, shape.half}) circle(shape.radius, {0, 0, end}, {1, 0, 0}, {0, 1, 0});
    for (const V& side : {V{1, 0, 0}, V{0, 1, 0}, V{-1, 0, 0}, V{0, -1, 0}})
      line(shape.radius * side - V{0, 0, shape.half}, shape.radius * side + V{0, 0, shape.half});
  }
  void north(const V& m) {
    const double size = norm(m);
    if (size > 0) out_.north = as_triple(rotate(pose_.q, (1 / size) * m));
  }

  Frame<double> pose_;
  PictureMagnet out_;
};

}  // namespace

PictureMagnet take_magnet_picture(const Magnet& magnet, const Frame<double>& pose) {
  MagnetOutline outline(pose);
  std::visit(outline, magnet);
  return outline.take();
}

}  // namespace ls
