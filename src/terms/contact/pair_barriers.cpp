#include "terms/contact/pair_barriers.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ls {

namespace {

using Pressing = PairBarriers::Place;

constexpr double bond_share = 0.1;       // of the stretching stiffness of bonds
constexpr double momentum_share = 0.01;  // of the force that turns two bodies within one step
constexpr double loads_carried = 10;     // times the load on a body
constexpr double outgrown = 4;           // a barrier that momentum asks so many times the strength of gets it
constexpr double too_near = 0.02;        // of the reach: pressed so near twice in a row, a pair gets a stronger barrier
constexpr double nearly_too_near = 0.04;  // likewise, at the beginning

// The force of a barrier of unit strength at a share of its reach, falling from infinity to 0 at 1.
double push_at(double share) {
  return share < 1 ? -barrier_slope(Barrier{1, 1}, share) : 0.0;
}

// The reach with which a barrier of the given strength pushes as hard as these places do together.
double reach_for(const std::vector<Pressing>& places, std::size_t first, std::size_t last, double strength,
                 double most) {
  double force = 0;
  for (std::size_t k = first; k < last; ++k) force += places[k].force;
  double low = places[first].gap, high = most;
  for (int round = 0; round < 100 && high - low > 1e-15 * high; ++round) {
    const double mid = 0.5 * (low + high);
    double sum = 0;
    for (std::size_t k = first; k < last; ++k) sum += strength * push_at(places[k].gap / mid);
    (sum < force ? low : high) = mid;
  }
  return 0.5 * (low + high);
}

void put_in_order(std::vector<Pressing>& places) {
  std::sort(places.begin(), places.end(), [](const Pressing& a, const Pressing& b) {
    return std::tie(a.bodies, a.gap, a.force) < std::tie(b.bodies, b.gap, b.force);
  });
}

// Calls visit(first, last) for the places of each pair of bodies, the nearest first.
template <class F>
void for_each_pair(const std::vector<Pressing>& places, const F& visit) {
  for (std::size_t first = 0, last = 0; first < places.size(); first = last) {
    while (last < places.size() && places[last].bodies == places[first].bodies) ++last;
    visit(first, last);
  }
}

double largest_force(const std::vector<Pressing>& places, std::size_t first, std::size_t last) {
  double most = 0;
  for (std::size_t k = first; k < last; ++k) most = std::max(most, places[k].force);
  return most;
}

std::size_t index_of(const std::vector<std::uint64_t>& keys, std::uint64_t key) {
  const auto at = std::lower_bound(keys.begin(), keys.end(), key);
  return at != keys.end() && *at == key ? static_cast<std::size_t>(at - keys.begin()) : keys.size();
}

std::pair<std::size_t, std::size_t> both(std::uint64_t bodies) {
  return {static_cast<std::size_t>(bodies >> 32), static_cast<std::size_t>(bodies & 0xffffffffU)};
}

}  // namespace

std::pair<int, int> sides_of(const Shapes& shapes, const ShapePair& pair) {
  const auto of_point = [&](int p) { return shapes.points[p].node; };
  const auto of_edge = [&](int e) { return of_point(shapes.edges[e].a); };
  switch (pair.kind) {
    case PairKind::spheres:
      return {of_point(pair.a), of_point(pair.b)};
    case PairKind::point_edge:
      return {of_point(pair.a), of_edge(pair.b)};
    case PairKind::edges:
      return {of_edge(pair.a), of_edge(pair.b)};
    case PairKind::point_triangle:
      return {of_point(pair.a), of_point(shapes.triangles[pair.b].a)};
    case PairKind::point_hollow:
      break;
  }
  return {of_point(pair.a), shapes.hollows[pair.b].node};
}

std::uint64_t bodies_of(const Shapes& shapes, const ShapePair& pair) {
  const auto [i, j] = sides_of(shapes, pair);
  const auto [low, high] = std::minmax({shapes.body_of[i], shapes.body_of[j]});
  return (static_cast<std::uint64_t>(low) << 32) | static_cast<std::uint64_t>(high);
}

PairBarriers::PairBarriers(const Shapes& shapes, const BarrierScale& scale)
    : shapes_(shapes), scale_(scale), extent_(shapes.body_of.size(), 0.0), motion_(shapes.surfaces.size()) {
  for (const ShapePoint& p : shapes.points) extent_[p.node] = std::max(extent_[p.node], norm(p.offset) + p.radius);
}

void PairBarriers::note_bodies(const State& s, const std::vector<Vec3<double>>& contact, double duration) {
  duration_ = duration;
  motion_.assign(shapes_.surfaces.size(), {});
  std::vector<Vec3<double>> load(motion_.size());
  std::vector<int> count(motion_.size(), 0);
  for (int i = 0; i < s.nodes.count; ++i) {
    const int b = shapes_.body_of[i];
    motion_[b].mean += s.nodes.twist(i).v, ++count[b];
    load[b] += s.nodes.wrench(i).force - contact[i];
  }
  for (std::size_t b = 0; b < motion_.size(); ++b) {
    if (count[b] > 0) motion_[b].mean = (1.0 / count[b]) * motion_[b].mean;
    motion_[b].load = norm(load[b]);
  }
  for (int i = 0; i < s.nodes.count; ++i) {
    const auto t = s.nodes.twist(i);
    Motion& m = motion_[shapes_.body_of[i]];
    m.apart = std::max(m.apart, norm(t.v - m.mean) + norm(t.w) * extent_[i]);
  }
}

