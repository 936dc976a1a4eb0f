#include "build/magnets/sampling.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

// Lines along z that cross each cell, in each direction: what lies inside is found exactly along them.
constexpr int lines = 4;
// Of a cell: off the middle, so that no line meets an edge of the shape that stands on round numbers.
constexpr double aside = 1.7320508e-9;

const std::vector<V>& corners_of(const RigidShape& s) {
  return s.sharp.empty() ? s.points : s.sharp;
}

// Where lines along z are inside, in pairs.
class Lines {
 public:
  Lines(const RigidShape& shape, const SampleGrid& grid)
      : shape_(shape), grid_(grid), n_{lines * grid.cells[0], lines * grid.cells[1]} {
    crossings_.resize(static_cast<std::size_t>(n_[0] * n_[1]));
    if (shape.triangles.empty())
      cross_round();
    else
      for (const auto& t : shape.triangles) cross_triangle(t);
    for (auto& line : crossings_) std::sort(line.begin(), line.end());
  }
  const std::vector<double>& of(long long i, long long j) const { return crossings_[i * n_[1] + j]; }
  double x(long long i) const { return grid_.corner.x + grid_.cell.x * place(i); }
  double y(long long j) const { return grid_.corner.y + grid_.cell.y * place(j); }

 private:
  static double place(long long i) { return (static_cast<double>(i) + 0.5) / lines + aside; }

  // A ball, or a capsule along z.
  void cross_round() {
    double low = shape_.points[0].z, high = low;
    for (const V& p : shape_.points) low = std::min(low, p.z), high = std::max(high, p.z);
    for (long long i = 0; i < n_[0]; ++i)
      for (long long j = 0; j < n_[1]; ++j) {
        const double dx = x(i) - shape_.points[0].x, dy = y(j) - shape_.points[0].y;
        const double left = shape_.radius * shape_.radius - dx * dx - dy * dy;
        if (left > 0) crossings_[i * n_[1] + j] = {low - std::sqrt(left), high + std::sqrt(left)};
      }
  }

  // Twice the area that an edge spans with a point, seen along z. Of an edge that two triangles share both get the same
  // number, so that a line which meets it crosses one of them.
  double side(int a, int b, double px, double py) const {
    if (a > b) return -side(b, a, px, py);
    const V &p = corners_of(shape_)[a], &q = corners_of(shape_)[b];
    return (q.x - p.x) * (py - p.y) - (q.y - p.y) * (px - p.x);
  }
  static bool is_left(double area, int a, int b) { return area > 0 || (area == 0 && a < b); }

  void cross_triangle(const std::array<int, 3>& t) {
    const auto& c = corners_of(shape_);
    const V &p = c[t[0]], &q = c[t[1]], &r = c[t[2]];
    const auto first = [](double low, double corner, double cell) {
      return std::max(0LL, static_cast<long long>(std::floor((low - corner) / cell * lines)) - 1);
    };
    const auto last = [](double high, double corner, double cell, long long n) {
      return std::min(n - 1, static_cast<long long>(std::ceil((high - corner) / cell * lines)) + 1);
    };
    const long long i1 = last(std::max({p.x, q.x, r.x}), grid_.corner.x, grid_.cell.x, n_[0]),
                    j1 = last(std::max({p.y, q.y, r.y}), grid_.corner.y, grid_.cell.y, n_[1]);
    for (long long i = first(std::min({p.x, q.x, r.x}), grid_.corner.x, grid_.cell.x); i <= i1; ++i)
      for (long long j = first(std::min({p.y, q.y, r.y}), grid_.corner.y, grid_.cell.y); j <= j1; ++j) {
        const double a = side(t[1], t[2], x(i), y(j)), b = side(t[2], t[0], x(i), y(j)),
                     d = side(t[0], t[1], x(i), y(j)), sum = a + b + d;
        const bool la = is_left(a, t[1], t[2]), lb = is_left(b, t[2], t[0]), ld = is_left(d, t[0], t[1]);
        if (la != lb || lb != ld || sum == 0) continue;
        crossings_[i * n_[1] + j].push_back((a * p.z + b * q.z + d * r.z) / sum);
      }
  }

  const RigidShape& shape_;
  const SampleGrid& grid_;
  std::array<long long, 2> n_;
  std::vector<std::vector<double>> crossings_;  // [line] m, ascending
};

// The part of a cell that lies inside.
struct Inside {
  double length = 0;  // of all its lines
  V middle{};         // times that length
};

Inside inside_of(const Lines& all, const SampleGrid& g, long long i, long long j, long long k) {
  const double low = g.corner.z + static_cast<double>(k) * g.cell.z, high = low + g.cell.z;
  Inside in;
  for (long long a = lines * i; a < lines * (i + 1); ++a)
    for (long long b = lines * j; b < lines * (j + 1); ++b) {
      const auto& z = all.of(a, b);
      for (std::size_t c = 0; c + 1 < z.size(); c += 2) {
        const double from = std::max(low, z[c]), to = std::min(high, z[c + 1]);
        if (to <= from) continue;
        in.length += to - from;
        in.middle += (to - from) * V{all.x(a), all.y(b), 0.5 * (from + to)};
      }
    }
  return in;
}

}  // namespace

SampleGrid sample_grid(const RigidShape& shape, double spacing) {
  V low = corners_of(shape).front(), high = low;
  for (const V& p : corners_of(shape)) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  if (shape.triangles.empty()) {  // triangles have their rounding in `sharp`, or on top of what is magnetic
    const V around{shape.radius, shape.radius, shape.radius};
    low = low - around, high = high + around;
  }
  SampleGrid g;
  g.corner = low;
  const V size = high - low;
  const auto cells = [&](double length) { return std::llround(std::clamp(length / spacing, 1.0, 1e6)); };
  g.cells = {cells(size.x), cells(size.y), cells(size.z)};
  g.cell = {size.x / static_cast<double>(g.cells[0]), size.y / static_cast<double>(g.cells[1]),
            size.z / static_cast<double>(g.cells[2])};
  return g;
}

std::vector<SampledCell> sampled_cells(const RigidShape& shape, const SampleGrid& g) {
  constexpr double least = 1e-6, whole = 1 - 1e-6;  // shares of a cell
  const Lines all(shape, g);
  std::vector<SampledCell> cells;
  for (long long i = 0; i < g.cells[0]; ++i)
    for (long long j = 0; j < g.cells[1]; ++j)
      for (long long k = 0; k < g.cells[2]; ++k) {
        const Inside in = inside_of(all, g, i, j, k);
        const double part = in.length / (lines * lines * g.cell.z);
        if (part < least) continue;
        const V centre =
            g.corner + V{g.cell.x * (static_cast<double>(i) + 0.5), g.cell.y * (static_cast<double>(j) + 0.5),
                         g.cell.z * (static_cast<double>(k) + 0.5)};
        cells.push_back({{i, j, k}, part, part > whole ? centre : (1 / in.length) * in.middle});
      }
  return cells;
}

std::vector<PlacedMoment> sampled(const RigidShape& shape, const SampleGrid& g, const V& moment) {
  const auto cells = sampled_cells(shape, g);
  double sum = 0;
  for (const SampledCell& c : cells) sum += c.share;
  std::vector<PlacedMoment> samples;
  for (const SampledCell& c : cells) samples.push_back({c.middle, (c.share / sum) * moment});
  return samples;
}

}  // namespace ls
