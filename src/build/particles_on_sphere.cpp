#include "build/particles_on_sphere.h"

#include "base/error.h"
#include "base/rng.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>

namespace ls {

namespace {

using V = Vec3<double>;
using Cell = std::array<int, 3>;

// Which particles are in which cell of a grid.
class CellGrid {
 public:
  explicit CellGrid(double width) : width_(width) {}
  void add(int i, const V& x) { cells_[cell_of(x)].push_back(i); }
  template <class Visit>
  void for_each_near(const V& x, const Visit& visit) const {
    const Cell c = cell_of(x);
    for (int i = c[0] - 1; i <= c[0] + 1; ++i)
      for (int j = c[1] - 1; j <= c[1] + 1; ++j)
        for (int k = c[2] - 1; k <= c[2] + 1; ++k)
          if (const auto found = cells_.find({i, j, k}); found != cells_.end())
            for (const int p : found->second) visit(p);
  }

 private:
  Cell cell_of(const V& x) const {
    const auto at = [this](double a) { return static_cast<int>(std::floor(a / width_)); };
    return {at(x.x), at(x.y), at(x.z)};
  }
  double width_;
  std::map<Cell, std::vector<int>> cells_;
};

// Beyond so many, the others start on a spiral, and local searches replace those through all of them.
constexpr int many_particles = 5000;

// Evenly along a spiral whose turns are golden angles apart, from above the rim to below the top.
void add_spiral(int count, double radius, double spacing, std::uint64_t seed, std::vector<V>& x) {
  const double first = 2 * std::numbers::pi * uniform(seed, 0, 0, 0), golden = std::numbers::pi * (3 - std::sqrt(5.0));
  const double a = spacing / radius, low = 0.43 * a, high = 1 - 0.33 * a * a;
  for (int k = 0; k < count; ++k) {
    const double z = low + (high - low) * (k + 0.5) / count, r = std::sqrt(1 - z * z), phi = first + golden * k;
    x.push_back({radius * r * std::cos(phi), radius * r * std::sin(phi), radius * z});
  }
}

// Particles on the rim and at the top, which stay where they are, then the others at random, none nearer to another
// than 0.4 of the spacing; very many of them on a spiral.
std::vector<V> scattered(int count, double radius, double spacing, std::uint64_t seed, int fixed) {
  std::vector<V> x;
  const int ring = fixed - 1;
  for (int i = 0; i < ring; ++i) {
    const double phi = 2 * std::numbers::pi * i / ring;
    x.push_back({radius * std::cos(phi), radius * std::sin(phi), 0});
  }
  x.push_back({0, 0, radius});
  if (count > many_particles) {
    add_spiral(count - fixed, radius, spacing, seed, x);
    return x;
  }
  const double nearest = 0.4 * spacing;
  CellGrid grid(nearest);
  for (int i = 0; i < fixed; ++i) grid.add(i, x[i]);
  // A third of the half sphere is taken at the most: a place is found soon.
  for (std::uint64_t id = 0; static_cast<int>(x.size()) < count; ++id) {
    const double z = uniform(seed, 0, id, 0), phi = 2 * std::numbers::pi * uniform(seed, 0, id, 1);
    const double r = std::sqrt(1 - z * z);
    const V p{radius * r * std::cos(phi), radius * r * std::sin(phi), radius * z};
    bool is_free = true;
    grid.for_each_near(p, [&](int j) { is_free = is_free && norm(p - x[j]) >= nearest; });
    if (!is_free) continue;
    grid.add(static_cast<int>(x.size()), p);
    x.push_back(p);
  }
  return x;
}

struct Pair {
  int i, j;
};
std::vector<Pair> pairs_within(const std::vector<V>& x, double reach) {
  CellGrid grid(reach);
  for (std::size_t i = 0; i < x.size(); ++i) grid.add(static_cast<int>(i), x[i]);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < x.size(); ++i)
    grid.for_each_near(x[i], [&](int j) {
      if (static_cast<int>(i) < j && norm(x[i] - x[j]) < reach) pairs.push_back({static_cast<int>(i), j});
    });
  return pairs;
}

// Particles push each other with the force (a/r)^8 r, r < 2.1 a. The paper integrates its motion with a little friction
// for 15000 steps; here the velocity is taken away whenever it goes uphill, which settles within some hundred.
void spread_out(std::vector<V>& x, int fixed, double radius, double a) {
  // From a spiral the distances of neighbours scatter as little after 300 steps as from random places after 1000.
  const int steps = static_cast<int>(x.size()) > many_particles ? 300 : 1500;
  constexpr int every = 20;
  constexpr double cut = 2.1, slack = 0.4, longest = 0.02, done = 1e-7;
  std::vector<V> v(x.size()), f(x.size());
  std::vector<Pair> pairs;
  double dt = 0.02;
  for (int step = 0; step < steps; ++step) {
    if (step % every == 0) pairs = pairs_within(x, (cut + slack) * a);
    std::fill(f.begin(), f.end(), V{});
    for (const auto& [i, j] : pairs) {
      const V r = (1 / a) * (x[j] - x[i]);
      const double r2 = dot(r, r);
      if (r2 >= cut * cut) continue;
      const double s = 1 / (r2 * r2 * r2 * r2);
      f[i] += -s * r;
      f[j] += s * r;
    }
    double power = 0, largest = 0;
    for (std::size_t i = static_cast<std::size_t>(fixed); i < x.size(); ++i) {
      const V n = (1 / radius) * x[i];
      f[i] += -dot(f[i], n) * n;
      v[i] += -dot(v[i], n) * n;
      power += dot(f[i], v[i]);
    }
    dt = power < 0 ? 0.5 * dt : std::min(1.1 * dt, 0.1);
    for (std::size_t i = static_cast<std::size_t>(fixed); i < x.size(); ++i) {
      if (power < 0) v[i] = {};
      v[i] += dt * f[i];
      V move = dt * v[i];  // in spacings
      if (norm(move) > longest) move = (longest / norm(move)) * move;
      largest = std::max(largest, norm(move));
      V to = x[i] + a * move;
      to.z = std::abs(to.z);
      x[i] = (radius / norm(to)) * to;
    }
    if (largest < done && step > every) break;
  }
}

using Face = std::array<int, 3>;

// Above zero where p sees the outside of the face a, b, c.
double height(const V& a, const V& b, const V& c, const V& p) {
  return dot(cross(b - a, c - a), p - a);
}

// With the bottom of the sphere as one more. Particles of the rim lie in one plane: a little disorder decides what
// rounding would.
std::vector<V> disordered(const std::vector<V>& points) {
  std::vector<V> x = points;
  double radius = 0;
  for (const V& p : points) radius = std::max(radius, norm(p));
  x.push_back({0, 0, -radius});
  const int count = static_cast<int>(x.size());
  constexpr double disorder = 1e-9;
  for (int i = 0; i < count; ++i) {
    const auto draw = [i](std::uint64_t k) { return uniform(1, 0, static_cast<std::uint64_t>(i), k) - 0.5; };
    V& p = x[i];
    p += disorder * radius * V{draw(0), draw(1), draw(2)};
    p = (radius / norm(p)) * p;
  }
  return x;
}

// The convex hull without what hangs on the last point: one point after the other is added to it, and sees all faces.
std::vector<Face> hull_by_insertion(const std::vector<V>& x) {
  const int count = static_cast<int>(x.size());
  const auto at = [&](int i) { return x[i]; };
  // Start with a tetrahedron that has the centre inside or not: any will do, as every point lies on the hull.
  Face base{0, count / 3, 2 * count / 3};
  const int tip = count - 1;
  if (height(at(base[0]), at(base[1]), at(base[2]), at(tip)) > 0) std::swap(base[1], base[2]);
  std::vector<Face> faces{base, {base[1], base[0], tip}, {base[2], base[1], tip}, {base[0], base[2], tip}};
  std::vector<int> order;
  for (int i = 0; i < tip; ++i)
    if (std::find(base.begin(), base.end(), i) == base.end()) order.push_back(i);
  for (const int p : order) {
    // The faces that p sees go; their outline and p make new ones.
    std::map<std::pair<int, int>, int> sides;  // seen faces run through it so often, less in the other direction
    std::size_t kept = 0;
    for (const Face& f : faces) {
      if (height(at(f[0]), at(f[1]), at(f[2]), at(p)) > 0) {
        for (std::size_t k = 0; k < 3; ++k) ++sides[{f[k], f[(k + 1) % 3]}];
      } else {
        faces[kept++] = f;
      }
    }
    faces.resize(kept);
    for (const auto& [side, times] : sides)
      if (!sides.contains({side.second, side.first})) faces.push_back({side.first, side.second, p});
  }
  std::erase_if(faces, [&](const Face& f) { return std::find(f.begin(), f.end(), tip) != f.end(); });
  return faces;
}

// The next corner of the face on the left of a hull's edge from i to j: the plane through the edge is turned until no
// point is above it.
int wrapped(const std::vector<V>& x, int i, int j, const std::vector<int>& near) {
  int k = -1;
  for (const int p : near)
    if (p != i && p != j && (k < 0 || height(x[i], x[j], x[k], x[p]) > 0)) k = p;
  return k;
}

// The same faces from neighbours alone, since particles are spread evenly: around each point from edge to edge,
// starting with that to its nearest, which is always one. In the order in which the other way gives them: by the corner
// that comes last. Empty where they do not close to one surface.
std::vector<Face> hull_by_wrapping(const std::vector<V>& x) {
  const int tip = static_cast<int>(x.size()) - 1;
  const double radius = norm(x[tip]), spacing = radius * std::sqrt(4 * std::numbers::pi / std::sqrt(3.0) / tip);
  const double reach = 3 * spacing;
  CellGrid grid(reach);
  for (int i = 0; i < tip; ++i) grid.add(i, x[i]);
  std::vector<Face> faces;
  std::vector<int> near;
  std::size_t on_rim = 0;
  for (int i = 0; i < tip; ++i) {
    near.clear();
    int first = -1;
    grid.for_each_near(x[i], [&](int j) {
      const double distance = norm(x[j] - x[i]);
      if (j == i || distance > reach) return;
      near.push_back(j);
      if (first < 0 || distance < norm(x[first] - x[i])) first = j;
    });
    if (first < 0) return {};
    near.push_back(tip);
    int j = first;
    bool meets_tip = false;
    for (std::size_t turns = 0; turns <= near.size(); ++turns) {
      const int k = wrapped(x, i, j, near);
      if (k < 0) return {};
      meets_tip = meets_tip || k == tip;
      if (i > j && i > k && j != tip && k != tip) faces.push_back({j, k, i});
      j = k;
      if (j == first) break;
    }
    if (j != first) return {};
    if (meets_tip) ++on_rim;
  }
  if (faces.size() + on_rim + 2 != 2 * static_cast<std::size_t>(tip)) return {};  // Euler: of one disc
  std::ranges::sort(faces, [](const Face& a, const Face& b) {
    return Face{a[2], a[0], a[1]} < Face{b[2], b[0], b[1]};
  });
  return faces;
}

}  // namespace

