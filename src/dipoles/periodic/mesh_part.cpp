#include "dipoles/periodic/mesh_part.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ls {

namespace {

using std::numbers::pi;

constexpr int planes_at_once = 8, dipoles_at_once = 512;

// Wave numbers along an axis with their aliases, and the square of the spline's transform there.
struct AxisWaves {
  std::vector<std::array<double, 3>> k, weight;  // [wave][alias]
  AxisWaves(int nodes, double length, int order) {
    for (int i = 0; i < nodes; ++i) {
      std::array<double, 3> at{}, w{};
      for (int alias = 0; alias < 3; ++alias) {
        const int n = (2 * i <= nodes ? i : i - nodes) + (alias - 1) * nodes;
        const double x = pi * n / nodes;
        at[static_cast<std::size_t>(alias)] = 2 * pi * n / length;
        w[static_cast<std::size_t>(alias)] = n == 0 ? 1 : std::pow(std::sin(x) / x, 2 * order);
      }
      k.push_back(at);
      weight.push_back(w);
    }
  }
};

// The one that makes the error of the field least (Hockney and Eastwood 1988, for dipoles): with sums over aliases
// sum U^2 k^4 g/(sum U^2 k^2)^2, where g = 4 pi exp(-k^2/4 alpha^2)/k^2.
double best_influence(const std::array<const AxisWaves*, 3>& axes, const std::array<std::size_t, 3>& at, double alpha) {
  double seen = 0, squares = 0;
  for (std::size_t m = 0; m < 27; ++m) {
    const std::array<std::size_t, 3> alias{m % 3, m / 3 % 3, m / 9};
    double k2 = 0, u2 = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      const double k = axes[a]->k[at[a]][alias[a]];
      k2 += k * k;
      u2 *= axes[a]->weight[at[a]][alias[a]];
    }
    squares += u2 * k2;
    if (const double power = k2 / (4 * alpha * alpha); power < 700) seen += u2 * k2 * 4 * pi * std::exp(-power);
  }
  return squares > 0 ? seen / (squares * squares) : 0;
}

}  // namespace

MeshPart::MeshPart(const PeriodicBox& box, const MeshPlan& plan)
    : order_(plan.order), mesh_(plan.nodes), mesh_values_(mesh_.values()) {
  for (std::size_t k = 0; k < 3; ++k) inverse_spacing_[k] = plan.nodes[k] / box.length[k];
  find_influence(box, plan.alpha);
}

void MeshPart::find_influence(const PeriodicBox& box, double alpha) {
  const auto& n = mesh_.nodes();
  const AxisWaves x(n[0], box.length[0], order_), y(n[1], box.length[1], order_), z(n[2], box.length[2], order_);
  std::size_t at = 0;
  for (std::size_t i = 0; i < x.k.size(); ++i)
    for (std::size_t j = 0; j < y.k.size(); ++j)
      for (std::size_t k = 0; k < static_cast<std::size_t>(mesh_.waves()); ++k)
        mesh_.influence()[at++] = i + j + k == 0 ? 0 : best_influence({&x, &y, &z}, {i, j, k}, alpha) / box.volume();
}

MeshStencil MeshPart::stencil(const BoxCells& cells, int i, SplineWeights& weights) const {
  MeshStencil s{};
  s.order = order_;
  double offset[3];
  int first[3];
  for (std::size_t k = 0; k < 3; ++k) {
    const double at = cells.position()[k][static_cast<std::size_t>(i)] * inverse_spacing_[k];
    const int nodes = mesh_.nodes()[k], cell = std::min(static_cast<int>(at), nodes - 1);
    offset[k] = at - cell;
    first[k] = cell - order_ + 1 < 0 ? cell - order_ + 1 + nodes : cell - order_ + 1;
  }
  for (int n = 0; n < order_; ++n) {
    s.x[n] = first[0] + n < mesh_.nodes()[0] ? first[0] + n : first[0] + n - mesh_.nodes()[0];
    s.y[n] = first[1] + n < mesh_.nodes()[1] ? first[1] + n : first[1] + n - mesh_.nodes()[1];
  }
  s.z = first[2];
  mesh_loops().weights(order_, offset, inverse_spacing_, weights);
  return s;
}

