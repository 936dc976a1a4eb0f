#include "fluid/immersed/marker_layout.h"

#include "fluid/immersed/grid_radius.h"
#include "fluid/immersed/rod_ends.h"
#include "fluid/immersed/stencil.h"
#include "math/across.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

namespace ls {

namespace {

using V = Vec3<double>;
using std::numbers::pi;

constexpr double farthest_apart = 0.8;  // cells between neighbouring markers

// The bonds of a body.
std::vector<std::pair<int, int>> bonds_of(const Model& m, int body) {
  std::vector<std::pair<int, int>> bonds;
  for (const BondTable& table : m.bond_tables)
    for (const BondEntry& b : table.bonds)
      if (m.body_of[b.node1] == body) bonds.emplace_back(b.node1, b.node2);
  return bonds;
}

class Layout {
 public:
  Layout(const Model& m, const Nodes& nodes, const FluidSettings& fluid)
      : m_(m),
        nodes_(nodes),
        fluid_(fluid),
        grid_(grid_radius(fluid.kernel)),
        bonds_at_(static_cast<std::size_t>(m.nodes), 0) {
    for (const BondTable& table : m.bond_tables)
      for (const BondEntry& b : table.bonds) ++bonds_at_[b.node1], ++bonds_at_[b.node2];
  }

  void add_rod(int body) {
    const Body& b = m_.bodies[body];
    const double per_length = mass_per_length(b);
    const double radius[2] = {radius_of(b, 0), radius_of(b, b.nodes.size() - 1)};
    std::vector<double> arc{0.0};  // [its node] m
    for (std::size_t k = 0; k + 1 < b.nodes.size(); ++k) arc.push_back(arc.back() + norm(step(b, k)));
    const RodEnds ends = rod_ends(bonds_at_, b, nodes_, fluid_, {arc.back(), {radius[0], radius[1]}});
    add_cap(body, ends, 0, radius[0]);
    const std::size_t first = markers_.size();
    constexpr double far = std::numeric_limits<double>::infinity();
    const double low = ends.cut[0] > 0 ? ends.cut[0] : -far;  // of the line, along the rod
    const double high = ends.cut[1] > 0 ? arc.back() - ends.cut[1] : far;
    for (std::size_t k = 0; k < b.nodes.size(); ++k) {
      const V back = k > 0 ? step(b, k - 1) : V{}, ahead = k + 1 < b.nodes.size() ? step(b, k) : V{};
      const V t = (1 / std::max(norm(back + ahead), 1e-300)) * (back + ahead);
      if (std::max(norm(back), norm(ahead)) <= farthest_apart * fluid_.spacing) {
        const double from = 0.5 * (arc[k > 0 ? k - 1 : k] + arc[k]);
        const double to = 0.5 * (arc[k] + arc[k + 1 < b.nodes.size() ? k + 1 : k]);
        const double off = std::clamp(low - from, 0.0, to - from) + std::clamp(to - high, 0.0, to - from);
        if (off < (1 - 1e-9) * (to - from))
          add_station(body, radius_of(b, k), {{{b.nodes[k], 1, {}}}}, 1, t, b.weight[k] - off, per_length);
      } else if (k + 1 < b.nodes.size()) {
        const int parts = std::max(2, static_cast<int>(std::ceil(norm(ahead) / (farthest_apart * fluid_.spacing))));
        const double left = (low - arc[k]) / norm(ahead), right = (high - arc[k]) / norm(ahead);  // likewise, of it
        for (int p = 0; p < parts; ++p) {
          const double from = p / static_cast<double>(parts), to = (p + 1) / static_cast<double>(parts);
          const double start = std::max(from, left), end = std::min(to, right);
          if (!(end - start > 1e-9 * (to - from))) continue;
          const bool whole = start == from && end == to;
          const double u = whole ? (p + 0.5) / parts : 0.5 * (start + end);
          add_station(body, (1 - u) * radius_of(b, k) + u * radius_of(b, k + 1),
                      {{{b.nodes[k], 1 - u, {}}, {b.nodes[k + 1], u, {}}}}, 2, (1 / norm(ahead)) * ahead,
                      whole ? norm(ahead) / parts : norm(ahead) * (end - start), per_length);
        }
      }
    }
    choose_stations(first);
    add_cap(body, ends, 1, radius[1]);
  }

