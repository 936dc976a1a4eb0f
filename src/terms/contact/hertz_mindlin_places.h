#pragma once
#include "model/model.h"
#include "physics/hertz_mindlin.h"
#include "terms/contact/touching.h"

namespace ls {

// What the law needs to know about shapes and the bodies they belong to, and how a force at a place of contact reaches
// the nodes.
class ContactBodies {
 public:
  ContactBodies(const Shapes& shapes, const Model& model);

  ContactLawOf law(const Touch& touch) const;
  ContactPlace place(const Touch& touch, const Touching& touching, const std::vector<Vec3<double>>& at,
                     const Nodes& nodes) const;

  // Calls visit(node, wrench) for each node that a force on side a of a place acts on, and minus it on side b. A force
  // on a point between nodes is shared out by the weights of the nearest place, and so is its moment about that place:
  // force and torque balance exactly.
  template <class Visit>
  void spread(const Touch& touch, const ContactPlace& place, const ContactForce& f, const Nodes& nodes,
              const std::vector<Vec3<double>>& at, const Visit& visit) const {
    const double radius = radius_a(touch);
    const Vec3<double> arm = -(radius - 0.5 * place.overlap) * place.normal;  // from a's nearest place to the contact
    const Vec3<double> about_a = cross(arm, f.force) + f.torque;
    // b's nearest place lies at minus `between` from a's.
    const Vec3<double> about_b = cross(arm + touch.near.between, f.force) + f.torque;
    for (int i = 0; i < touch.near.count; ++i) {
      const int point = touch.near.point[i];
      const double w = touch.near.weight[i];
      const int node = shapes_.points[point].node;
      const Vec3<double> share = w * f.force, lever = at[point] - nodes.frame(node).x;
      visit(node, Wrench<double>{share, cross(lever, share) + w * (i < first_b(touch) ? about_a : about_b)});
    }
    if (touch.pair.kind != PairKind::point_hollow) return;
    const int node = shapes_.hollows[touch.pair.b].node;
    const Vec3<double> lever = at[touch.pair.a] + arm - nodes.frame(node).x;
    visit(node, Wrench<double>{-f.force, -cross(lever, f.force) - f.torque});
  }

  // A bound of how far points beside their nodes go in a step by the turning of these alone, m.
  double coming_turns(const Nodes& nodes, double dt) const;
  // The largest step that any two shapes can collide with at twice the given speed, s.
  double largest_step(double speed, const Touching& touching) const;
  std::size_t bytes() const;

 private:
  struct Kind;
  static int first_b(const Touch& t) { return t.pair.kind == PairKind::edges ? 2 : 1; }
  double radius_a(const Touch& t) const { return shapes_.points[t.near.point[0]].radius; }
  int body_of_point(int point) const { return shapes_.body_of[shapes_.points[point].node]; }
  double inverse_mass(int point, const Vec3<double>& normal, const Vec3<double>& at, const Nodes& nodes) const;
  double curvature_radius(const Touch& touch, const Touching& touching) const;
  std::vector<Kind> kinds(const Touching& touching) const;
  double step_of(const Kind& a, const Kind& b, double speed) const;

  const Shapes& shapes_;
  std::vector<ContactSide> sides_;             // [body]
  std::vector<double> curvature_;              // [point] m, radius of its surface as far as stiffness goes
  std::vector<double> inverse_mass_;           // [node] 1/kg, 0 where the position is held
  std::vector<std::pair<int, double>> arms_;   // node and distance of points beside it, m
  std::vector<Vec3<double>> inverse_inertia_;  // [node] 1/(kg m^2), about its own axes; 0 where it can't turn
  std::vector<double> rule_damping_;           // [rule of pairs]
  double most_rule_damping_ = 0;
  bool rule_rubs_ = false;  // one of them has friction
};

}  // namespace ls