// Each takes an area of sqrt(3)/2 spacing^2, those on the rim half of it.
double hemisphere_particles(double radius, double spacing) {
  const double r = radius / spacing, pi = std::numbers::pi;
  return 4 * pi / std::sqrt(3.0) * r * r + pi * r;
}

std::vector<V> particles_on_half_sphere(int count, double radius, double spacing, std::uint64_t seed) {
  const int ring = static_cast<int>(std::lround(2 * std::numbers::pi * radius / spacing)), fixed = ring + 1;
  if (ring < 5 || count < fixed)
    throw Error(fmt::format("{} particles are too few: the rim alone has {} with this spacing, and one is at the top",
                            count, ring));
  const double usual = hemisphere_particles(radius, spacing);
  if (count < 0.5 * usual || count > 2 * usual)
    throw Error(
        fmt::format("{} particles do not go with a spacing of {:.4g} times the radius, which takes about {:.0f}", count,
                    spacing / radius, usual));
  auto x = scattered(count, radius, spacing, seed, fixed);
  spread_out(x, fixed, radius, spacing);
  std::rotate(x.begin() + ring, x.begin() + fixed, x.end());  // the top comes last
  std::sort(x.begin() + ring, x.end() - 1, [](const V& p, const V& q) { return p.z < q.z; });
  return x;
}

std::vector<std::array<int, 3>> triangles_on_half_sphere(const std::vector<V>& points) {
  const std::vector<V> x = disordered(points);
  const int count = static_cast<int>(x.size());
  if (count > many_particles)
    if (auto faces = hull_by_wrapping(x); !faces.empty()) return faces;
  return hull_by_insertion(x);
}

}  // namespace ls
