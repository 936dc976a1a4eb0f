#include "fluid/markers.h"

namespace ls {

Vec3<double> marker_place(const Marker& marker, const Nodes& nodes) {
  Vec3<double> x{};
  for (int k = 0; k < marker.anchors; ++k) {
    const MarkerAnchor& a = marker.anchor[k];
    const auto f = nodes.frame(a.node);
    x += a.weight * (f.x + rotate(f.q, a.offset));
  }
  return x;
}

Vec3<double> marker_velocity(const Marker& marker, const Nodes& nodes) {
  Vec3<double> v{};
  for (int k = 0; k < marker.anchors; ++k) {
    const MarkerAnchor& a = marker.anchor[k];
    const auto t = nodes.twist(a.node);
    v += a.weight * (t.v + cross(t.w, rotate(nodes.frame(a.node).q, a.offset)));
  }
  return v;
}

Vec3<double> marker_spin(const Marker& marker, const Nodes& nodes) {
  Vec3<double> w{};
  for (int k = 0; k < marker.anchors; ++k) w += marker.anchor[k].weight * nodes.twist(marker.anchor[k].node).w;
  return w;
}

}  // namespace ls
