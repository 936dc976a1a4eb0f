#include "terms/hertz_mindlin_term.h"

#include "model/inputs.h"
#include "terms/contact_report.h"
#include "terms/hertz_mindlin_places.h"
#include "terms/slip_history.h"

#include <algorithm>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr int least_contacts = 256;  // below, threads cost more than they save

// The pair list and the arrays are caches: results do not depend on what they hold from before. `slip_` is handed from
// add_wrenches to advance within a step, since only there the velocities are those that carried the nodes.
class HertzMindlinTerm final : public Term {
 public:
  HertzMindlinTerm(const Shapes& shapes, const Model& model)
      : shapes_(shapes), bodies_(shapes, model), finder_(shapes), touching_(shapes), slip_(shapes) {}

  std::string_view name() const override { return "contact"; }
  int count() const override { return 0; }  // the model counts its bonds so
  bool adds_to_nodes() const override { return true; }

  void add_wrenches(const State& s, const Inputs& in, Wrenches& out, Team& team) const override {
    if (in.contact != ContactLaw::hertz_mindlin) return;
    find_touches(s);
    find_forces(s, in.dt, team);
    for (std::size_t k = 0; k < touches_.size(); ++k)
      bodies_.spread(touches_[k], places_[k], forces_[k], s.nodes, finder_.at(), [&](int n, const Wrench<double>& w) {
        out.force[0][n] += w.force.x, out.force[1][n] += w.force.y, out.force[2][n] += w.force.z;
        out.torque[0][n] += w.torque.x, out.torque[1][n] += w.torque.y, out.torque[2][n] += w.torque.z;
      });
  }
  void add_energy(const State& s, const Inputs& in, std::vector<EnergyPart>& parts, Team&) const override {
    if (in.contact != ContactLaw::hertz_mindlin) return;
    find_touches(s);
    double sum = 0;
    for (const Touch& t : touches_) {
      const ContactPlace p = bodies_.place(t, touching_, finder_.at(), s.nodes);
      sum += hertz_energy(bodies_.law(t), p.radius, p.overlap);
    }
    parts.push_back({"contact", sum});
  }
  void report(const State& s, const Inputs& in, ContactReport& r) const override {
    if (in.contact != ContactLaw::hertz_mindlin) return;
    Team alone(1);
    find_touches(s);
    find_forces(s, 0, alone);
    for (const ShapePair& pair : finder_.near(s.nodes, 0))
      r.min_gap = std::min(r.min_gap, nearness(shapes_, pair, finder_.at(), s.nodes).gap());
    r.contacts += static_cast<int>(touches_.size());
    for (std::size_t k = 0; k < touches_.size(); ++k)
      bodies_.spread(touches_[k], places_[k], forces_[k], s.nodes, finder_.at(),
                     [&](int n, const Wrench<double>& w) { r.force[static_cast<std::size_t>(n)] += w.force; });
  }
  void advance(const State&, const Inputs& in, Memory& memory) const override {
    if (in.contact == ContactLaw::hertz_mindlin)
      slip_.save(touches_, memory);
    else if (in.contact == ContactLaw::none)
      memory.touching.clear(), memory.slip.clear();
  }
  double max_step(const State& s, const Inputs& in) const override {
    if (in.contact != ContactLaw::hertz_mindlin) return std::numeric_limits<double>::infinity();
    double fastest = 0;
    for (int i = 0; i < s.nodes.count; ++i) {
      const V v = s.nodes.twist(i).v;
      fastest = std::max(fastest, dot(v, v));
    }
    return bodies_.largest_step(std::sqrt(fastest), touching_);
  }
  // It never acts in a solver that uses Newton's method: the barrier does.
  void add_wrench_change(const State&, const Inputs&, const std::vector<Twist<double>>&,
                         std::vector<Wrench<double>>&) const override {}
  void add_stiffness(const State&, const Inputs&, const StiffnessRequest&, BlockMatrix&) const override {}
  std::size_t bytes() const override { return finder_.bytes() + touching_.bytes() + bodies_.bytes(); }

 private:
  void find_touches(const State& s) const {
    const auto& pairs = finder_.near(s.nodes, 0);
    touching_.find(pairs, finder_.at(), s.nodes, touches_);
  }
  void find_forces(const State& s, double dt, Team& team) const {
    slip_.load(touches_, s.memory);
    places_.resize(touches_.size());
    forces_.resize(touches_.size());
    team.run(static_cast<int>(touches_.size()), least_contacts, [&](int first, int last) {
      for (auto k = static_cast<std::size_t>(first); k < static_cast<std::size_t>(last); ++k) {
        places_[k] = bodies_.place(touches_[k], touching_, finder_.at(), s.nodes);
        forces_[k] = hertz_mindlin(bodies_.law(touches_[k]), places_[k], slip_[k], dt);
      }
    });
  }

  const Shapes& shapes_;
  ContactBodies bodies_;
  mutable PairFinder finder_;
  mutable Touching touching_;
  mutable std::vector<Touch> touches_;
  mutable std::vector<ContactPlace> places_;  // [touch]
  mutable std::vector<ContactForce> forces_;  // [touch]
  mutable SlipHistory slip_;                  // [touch]
};

}  // namespace

std::unique_ptr<const Term> make_hertz_mindlin_term(const Shapes& shapes, const Model& model) {
  return std::make_unique<HertzMindlinTerm>(shapes, model);
}

std::optional<std::pair<int, int>> rigid_pair(const Shapes& shapes) {
  std::vector<std::uint8_t> is_wall(shapes.surfaces.size(), 0);
  for (std::size_t n = 0; n < shapes.is_wall.size(); ++n)
    if (shapes.is_wall[n]) is_wall[static_cast<std::size_t>(shapes.body_of[n])] = 1;
  int wall = -1, free = -1;
  for (std::size_t b = 0; b < shapes.surfaces.size(); ++b) {
    if (shapes.surfaces[b].young > 0) continue;
    const int body = static_cast<int>(b);
    if (free >= 0) return std::pair(free, body);
    if (!is_wall[b] && wall >= 0) return std::pair(wall, body);
    (is_wall[b] ? wall : free) = body;
  }
  return std::nullopt;
}

}  // namespace ls
