#pragma once
// How picture.cpp looks at a configuration: the choice of the view and the projection onto paper.
#include "output/snapshot.h"

#include <cmath>
#include <span>

namespace ls::drawing {

using Vec = Snapshot::Triple;

inline double dot(const Vec& a, const Vec& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vec combine(double p, const Vec& a, double q, const Vec& b) {
  return {p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2]};
}
inline double norm(const Vec& a) {
  return std::sqrt(dot(a, a));
}
inline Vec axis(int k) {
  Vec e{0, 0, 0};
  e[k] = 1;
  return e;
}

struct View {
  Vec right, up, toward;  // toward the viewer; a right-handed triple of unit vectors
};

// The view for these points: in their plane if they lie in one (a world plane before an oblique one), otherwise from a
// corner. The axis nearest to up points up where that leaves a choice.
View choose_view(std::span<const Vec> points, const Vec& up);

struct Point {
  double x, y;  // [pixel] y downwards
};

struct PaperFrame {
  double left, top, right, bottom;  // [pixel]
};

// Orthographic projection that fits points with a margin of radius [m] into a frame.
class Paper {
 public:
  Paper(const View& view, const PaperFrame& frame, std::span<const Vec> points, double radius);

  Point at(const Vec& p) const {
    return {centre_.x + scale_ * (dot(view_.right, p) - middle_.x),
            centre_.y - scale_ * (dot(view_.up, p) - middle_.y)};
  }
  // The place behind a point of the paper at some depth.
  Vec place(const Point& p, double depth) const {
    const Vec flat =
        combine(middle_.x + (p.x - centre_.x) / scale_, view_.right, middle_.y - (p.y - centre_.y) / scale_, view_.up);
    return combine(1, flat, depth, view_.toward);
  }
  double depth(const Vec& p) const { return dot(view_.toward, p); }  // [m] larger is nearer
  double scale() const { return scale_; }                            // pixels per metre
  const View& view() const { return view_; }

 private:
  View view_;
  double scale_ = 1;
  Point middle_{}, centre_{};
};

}  // namespace ls::drawing
