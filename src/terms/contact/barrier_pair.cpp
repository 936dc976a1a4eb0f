#include "terms/contact/barrier_pair.h"

#include "math/component.h"
#include "terms/contact/lever_stiffness.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

constexpr int rows = PairPush::rows;

using V = Vec3<double>;

// Directions in which the nearest place is free to slide: how the weights change along them, and `between` with them.
struct Slides {
  int count = 0;
  double change[2][4] = {};
  V direction[2];
};
Slides slides_of(const ShapePair& pair, const Nearness& n, const std::vector<V>& at) {
  Slides s;
  const auto add = [&](int from, int to) {  // the place on b moves from one corner towards another
    s.change[s.count][from] = 1, s.change[s.count][to] = -1;
    s.direction[s.count] = at[n.point[from]] - at[n.point[to]];
    ++s.count;
  };
  const auto free = [&](int k) { return n.weight[k] != 0; };
  if (pair.kind == PairKind::edges) add(1, 0), add(2, 3);
  if (pair.kind == PairKind::point_edge && free(1) && free(2)) add(1, 2);
  if (pair.kind == PairKind::point_triangle) {
    int corner[3], corners = 0;
    for (int k = 1; k < 4; ++k)
      if (free(k)) corner[corners++] = k;
    for (int k = 1; k < corners; ++k) add(corner[0], corner[k]);
  }
  return s;
}

// (a.a)^-1 over the directions.
struct Inverse {
  double of[2][2] = {};
};
Inverse inverse_of(const Slides& s) {
  Inverse inverse;
  if (s.count == 1) {
    inverse.of[0][0] = 1 / dot(s.direction[0], s.direction[0]);
  } else if (s.count == 2) {
    const double a = dot(s.direction[0], s.direction[0]), b = dot(s.direction[0], s.direction[1]),
                 c = dot(s.direction[1], s.direction[1]), d = a * c - b * b;
    inverse.of[0][0] = c / d, inverse.of[1][1] = a / d, inverse.of[0][1] = inverse.of[1][0] = -b / d;
  }
  return inverse;
}

// b'' n n^T + b' d2(distance): the distance is the least over the slides, so that with p = between, W its weights and F
// the derivative of a.p = 0 for each direction a,  d2(p^2/2) = W^T W - F (a.a)^-1 F^T.
void add_point_stiffness(const ShapePair& pair, const Nearness& n, const std::vector<V>& at, const V& normal,
                         double slope, double curvature, double* h) {
  const Slides s = slides_of(pair, n, at);
  V f[2][4];
  for (int j = 0; j < s.count; ++j)
    for (int k = 0; k < n.count; ++k) f[j][k] = n.weight[k] * s.direction[j] + s.change[j][k] * n.between;
  const Inverse inverse = inverse_of(s);
  const double bend = slope / n.distance;
  for (int k = 0; k < n.count; ++k)
    for (int l = 0; l < n.count; ++l) {
      const double w = n.weight[k] * n.weight[l];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          const double nn = component(normal, r) * component(normal, c);
          double q = r == c ? w : 0.0;
          for (int i = 0; i < s.count; ++i)
            for (int j = 0; j < s.count; ++j) q -= inverse.of[i][j] * component(f[i][k], r) * component(f[j][l], c);
          h[rows * (3 * k + r) + 3 * l + c] += curvature * w * nn + bend * (q - w * nn);
        }
    }
}

EdgeWindow window_of(const V& a, const V& b, double radii, double reach) {
  const double near = radii + reach, la = norm(a), lb = norm(b);
  const double sine = near / std::max(la, lb);
  return {std::min(0.5, near / la), std::min(0.5, near / lb), std::clamp(sine * sine, 1e-6, 0.1)};
}

