#pragma once
#include "collide/pairs.h"

namespace ls {

// A place where two shapes overlap. Its pair names the features that touch, which may be smaller than those that were
// compared: a point at the end of an edge is told as two points (PairKind::spheres).
struct Touch {
  ShapePair pair;
  Nearness near;
  bool side_by_side = false;  // of rods that run along each other
};

// Picks from a list of pairs those that overlap, each place once. The same place turns up in many pairs: where two rods
// cross above a node, two edges, the node and both its neighbours are about equally near. What counts is the nearest
// place as seen along both bodies: two edges where both places lie inside them; a node and an edge where the node is
// nearer than the places beside it on its own rod; and so on. Of such places between two bodies that lie within a
// radius of each other, as on both sides of a slight kink, the deepest counts. So a crossing is one contact however
// fine the rods are. Of rods that lie side by side (within some 18 degrees) every node counts, as it does on walls and
// triangles: there the nearest place would jump from node to node.
class Touching {
 public:
  explicit Touching(const Shapes& shapes);

  // All overlaps among `pairs` (ascending), ascending and each once, to `out`.
  void find(const std::vector<ShapePair>& pairs, const std::vector<Vec3<double>>& at, const Nodes& nodes,
            std::vector<Touch>& out);
  // The points that find() looks at for these pairs, ascending.
  void wanted(const std::vector<ShapePair>& pairs, std::vector<int>& points) const;
  // Whether a point belongs to an edge or a triangle.
  bool stands_alone(int point) const { return neighbours(point).empty(); }
  std::size_t bytes() const;

 private:
  using Places = std::vector<Vec3<double>>;
  struct Span {
    const int *first, *last;
    const int* begin() const { return first; }
    const int* end() const { return last; }
    bool empty() const { return first == last; }
    auto size() const { return last - first; }
  };
  // Lists of integers, one list an item.
  struct Lists {
    std::vector<int> first{0}, items;
    Span operator[](int i) const {
      const auto k = static_cast<std::size_t>(i);
      return {items.data() + first[k], items.data() + first[k + 1]};
    }
    void fill(std::size_t count, std::vector<std::pair<int, int>>& pairs);  // sorts and drops doubles
  };
  struct Side {
    int low, high, edge;
  };

  Span neighbours(int point) const { return neighbours_[point]; }
  int edge_between(int a, int b) const;
  bool is_nearest(int point, const Vec3<double>& towards, const Places& at, const Nearness* known = nullptr) const;
  bool is_nearest_edge(int edge, const Vec3<double>& place, const Vec3<double>& towards, const Places& at,
                       const Nearness* known = nullptr) const;
  bool is_flat(int edge, const Places& at) const;
  bool runs_along(int point, int edge, const Places& at) const;
  bool settle(Touch& touch, const Places& at) const;
  bool settle_point_edge(Touch& touch, const Places& at) const;
  bool settle_edges(Touch& touch, const Places& at) const;
  bool settle_point_triangle(Touch& touch, const Places& at) const;
  bool is_crossing(const Touch& touch) const;
  void keep_deepest(const Places& at, std::vector<Touch>& touches);

  const Shapes& shapes_;
  Lists neighbours_;                       // [point] points that an edge or a side of a triangle joins it to
  Lists opposite_;                         // [edge] corners of its triangles across from it
  std::vector<Side> sides_;                // edges by their points, ascending
  std::vector<std::uint8_t> in_triangle_;  // [point]
  struct Crossing {                        // scratch
    int body1, body2;
    Vec3<double> place;
    int touch;
  };
  std::vector<Crossing> crossings_;
  std::vector<std::uint8_t> dropped_;  // [touch]
};

}  // namespace ls
