#include "fluid/immersed/marker_layout.h"

#include "base/sanitized.h"
#include "fluid/immersed/grid_radius.h"
#include "fluid/immersed/immersed_boundary.h"
#include "math/rotation.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace ls {

namespace {

FluidSettings cells_of(double spacing) {
  FluidSettings f;
  f.cells = {40, 30, 30};
  f.spacing = spacing;
  f.dt = 1;
  f.viscosity = spacing * spacing / 6;
  f.density = 1000;
  return f;
}

struct Bodies {
  Model model;
  Nodes nodes;

  explicit Bodies(int count) : nodes(count) {
    model.nodes = count;
    model.mass.assign(static_cast<std::size_t>(padded(count)), 0.1);
    for (auto& column : model.inertia) column.assign(static_cast<std::size_t>(padded(count)), 1.0);
    model.body_of.assign(static_cast<std::size_t>(count), 0);
  }
};

// A straight rod of 1 m along z with axes of its own.
Bodies rod(int bonds, double radius) {
  Bodies b(bonds + 1);
  Body body;
  body.name = "rod";
  for (int i = 0; i <= bonds; ++i) {
    b.nodes.set(i, Frame<double>{{0.5, 0.5, 0.1 + 1.0 * i / bonds}, turn(Vec3<double>{0.3, 1.0, 0.2})});
    body.nodes.push_back(i);
    body.weight.push_back((i == 0 || i == bonds ? 0.5 : 1.0) / bonds);
  }
  b.model.bodies = {body};
  b.model.radius.assign(bonds + 1, radius);
  return b;
}

double total(const std::vector<Marker>& markers, double Marker::*what) {
  double sum = 0;
  for (const Marker& m : markers) sum += m.*what;
  return sum;
}

}  // namespace

TEST(MarkerLayout, FineRodsMeetTheFluidAtStations) {
  for (const int bonds : {5, 20, 26, 50, 113, 400}) {
    const Bodies b = rod(bonds, 0.02);
    const auto markers = lay_markers(b.model, b.nodes, cells_of(0.05));
    std::size_t stations = 0;
    for (std::size_t i = 0; i < markers.size(); ++i) {
      const Marker& m = markers[i];
      if (m.before == 0 && m.after == 0) {
        ++stations;
        continue;
      }
      const auto at = [&](std::size_t k) { return marker_place(markers[k], b.nodes); };
      const std::size_t first = i - static_cast<std::size_t>(m.before), last = i + static_cast<std::size_t>(m.after);
      for (const std::size_t k : {first, last}) EXPECT_TRUE(markers[k].before == 0 && markers[k].after == 0);
      EXPECT_LE(norm(at(last) - at(first)), 0.8 * 0.05 * (1 + 1e-8));
      EXPECT_NEAR(norm((1 - m.share) * at(first) + m.share * at(last) - at(i)), 0, 1e-12);
    }
    EXPECT_TRUE(markers.front().after == 0 && markers.back().before == 0);
    if (bonds >= 50) {
      EXPECT_LE(stations, 2 + 1 / (0.5 * 0.8 * 0.05)) << "as few as half of what fits";
    }
    if (bonds == 5 || bonds == 20) {
      EXPECT_EQ(stations, markers.size()) << "bonds as long as cells";
    }
  }
}

TEST(MarkerLayout, ThinRodsAreLines) {
  for (const int bonds : {5, 20, 50}) {  // bonds longer and shorter than 0.8 cells
    const Bodies b = rod(bonds, 0.02);
    const auto markers = lay_markers(b.model, b.nodes, cells_of(0.05));
    EXPECT_NEAR(total(markers, &Marker::measure), 1, 1e-12);
    EXPECT_NEAR(total(markers, &Marker::mass), 0.1 * (bonds + 1), 1e-12);
    Vec3<double> last{};
    for (const Marker& m : markers) {
      EXPECT_EQ(m.kind, MarkerKind::line);
      const Vec3<double> x = marker_place(m, b.nodes);
      EXPECT_NEAR(x.x, 0.5, 1e-12);
      EXPECT_TRUE(&m == &markers.front() || norm(x - last) <= 0.8 * 0.05 + 1e-12);
      last = x;
      const Vec3<double> t = rotate(b.nodes.frame(m.anchor[0].node).q, m.tangent);
      EXPECT_NEAR(t.z, 1, 1e-12);
    }
  }
}

