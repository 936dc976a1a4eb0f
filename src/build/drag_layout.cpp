#include "build/drag_layout.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

// Pieces of a uniform rod differ by rounding only (of places, beside which a bond of a long rod is short); made one,
// they go in packs.
bool nearly(const DragPiece& a, const DragPiece& b) {
  const auto near = [](double x, double y, double scale) { return std::abs(x - y) <= 1e-9 * std::abs(scale); };
  return near(a.law.across, b.law.across, a.law.across) && near(a.law.along, b.law.along, a.law.along) &&
         near(a.law.tumble, b.law.tumble, a.law.tumble) && near(a.law.spin, b.law.spin, a.law.spin) &&
         near(a.axis.x, b.axis.x, 1) && near(a.axis.y, b.axis.y, 1) && near(a.axis.z, b.axis.z, 1);
}

void add_rod(const Body& rod, const Nodes& nodes, double viscosity, std::vector<DragPiece>& pieces) {
  const double ratio = slenderness(rod);
  const std::size_t n = rod.nodes.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i > 0 ? i - 1 : 0, after = std::min(i + 1, n - 1);
    const auto at = [&](std::size_t k) { return nodes.frame(rod.nodes[k]); };
    const V tangent = normalized(at(after).x - at(before).x);
    DragPiece piece{rod.nodes[i], rotate(conj(at(i).q), tangent),
                    slender_drag(viscosity, ratio, rod.flow_radius[i], 0.5 * (rod.arc[after] - rod.arc[before]))};
    if (i > 0 && nearly(pieces.back(), piece)) piece = {piece.node, pieces.back().axis, pieces.back().law};
    pieces.push_back(piece);
  }
}

}  // namespace

bool has_known_drag(const Body& body) {
  return !body.flow_radius.empty();
}

double slenderness(const Body& rod) {
  double sum = 0;  // of the radius along the rod
  for (std::size_t i = 0; i + 1 < rod.arc.size(); ++i)
    sum += 0.5 * (rod.flow_radius[i] + rod.flow_radius[i + 1]) * (rod.arc[i + 1] - rod.arc[i]);
  return rod.arc.back() * rod.arc.back() / sum;
}

std::vector<DragPiece> lay_drag(const Model& model, const Nodes& nodes, double viscosity) {
  std::vector<DragPiece> pieces;
  for (const Body& body : model.bodies) {
    if (!has_known_drag(body)) continue;
    if (body.kind == BodyKind::rod)
      add_rod(body, nodes, viscosity, pieces);
    else
      pieces.push_back({body.nodes[0], {0, 0, 1}, ball_drag(viscosity, body.flow_radius[0])});
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const DragPiece& a, const DragPiece& b) { return a.node < b.node; });
  return pieces;
}

}  // namespace ls