void MeshPart::sort_by_plane(const BoxCells& cells) {
  const int planes = mesh_.nodes()[0];
  const auto n = static_cast<std::size_t>(cells.count());
  plane_.resize(n);
  by_plane_.resize(n);
  plane_begin_.assign(static_cast<std::size_t>(planes) + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const int cell = std::min(static_cast<int>(cells.position()[0][i] * inverse_spacing_[0]), planes - 1);
    plane_[i] = cell - order_ + 1 < 0 ? cell - order_ + 1 + planes : cell - order_ + 1;
    ++plane_begin_[static_cast<std::size_t>(plane_[i]) + 1];
  }
  for (std::size_t p = 1; p < plane_begin_.size(); ++p) plane_begin_[p] += plane_begin_[p - 1];
  std::vector<int> next(plane_begin_.begin(), plane_begin_.end() - 1);
  for (std::size_t i = 0; i < n; ++i)
    by_plane_[static_cast<std::size_t>(next[static_cast<std::size_t>(plane_[i])]++)] = static_cast<int>(i);
}

// A node gets what it gets from dipoles in the order of their first planes, whoever does the planes around it.
void MeshPart::spread(const BoxCells& cells, int first_plane, int last_plane) {
  const int planes = mesh_.nodes()[0];
  const auto plane_size = static_cast<std::size_t>(mesh_.nodes()[1]) * static_cast<std::size_t>(mesh_.stride());
  std::fill(mesh_values_ + static_cast<std::size_t>(first_plane) * plane_size,
            mesh_values_ + static_cast<std::size_t>(last_plane) * plane_size, 0.0);
  SplineWeights weights;
  for (int p = first_plane - order_ + 1; p < last_plane; ++p) {
    const auto bucket = static_cast<std::size_t>(p < 0 ? p + planes : p);
    for (int b = plane_begin_[bucket]; b < plane_begin_[bucket + 1]; ++b) {
      const int i = by_plane_[static_cast<std::size_t>(b)];
      MeshStencil s = stencil(cells, i, weights);
      for (int n = 0; n < order_; ++n)
        if (p + n < first_plane || p + n >= last_plane) s.x[n] = -1;
      const auto& m = cells.moment();
      const auto at = static_cast<std::size_t>(i);
      const double moment[3] = {m[0][at], m[1][at], m[2][at]};
      mesh_loops().spread(weights, s, moment, rows());
    }
  }
}

void MeshPart::read(const BoxCells& cells, int begin, int end, DipoleFields& out) const {
  SplineWeights weights;
  for (int i = begin; i < end; ++i) {
    const MeshStencil s = stencil(cells, i, weights);
    MeshEffect e;
    mesh_loops().read(weights, s, rows(), e);
    const auto at = static_cast<std::size_t>(i), to = static_cast<std::size_t>(cells.order()[at]);
    const double mx = cells.moment()[0][at], my = cells.moment()[1][at], mz = cells.moment()[2][at];
    for (std::size_t k = 0; k < 3; ++k) out.field[k][to] = -dipole_constant * e.gradient[k];
    out.force[0][to] = -dipole_constant * (e.second[0] * mx + e.second[1] * my + e.second[2] * mz);
    out.force[1][to] = -dipole_constant * (e.second[1] * mx + e.second[3] * my + e.second[4] * mz);
    out.force[2][to] = -dipole_constant * (e.second[2] * mx + e.second[4] * my + e.second[5] * mz);
  }
}

void MeshPart::compute(const BoxCells& cells, Team& team, DipoleFields& out) {
  sort_by_plane(cells);
  const int planes = mesh_.nodes()[0];
  team.run((planes + planes_at_once - 1) / planes_at_once, 2, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) spread(cells, b * planes_at_once, std::min(planes, (b + 1) * planes_at_once));
  });
  mesh_.convolve(team);
  team.run((cells.count() + dipoles_at_once - 1) / dipoles_at_once, 2, [&](int begin, int end) {
    for (int b = begin; b < end; ++b)
      read(cells, b * dipoles_at_once, std::min(cells.count(), (b + 1) * dipoles_at_once), out);
  });
}

}  // namespace ls