double PairBarriers::closing(std::size_t a, std::size_t b) const {
  if (a == b) return 2 * motion_[a].apart;
  return norm(motion_[a].mean - motion_[b].mean) + motion_[a].apart + motion_[b].apart;
}

double PairBarriers::turning(std::size_t a, std::size_t b, double speed) const {
  if (duration_ == 0) return 0;
  const auto mass = [&](std::size_t body) { return body < scale_.bodies.size() ? scale_.bodies[body].node_mass : 0.0; };
  const double m = mass(a), n = mass(b), reduced = m > 0 && n > 0 ? m * n / (m + n) : std::max(m, n);
  return momentum_share * reduced * speed / duration_;
}

// Whether two bodies go no farther on each other in the step than the thickness, by the velocities that it began with.
bool PairBarriers::rest_on_each_other(std::uint64_t bodies) const {
  const auto [a, b] = both(bodies);
  return closing(a, b) * duration_ <= thickness();
}

// As large as what it has to hold: bonds, the weight and other loads on the two bodies, and their momentum, which must
// be turned within one step; bodies at rest count as if they closed in by the thickness in a step.
double PairBarriers::strength(std::uint64_t bodies, const Inputs& in) const {
  if (shapes_.settings.stiffness > 0) return shapes_.settings.stiffness * thickness();
  const auto [a, b] = both(bodies);
  const BodyScale none, &p = a < scale_.bodies.size() ? scale_.bodies[a] : none,
                        &q = b < scale_.bodies.size() ? scale_.bodies[b] : none;
  double bonds = std::min(p.elastic, q.elastic);
  if (bonds == 0) bonds = std::max(p.elastic, q.elastic);
  double load = norm(in.gravity) * std::max(p.mass, q.mass);
  if (p.mass > 0) load = std::max(load, motion_[a].load);
  if (q.mass > 0) load = std::max(load, motion_[b].load);
  const double slow = duration_ > 0 ? thickness() / duration_ : 0;
  const double momentum = turning(a, b, std::max(closing(a, b), slow));
  const double s = std::max({bond_share * bonds * thickness(), loads_carried * load, momentum});
  return s > 0 ? s : thickness();
}

Barrier PairBarriers::of(const Memory& memory, const Inputs& in, const ShapePair& pair) const {
  const std::uint64_t bodies = bodies_of(shapes_, pair);
  const std::size_t k = index_of(memory.near_bodies, bodies);
  if (k == memory.near_bodies.size()) return {strength(bodies, in) / thickness(), thickness()};
  return {memory.near_strength[k] / memory.near_reach[k], memory.near_reach[k]};
}

bool PairBarriers::meet(std::vector<Place>& places, const Inputs& in, bool settled, Memory& memory) {
  put_in_order(places);
  pressed_.clear();
  bool changed = false;
  std::vector<std::uint64_t> bodies;
  std::vector<double> strengths, reaches;
  for_each_pair(places, [&](std::size_t first, std::size_t) {
    const Place& nearest = places[first];
    const std::size_t k = index_of(memory.near_bodies, nearest.bodies);
    const bool known = k < memory.near_bodies.size();
    double strong = known ? memory.near_strength[k] : strength(nearest.bodies, in);
    const double reach = known ? memory.near_reach[k] : settled ? nearest.gap : thickness();
    const auto [a, b] = both(nearest.bodies);
    // A part of a step has less time than the step in which they met. The reach stays: to brake within a shorter one
    // would take shorter parts still.
    if (const double wanted = turning(a, b, closing(a, b));
        known && shapes_.settings.stiffness == 0 && wanted > outgrown * strong) {
      strong = wanted;
      changed = true;
    }
    bodies.push_back(nearest.bodies);
    strengths.push_back(strong);
    reaches.push_back(reach);
    if (nearest.gap < nearly_too_near * reaches.back()) pressed_.push_back(nearest.bodies);
  });
  memory.near_bodies = std::move(bodies);
  memory.near_strength = std::move(strengths), memory.near_reach = std::move(reaches);
  return changed;
}

bool PairBarriers::keep(std::vector<Place>& places, const Inputs& in, Memory& memory) {
  put_in_order(places);
  bool changed = false;
  std::vector<std::uint64_t> bodies;
  std::vector<double> strengths, reaches;
  for_each_pair(places, [&](std::size_t first, std::size_t last) {
    const Place& nearest = places[first];
    const std::size_t k = index_of(memory.near_bodies, nearest.bodies);
    const bool known = k < memory.near_bodies.size();
    double strong = known ? memory.near_strength[k] : strength(nearest.bodies, in);
    double reach = known ? memory.near_reach[k] : thickness();
    const bool was_pressed = std::binary_search(pressed_.begin(), pressed_.end(), nearest.bodies);
    if (was_pressed && rest_on_each_other(nearest.bodies) && nearest.gap < too_near * reach && nearest.force > 0) {
      strong = std::max(strong, largest_force(places, first, last));
      reach = reach_for(places, first, last, strong, reach);
      changed = true;
    }
    bodies.push_back(nearest.bodies);
    strengths.push_back(strong);
    reaches.push_back(std::min(thickness(), std::max(reach, nearest.gap)));
  });
  memory.near_bodies = std::move(bodies);
  memory.near_strength = std::move(strengths), memory.near_reach = std::move(reaches);
  return changed;
}

}  // namespace ls
