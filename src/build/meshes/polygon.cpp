#include "build/meshes/mesh_file.h"
#include "math/across.h"

#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;
using Triangles = std::vector<std::array<int, 3>>;
constexpr std::size_t most_clipped = 5000;  // corners: each ear is held against all of them

struct Flat {
  double x = 0, y = 0;
};

double twice_area(const Flat& a, const Flat& b, const Flat& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The corners in the plane whose normal is that of the whole polygon (Newell's: sum of cross products), which it turns
// about the right way round.
std::vector<Flat> flattened(const std::vector<int>& corners, const std::vector<V>& points) {
  V normal{};
  const V& first = points[corners[0]];
  for (std::size_t k = 1; k + 1 < corners.size(); ++k)
    normal += cross(points[corners[k]] - first, points[corners[k + 1]] - first);
  if (!(norm(normal) > 0)) return {};
  const V z = normalized(normal), x = any_across(z), y = cross(z, x);
  std::vector<Flat> flat;
  flat.reserve(corners.size());
  for (const int c : corners) flat.push_back({dot(points[c] - first, x), dot(points[c] - first, y)});
  return flat;
}

double whole_area(const std::vector<Flat>& p) {
  double sum = 0;
  for (std::size_t k = 1; k + 1 < p.size(); ++k) sum += twice_area(p[0], p[k], p[k + 1]);
  return sum;
}

class Clipper {
 public:
  Clipper(const std::vector<int>& corners, const std::vector<Flat>& flat) : corners_(corners), flat_(flat) {
    for (std::size_t k = 0; k < corners.size(); ++k) left_.push_back(k);
    least_ = 1e-12 * whole_area(flat);
  }

  Triangles triangles() {
    Triangles all;
    while (left_.size() > 3) {
      const std::size_t ear = next_ear();
      if (ear == left_.size()) return {};
      all.push_back(triangle(ear));
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    if (!(area(1) > least_)) return {};
    all.push_back(triangle(1));
    return all;
  }

 private:
  std::size_t before(std::size_t k) const { return left_[(k + left_.size() - 1) % left_.size()]; }
  std::size_t after(std::size_t k) const { return left_[(k + 1) % left_.size()]; }
  double area(std::size_t k) const { return twice_area(flat_[before(k)], flat_[left_[k]], flat_[after(k)]); }
  std::array<int, 3> triangle(std::size_t k) const {
    return {corners_[before(k)], corners_[left_[k]], corners_[after(k)]};
  }
  std::size_t next_ear() const {
    for (std::size_t k = 0; k < left_.size(); ++k)
      if (is_ear(k)) return k;
    return left_.size();
  }
  // It bulges outwards, and no other corner lies in it or on the cut.
  bool is_ear(std::size_t k) const {
    if (!(area(k) > least_)) return false;
    const Flat &a = flat_[before(k)], &b = flat_[left_[k]], &c = flat_[after(k)];
    for (const std::size_t other : left_) {
      if (other == before(k) || other == left_[k] || other == after(k)) continue;
      const Flat& p = flat_[other];
      if (twice_area(a, b, p) >= 0 && twice_area(b, c, p) >= 0 && twice_area(c, a, p) >= -least_) return false;
    }
    return true;
  }

  const std::vector<int>& corners_;
  const std::vector<Flat>& flat_;
  std::vector<std::size_t> left_;  // corners that are not cut off yet, by their place in the polygon
  double least_ = 0;               // twice the smallest area of a triangle
};

bool proper_crossing(const Flat& a, const Flat& b, const Flat& c, const Flat& d) {
  return twice_area(a, b, c) * twice_area(a, b, d) < 0 && twice_area(c, d, a) * twice_area(c, d, b) < 0;
}

bool crosses_itself(const std::vector<Flat>& p) {
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j)
      if ((j + 1) % n != i && proper_crossing(p[i], p[i + 1], p[j], p[(j + 1) % n])) return true;
  return false;
}

}  // namespace

Triangles triangulated(const std::vector<int>& corners, const std::vector<V>& points) {
  if (corners.size() == 3) return {{corners[0], corners[1], corners[2]}};
  const std::vector<Flat> flat = flattened(corners, points);
  if (flat.empty()) return {};
  Triangles fan;
  bool convex = true;
  for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
    fan.push_back({corners[0], corners[k], corners[k + 1]});
    convex = convex && twice_area(flat[0], flat[k], flat[k + 1]) > 0;
  }
  if (corners.size() > most_clipped) return convex ? fan : Triangles{};
  if (crosses_itself(flat)) return {};
  return convex ? fan : Clipper(corners, flat).triangles();
}

}  // namespace ls
