#include "terms/contact/hertz_mindlin_term.h"

#include "model/inputs.h"
#include "terms/contact/contact_report.h"
#include "terms/contact/hertz_mindlin_places.h"
#include "terms/contact/slip_history.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr double too_deep = 0.9;     // of the radii of both
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
  bool is_idle(const Inputs& in) const override { return in.contact != ContactLaw::hertz_mindlin; }
  bool is_sparse() const override { return true; }
  const std::vector<int>& may_act_on(const State& s) const override {
    if (&s != followed_ || s.clock.step != next_step_) finder_.near(s.nodes, 0);  // of another past: look at it all
    followed_ = &s;
    note_list();
    return listed_nodes_;
  }
  const std::vector<int>& acts_on(const State& s, double travelled) const override {
    const auto& pairs = finder_.near(s.nodes, 0, travelled, wanted_);
    touching_.find(pairs, finder_.at(), s.nodes, touches_);
    next_step_ = s.clock.step + 1;
    has_touches_ = true;
    touched_nodes_.clear();
    for (const Touch& t : touches_) {
      const PairNodes nodes = nodes_of(shapes_, t.pair, t.near);
      touched_nodes_.insert(touched_nodes_.end(), nodes.node, nodes.node + nodes.count);
    }
    return touched_nodes_;
  }

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
      note_pair(shapes_, pair, nearness(shapes_, pair, finder_.at(), s.nodes), false, r);
    for (const Touch& t : touches_) note_pair(shapes_, t.pair, t.near, true, r);
    for (std::size_t k = 0; k < touches_.size(); ++k)
      bodies_.spread(touches_[k], places_[k], forces_[k], s.nodes, finder_.at(),
                     [&](int n, const Wrench<double>& w) { r.force[n] += w.force; });
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
  int node_of(int point) const { return shapes_.points[point].node; }
  void find_touches(const State& s) const {
    if (std::exchange(has_touches_, false)) return;
    const auto& pairs = finder_.near(s.nodes, 0);
    touching_.find(pairs, finder_.at(), s.nodes, touches_);
  }
  // The points and nodes of the pairs that are listed.
  void note_list() const {
    if (noted_list_ == finder_.lists()) return;
    noted_list_ = finder_.lists();
    touching_.wanted(finder_.list(), wanted_);
    listed_nodes_.clear();
    for (const int p : wanted_) listed_nodes_.push_back(node_of(p));
    for (const Hollow& h : shapes_.hollows) listed_nodes_.push_back(h.node);
  }
  void find_forces(const State& s, double dt, Team& team) const {
    slip_.load(touches_, s.memory);
    places_.resize(touches_.size());
    forces_.resize(touches_.size());
    team.run(static_cast<int>(touches_.size()), least_contacts, [&](int first, int last) {
      for (int k = first; k < last; ++k) {
        places_[k] = bodies_.place(touches_[k], touching_, finder_.at(), s.nodes);
        forces_[k] = hertz_mindlin(bodies_.law(touches_[k]), places_[k], slip_[k], dt);
        // Nearly through each other: the law means nothing any more, and the step must not be taken for one.
        const double radii = touches_[k].near.radii;
        if (radii > 0 && places_[k].overlap > too_deep * radii)
          forces_[k].force.x = std::numeric_limits<double>::quiet_NaN();
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
  mutable std::vector<int> wanted_;           // points that the list needs
  mutable std::vector<int> listed_nodes_, touched_nodes_;
  mutable long long noted_list_ = -1;        // which list wanted_ and listed_nodes_ are of
  mutable const State* followed_ = nullptr;  // the state that the finder has gone along with
  mutable long long next_step_ = -1;         // and which step of it comes next
  mutable bool has_touches_ = false;         // touches_ are those of the state that comes next
};

}  // namespace

std::unique_ptr<const Term> make_hertz_mindlin_term(const Shapes& shapes, const Model& model) {
  return std::make_unique<HertzMindlinTerm>(shapes, model);
}

namespace {

// The first two bodies of a kind, unless both are walls, which do not touch each other.
std::optional<std::pair<int, int>> first_two(const Shapes& shapes, const std::vector<std::uint8_t>& is_of_kind) {
  std::vector<std::uint8_t> is_wall(shapes.surfaces.size(), 0);
  for (std::size_t n = 0; n < shapes.is_wall.size(); ++n)
    if (shapes.is_wall[n]) is_wall[shapes.body_of[n]] = 1;
  int wall = -1, free = -1;
  for (std::size_t b = 0; b < is_of_kind.size(); ++b) {
    if (!is_of_kind[b]) continue;
    const int body = static_cast<int>(b);
    if (free >= 0) return std::pair(free, body);
    if (!is_wall[b] && wall >= 0) return std::pair(wall, body);
    (is_wall[b] ? wall : free) = body;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::pair<int, int>> rigid_pair(const Shapes& shapes) {
  std::vector<std::uint8_t> rigid;
  for (const Surface& s : shapes.surfaces) rigid.push_back(s.young == 0);
  return first_two(shapes, rigid);
}

std::optional<std::pair<int, int>> sharp_pair(const Shapes& shapes) {
  std::vector<std::uint8_t> has_points(shapes.surfaces.size(), 0), has_radius(has_points);
  for (const ShapePoint& p : shapes.points) {
    const auto body = static_cast<std::size_t>(shapes.body_of[p.node]);
    has_points[body] = 1;
    if (p.radius > 0) has_radius[body] = 1;
  }
  for (std::size_t b = 0; b < has_points.size(); ++b) has_points[b] = has_points[b] && !has_radius[b];
  return first_two(shapes, has_points);
}

}  // namespace ls
