#include "output/take_snapshot.h"

#include "fluid/tracers.h"
#include "model/soft_moments.h"
#include "terms/bonds/bond_terms.h"

namespace ls {

namespace {
Snapshot::Triple triple(const Vec3<double>& a) {
  return {a.x, a.y, a.z};
}

void add_skin(const Model& m, const State& s, Snapshot& shot) {
  for (const SkinPoint& p : m.skin.points) {
    const auto f = s.nodes.frame(p.node);
    shot.skin.push_back(triple(f.x + rotate(f.q, p.offset)));
    shot.skin_node.push_back(p.node);
  }
  shot.triangle = m.skin.triangles;
  shot.outline = m.skin.lines;
  shot.is_ball.assign(static_cast<std::size_t>(m.nodes), 0);
  for (const int node : m.skin.balls) shot.is_ball[node] = 1;
}
}  // namespace

void add_contact(const Model& m, const Terms& terms, const State& s, const Inputs& in, Snapshot& shot) {
  if (!m.shapes) return;
  ContactReport r = contact_report(m, terms, s, in);
  for (const Vec3<double>& f : r.force) shot.contact_force.push_back(triple(f));
  shot.contact_gap = std::move(r.gap);
  shot.contacts = std::move(r.touching);
}

void add_tracers(const Fluid& fluid, const FluidState& s, Snapshot& shot) {
  for (const Vec3<double>& x : tracer_places(fluid, s)) shot.tracer.push_back(triple(x));
  for (const Vec3<double>& v : s.tracers.velocity) shot.tracer_velocity.push_back(triple(v));
  shot.tracer_velocity.resize(shot.tracer.size());  // none have one before they move
}

Snapshot take_snapshot(const Model& m, const State& s, const std::string& stage) {
  Snapshot shot;
  shot.step = s.clock.step;
  shot.time = s.clock.time;
  shot.stage = stage;
  for (int i = 0; i < m.nodes; ++i) {
    const auto f = s.nodes.frame(i);
    const auto t = s.nodes.twist(i);
    const auto w = s.nodes.wrench(i);
    shot.position.push_back(triple(f.x));
    shot.orientation.push_back({f.q.w, f.q.v.x, f.q.v.y, f.q.v.z});
    shot.velocity.push_back(triple(t.v));
    shot.spin.push_back(triple(t.w));
    shot.force.push_back(triple(w.force));
    shot.torque.push_back(triple(w.torque));
    shot.moment.push_back(is_magnetic(m) ? triple(rotate(f.q, moment_of(m, i) + induced_moment_of(m, s, i)))
                                         : Snapshot::Triple{});
    shot.mass.push_back(m.mass[i]);
    shot.radius.push_back(m.radius[i]);
    shot.body.push_back(m.body_of[i]);
    shot.is_wall.push_back(m.bodies[shot.body.back()].kind == BodyKind::wall ? 1 : 0);
  }
  add_skin(m, s, shot);
  for (const auto& b : m.bodies) shot.bodies.push_back(b.name);
  for (const BondRecord& b : bond_records(m, s)) {
    shot.bond.push_back({b.node1, b.node2});
    shot.strain.push_back(b.strain);
    shot.energy.push_back(b.energy);
    shot.broken.push_back(b.broken ? 1 : 0);
  }
  return shot;
}

}  // namespace ls
