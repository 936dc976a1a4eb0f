#include "step/newton/leftover.h"

#include "math/sym3.h"
#include "model/inertia.h"

#include <cassert>

namespace ls {

namespace {

using V = Vec3<double>;

// Momenta that a body is to gain, and the inertia that it has at the end of the step, both about its centre of mass.
struct Gain {
  double mass = 0;
  V centre{}, push{}, turn{};
  Sym3 inertia{};
};

Gain gain_of(const Model& m, const Body& body, const NewtonWork& newton, double dt, const Nodes& pose,
             const Nodes& end) {
  Gain g;
  V start{};
  for (const int i : body.nodes) {
    g.mass += m.mass[i];
    g.centre += m.mass[i] * end.frame(i).x;
    start += m.mass[i] * pose.frame(i).x;
  }
  g.centre = (1 / g.mass) * g.centre, start = (1 / g.mass) * start;
  for (const int i : body.nodes) {
    const double* r = newton.residual.data() + static_cast<std::ptrdiff_t>(dofs) * i;
    const V force{r[0], r[1], r[2]}, torque{r[3], r[4], r[5]};
    g.push += dt * force;
    g.turn += dt * (cross(pose.frame(i).x - start, force) + torque);
    const V d = end.frame(i).x - g.centre, own = principal_inertia(m, i);
    const Mat3<double> axes = matrix(end.frame(i).q);
    g.inertia = g.inertia + (m.mass[i] * dot(d, d)) * diagonal({1, 1, 1}) + outer(-m.mass[i], d) +
                outer(own.x, axes.c1) + outer(own.y, axes.c2) + outer(own.z, axes.c3);
  }
  return g;
}

}  // namespace

void give_leftover(const Model& m, const std::vector<HeldNode>& held, const NewtonWork& newton, double dt,
                   const Nodes& pose, Nodes& end) {
  std::vector<std::uint8_t> is_held(m.bodies.size(), 0);
  for (const auto& h : held) is_held[m.body_of[h.node]] = 1;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const Body& body = m.bodies[b];
    if (is_held[b] || body.nodes.empty()) continue;
    const Gain g = gain_of(m, body, newton, dt, pose, end);
    assert(g.mass > 0);
    const V speed = (1 / g.mass) * g.push, spin = inverse(g.inertia) * g.turn;
    for (const int i : body.nodes) {
      Twist<double> t = end.twist(i);
      t.v += speed + cross(spin, end.frame(i).x - g.centre);
      t.w += spin;
      end.set(i, t);
    }
  }
}

}  // namespace ls