bool push_of_edges(const Nearness& n, const std::vector<V>& at, const Barrier& barrier, PairPush& out, double* h) {
  const double s = n.weight[1], t = -n.weight[3];
  if (!(s > 0 && s < 1 && t > 0 && t < 1)) return false;  // points against edges do it
  const auto place = [&](int k) { return at[n.point[k]]; };
  const V a0 = place(0), a1 = place(1), b0 = place(2), b1 = place(3);
  const V u = a1 - a0, v = b1 - b0;
  const double a = dot(u, u), e = dot(v, v), b = dot(u, v);
  if (!(a * e - b * b > 1e-12 * a * e)) return false;
  const EdgeWindow window = window_of(u, v, n.radii, barrier.reach);
  if (!h) {
    const auto p = edge_push(barrier, window, n.radii, a0, a1, b0, b1);
    out.energy = p.energy;
    for (int k = 0; k < 3; ++k) out.slope[k] = p.slope[k];
  } else {
    using D = Dual<double, 9>;
    const auto variable = [](const V& p, int first) {
      return Vec3<D>{D::variable(p.x, first), D::variable(p.y, first + 1), D::variable(p.z, first + 2)};
    };
    const auto p = edge_push(barrier, window, n.radii, variable(a0, 0), variable(a1, 3), variable(b0, 6),
                             Vec3<D>{D(b1.x), D(b1.y), D(b1.z)});
    out.energy = p.energy.val;
    for (int k = 0; k < 3; ++k) {
      out.slope[k] = {p.slope[k].x.val, p.slope[k].y.val, p.slope[k].z.val};
      const D* const row[3] = {&p.slope[k].x, &p.slope[k].y, &p.slope[k].z};
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 9; ++c) h[rows * (3 * k + r) + c] += row[r]->d[c];
    }
    // The last point takes what makes the whole indifferent to shifts.
    for (int r = 0; r < 9; ++r)
      for (int c = 0; c < 3; ++c) h[rows * r + 9 + c] = -(h[rows * r + c] + h[rows * r + 3 + c] + h[rows * r + 6 + c]);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < rows; ++c)
        h[rows * (9 + r) + c] = -(h[rows * r + c] + h[rows * (3 + r) + c] + h[rows * (6 + r) + c]);
  }
  out.slope[3] = -(out.slope[0] + out.slope[1] + out.slope[2]);
  out.normal_force = norm(out.slope[0] + out.slope[1]);
  return out.energy > 0;
}

void push_of_hollow(const Shapes& shapes, const ShapePair& pair, const Nearness& n, const std::vector<V>& at,
                    const Nodes& nodes, double slope, double curvature, bool projected, PairPush& out, double* h) {
  const Hollow& hollow = shapes.hollows[pair.b];
  const auto f = nodes.frame(hollow.node);
  const V p = at[pair.a];
  const OnHollow on = distance_from(hollow, f, p);
  out.normal = on.normal;
  out.slope[0] = slope * on.normal, out.slope[1] = -slope * on.normal;
  out.node[1] = hollow.node, out.lever[1] = p - f.x, out.weight[1] = -1, out.radius[1] = -n.distance;
  out.count = 2;
  if (!h) return;
  const double r = hollow.radius - n.distance;  // the surface of a sphere or a cylinder curves towards the point
  const V axis = rotate(f.q, hollow.axis), around = cross(axis, on.normal);
  for (int row = 0; row < 3; ++row)
    for (int c = 0; c < 3; ++c) {
      const double nn = component(on.normal, row) * component(on.normal, c);
      double bend = 0;
      if (hollow.kind == HollowKind::sphere && r > 0) bend = -((row == c ? 1.0 : 0.0) - nn) / r;
      if (hollow.kind == HollowKind::cylinder && r > 0) bend = -component(around, row) * component(around, c) / r;
      const double value = curvature * nn + (projected ? 0 : slope * bend);
      for (int k = 0; k < 2; ++k)
        for (int l = 0; l < 2; ++l) h[rows * (3 * k + row) + 3 * l + c] += k == l ? value : -value;
    }
}

}  // namespace

