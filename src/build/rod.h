#pragma once
#include "build/centre_line.h"
#include "model/bond_table.h"
#include "model/shapes.h"
#include "model/soft_table.h"
#include "physics/calibration.h"
#include "physics/modes.h"

#include <functional>
#include <optional>

namespace ls {

enum class Weights { trapezoidal, full };  // end nodes stand for half a bond, or for a whole one as in the papers
enum class NodeInertia { section, segment, sphere };  // of the section alone; with m l^2/12; of a ball

// Velocities drawn once, uniformly inside a ball of the given radius; axes: the components that take part.
struct RandomMotion {
  double speed = 0, spin = 0;  // m/s, rad/s
  bool x = true, y = true, z = true;
  std::uint64_t seed = 1;

  Twist<double> of(int node) const;
};

// A rod in numbers: what the scene reader, a test or a program of one's own hands to the builder. Functions of u, the
// share of the way along the rod, make it tapered or graded.
struct RodSpec {
  std::string name;
  CentreLine line;
  std::string model = "exact";
  Calibration calibration = Calibration::bernoulli_euler;
  std::function<Section(double u)> section;
  std::function<Elasticity(double u)> material;
  std::function<double(double u)> density;              // kg/m^3
  std::function<Vec3<double>(double u)> magnetisation;  // A/m; none: no magnet
  bool magnetised_as_drawn = false;                     // in world axes; else in the rod's own
  double sampling = 0;                                  // m: dipoles are no farther apart along it; 0: one at each node
  bool is_uniform = false;                              // none of these varies along it: nobody needs to look
  std::optional<Vec3<double>> rest_curvature;           // 1/m about x, about y; twist: drawn shape is strained
  std::function<void(ElasticBond&)> adjust;             // overrides of stiffnesses
  std::function<BondDamping::Params<double>(const ElasticBond&)> damping;
  bool paper_rate = false;  // damping by finite differences of stored angles; of co-rotational bonds only
  Fracture fracture;
  Weights weights = Weights::trapezoidal;
  NodeInertia inertia = NodeInertia::section;
  double sphere_diameter = 0;                 // m
  double node_mass = 0;                       // kg; 0: from density and section
  std::uint8_t hold_start = 0, hold_end = 0;  // Hold bits
  int start_node = -1, end_node = -1;         // nodes of other rods that this one shares
  Vec3<double> velocity{}, spin{};
  RandomMotion random;
  double contact_radius = 0;  // m; 0: that of the section
  Surface surface;
  SoftMatter soft;  // what it is made of, where fields magnetise it
};

// What a node of a rod has of the length that it stands for, from `from` to `to` in u; its own place is `u`.
struct NodeShare {
  double area = 0, i1 = 0, i2 = 0;  // m^2, m^4: the mean section, weighted by its density
  double density = 0;               // kg/m^3
  Vec3<double> magnetisation{};     // A/m, as the rod says it
};
NodeShare node_share(const RodSpec& rod, double from, double u, double to);

// The section of a uniform bond that gives way as much as what lies between: the mean of compliances.
Section bond_section(const RodSpec& rod, double from, double to);

}  // namespace ls
