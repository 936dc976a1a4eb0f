#include "fluid/immersed/immersed_boundary.h"

#include "fluid/lattice/test_lattice.h"

#include <gtest/gtest.h>

namespace ls {

namespace {

using V = Vec3<double>;
using test::random_vector;

FluidSettings box(DeltaKernel kernel, bool spin) {
  FluidSettings set;
  set.cells = {20, 18, 16};
  set.spacing = 2e-3;
  set.dt = 1e-3;
  set.viscosity = 0.1 * set.spacing * set.spacing / set.dt;
  set.density = 1000;
  set.is_double = true;
  set.kernel = kernel;
  set.spin = spin;
  return set;
}

// Markers on nodes along a straight line, every `stride`th of them a station, and the last one.
struct Line {
  Nodes nodes;
  std::vector<Marker> markers;

  Line(const V& from, const V& step, int count, int stride) : nodes(count) {
    for (int i = 0; i < count; ++i) {
      nodes.set(i, Frame<double>{from + i * step, {1, {0, 0, 0}}});
      Marker m;
      m.kind = MarkerKind::line;
      m.anchor[0] = {i, 1, {}};
      m.tangent = (1 / norm(step)) * step;
      m.measure = norm(step);
      m.radius = 0.4 * m.measure;
      const int before = i % stride, next = std::min(count - 1, i - before + stride);
      if (before != 0 && i != count - 1)
        m.before = before, m.after = next - i, m.share = static_cast<double>(before) / (before + m.after);
      markers.push_back(m);
    }
  }
};

Line slanted_line(const FluidSettings& set) {
  return {set.spacing * V{7.3, 6.2, 5.1}, set.spacing * V{0.2, 0.11, 0.17}, 14, 3};
}

V place_of(const Line& line, std::size_t i) {
  return marker_place(line.markers[i], line.nodes);
}

}  // namespace

TEST(ImmersedBoundary, MarkersBetweenStationsReadALinearFlowExactly) {
  for (const DeltaKernel kernel : {DeltaKernel::roma, DeltaKernel::peskin}) {
    const Fluid fluid(box(kernel, false));
    const Line line = slanted_line(fluid.settings());
    FluidWork work(fluid, line.markers);
    EXPECT_EQ(work.stations.size(), 6U);
    const auto flow = [](const V& x) { return V{0.01 + 0.002 * x.y, 0.003 * x.z, 0.001 * x.x}; };  // cells
    FluidState s = fluid.lattice().at_rest();
    for (int z = 0; z < 16; ++z)
      for (int y = 0; y < 18; ++y)
        for (int x = 0; x < 20; ++x) fluid.lattice().set(s, x, y, z, 1, flow({x + 0.5, y + 0.5, z + 0.5}));
    Team team;
    gather_flow(fluid, s, {}, line.nodes, work, team);
    for (std::size_t i = 0; i < line.markers.size(); ++i) {
      const V expected = fluid.speed_unit() * flow(fluid.to_cells(place_of(line, i)));
      EXPECT_LT(norm(work.flow.point(i).u - expected), 1e-12 * fluid.speed_unit()) << i;
    }
  }
}

TEST(ImmersedBoundary, WhatMarkersGiveKeepsItsForceAndItsTorque) {
  for (const auto& [kernel, is_double] : {std::pair{DeltaKernel::roma, true},
                                          {DeltaKernel::peskin, true},
                                          {DeltaKernel::roma, false},
                                          {DeltaKernel::peskin, false}}) {
    FluidSettings set = box(kernel, true);
    set.is_double = is_double;
    const Fluid fluid(set);
    const double rounding = is_double ? 1e-13 : 1e-6;
    const Line line = slanted_line(fluid.settings());
    FluidWork work(fluid, line.markers);
    FluidState s = fluid.lattice().at_rest();
    Team team;
    gather_flow(fluid, s, {}, line.nodes, work, team);
    std::mt19937 random(3);
    std::vector<Wrench<double>> got;
    V force{}, torque{};  // lattice units
    for (std::size_t i = 0; i < line.markers.size(); ++i) {
      got.push_back({random_vector(random, 1e-6), random_vector(random, 1e-9)});
      const V f = (-1 / fluid.impulse_unit()) * got[i].force;
      force += f;
      torque += cross(fluid.to_cells(place_of(line, i)), f) -
                (1 / (fluid.impulse_unit() * fluid.settings().spacing)) * got[i].torque;
    }
    spread_impulses(fluid, got, work, s, team);
    V all{}, about{};
    for (int row = 0; row < fluid.lattice().rows(); ++row)
      for (int x = 0; x < 20; ++x) {
        const V f = test::force_at(work.forces, row, x);
        all += f;
        const int y = row % 18, z = row / 18;
        about += cross(V{x + 0.5, y + 0.5, z + 0.5}, f);
      }
    EXPECT_LT(norm(all - force), rounding * norm(force));
    EXPECT_LT(norm(about - torque), 10 * rounding * norm(torque));
    EXPECT_LT(norm(s.impulse.markers - force), 1e-13 * norm(force));
  }
}

TEST(ImmersedBoundaryThreads, LookingInPassingAndReadingAfterwardsGiveTheSameBits) {
  using Sides = std::array<FaceKind, 2>;
  const Sides round{}, walls{FaceKind::wall, FaceKind::wall}, open{FaceKind::wall, FaceKind::free_slip};
  for (const auto& [y, z] : {std::pair{round, round}, {walls, open}, {round, walls}, {walls, round}})
    for (const bool is_double : {false, true})
      for (const int threads : {1, 2, 3}) {
        FluidSettings set = box(DeltaKernel::roma, false);
        set.cells = {21, 11, 45};  // many rows: each thread has planes of its own
        set.faces = {round, y, z};
        set.is_double = is_double;
        const Fluid fluid(set);
        std::vector<Line> lines;  // one goes through the whole box
        lines.emplace_back(set.spacing * V{6, 5, 1.2}, set.spacing * V{0.02, 0.03, 0.31}, 140, 2);
        const std::vector<Marker>& markers = lines[0].markers;
        Nodes nodes = lines[0].nodes;
        FluidWork passing(fluid, markers), after(fluid, markers);
        FluidState a = fluid.lattice().at_rest(), b = a;
        Team team(threads), alone(1);
        std::vector<Wrench<double>> got(markers.size());
        LatticeDrive drive;
        drive.velocity[2][0] = {0.01, 0, 0};
        for (int step = 0; step < 7; ++step) {
          drive.body = {1e-5 * step, 0, 2e-5};
          gather_flow(fluid, a, drive, nodes, passing, team);
          gather_flow(fluid, b, drive, nodes, after, alone);
          for (std::size_t i = 0; i < markers.size(); ++i) {
            const MarkerFlow::Point p = passing.flow.point(i), q = after.flow.point(i);
            ASSERT_TRUE(p.u.x == q.u.x && p.u.y == q.u.y && p.u.z == q.u.z) << step << " " << i;
            ASSERT_EQ(p.resistance.xy, q.resistance.xy);
            got[i].force = p.resistance * (p.u - V{0.02, 0.01 * std::sin(0.1 * static_cast<double>(i)), 0});
          }
          spread_impulses(fluid, got, passing, a, team);
          spread_impulses(fluid, got, after, b, alone);
          for (int i = 0; i < nodes.count; ++i) {
            Frame<double> f = nodes.frame(i);
            f.x += set.spacing * V{0.3, 0.01 * i, 0};
            nodes.set(i, f);
          }
          aim_markers(fluid, nodes, passing, team);
          fluid.lattice().step(a, drive, &passing.forces, team, passing.look_ahead());
          fluid.lattice().step(b, drive, &after.forces, alone);
        }
      }
}

}  // namespace ls