bool push_of(const Shapes& shapes, const NearPair& which, const std::vector<V>& at, const Nodes& nodes,
             const Barrier& barrier, PairPush& out, double* stiffness, bool projected) {
  const ShapePair& pair = which.pair;
  const Nearness& n = which.near;
  out.gap = n.gap();
  if (!(out.gap < barrier.reach)) return false;
  out.count = n.count;
  for (int k = 0; k < n.count; ++k) {
    const ShapePoint& p = shapes.points[n.point[k]];
    out.node[k] = p.node;
    out.lever[k] = at[n.point[k]] - nodes.frame(p.node).x;
    out.weight[k] = n.weight[k];
    out.radius[k] = p.radius;
  }
  if (stiffness) std::fill_n(stiffness, rows * rows, 0.0);
  const V normal = (1 / n.distance) * n.between;
  out.normal = normal;
  if (pair.kind == PairKind::edges) {
    if (!push_of_edges(n, at, barrier, out, projected ? nullptr : stiffness)) return false;
    if (stiffness && projected) {
      const double share = out.energy / barrier_energy(barrier, out.gap);
      add_point_stiffness(pair, n, at, normal, 0, share * barrier_curvature(barrier, out.gap), stiffness);
    }
    return true;
  }
  const double slope = barrier_slope(barrier, out.gap), curvature = stiffness ? barrier_curvature(barrier, out.gap) : 0;
  out.energy = barrier_energy(barrier, out.gap);
  out.normal_force = -slope;
  if (pair.kind == PairKind::point_hollow) {
    push_of_hollow(shapes, pair, n, at, nodes, slope, curvature, projected, out, stiffness);
    return true;
  }
  for (int k = 0; k < n.count; ++k) out.slope[k] = (slope * n.weight[k]) * normal;
  if (stiffness) add_point_stiffness(pair, n, at, normal, projected ? 0 : slope, curvature, stiffness);
  return true;
}

bool has_rigid_sides(const Shapes& shapes, const NearPair& which) {
  const Nearness& n = which.near;
  if (which.pair.kind == PairKind::point_hollow) return false;
  const int of_a = which.pair.kind == PairKind::edges ? 2 : 1;
  const auto node = [&](int k) { return shapes.points[n.point[k]].node; };
  for (int k = 1; k < n.count; ++k)
    if (k != of_a && node(k) != node(k - 1)) return false;
  return node(0) != node(of_a);
}

bool add_rigid_stiffness(const NearPair& which, const std::vector<V>& at, const Barrier& barrier, const PairPush& push,
                         bool projected, BlockMatrix& out) {
  const Nearness& n = which.near;
  const bool crosses = which.pair.kind == PairKind::edges;
  const double share = crosses ? push.energy / barrier_energy(barrier, push.gap) : 1;
  if (crosses && !projected && std::abs(share - 1) > 1e-12) return false;  // the window has slopes
  const int of_a = crosses ? 2 : 1;
  TwoPlaces places{push.node[0], push.node[of_a], {}, {}};
  for (int k = 0; k < n.count; ++k) {
    V& lever = k < of_a ? places.lever_a : places.lever_b;
    lever += std::abs(n.weight[k]) * push.lever[k];
  }
  const double curvature = share * barrier_curvature(barrier, push.gap);
  const double bend = projected ? 0 : barrier_slope(barrier, push.gap) / n.distance;
  double m[3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      const double nn = component(push.normal, r) * component(push.normal, c);
      m[r][c] = (curvature - bend) * nn + (r == c ? bend : 0.0);
    }
  add_between(places, m, out);
  if (projected) return true;
  const Slides s = slides_of(which.pair, n, at);
  const Inverse inverse = inverse_of(s);
  TwoForms form[2] = {};
  for (int j = 0; j < s.count; ++j)
    for (int k = 0; k < n.count; ++k) {
      const V f = n.weight[k] * s.direction[j] + s.change[j][k] * n.between, turn = cross(push.lever[k], f);
      double* const to = k < of_a ? form[j].a : form[j].b;
      const double row[BlockMatrix::width] = {f.x, f.y, f.z, turn.x, turn.y, turn.z};
      for (int r = 0; r < BlockMatrix::width; ++r) to[r] += row[r];
    }
  for (int i = 0; i < s.count; ++i)
    for (int j = 0; j <= i; ++j) add_product(places.a, places.b, form[i], form[j], -bend * inverse.of[i][j], out);
  return true;
}

}  // namespace ls
