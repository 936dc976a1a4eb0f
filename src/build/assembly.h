#pragma once
#include "build/rod.h"
#include "model/model.h"
#include "model/soft_table.h"

namespace ls {

// What a body of bonds has, however its nodes are arranged.
struct BondedBody {
  std::string name;
  std::string model = "exact";
  std::function<BondDamping::Params<double>(const ElasticBond&)> damping;
  bool paper_rate = false;
  Fracture fracture;
  Vec3<double> velocity{}, spin{};  // of the body as a whole, about its centre of mass
  RandomMotion random;
  double contact_radius = 0;  // m; 0: from its thickness
  Surface contact;
};

// And what its bonds are made of, as a shell or a network says it.
struct BondedSpec : BondedBody {
  Elasticity material;
  double density = 0;                                       // kg/m^3
  Vec3<double> magnetisation{};                             // A/m, as drawn
  SoftMatter soft;                                          // where fields magnetise it
  std::function<void(ElasticBond&)> adjust;                 // overrides of stiffnesses
  std::vector<std::pair<std::string, std::uint8_t>> holds;  // part, Hold bits
};

// Nodes and bonds in any arrangement: what shells and networks become before the builder takes them.
struct Assembly : BondedBody {
  struct Node {
    Frame<double> frame;
    double mass = 0;                                            // kg
    Vec3<double> inertia{};                                     // kg m^2 about the frame's own axes
    Vec3<double> moment{};                                      // A m^2, world axes
    double radius = 0;                                          // m, for drawing
    std::uint8_t held = 0;                                      // Hold bits
    bool is_joint = false;                                      // its frame turns to the principal axes of its inertia
    std::vector<std::pair<double, Vec3<double>>> more_inertia;  // kg m^2 about unit axes of the world: of a joint
    std::vector<std::pair<Quat<double>, SoftCell>> soft;        // and its axes; placed from the node in these
  };
  struct Bond {
    int a = 0, b = 0;    // nodes
    Quat<double> frame;  // at rest: z along it, x and y the axes of its section
    ElasticBond stiffness;
  };

  BodyKind kind = BodyKind::network;
  std::vector<Node> nodes;
  std::vector<Bond> bonds;
  std::vector<std::array<int, 3>> triangles;  // of nodes, where the body has a surface
  std::vector<BodyPart> parts;

  // Of a body of that kind, its nodes and bonds still to come; radius: of contact where the body says none.
  Assembly(const BondedSpec& spec, BodyKind kind_of_body, double radius);
  // Gives it the parts, and holds those that the specification names. Throws Error where it has no such part.
  void take_parts(const BondedSpec& spec, const std::vector<BodyPart>& all);
};

}  // namespace ls
