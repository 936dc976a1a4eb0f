#include "fluid/immersed/marker_layout.h"

#include "fluid/immersed/grid_radius.h"
#include "math/rotation.h"

#include <gtest/gtest.h>

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
