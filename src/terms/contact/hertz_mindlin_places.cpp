#include "terms/contact/hertz_mindlin_places.h"

#include "math/verlet.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace ls {

namespace {

using V = Vec3<double>;

// A sharp corner has no radius to press with. As far as stiffness goes it is rounded by this share of its distance from
// the centre of its body.
constexpr double rounding = 0.1;
// A step must be able to follow a collision that gets so deep, as a share of R*, whatever the speed at the start was.
constexpr double foreseen_overlap = 0.05;
// At the largest step, two bodies touch for so many steps. It is well below what would be unstable (two of them),
// because the dashpot starts within a step: with twice as many, which "auto" takes, restitutions from 0.3 on are met to
// 1 % wherever in a step the collision begins.
constexpr double steps_in_touch = 28;
constexpr std::size_t most_kinds = 1000;  // of shapes that are told apart when all are compared with all

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}
double harmonic(double a, double b) {
  return a * b / (a + b);
}

}  // namespace

ContactBodies::ContactBodies(const Shapes& shapes, const Model& model) : shapes_(shapes) {
  for (const Surface& s : shapes.surfaces)
    sides_.push_back(contact_side(s.young, s.poisson, damping_of(s.restitution), s.friction));
  for (const PairRule& r : shapes.rules) {
    rule_rubs_ = rule_rubs_ || r.friction.value_or(0) > 0;
    rule_damping_.push_back(r.restitution ? damping_of(*r.restitution) : 0);
    most_rule_damping_ = std::max(most_rule_damping_, rule_damping_.back());
  }
  for (const ShapePoint& p : shapes.points) curvature_.push_back(p.radius > 0 ? p.radius : rounding * norm(p.offset));
  for (int i = 0; i < model.nodes; ++i) {
    const int held = shapes.is_wall[index(i)] ? hold_all : model.held.empty() ? 0 : model.held[index(i)];
    inverse_mass_.push_back((held & hold_position) == hold_position ? 0 : 1 / model.mass[i]);
    V turn{};
    if ((held & hold_turn) != hold_turn)
      turn = {1 / model.inertia[0][i], 1 / model.inertia[1][i], 1 / model.inertia[2][i]};
    inverse_inertia_.push_back(turn);
  }
  for (const ShapePoint& p : shapes.points)
    if (const double arm = norm(p.offset); arm > 0) arms_.emplace_back(p.node, arm);
}

double ContactBodies::coming_turns(const Nodes& nodes, double dt) const {
  double most = 0;
  for (const auto& [node, arm] : arms_) {
    const V& inverse = inverse_inertia_[node];
    const double spin = norm(nodes.twist(node).w) +
                        0.5 * dt * std::max({inverse.x, inverse.y, inverse.z}) * norm(nodes.wrench(node).torque);
    most = std::max(most, dt * spin * arm);
  }
  return most;
}

ContactLawOf ContactBodies::law(const Touch& t) const {
  const int a = body_of_point(t.near.point[0]);
  const int b = t.pair.kind == PairKind::point_hollow ? shapes_.body_of[index(shapes_.hollows[index(t.pair.b)].node)]
                                                      : body_of_point(t.near.point[first_b(t)]);
  ContactLawOf c = contact_of(sides_[index(a)], sides_[index(b)]);
  if (const PairRule* rule = shapes_.rule(a, b)) {
    if (rule->friction) c.friction = *rule->friction;
    if (rule->restitution) c.damping = rule_damping_[index(static_cast<int>(rule - shapes_.rules.data()))];
  }
  c.rolling = shapes_.settings.rolling;
  c.slow = shapes_.settings.slip_speed;
  return c;
}

// How fast the place of a point moves along the normal for a unit of impulse there.
double ContactBodies::inverse_mass(int point, const V& normal, const V& at, const Nodes& nodes) const {
  const ShapePoint& p = shapes_.points[index(point)];
  double sum = inverse_mass_[index(p.node)];
  if (dot(p.offset, p.offset) > 0) {
    const Frame<double> f = nodes.frame(p.node);
    const V turn = rotate(conj(f.q), cross(at - f.x, normal)), &i = inverse_inertia_[index(p.node)];
    sum += i.x * turn.x * turn.x + i.y * turn.y * turn.y + i.z * turn.z * turn.z;
  }
  return sum;
}