  // Struts between any two nodes.
  void add_network(int body) {
    const Body& b = m_.bodies[body];
    const auto bonds = bonds_of(m_, body);
    double mass = 0, length = 0;
    for (const int node : b.nodes) mass += m_.mass[node];
    for (const auto& [i, j] : bonds) length += norm(nodes_.frame(j).x - nodes_.frame(i).x);
    for (const auto& [i, j] : bonds) {
      const V step = nodes_.frame(j).x - nodes_.frame(i).x;
      const double r = m_.radius[i];
      const int parts = std::max(1, static_cast<int>(std::ceil(norm(step) / (farthest_apart * fluid_.spacing))));
      for (int p = 0; p < parts; ++p) {
        const double u = (p + 0.5) / parts;
        add_station(body, r, {{{i, 1 - u, {}}, {j, u, {}}}}, 2, (1 / norm(step)) * step, norm(step) / parts,
                    mass / length);
      }
    }
  }

  void add_points(int body) {
    for (const int node : m_.bodies[body].nodes) {
      Marker marker = marker_at(body, {{{node, 1, {}}}}, 1, MarkerKind::point);
      marker.measure = 1;
      marker.radius = m_.radius[node];
      markers_.push_back(marker);
    }
  }

  // Evenly, along a spiral from pole to pole.
  void add_ball(int body) {
    const int node = m_.bodies[body].nodes.front();
    const double a = m_.radius[node];
    if (a <= grid_.point * fluid_.spacing) return add_points(body);
    const double inner = retracted(a);
    const double apart = farthest_apart * fluid_.spacing;
    const int count = std::max(12, static_cast<int>(std::ceil(4 * pi * inner * inner / (apart * apart))));
    const std::size_t first = markers_.size();
    for (int k = 0; k < count; ++k) {
      const double z = 1 - (2 * k + 1.0) / count, r = std::sqrt(1 - z * z), phi = k * pi * (3 - std::sqrt(5.0));
      const V offset = inner * V{r * std::cos(phi), r * std::sin(phi), z};
      Marker marker = marker_at(body, {{{node, 1, offset}}}, 1, MarkerKind::surface);
      marker.measure = 4 * pi * inner * inner / count;
      markers_.push_back(marker);
    }
    share_mass(first, m_.mass[node]);
  }

  // Patches of the triangles that are drawn: of a rigid body they lie a little within it, a shell is as thin as drawn.
  void add_triangles(int body) {
    const bool is_rigid = m_.bodies[body].kind == BodyKind::rigid;
    const std::size_t first = markers_.size();
    double mass = 0;
    for (const auto& triangle : m_.skin.triangles) {
      const SkinPoint* p[3];
      for (std::size_t k = 0; k < 3; ++k) p[k] = &m_.skin.points[triangle[k]];
      if (m_.body_of[p[0]->node] != body) continue;
      V x[3];
      for (int k = 0; k < 3; ++k) x[k] = place(*p[k]);
      const V normal = cross(x[1] - x[0], x[2] - x[0]);
      const double area = 0.5 * norm(normal);
      if (area == 0) continue;
      const V inwards = (is_rigid ? -retraction(body) / norm(normal) : 0.0) * normal;
      add_patches(body, p, x, inwards, area);
    }
    for (const int node : m_.bodies[body].nodes) mass += m_.mass[node];
    share_mass(first, mass);
  }

  std::vector<Marker> take() { return std::move(markers_); }

 private:
  // Of the markers of a line from `first` on, only some that are as far apart as others may be meet the fluid.
  void choose_stations(std::size_t first) {
    const std::size_t end = markers_.size();
    if (std::any_of(markers_.begin() + static_cast<std::ptrdiff_t>(first), markers_.end(),
                    [](const Marker& m) { return m.kind != MarkerKind::line; }))
      return;
    std::vector<double> arc{0.0};  // m, from the first
    for (std::size_t k = first + 1; k < end; ++k)
      arc.push_back(arc.back() + norm(marker_place(markers_[k], nodes_) - marker_place(markers_[k - 1], nodes_)));
    for (std::size_t at = first, next = first; at + 1 < end; at = next) {
      const auto length = [&](std::size_t k) { return arc[k - first] - arc[at - first]; };
      for (next = at + 1; next + 1 < end && length(next + 1) <= (1 + 1e-9) * farthest_apart * fluid_.spacing;) ++next;
      for (std::size_t k = at + 1; k < next; ++k) {
        markers_[k].before = static_cast<int>(k - at);
        markers_[k].after = static_cast<int>(next - k);
        markers_[k].share = length(k) / length(next);
      }
    }
  }

  using Anchors = std::array<MarkerAnchor, 3>;

  // Where a rod ends (side 0 or 1): what drags along its axis beyond the line that is cut there.
  void add_cap(int body, const RodEnds& ends, std::size_t side, double r) {
    if (ends.cap[side] == 0) return;
    const Body& b = m_.bodies[body];
    const V along = side == 0 ? step(b, 0) : step(b, b.nodes.size() - 2);
    const V outwards = ((side == 0 ? -1 : 1) / norm(along)) * along;
    const int node = side == 0 ? b.nodes.front() : b.nodes.back();
    const Quat<double> to_own = conj(nodes_.frame(node).q);
    const V offset = rotate(to_own, (0.5 * ends.cap[side] - ends.cut[side]) * outwards);
    Marker marker = marker_at(body, {{{node, 1, offset}}}, 1, MarkerKind::line);
    marker.is_cap = true;
    marker.tangent = rotate(to_own, outwards);
    marker.measure = ends.cap[side];
    marker.radius = r;
    markers_.push_back(marker);
  }

