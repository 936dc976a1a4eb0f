#pragma once
#include "build/assembly.h"
#include "build/rigid.h"
#include "build/rod.h"
#include "build/wall.h"
#include "model/model.h"

#include <map>

namespace ls {

// Collects bodies and turns them into a Model and its first State.
class Builder {
 public:
  // Returns the index of the body. Throws Error for what can't be built: coinciding nodes, a shared node elsewhere.
  int add(const RodSpec& rod);
  int add(const Assembly& assembly);
  int add(const RigidSpec& rigid);
  int add(const WallSpec& wall);

  // Bodies will touch each other; spheres: at their nodes, not between them.
  void set_contact(const ContactSettings& settings, bool spheres);

  const std::vector<Body>& bodies() const { return bodies_; }
  Vec3<double> position(int node) const { return nodes_[node].frame.x; }

  struct Result {
    Model model;
    State state;
  };
  Result finish();

 private:
  struct Node {
    Frame<double> frame;
    double mass = 0;
    double tensor[3][3] = {};  // inertia in world axes, kg m^2
    bool shared = false;
    Vec3<double> moment{};  // world axes, A m^2
    double radius = 0;
    std::uint8_t held = 0;
    Twist<double> twist;
    int body = 0;
  };
  struct RawBond {
    int node1, node2;
    Quat<double> frame;      // rest frame of the bond as drawn
    Vec3<double> natural{};  // rotation vector from node 1 to node 2 at rest beyond the drawn one, in bond axes
    BondClass cls;
    bool paper_rate = false;
  };

  void add_nodes(const RodSpec& rod, Body& body);
  void add_bonds(const RodSpec& rod, const Body& body);
  void lump(const RodSpec& rod, Body& body);
  void spread_moment(const RodSpec& rod, const Body& body, std::size_t i, const Vec3<double>& moment);
  void add_shapes(const RodSpec& rod, const Body& body);
  void add_node(const Assembly& assembly, const Assembly::Node& node, const Vec3<double>& centre);
  void add_shapes(const Assembly& assembly, const Body& body);
  // middle: m, that its cells are given from; axes: of all they say, world.
  void add_soft(int node, const SoftBody& body, const Vec3<double>& middle, const Quat<double>& axes);
  void finish_soft(Model& model);
  void finish_samples(Model& model);
  int add_single(BodyKind kind, const std::string& name, Node node);
  void add_surface(int node, const RigidShape& shape, const std::vector<Vec3<double>>& offsets, const Surface& surface);
  void finish_shapes(Model& model);
  void finish_skin();
  void settle_shared_nodes();
  void finish_bonds(Model& model);
  BarrierScale barrier_scale() const;

  std::vector<Node> nodes_;
  std::vector<Body> bodies_;
  std::map<std::string, std::vector<RawBond>> bonds_;  // [model]
  std::optional<Shapes> shapes_;
  bool spheres_ = false;
  Skin skin_;
  std::vector<std::pair<int, WallSpec>> walls_;  // and their nodes
  std::vector<Dipole> samples_;                  // by node
  struct SoftPiece {
    int node = 0;
    SoftBody body;
    Quat<double> axes;  // world
  };
  std::vector<SoftPiece> soft_;
};

}  // namespace ls
