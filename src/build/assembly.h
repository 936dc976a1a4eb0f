#pragma once
#include "build/rod.h"
#include "model/model.h"

namespace ls {

// Nodes and bonds in any arrangement: what shells and networks become before the builder takes them.
struct Assembly {
  struct Node {
    Frame<double> frame;
    double mass = 0;                                            // kg
    Vec3<double> inertia{};                                     // kg m^2 about the frame's own axes
    Vec3<double> moment{};                                      // A m^2, world axes
    double radius = 0;                                          // m, for drawing
    std::uint8_t held = 0;                                      // Hold bits
    bool is_joint = false;                                      // its frame turns to the principal axes of its inertia
    std::vector<std::pair<double, Vec3<double>>> more_inertia;  // kg m^2 about unit axes of the world: of a joint
  };
  struct Bond {
    int a = 0, b = 0;    // nodes
    Quat<double> frame;  // at rest: z along it, x and y the axes of its section
    ElasticBond stiffness;
  };

  std::string name;
  BodyKind kind = BodyKind::network;
  std::string model = "exact";
  std::vector<Node> nodes;
  std::vector<Bond> bonds;
  std::vector<std::array<int, 3>> triangles;  // of nodes, where the body has a surface
  std::vector<BodyPart> parts;
  std::function<BondDamping::Params<double>(const ElasticBond&)> damping;
  bool paper_rate = false;
  Fracture fracture;
  Vec3<double> velocity{}, spin{};  // of the body as a whole, about its centre of mass
  RandomMotion random;
  double contact_radius = 0;  // m
  Surface surface;
};

}  // namespace ls