// R*: of balls the harmonic sum; of crossed cylinders sqrt(R1 R2), which is exact for equal ones at a right angle; of a
// ball on a cylinder the geometric mean of both directions. What is flat adds no curvature, what is hollow takes some.
double ContactBodies::curvature_radius(const Touch& t, const Touching& touching) const {
  const double a = curvature_[index(t.near.point[0])];
  if (t.pair.kind == PairKind::point_triangle) return a;
  if (t.pair.kind == PairKind::point_hollow) {
    const Hollow& h = shapes_.hollows[index(t.pair.b)];
    if (h.kind == HollowKind::plane) return a;
    const double fitted =
        a / std::max(1 - a / h.radius, 1e-3);  // a ball that fills its shell would be infinitely stiff
    return h.kind == HollowKind::sphere ? fitted : std::sqrt(a * fitted);
  }
  const double b = curvature_[index(t.near.point[first_b(t)])];
  const bool round_a = touching.stands_alone(t.near.point[0]),
             round_b = touching.stands_alone(t.near.point[first_b(t)]);
  if (round_a && round_b) return harmonic(a, b);
  if (round_a) return std::sqrt(a * harmonic(a, b));
  if (round_b) return std::sqrt(b * harmonic(a, b));
  return std::sqrt(a * b);
}

ContactPlace ContactBodies::place(const Touch& t, const Touching& touching, const std::vector<V>& at,
                                  const Nodes& nodes) const {
  ContactPlace p;
  p.overlap = -t.near.gap();
  p.radius = curvature_radius(t, touching);
  const bool hollow = t.pair.kind == PairKind::point_hollow;
  const Hollow* h = hollow ? &shapes_.hollows[index(t.pair.b)] : nullptr;
  p.normal = hollow ? distance_from(*h, nodes.frame(h->node), at[index(t.pair.a)]).normal
                    : (1 / t.near.distance) * t.near.between;
  const V arm_a = -(radius_a(t) - 0.5 * p.overlap) * p.normal, arm_b = arm_a + t.near.between;
  double inverse = 0, mean = 0;
  for (int i = 0; i < t.near.count; ++i) {
    const int point = t.near.point[i];
    const double w = t.near.weight[i];
    const int node = shapes_.points[index(point)].node;
    const Twist<double> twist = nodes.twist(node);
    const V lever = at[index(point)] - nodes.frame(node).x + (i < first_b(t) ? arm_a : arm_b);
    p.velocity += w * (twist.v + cross(twist.w, lever));
    p.spin += w * twist.w;
    mean += std::abs(w) * dot(twist.w, p.normal);
    inverse += w * w * inverse_mass(point, p.normal, at[index(point)], nodes);
  }
  if (hollow) {
    const Twist<double> twist = nodes.twist(h->node);
    const V lever = at[index(t.pair.a)] + arm_a - nodes.frame(h->node).x;
    p.velocity = p.velocity - twist.v - cross(twist.w, lever);
    p.spin = p.spin - twist.w;
    mean += dot(twist.w, p.normal);
  }
  p.turning = 0.5 * mean;
  p.mass = inverse > 0 ? 1 / inverse : 0;
  return p;
}

// A shape as far as the step is concerned.
struct ContactBodies::Kind {
  ContactSide side;
  double radius = 0;              // m; 0: flat
  double inverse_mass = 0;        // 1/kg, of a push along the normal
  double inverse_mass_along = 0;  // 1/kg, of one along the surface, which turns the body as well
  bool round = true;              // a ball rather than a part of a rod
  auto all() const {
    return std::tie(side.normal, side.shear, side.damping, side.friction, radius, inverse_mass, inverse_mass_along,
                    round);
  }
  bool operator<(const Kind& o) const { return all() < o.all(); }
  bool operator==(const Kind& o) const { return all() == o.all(); }
};