namespace {

// A rod of some cells along x in a periodic box of 28 cells, lattice units throughout; bonded, so that it ends.
Bodies short_rod(double length, int bonds, double radius) {
  Bodies b(bonds + 1);
  Body body;
  body.name = "rod";
  BondTable table;
  for (int i = 0; i <= bonds; ++i) {
    b.nodes.set(i, Frame<double>{{14.2 + length * (1.0 * i / bonds - 0.5), 14.1, 14}, turn(Vec3<double>{0.3, 1, 0.2})});
    body.nodes.push_back(i);
    body.weight.push_back((i == 0 || i == bonds ? 0.5 : 1.0) * length / bonds);
    if (i > 0) table.bonds.push_back({i - 1, i, 0});
  }
  b.model.bodies = {body};
  b.model.bond_tables = {table};
  b.model.radius.assign(static_cast<std::size_t>(bonds) + 1, radius);
  return b;
}

// What holds a rod still against a fluid that is driven along an axis, over its mean velocity and viscosity.
double drag_of(const Bodies& b, const FluidSettings& set, const Vec3<double>& along) {
  const Fluid fluid(set);
  const auto markers = lay_markers(b.model, b.nodes, set);
  FluidWork work(fluid, markers);
  FluidState s = fluid.lattice().at_rest();
  Team team(1);
  LatticeDrive drive;
  constexpr double push = 1e-6;
  drive.body = push * along;
  std::vector<Wrench<double>> got(markers.size());
  const double cells = static_cast<double>(fluid.lattice().cells());
  double u[3] = {}, limit = 0;
  for (int sample = 0; sample < 40; ++sample) {
    for (int i = 0; i < 90; ++i) {
      gather_flow(fluid, s, drive, b.nodes, work, team);
      for (std::size_t k = 0; k < got.size(); ++k) {
        const MarkerFlow::Point p = work.flow.point(k);
        got[k].force = p.resistance * p.u;
      }
      spread_impulses(fluid, got, work, s, team);
      fluid.lattice().step(s, drive, &work.forces, team);
    }
    u[0] = u[1], u[1] = u[2], u[2] = dot(fluid.lattice().totals(s, team).momentum, along) / cells + 0.5 * push;
    const double before = limit, first = u[1] - u[0], second = u[2] - u[1];
    limit = u[2] - second * second / (second - first);  // Aitken
    if (sample > 4 && std::abs(limit - before) < 1e-4 * limit) break;
  }
  return push * cells / (limit * set.viscosity);
}

}  // namespace

// Tirado and Garcia de la Torre's cylinder with flat ends (J. Chem. Phys. 71 (1979) 2581), which is itself good to a
// percent or two, with the flow of its images taken off: its mean over a line of 12 cells in a cube of 28, by Ewald
// sums.
TEST(MarkerLayout, ShortRodsDragAsCylinders) {
  constexpr double length = 12, images_along = -0.0050994, images_across = -0.0053112;
  FluidSettings set = cells_of(1);
  set.cells = {28, 28, 28};
  set.density = 1;
  using std::numbers::pi;
  for (const double r : {0.25, 0.5, 0.75})
    for (const int bonds : {9, 40}) {  // longer and shorter than 0.8 cells
      if (is_sanitized && (r != 0.5 || bonds != 9)) continue;
      const Bodies b = short_rod(length, bonds, r);
      const double p = length / (2 * r);
      const double along = 1 / ((std::log(p) - 0.207 + 0.980 / p - 0.133 / (p * p)) / (2 * pi * length) + images_along);
      const double across =
          1 / ((std::log(p) + 0.839 + 0.185 / p + 0.233 / (p * p)) / (4 * pi * length) + images_across);
      EXPECT_NEAR(drag_of(b, set, {1, 0, 0}) / along, 1, 0.025) << r << " " << bonds;
      EXPECT_NEAR(drag_of(b, set, {0, 1, 0}) / across, 1, 0.025) << r << " " << bonds;
    }
}