  V step(const Body& b, std::size_t k) const { return nodes_.frame(b.nodes[k + 1]).x - nodes_.frame(b.nodes[k]).x; }
  V place(const SkinPoint& p) const {
    const auto f = nodes_.frame(p.node);
    return f.x + rotate(f.q, p.offset);
  }
  double retracted(double radius) const {
    return fluid_.spacing * retracted_ball(fluid_.kernel, radius / fluid_.spacing);
  }
  double retraction(int body) const {
    const int node = m_.bodies[body].nodes.front();
    const double a = m_.radius[node];
    return a - retracted(a) - m_.bodies[body].rounding;
  }

  Marker marker_at(int body, const Anchors& anchors, int count, MarkerKind kind) const {
    Marker marker;
    marker.kind = kind;
    marker.body = body;
    marker.anchors = count;
    for (int k = 0; k < count; ++k) {
      marker.anchor[k] = anchors[k];
      marker.mass += marker.anchor[k].weight * m_.mass[marker.anchor[k].node];
    }
    return marker;
  }

  // One place of a rod's axis: a marker there, or a ring of them around it.
  void add_station(int body, double r, const Anchors& anchors, int count, const V& tangent, double length,
                   double per_length) {
    const double mass = per_length * length;
    if (r < grid_.across * fluid_.spacing || fluid_.coupling != Coupling::friction) {
      Marker marker = marker_at(body, anchors, count, MarkerKind::line);
      marker.tangent = rotate(conj(nodes_.frame(anchors[0].node).q), tangent);
      marker.measure = length;
      marker.radius = r;
      marker.mass = mass;
      markers_.push_back(marker);
      return;
    }
    const double inner = fluid_.spacing * retracted_ring(fluid_.kernel, r / fluid_.spacing);
    const int around = std::max(6, static_cast<int>(std::ceil(2 * pi * inner / (farthest_apart * fluid_.spacing))));
    const V x = any_across(tangent), y = cross(tangent, x);
    for (int k = 0; k < around; ++k) {
      const double phi = 2 * pi * k / around;
      const V offset = inner * (std::cos(phi) * x + std::sin(phi) * y);
      Anchors at = anchors;
      for (int a = 0; a < count; ++a) {
        MarkerAnchor& anchor = at[a];
        anchor.offset = rotate(conj(nodes_.frame(anchor.node).q), offset);
      }
      Marker marker = marker_at(body, at, count, MarkerKind::surface);
      marker.measure = 2 * pi * inner * length / around;
      marker.mass = mass / around;
      markers_.push_back(marker);
    }
  }
  // Of the round rod that slow flow takes it for, whatever its section.
  double radius_of(const Body& b, std::size_t k) const {
    return b.flow_radius.size() == b.nodes.size() ? b.flow_radius[k] : m_.radius[b.nodes[k]];
  }
  double mass_per_length(const Body& b) const {
    double mass = 0, length = 0;
    for (std::size_t k = 0; k < b.nodes.size(); ++k) mass += m_.mass[b.nodes[k]], length += b.weight[k];
    return mass / length;
  }

  void add_patches(int body, const SkinPoint* const (&p)[3], const V (&x)[3], const V& inwards, double area) {
    double longest = 0;
    for (int k = 0; k < 3; ++k) longest = std::max(longest, norm(x[(k + 1) % 3] - x[k]));
    const int n = std::max(1, static_cast<int>(std::ceil(longest / (farthest_apart * fluid_.spacing))));
    const auto add = [&](double a, double b) {  // barycentric
      const double weight[3] = {1 - a - b, a, b};
      Anchors anchors;
      int count = 0;
      if (p[0]->node == p[1]->node && p[0]->node == p[2]->node) {
        const auto f = nodes_.frame(p[0]->node);
        V at = inwards;
        for (int k = 0; k < 3; ++k) at += weight[k] * x[k];
        anchors[0] = {p[0]->node, 1, rotate(conj(f.q), at - f.x)};
        count = 1;
      } else {
        for (std::size_t k = 0; k < 3; ++k) anchors[k] = {p[k]->node, weight[k], p[k]->offset};
        count = 3;
      }
      Marker marker = marker_at(body, anchors, count, MarkerKind::surface);
      marker.measure = area / (n * n);
      markers_.push_back(marker);
    };
    for (int i = 0; i < n; ++i)
      for (int j = 0; i + j < n; ++j) {
        add((i + 1.0 / 3) / n, (j + 1.0 / 3) / n);
        if (i + j + 1 < n) add((i + 2.0 / 3) / n, (j + 2.0 / 3) / n);
      }
  }

