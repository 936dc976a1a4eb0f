#include "build/magnets/sheet_cells.h"

#include "base/error.h"
#include "build/magnets/soft_cells.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>

namespace ls {

namespace {

using std::numbers::pi;

constexpr double smoothing = 0.8;  // over the distance of nodes: of the part of a sum that is an integral
constexpr double reach = 5;        // distances of nodes: beyond, nothing is left of the other part
constexpr double thickest = 0.5;   // of the factor 1 across a sheet: what far nodes may have of it

// Sums of area (1/r^3 - 3 r r/r^5) over the nodes of a flat sheet, 1/m: along its normal, and within it along the axes
// of a node.
struct FarSum {
  double normal = 0, xx = 0, xy = 0, yy = 0;

  void add(double factor, const FarSum& s) {
    normal += factor * s.normal, xx += factor * s.xx, xy += factor * s.xy, yy += factor * s.yy;
  }
};
using Rings = std::array<FarSum, most_sheet_rings>;

FarSum even(double normal) {  // as in a sheet that is alike in all directions
  return {normal, -0.5 * normal, 0, -0.5 * normal};
}

// The law of dipoles in two parts, as in an Ewald sum: one that ends soon, and one that is smooth everywhere. Over a
// plane the latter makes 4 sqrt(pi) alpha along the normal and nothing within.
struct SplitLaw {
  double alpha;

  FarSum near(double r, double x, double y) const {
    const double gauss = 2 * alpha / std::sqrt(pi) * std::exp(-alpha * alpha * r * r), i2 = 1 / (r * r);
    const double b = (std::erfc(alpha * r) / r + gauss) * i2, c = (3 * b + 2 * alpha * alpha * gauss) * i2;
    return {b, b - c * x * x, -c * x * y, b - c * y * y};
  }
  FarSum smooth(double r, double x, double y) const {
    const double i3 = 1 / (r * r * r), i5 = 3 * i3 / (r * r);
    FarSum s{i3, i3 - i5 * x * x, -i5 * x * y, i3 - i5 * y * y};
    s.add(-1, near(r, x, y));
    return s;
  }
  FarSum at_itself() const {
    const double b = 4 * alpha * alpha * alpha / (3 * std::sqrt(pi));
    return {b, b, 0, b};
  }
  double of_plane() const { return 4 * std::sqrt(pi) * alpha; }
};

// What all nodes of an even sheet that lie more than so many bonds away do to one, sum of area/r^3, as the nodes around
// it tell.
class Surroundings {
 public:
  Surroundings(const ShellSpec& shell, const std::vector<double>& areas, const std::vector<Quat<double>>& axes)
      : at_(shell.surface.mesh.vertices), areas_(areas), axes_(axes) {
    beside_.resize(at_.size());
    for (const SurfaceBond& b : shell.surface.bonds) beside_[b.a].push_back(b.b), beside_[b.b].push_back(b.a);
    rim_.assign(at_.size(), 0);
    for (const int i : boundary_of(shell.surface.mesh)) rim_[i] = 1;
    seen_.assign(at_.size(), -1);
  }

  // None where the rim is so near that the sheet is not to be seen.
  std::optional<Rings> of(int i) {
    double longest = 0;
    for (const int j : beside_[i]) longest = std::max(longest, norm(at_[j] - at_[i]));
    const SplitLaw law{smoothing / longest};
    Rings sums{};
    for (FarSum& s : sums) s.normal = law.of_plane(), s.add(-areas_[i], law.at_itself());
    wave_ = {i};
    seen_[i] = i;
    for (int bonds = 1; !wave_.empty(); ++bonds) {
      next_.clear();
      for (const int from : wave_) {
        if (rim_[from]) return std::nullopt;
        for (const int j : beside_[from]) {
          if (seen_[j] == i || norm(at_[j] - at_[i]) > reach * longest) continue;
          seen_[j] = i;
          next_.push_back(j);
          add(i, j, bonds, law, sums);
        }
      }
      wave_.swap(next_);
    }
    return sums;
  }