// Every different shape once. Where there are too many, those that differ by less than a fifth become one that is at
// least as stiff and light as each of them.
std::vector<ContactBodies::Kind> ContactBodies::kinds(const Touching& touching) const {
  std::vector<Kind> all;
  for (std::size_t k = 0; k < shapes_.points.size(); ++k) {
    const ShapePoint& p = shapes_.points[k];
    const V& turn = inverse_inertia_[index(p.node)];
    const double lightest = std::max({turn.x, turn.y, turn.z}), offset = dot(p.offset, p.offset);
    const double arm = p.radius + std::sqrt(offset), mass = inverse_mass_[index(p.node)];
    all.push_back({sides_[index(shapes_.body_of[index(p.node)])], curvature_[k], mass + lightest * offset,
                   mass + lightest * arm * arm, touching.stands_alone(static_cast<int>(k))});
  }
  for (const Hollow& h : shapes_.hollows) all.push_back({sides_[index(shapes_.body_of[index(h.node)])], 0, 0, 0, true});
  const auto unite = [&] {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  };
  unite();
  if (all.size() <= most_kinds) return all;
  const auto up = [](double a) { return a > 0 ? std::exp2(0.25 * std::ceil(4 * std::log2(a))) : 0; };
  const auto down = [](double a) { return a > 0 ? std::exp2(0.25 * std::floor(4 * std::log2(a))) : 0; };
  for (Kind& k : all) {
    k.side = {down(k.side.normal), down(k.side.shear), up(k.side.damping), k.side.friction > 0 ? 1.0 : 0.0};
    k.radius = up(k.radius), k.inverse_mass = up(k.inverse_mass), k.inverse_mass_along = up(k.inverse_mass_along);
  }
  unite();
  return all;
}

double ContactBodies::step_of(const Kind& a, const Kind& b, double speed) const {
  const double inverse = a.inverse_mass + b.inverse_mass;
  if (inverse == 0 || a.radius + b.radius == 0 || a.side.normal + b.side.normal == 0)
    return std::numeric_limits<double>::infinity();
  ContactLawOf c = contact_of(a.side, b.side);
  c.damping = std::max(c.damping, most_rule_damping_);  // kinds know no bodies, so no rules of two of them
  const double radius = a.radius == 0 || b.radius == 0 ? a.radius + b.radius
                        : a.round && b.round           ? harmonic(a.radius, b.radius)
                                                       : std::sqrt(a.radius * b.radius);
  // Deepest overlap of a collision: 8/15 E* sqrt(R*) d^(5/2) = m* v^2/2 (Johnson, ch. 11).
  const double deepest = std::pow(15 * speed * speed / (16 * std::sqrt(radius) * c.young * inverse), 0.4);
  const double overlap = std::max(foreseen_overlap * radius, deepest);
  const double normal = hertz_slope(c, radius, overlap), damping = contact_damping(c, 1 / inverse, radius, overlap);
  const double frequency = std::sqrt(normal * inverse);
  // The time in touch is 2.943 d/v, and v = d frequency sqrt(8/15).
  const double step =
      std::min(2.94327 / std::sqrt(8.0 / 15.0) / frequency / steps_in_touch, verlet_limit(frequency, damping / normal));
  if (c.friction == 0 && !rule_rubs_) return step;
  const double shear = mindlin_slope(c, radius, overlap);
  const double inverse_along = a.inverse_mass_along + b.inverse_mass_along;
  return std::min(step, verlet_limit(std::sqrt(shear * inverse_along), damping / shear));
}

double ContactBodies::largest_step(double speed, const Touching& touching) const {
  const std::vector<Kind> all = kinds(touching);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i; j < all.size(); ++j) least = std::min(least, step_of(all[i], all[j], 2 * speed));
  return least;
}

std::size_t ContactBodies::bytes() const {
  return sides_.size() * sizeof(ContactSide) + (curvature_.size() + inverse_mass_.size()) * sizeof(double) +
         inverse_inertia_.size() * sizeof(V);
}

}  // namespace ls