TEST(MarkerLayout, OnlyFreeEndsHaveCaps) {
  const auto caps = [](const Bodies& b, const FluidSettings& f) {
    const auto markers = lay_markers(b.model, b.nodes, f);
    return std::count_if(markers.begin(), markers.end(), [](const Marker& m) { return m.is_cap; });
  };
  FluidSettings set = cells_of(1);
  set.cells = {28, 28, 28};
  EXPECT_EQ(caps(short_rod(12, 24, 0.4), set), 2);
  EXPECT_EQ(caps(short_rod(12, 24, 1.2), set), 0) << "rings of markers";
  EXPECT_EQ(caps(short_rod(27.5, 55, 0.4), set), 0) << "goes on to its own image";
  Bodies crossed = short_rod(12, 24, 0.4);
  crossed.model.bond_tables[0].bonds.push_back({0, 12, 0});
  EXPECT_EQ(caps(crossed, set), 1) << "the other end is bonded to something";
  set.faces[0] = {FaceKind::wall, FaceKind::wall};
  EXPECT_EQ(caps(short_rod(27, 54, 0.4), set), 0) << "both ends stand on walls";
  set.faces[0] = {FaceKind::periodic, FaceKind::periodic};
  set.coupling = Coupling::direct;
  EXPECT_EQ(caps(short_rod(12, 24, 0.4), set), 0);
}

TEST(MarkerLayout, ThickRodsHaveRings) {
  const Bodies b = rod(50, 0.08);
  const FluidSettings fluid = cells_of(0.05);
  const auto markers = lay_markers(b.model, b.nodes, fluid);
  const double ring = 0.05 * retracted_ring(DeltaKernel::roma, 0.08 / 0.05);
  EXPECT_GT(markers.size(), 51U * 6);
  for (const Marker& m : markers) {
    EXPECT_EQ(m.kind, MarkerKind::surface);
    const Vec3<double> x = marker_place(m, b.nodes);
    EXPECT_NEAR(std::hypot(x.x - 0.5, x.y - 0.5), ring, 1e-12);
  }
}

TEST(MarkerLayout, BallsLieWithinThemselves) {
  for (const double radius : {0.03, 0.1, 0.3}) {
    Bodies b(1);
    b.nodes.set(0, Frame<double>{{0.7, 0.6, 0.5}, {1, {0, 0, 0}}});
    Body body;
    body.name = "ball";
    body.kind = BodyKind::rigid;
    body.nodes = {0};
    b.model.bodies = {body};
    b.model.radius = {radius};
    b.model.skin.balls = {0};
    const auto markers = lay_markers(b.model, b.nodes, cells_of(0.05));
    if (radius < 0.05) {
      ASSERT_EQ(markers.size(), 1U);
      EXPECT_EQ(markers[0].kind, MarkerKind::point);
      continue;
    }
    Vec3<double> mean{};
    const double inner = 0.05 * retracted_ball(DeltaKernel::roma, radius / 0.05);
    EXPECT_LT(inner, radius);
    for (const Marker& m : markers) {
      EXPECT_NEAR(norm(m.anchor[0].offset), inner, 1e-12);
      mean += (1.0 / static_cast<double>(markers.size())) * m.anchor[0].offset;
    }
    EXPECT_LT(norm(mean), 0.05 * inner);
  }
}

TEST(MarkerLayout, TellsWhatIsOutsideAndWhatIsNearAFace) {
  Bodies b = rod(20, 0.02);
  FluidSettings settings = cells_of(0.05);
  settings.faces[2] = {FaceKind::wall, FaceKind::wall};
  const auto markers = lay_markers(b.model, b.nodes, settings);
  EXPECT_EQ(first_marker_outside(markers, b.nodes, Fluid(settings)), -1);
  EXPECT_EQ(markers_near_faces(markers, b.nodes, Fluid(settings)), 0);
  settings.origin.z = 0.1;  // the rod stands on the floor
  EXPECT_EQ(first_marker_outside(markers, b.nodes, Fluid(settings)), -1);
  EXPECT_GT(markers_near_faces(markers, b.nodes, Fluid(settings)), 0);
  settings.origin.z = 0.15;
  EXPECT_EQ(first_marker_outside(markers, b.nodes, Fluid(settings)), 0);
  settings.faces[2] = {FaceKind::periodic, FaceKind::periodic};
  EXPECT_EQ(first_marker_outside(markers, b.nodes, Fluid(settings)), -1);
  EXPECT_TRUE(lay_markers(b.model, b.nodes, settings, {true}).empty());
}

}  // namespace ls
