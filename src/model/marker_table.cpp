#include "model/marker_table.h"

namespace ls {

MarkerFlow::MarkerFlow(std::size_t markers, bool spin) : spins(spin ? markers : 0) {
  for (Column& c : u) c.resize(markers);
  for (Column& c : resistance) c.resize(markers);
}

MarkerFlow::Point MarkerFlow::point(std::size_t i) const {
  const auto& r = resistance;
  return {{u[0][i], u[1][i], u[2][i]}, {r[0][i], r[1][i], r[2][i], r[3][i], r[4][i], r[5][i]}};
}

void MarkerFlow::set(std::size_t i, const Point& p) {
  u[0][i] = p.u.x, u[1][i] = p.u.y, u[2][i] = p.u.z;
  const Sym3& r = p.resistance;
  resistance[0][i] = r.xx, resistance[1][i] = r.yy, resistance[2][i] = r.zz;
  resistance[3][i] = r.yz, resistance[4][i] = r.xz, resistance[5][i] = r.xy;
}

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
