#pragma once
#include "collide/pair_search.h"

namespace ls {

// Lists the pairs that may touch, in ascending order, and keeps the list while nothing has moved far.
class PairFinder {
 public:
  // Which points near() places: those of the pairs that it lists, or all.
  enum class Places { listed, all };
  explicit PairFinder(const Shapes& shapes, Places places = Places::listed);

  // All pairs with a gap below `reach`, and some more.
  const std::vector<ShapePair>& near(const Nodes& nodes, double reach);
  // Of these, all with a gap below `gap` (no more than `reach`), and few more: a list within the list, made anew more
  // often, so that most calls look at hardly any pair that is not as near.
  const std::vector<ShapePair>& within(const Nodes& nodes, double reach, double gap);
  // As the one above, given that no node has moved by more than `travelled` since the last call of either: then most
  // calls need not look at all nodes. Where the list stays, places only the points in `wanted` anew. Makes a new list
  // early, so that what moves at most a few times faster in the next step is in it already.
  const std::vector<ShapePair>& near(const Nodes& nodes, double reach, double travelled,
                                     const std::vector<int>& wanted);
  const std::vector<ShapePair>& list() const { return list_; }  // as of the last call
  long long lists() const { return lists_; }                    // how many lists have been made
  // Those that may come so near during a motion from these nodes, in no order; `kept`: the reach of the list to go by.
  // Places their points where the motion starts.
  void near_on_the_way(const Nodes& nodes, double kept, const PointMotion& motion, double reach,
                       std::vector<ShapePair>& out);
  // How far the farthest point has moved at most since it was listed, m, and how far it may.
  double moved() const { return moved_; }
  double slack() const { return 0.5 * skin_; }
  // [point] of listed pairs as of the last call, or of all
  const std::vector<Vec3<double>>& at() const { return at_; }
  std::size_t bytes() const;

 private:
  struct HollowPlace {
    Vec3<double> base{}, axis{};
    double farthest = 0;  // m, of any point from the base
  };
  HollowPlace hollow_place(const Hollow& hollow, const Nodes& nodes) const;
  // [node] and [hollow] where they were when a list was made
  struct Reference {
    std::vector<Frame<double>> frames;
    std::vector<HollowPlace> hollows;
  };
  void note(const Nodes& nodes, Reference& reference) const;
  void travel(const Nodes& nodes);
  bool is_marked(const ShapePair& pair) const;
  void renew_list(const Nodes& nodes);
  double hollows_moved(const Reference& from, const Nodes& nodes) const;
  double node_moved(const Reference& from, int node, const Nodes& nodes) const;
  double turning_nodes_moved(const Nodes& nodes) const;
  double nodes_moved(const Reference& from, const Nodes& nodes) const;
  void keep_list(const Nodes& nodes, double reach);
  void make_inner(const Nodes& nodes, double gap);
  void make_list(const Nodes& nodes, double reach, double least_skin);
  struct Listed {
    ShapePair pair;
    double gap;   // m, when it was last measured
    double then;  // m, what its nodes had travelled by then
    bool operator<(const Listed& other) const { return pair < other.pair; }
  };
  double sum_over_sides(const ShapePair& pair, const std::vector<double>& of_node) const;
  double travelled(const Listed& listed) const { return sum_over_sides(listed.pair, odometer_); }
  double least_gap(const Listed& listed) const { return listed.gap - (travelled(listed) - listed.then); }
  void measure(const Nodes& nodes, Listed& listed);
  void list_found(const Nodes& nodes, std::vector<Listed>& out);
  void note_list(const Nodes& nodes);
  void drop_unmarked(std::vector<ShapePair>& pairs) const;
  bool mark_fast(const Nodes& nodes, const PointMotion& motion);
  void place_once(const ShapePair& pair, const Nodes& nodes);
  void place(const std::vector<int>& points, const Nodes& nodes);
  void note_points(const std::vector<ShapePair>& pairs, std::vector<int>& points);

  const Shapes& shapes_;
  Places places_;
  PairSearch search_;
  PointMotion still_;
  double typical_size_ = 0;         // m, radius of the thickest shape, or what stands for it
  std::vector<int> nodes_;          // that have points
  std::vector<int> turning_nodes_;  // those that have points beside them
  std::vector<double> node_lever_;  // [node] m, of its farthest point
  Reference reference_;             // when the list was made
  std::vector<Vec3<double>> at_;    // [point]
  std::vector<long long> placed_;   // [point] which search has seen it
  long long searches_ = 0;
  std::vector<int> listed_points_;
  std::vector<ShapePair> list_;
  std::vector<Listed> listed_;  // likewise
  // Each node has a reference, where it was when it was last listed. The list has what is near among references, so
  // that only nodes that have gone far need be listed anew.
  Nodes reference_nodes_;
  std::vector<double> moved_from_;  // [node] m, from its reference
  std::vector<double> odometer_;    // [node] m, all the way that its farthest point, or its wall, can have gone
  Reference last_;                  // where the odometers were read
  // Scratch
  std::vector<ShapePair> found_;
  std::vector<Listed> new_, all_;
  std::vector<std::uint8_t> marked_;  // [node]
  std::vector<double> way_;           // [node] m
  double list_reach_ = -1, skin_ = 0, moved_ = 0;
  struct Inner {
    double gap = -1, skin = 0;
    double moved = 0;  // m, how far anything had moved since the list was made
    Reference reference;
    std::vector<ShapePair> pairs;
    std::vector<int> points;
  } inner_;
  double path_ = 0;  // m, no node has come farther than this since the list was made
  long long lists_ = 0;
};

}  // namespace ls
