#include "terms/contact/hertz_mindlin_term.h"

#include "collide/pair_finder.h"
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
class HertzMindlinTerm final : public Contact {
 public:
  HertzMindlinTerm(const Shapes& shapes, const Model& model)
      : shapes_(shapes),
        bodies_(shapes, model),
        finder_(shapes, PairFinder::Places::all),
        touching_(shapes),
        slip_(shapes) {}

  std::string_view name() const override { return "contact"; }
  Scope scope(const Inputs& in) const override { return acts(in) ? Scope::few : Scope::idle; }
  Promise may_act_on(const State& s, double dt, double coming) override {
    if (&s != followed_ || s.clock.step != next_step_) finder_.near(s.nodes, 0);  // of another past: look at it all
    followed_ = &s;
    note_list();
    return {finder_.moved() + coming + bodies_.coming_turns(s.nodes, dt) <= finder_.slack(), listed_nodes_};
  }
  const std::vector<int>& acts_on(const State& s, double travelled) override {
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

  void add_wrenches(const State& s, const Inputs& in, const Blocks& blocks, Wrenches& out) override {
    assert(blocks.team);
    find_touches(s);
    find_forces(s, in.dt, *blocks.team);
    for (std::size_t k = 0; k < touches_.size(); ++k)
      bodies_.spread(touches_[k], places_[k], forces_[k], s.nodes, finder_.at(),
                     [&](int n, const Wrench<double>& w) { out.add(n, w); });
  }
  void add_energy(const State& s, const Inputs& in, Energies& out, Team&) override {
    if (!acts(in) || !out.wants(EnergyKind::contact)) return;
    find_touches(s);
    double sum = 0;
    for (const Touch& t : touches_) {
      const ContactPlace p = bodies_.place(t, touching_, finder_.at(), s.nodes);
      sum += hertz_energy(bodies_.law(t), p.radius, p.overlap);
    }
    out.add(EnergyKind::contact, sum);
  }
  void report(const State& s, const Inputs& in, ContactReport& r) override {
    if (!acts(in)) return;
    Team alone(1);
    find_touches(s);
    find_forces(s, 0, alone);
    const double reach = shapes_.settings.thickness;
    for (const ShapePair& pair : finder_.near(s.nodes, reach)) {
      const Nearness n = nearness(shapes_, pair, finder_.at(), s.nodes);
      if (n.gap() <= reach) note_pair(shapes_, pair, n, false, r);  // others may be listed or not
    }
    for (const Touch& t : touches_) note_pair(shapes_, t.pair, t.near, true, r);
    for (std::size_t k = 0; k < touches_.size(); ++k)
      bodies_.spread(touches_[k], places_[k], forces_[k], s.nodes, finder_.at(),
                     [&](int n, const Wrench<double>& w) { r.force[n] += w.force; });
  }
  void advance(const State&, const Inputs& in, Memory& memory) override {
    if (acts(in))
      slip_.save(touches_, memory);
    else if (in.contact == ContactLaw::none)
      memory.touching.clear(), memory.slip.clear();
  }
  Limits limits(const State& s, const Inputs& in) override {
    if (!acts(in)) return {};
    double fastest = 0;
    for (int i = 0; i < s.nodes.count; ++i) {
      const V v = s.nodes.twist(i).v;
      fastest = std::max(fastest, dot(v, v));
    }
    return {0, bodies_.largest_step(std::sqrt(fastest), touching_), false};
  }
  std::size_t bytes() const override { return finder_.bytes() + touching_.bytes() + bodies_.bytes(); }

 private:
  static bool acts(const Inputs& in) { return in.contact == ContactLaw::hertz_mindlin; }
  int node_of(int point) const { return shapes_.points[point].node; }
  void find_touches(const State& s) {
    if (std::exchange(has_touches_, false)) return;
    const auto& pairs = finder_.near(s.nodes, 0);
    touching_.find(pairs, finder_.at(), s.nodes, touches_);
  }
  // The points and nodes of the pairs that are listed.
  void note_list() {
    if (noted_list_ == finder_.lists()) return;
    noted_list_ = finder_.lists();
    touching_.wanted(finder_.list(), wanted_);
    listed_nodes_.clear();
    for (const int p : wanted_) listed_nodes_.push_back(node_of(p));
    for (const Hollow& h : shapes_.hollows) listed_nodes_.push_back(h.node);
  }
  void find_forces(const State& s, double dt, Team& team) {
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
  PairFinder finder_;
  Touching touching_;
  std::vector<Touch> touches_;
  std::vector<ContactPlace> places_;  // [touch]
  std::vector<ContactForce> forces_;  // [touch]
  SlipHistory slip_;                  // [touch]
  std::vector<int> wanted_;           // points that the list needs
  std::vector<int> listed_nodes_, touched_nodes_;
  long long noted_list_ = -1;        // which list wanted_ and listed_nodes_ are of
  const State* followed_ = nullptr;  // the state that the finder has gone along with
  long long next_step_ = -1;         // and which step of it comes next
  bool has_touches_ = false;         // touches_ are those of the state that comes next
};

}  // namespace

std::unique_ptr<Contact> make_hertz_mindlin_term(const Shapes& shapes, const Model& model) {
  return std::make_unique<HertzMindlinTerm>(shapes, model);
}

}  // namespace ls
