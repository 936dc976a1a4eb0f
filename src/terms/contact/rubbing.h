#pragma once
#include "terms/contact/barrier_pair.h"
#include "terms/term.h"

#include <optional>
#include <utility>

namespace ls {

// Which island, [node], some nodes belong to; -1: all of them are held.
int island_of(const int* node, int count, const std::vector<int>& island);

// Friction of the barrier's contacts. Each that pushes is noted with its normal force, its normal and the places on
// both surfaces that touch, which a solve then takes as fixed. What it resists is how far these have slid on each other
// since the step began, and the elastic stretch that it had by then: contacts that stick keep that from step to step,
// in Memory, cut where they give way, so that what is at rest stays where it is. A contact that parts forgets it.
class Rubbing {
 public:
  explicit Rubbing(const Shapes& shapes);
  bool any_surface_rubs() const { return rubs_; }

  // A step begins from this state. slip, m: stretched so far, a contact gives way.
  void begin(const State& start, double slip);
  void clear() { lags_.clear(); }
  // Where a solve goes on from where the last one from the same start came to: takes up what that one went by, but for
  // contacts of marked nodes, [node], which keep what has been noted.
  void go_on(const std::vector<std::uint8_t>& anew);
  // Notes a contact that pushes, in ascending order of the pairs.
  void note(const ShapePair& pair, const PairPush& push, const State& s);
  // When all of a state are noted: makes one contact of those of a ball with neighbouring facets of a rigid body. Each
  // facet within the reach pushes, and they touch the ball at different places, of which a rolling ball stands still
  // at one only: at a place that leads or lags by an angle a it slides by 1 - cos(a) of its way, so that rolling would
  // cost work that grows with the reach. All places of a rigid side become one as well, which is the same friction.
  void gather(const State& s);
  // How much friction there is in all, and by how much it differs from what was noted before, N.
  struct Change {
    double all, by;
  };
  struct Lag {
    ShapePair pair;
    int count;
    int node[4];
    Vec3<double> offset[4];  // m, of the node's place that touches, in its own axes; it turns with the node
    Vec3<double> arm[4];     // m, from there to the surface that touches, world axes; it rolls on
    double weight[4];        // of the places
    Vec3<double> normal;
    Vec3<double> start;  // m, between the surfaces when the step began, less the stretch that they had by then
    double limit;        // N
    std::optional<Vec3<double>> stretch;  // that they had by then, in shares of the slip; none: nothing is known of it
    std::vector<std::uint64_t> also;      // keys of further pairs whose friction it stands for (gather)
    std::optional<Vec3<double>> slid, slid_before;  // m, in the state that its stiffness was asked for last, and before
  };
  std::vector<Lag> exchange(std::vector<Lag> lags) { return std::exchange(lags_, std::move(lags)); }
  Change change_from(const std::vector<Lag>& old) const;
  // Given what was noted before, and now of the islands that were asked about: keeps what is new where friction of the
  // island has changed by more than a share, [island], of all of it there, what is old of all others. Leaves 1 where it
  // changed.
  void settle_islands(const std::vector<Lag>& before, const std::vector<int>& island, const std::vector<double>& share,
                      std::vector<std::uint8_t>& asked);

  bool empty() const { return lags_.empty(); }
  const std::vector<Lag>& lags() const { return lags_; }
  // Without contacts between nodes that are held in all: [node] Hold bits; null: with all.
  void add_wrenches(const Nodes& nodes, const std::vector<std::uint8_t>* held, Wrenches& out) const;
  // In a step in time it goes by the states that it was asked about in this solve as well.
  void add_stiffness(const Nodes& nodes, const std::vector<std::uint8_t>* held, bool in_time, BlockMatrix& out);
  // J, that it took: in a step of dt by the velocities of the nodes; 0: along the way from the start.
  double work(const Nodes& nodes, double dt) const;
  // Keeps the force of all on each node, and the stretch of those contacts that still push: their keys, ascending.
  void keep(const Nodes& nodes, const std::vector<std::uint64_t>& pushing, Memory& memory) const;

 private:
  struct Slide {
    Vec3<double> by;  // m, along the surface
    double length;
    Vec3<double> lever[4];
  };
  Slide slide_of(const Lag& lag, const Nodes& nodes) const;
  bool turns_back(Lag& lag, const Slide& slide) const;
  double friction_of(const PairPush& push) const;
  std::optional<Vec3<double>> stretch_of(const ShapePair& pair, const Memory& memory) const;
  void find_start(Lag& lag) const;
  void gather_facets(const State& s);
  static bool unite_sides(Lag& lag);
  Lag gathered(const std::vector<Lag>& facets, const State& s) const;

  const Shapes& shapes_;
  bool rubs_ = false;
  std::vector<std::uint8_t> is_ball_;  // [point]
  Nodes start_;
  double slip_ = 1;               // m
  std::vector<Lag> lags_, last_;  // of this solve, and of the one before
  std::vector<std::pair<std::uint64_t, std::size_t>>
      kept_;  // bodies of the contacts in Memory, and which one; ascending
};

}  // namespace ls