  void share_mass(std::size_t first, double mass) {
    double area = 0;
    for (std::size_t k = first; k < markers_.size(); ++k) area += markers_[k].measure;
    for (std::size_t k = first; k < markers_.size(); ++k) markers_[k].mass = mass * markers_[k].measure / area;
  }

  const Model& m_;
  const Nodes& nodes_;
  const FluidSettings& fluid_;
  GridRadius grid_;
  std::vector<int> bonds_at_;  // [node] how many
  std::vector<Marker> markers_;
};

bool is_ball(const Model& m, const Body& b) {
  return std::find(m.skin.balls.begin(), m.skin.balls.end(), b.nodes.front()) != m.skin.balls.end();
}

}  // namespace

std::vector<Marker> lay_markers(const Model& m, const Nodes& nodes, const FluidSettings& fluid,
                                const std::vector<bool>& without) {
  Layout layout(m, nodes, fluid);
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    if (k < without.size() && without[k]) continue;
    const Body& b = m.bodies[k];
    const int body = static_cast<int>(k);
    if (b.kind == BodyKind::rod) layout.add_rod(body);
    if (b.kind == BodyKind::network) layout.add_network(body);
    if (b.kind == BodyKind::shell) layout.add_triangles(body);
    if (b.kind == BodyKind::rigid) is_ball(m, b) ? layout.add_ball(body) : layout.add_triangles(body);
  }
  return layout.take();
}

std::vector<Floating> lay_floating(const Model& m, const Nodes& nodes, const FluidSettings& fluid,
                                   const std::vector<bool>& without) {
  std::vector<Floating> all;
  const auto add = [&](int node, const V& offset, double volume) {
    if (volume > 0) all.push_back({node, offset, fluid.density * volume});
  };
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    if (k < without.size() && without[k]) continue;
    const Body& b = m.bodies[k];
    if (b.kind == BodyKind::rod)
      for (std::size_t i = 0; i < b.nodes.size() && i < b.area.size(); ++i)
        add(b.nodes[i], {}, b.area[i] * b.weight[i]);
    if (b.kind == BodyKind::rigid) add(b.nodes.front(), b.volume_centre, b.volume);
    if (b.kind == BodyKind::network)
      for (const auto& [i, j] : bonds_of(m, static_cast<int>(k))) {
        const double r = m.radius[i];
        const double half = 0.5 * pi * r * r * norm(nodes.frame(j).x - nodes.frame(i).x);
        add(i, {}, half);
        add(j, {}, half);
      }
    if (b.kind != BodyKind::shell) continue;
    for (const auto& triangle : m.skin.triangles) {
      V x[3];
      int node[3];
      for (std::size_t c = 0; c < 3; ++c) {
        const SkinPoint& p = m.skin.points[triangle[c]];
        node[c] = p.node;
        x[c] = nodes.frame(p.node).x;
      }
      if (m.body_of[node[0]] != static_cast<int>(k)) continue;
      const double area = 0.5 * norm(cross(x[1] - x[0], x[2] - x[0]));
      for (const int n : node) add(n, {}, 2 * m.radius[n] * area / 3);
    }
  }
  return all;
}

int first_marker_outside(const std::vector<Marker>& markers, const Nodes& nodes, const Fluid& fluid) {
  const auto& set = fluid.settings();
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const V at = fluid.to_cells(marker_place(markers[i], nodes));
    const double x[3] = {at.x, at.y, at.z};
    for (std::size_t a = 0; a < 3; ++a) {
      constexpr double rounding = 1e-9;
      if (set.faces[a][0] != FaceKind::periodic && !(x[a] >= -rounding && x[a] <= set.cells[a] + rounding))
        return static_cast<int>(i);
    }
  }
  return -1;
}

int markers_near_faces(const std::vector<Marker>& markers, const Nodes& nodes, const Fluid& fluid) {
  const auto& set = fluid.settings();
  int count = 0;
  for (const Marker& m : markers) {
    const V at = fluid.to_cells(marker_place(m, nodes));
    const double x[3] = {at.x, at.y, at.z};
    bool is_near = false;
    for (std::size_t a = 0; a < 3; ++a) {
      const int first = first_cell(set.kernel, x[a]);
      is_near =
          is_near || (set.faces[a][0] != FaceKind::periodic && (first < 0 || first + width(set.kernel) > set.cells[a]));
    }
    count += is_near;
  }
  return count;
}

}  // namespace ls