  const std::vector<int>& beside(int i) const { return beside_[i]; }
  // As if its neighbours lay evenly around it.
  Rings guess(int i) const {
    double spacing = 0;
    for (const int j : beside_[i]) spacing += norm(at_[j] - at_[i]) / static_cast<double>(beside_[i].size());
    Rings sums{};
    for (int ring = 1; ring <= most_sheet_rings; ++ring) sums[ring - 1] = even(2 * pi / ((ring + 0.45) * spacing));
    return sums;
  }

 private:
  // Laid flat, as far away as it is.
  void add(int i, int j, int bonds, const SplitLaw& law, Rings& sums) const {
    const Vec3<double> way = at_[j] - at_[i];
    const double r = norm(way), x = dot(way, axis_x(axes_[i])), y = dot(way, axis_y(axes_[i])), flat = std::hypot(x, y);
    const double scale = flat > 0 ? r / flat : 0;
    const FarSum near = law.near(r, scale * x, scale * y), smooth = law.smooth(r, scale * x, scale * y);
    for (int ring = 1; ring <= most_sheet_rings; ++ring)
      sums[ring - 1].add(bonds > ring ? areas_[j] : -areas_[j], bonds > ring ? near : smooth);
  }

  const std::vector<Vec3<double>>& at_;
  const std::vector<double>& areas_;
  const std::vector<Quat<double>>& axes_;
  std::vector<std::vector<int>> beside_;
  std::vector<std::uint8_t> rim_;  // [node]
  std::vector<int> seen_;          // [node] from where it was seen last
  std::vector<int> wave_, next_;
};

// What is near the rim has what the nearest nodes within have, evenly; where there are none, as in narrow strips, a
// guess.
std::vector<Rings> rings_of(const ShellSpec& shell, const std::vector<double>& areas,
                            const std::vector<Quat<double>>& axes) {
  Surroundings around(shell, areas, axes);
  const auto count = static_cast<int>(areas.size());
  std::vector<std::optional<Rings>> found(areas.size());
  for (int i = 0; i < count; ++i) found[i] = around.of(i);
  for (bool more = true; more;) {
    more = false;
    const auto before = found;
    for (int i = 0; i < count; ++i) {
      if (before[i]) continue;
      Rings sums{};
      int known = 0;
      for (const int j : around.beside(i)) {
        if (!before[j]) continue;
        ++known;
        for (int k = 0; k < most_sheet_rings; ++k) sums[k].add(1, (*before[j])[k]);
      }
      if (known == 0) continue;
      for (FarSum& s : sums) s = even(s.normal / known);
      found[i] = sums, more = true;
    }
  }
  std::vector<Rings> all(areas.size());
  for (int i = 0; i < count; ++i) all[i] = found[i] ? *found[i] : around.guess(i);
  return all;
}

}  // namespace

std::vector<SoftCell> sheet_cells(const ShellSpec& shell, const std::vector<double>& areas,
                                  const std::vector<Quat<double>>& axes) {
  std::vector<SoftCell> cells;
  const auto rings = rings_of(shell, areas, axes);
  const double scale = shell.thickness / (4 * pi);
  for (std::size_t i = 0; i < areas.size(); ++i) {
    if (!(scale * rings[i].back().normal < thickest))
      throw Error(
          fmt::format("{}: it is {:.3g} m thick, several times as much as its nodes are apart: as pieces of a "
                      "sheet fields cannot magnetise it; expected longer bonds, or a solid body",
                      shell.name, shell.thickness));
    SoftCell c = soft_cell(shell.soft, {}, areas[i] * shell.thickness, diagonal({0, 0, 1}));
    for (int k = 0; k < most_sheet_rings; ++k) c.sheet[k] = scale * rings[i][k].normal;
    const FarSum& far = rings[i][0];
    const double even = -0.5 * c.sheet[0];
    c.chain = diagonal({scale * far.xx - even, scale * far.yy - even, 0});
    c.chain.xy = scale * far.xy;
    cells.push_back(c);
  }
  return cells;
}

}  // namespace ls
