#include "fluid/immersed/flow_reader.h"

#include "fluid/immersed/marker_cells.h"

#include <algorithm>

namespace ls {

namespace {

template <class T>
T blend(const FluidWork::Reach& r, const T& first, const T& second) {
  return (1 - r.share) * first + r.share * second;
}

}  // namespace

FlowReader::FlowReader(const Fluid& fluid, const LatticeDrive& drive, const Nodes& nodes, FluidWork& work)
    : fluid_(fluid),
      set_(fluid.settings()),
      drive_(drive),
      half_(0.5 * drive.body),
      least_overlap_(set_.kernel == DeltaKernel::roma ? 0.03 : 0.013),
      nodes_(nodes),
      work_(work) {}

void FlowReader::read_station(std::size_t i) {
  const Stencil& s = work_.stencils[i];
  FluidWork::Station& at = work_.stations[i];
  if (s.is_uniform) {
    double sum[5];
    marker_loops().read(block_of(s, work_.near), sum);
    at.u = Vec3<double>{sum[0], sum[1], sum[2]} + sum[3] * half_;
    at.overlap = {sum[4], sum[4], sum[4]};
  } else {
    Quad sum{}, light{}, overlap{};
    for_each_cell(s, all_planes, [&](std::size_t cell, const Quad& weight) {
      const Quad v = numbers_of(work_.near, cell);
      sum += weight * v;
      light += weight * v[3];
      overlap += weight * more_of(work_.near, cell);
    });
    at.u = {sum[0] + light[0] * half_.x, sum[1] + light[1] * half_.y, sum[2] + light[2] * half_.z};
    at.overlap = {overlap[0], overlap[1], overlap[2]};
  }
  if (!s.is_plain) at.u += s.from_walls(drive_);
  if (set_.spin) read_rotation(s, axis(static_cast<std::size_t>(at.marker)), work_.spins[i]);
}

// Let u* be the velocity read without the marker's own force of this step. An impulse J makes it u* + A J / 2, where
// A counts how much markers nearby overlap; with the slip M of thin rods, a marker of velocity v gets
//   (M + A/2) J = u* - v.
// A couples neighbours. Where the impulses of neighbours are alike (each in proportion to what it stands for), its
// rows can be summed up, and no system needs to be solved; elsewhere the sums are the larger, safer choice.
void FlowReader::read_markers(std::size_t first, std::size_t last) {
  double turn[4][markers_at_once], eases[markers_at_once];
  std::size_t skewed[markers_at_once], count = 0;  // those to which directions differ
  const double speed = fluid_.speed_unit();
  const bool is_penalty = set_.coupling == Coupling::penalty;
  for (std::size_t i = first; i < last; ++i) {
    const FluidWork::Reach& r = work_.reach[i];
    const FluidWork::Station &from = work_.stations[r.first], &to = work_.stations[r.second];
    const Vec3<double> u = speed * blend(r, from.u, to.u), overlap = r.per_measure * blend(r, from.overlap, to.overlap);
    work_.flow.u[0][i] = u.x, work_.flow.u[1][i] = u.y, work_.flow.u[2][i] = u.z;
    if (!is_penalty && (overlap.x != overlap.y || overlap.x != overlap.z)) skewed[count++] = i;
    eases[i - first] = ease(r, overlap.x);
    for (std::size_t k = 0; k < 4; ++k) turn[k][i - first] = nodes_.q[k][r.node];
  }
  ResistanceRun run{
      static_cast<int>(last - first), fluid_.mass_unit() / set_.dt, {}, {}, eases, &work_.along[first], {}};
  for (std::size_t k = 0; k < 4; ++k) run.turn[k] = turn[k];
  for (std::size_t k = 0; k < 3; ++k) run.axis[k] = &work_.axis[k][first];
  for (std::size_t k = 0; k < 6; ++k) run.resistance[k] = &work_.flow.resistance[k][first];
  marker_loops().resist(run);
  for (std::size_t k = 0; k < count; ++k) {
    const FluidWork::Reach& r = work_.reach[skewed[k]];
    resist_by_axes(skewed[k],
                   r.per_measure * blend(r, work_.stations[r.first].overlap, work_.stations[r.second].overlap));
  }
  for (std::size_t i = first; i < last && work_.has_caps; ++i)
    if (work_.markers[i].is_cap) resist_along(i, eases[i - first]);
  for (std::size_t i = first; i < last && set_.spin; ++i)
    if (work_.markers[i].kind == MarkerKind::line && !work_.markers[i].is_cap) read_spin(i);
}

double FlowReader::ease(const FluidWork::Reach& r, double overlap) const {
  return set_.coupling == Coupling::penalty ? r.across : r.across + 0.5 * std::max(least_overlap_, overlap);
}

void FlowReader::resist_by_axes(std::size_t marker, const Vec3<double>& overlap) {
  const FluidWork::Reach& r = work_.reach[marker];
  const Sym3 all = diagonal({ease(r, overlap.x), ease(r, overlap.y), ease(r, overlap.z)});
  MarkerFlow::Point p = work_.flow.point(marker);
  p.resistance = fluid_.mass_unit() / set_.dt * inverse(all + outer(work_.along[marker], axis(marker)));
  work_.flow.set(marker, p);
}

void FlowReader::resist_along(std::size_t marker, double ease) {
  MarkerFlow::Point p = work_.flow.point(marker);
  p.resistance = outer(fluid_.mass_unit() / set_.dt / (ease + work_.along[marker]), axis(marker));
  work_.flow.set(marker, p);
}

Vec3<double> FlowReader::axis(std::size_t marker) const {
  return rotate(nodes_.frame(work_.reach[marker].node).q,
                Vec3<double>{work_.axis[0][marker], work_.axis[1][marker], work_.axis[2][marker]});
}

// The same for spin: a torque N is a force N x grad(delta) / 2 on the fluid, and turns it at the place itself by
// B N / 2.
void FlowReader::read_rotation(const Stencil& s, const Vec3<double>& tangent, FluidWork::Spin& at) const {
  at = {};
  for_each_slope(s, [&](std::size_t cell, const Vec3<double>& slope) {
    const Quad v = numbers_of(work_.near, cell);
    at.curl += cross(slope, Vec3<double>{v[0], v[1], v[2]} + v[3] * half_);
    const Vec3<double> push = cross(tangent, slope);
    at.own += 0.25 * dot(push, push);
  });
  for_each_cell(s, all_planes, [&](std::size_t, const Quad& weight) { at.self += weight[0] * weight[0]; });
}

void FlowReader::read_spin(std::size_t marker) {
  const FluidWork::Reach& r = work_.reach[marker];
  const auto f = static_cast<std::size_t>(r.first), s = static_cast<std::size_t>(r.second);
  const FluidWork::Spin &first = work_.spins[f], &second = work_.spins[s];
  const double overlap = r.per_measure * blend(r, work_.stations[f].overlap.x, work_.stations[s].overlap.x);
  const double crowd = std::max(1.0, overlap / std::max(1e-12, blend(r, first.self, second.self)));
  const double turn = work_.turning[marker] + 0.5 * crowd * blend(r, first.own, second.own);
  work_.flow.spins[marker].rotation = (0.5 / set_.dt) * blend(r, first.curl, second.curl);
  work_.flow.spins[marker].turning =
      outer(fluid_.mass_unit() * set_.spacing * set_.spacing / set_.dt / turn, axis(marker));
}

}  // namespace ls
