#include "fluid/tracers.h"

#include "fluid/immersed/immersed_boundary.h"
#include "fluid/lattice/test_lattice.h"

#include <gtest/gtest.h>
#include <numbers>

using namespace ls;
using namespace ls::test;

namespace {

using V = Vec3<double>;

// A box of small cells away from the origin, in units that are not those of the lattice.
FluidSettings settings(std::array<int, 3> cells) {
  FluidSettings s;
  s.origin = {0.01, -0.02, 0.03};
  s.cells = cells;
  s.spacing = 1e-3;
  s.dt = 1e-4;
  s.viscosity = 1e-3;  // 0.1 of the lattice
  s.density = 1000;
  s.is_double = true;
  return s;
}

// Moves tracers with the fluid as it stands: it does not step, only its clock does.
void drift(const Fluid& fluid, const LatticeDrive& drive, FluidState& s, int steps, int threads = 1) {
  Team team(threads);
  for (int i = 0; i < steps; ++i) {
    ++s.steps;
    move_tracers(fluid, drive, nullptr, s, team);
  }
}

FluidState moving(const Fluid& fluid, const V& velocity) {
  FluidState s = fluid.lattice().at_rest();
  const auto& n = fluid.settings().cells;
  for (int z = 0; z < n[2]; ++z)
    for (int y = 0; y < n[1]; ++y)
      for (int x = 0; x < n[0]; ++x) fluid.lattice().set(s, x, y, z, 1, velocity);
  return s;
}

}  // namespace

TEST(Tracers, AreSpreadEvenlyOverTheirRegion) {
  const Fluid fluid(settings({10, 10, 10}));
  Tracers t;
  const V low{0.011, -0.02, 0.032}, high{0.019, -0.012, 0.036};
  seed_tracers(fluid, 4000, 7, low, high, t);
  ASSERT_EQ(t.x.size(), 4000u);
  V mean{};
  for (const V& x : t.x) {
    mean += (1.0 / 4000) * x;
    EXPECT_TRUE(x.x >= low.x && x.x <= high.x && x.y >= low.y && x.y <= high.y && x.z >= low.z && x.z <= high.z);
  }
  EXPECT_LT(norm(mean - 0.5 * (low + high)), 3e-4);
  EXPECT_EQ(t.mark[17].x, t.x[17].x);
  Tracers other;
  seed_tracers(fluid, 4000, 8, low, high, other);
  EXPECT_NE(t.x[17].x, other.x[17].x);
}

TEST(Tracers, GoOnBeyondPeriodicFaces) {
  const Fluid fluid(settings({8, 6, 5}));
  FluidState s = moving(fluid, {0.02, -0.01, 0.03});
  seed_tracers(fluid, 50, 1, fluid.settings().origin, fluid.settings().origin + fluid.size(), s.tracers);
  const auto start = s.tracers.x;
  drift(fluid, {}, s, 1000);
  const double gone = static_cast<double>(s.tracers.moved) * 1e-3;  // cells of 1 mm a step
  EXPECT_GE(s.tracers.moved, 997);
  for (std::size_t i = 0; i < start.size(); ++i)
    EXPECT_LT(norm(s.tracers.x[i] - start[i] - gone * V{0.02, -0.01, 0.03}), 1e-12);
}

// The stride is a tenth of a cell over the speed, between 1 and 32, and says when they move.
TEST(Tracers, MoveAsOftenAsTheFastestNeeds) {
  const Fluid fluid(settings({8, 6, 5}));
  for (const auto& [speed, stride] : {std::pair{0.021, 4}, {1e-6, 32}, {0.11, 1}}) {
    FluidState s = moving(fluid, {speed, 0, 0});
    seed_tracers(fluid, 5, 1, fluid.settings().origin, fluid.settings().origin + fluid.size(), s.tracers);
    drift(fluid, {}, s, 1);
    EXPECT_EQ(s.tracers.moved, 1);
    EXPECT_EQ(s.tracers.stride, stride);
    const V before = s.tracers.x[0];
    drift(fluid, {}, s, stride - 1);
    EXPECT_EQ(s.tracers.x[0].x, before.x);
    drift(fluid, {}, s, 1);
    EXPECT_EQ(s.tracers.moved, 1 + stride);
    EXPECT_NEAR(s.tracers.x[0].x - before.x, 1e-3 * speed * stride, 1e-15);
  }
}

// In u = a sin(k x), against fine steps of Runge and Kutta's method in the same flow: moves of up to 0.8, 0.4 and 0.2
// cells, faster than strides could keep them below a tenth.
TEST(Tracers, AreOfSecondOrderInTheirMoves) {
  const int n = 64;
  const Fluid fluid(settings({n, 1, 1}));
  const double k = 2 * std::numbers::pi / n;
  Team team;
  std::vector<double> errors;
  for (const double speed : {0.8, 0.4, 0.2}) {
    FluidState s = fluid.lattice().at_rest();
    for (int x = 0; x < n; ++x) fluid.lattice().set(s, x, 0, 0, 1, {speed * std::sin(k * (x + 0.5)), 0, 0});
    const auto seen = [&](double x) {
      const V at{x, 0.5, 0.5};
      V u;
      sample_velocities(fluid, s, {}, nullptr, std::span(&at, 1), std::span(&u, 1), team);
      return u.x;
    };
    seed_tracers(fluid, 1, 1, fluid.settings().origin, fluid.settings().origin, s.tracers);
    s.tracers.x[0] = fluid.settings().origin + V{5e-3, 0.5e-3, 0.5e-3};
    drift(fluid, {}, s, static_cast<int>(20 / speed));
    const int fine = 4000;
    const double h = static_cast<double>(s.tracers.moved) / fine;
    double x = 5;
    for (int i = 0; i < fine; ++i) {
      const double a = seen(x), b = seen(x + 0.5 * h * a), c = seen(x + 0.5 * h * b), d = seen(x + h * c);
      x += h / 6 * (a + 2 * b + 2 * c + d);
    }
    EXPECT_GT(x, 20);
    errors.push_back(std::abs(fluid.to_cells(s.tracers.x[0]).x - x));
  }
  EXPECT_GT(errors[0] / errors[1], 3.4);
  EXPECT_GT(errors[1] / errors[2], 3.4);
  EXPECT_LT(errors[2], 5e-3);
}

// In a channel with walls the flow carries those in the middle along, and none ever gets beyond a wall, even where a
// sideways flow blows against it.
TEST(Tracers, StayBetweenWalls) {
  FluidSettings channel = settings({6, 8, 4});
  channel.faces[1] = {wall, free_slip};
  const Fluid fluid(channel);
  FluidState s = moving(fluid, {0.01, 0.05, 0});
  seed_tracers(fluid, 100, 1, channel.origin, channel.origin + fluid.size(), s.tracers);
  drift(fluid, {}, s, 2000);
  const double high = channel.origin.y + 8e-3;
  for (const V& x : s.tracers.x) {
    EXPECT_GE(x.y, channel.origin.y);
    EXPECT_LE(x.y, high);
    EXPECT_GT(x.y, high - 1e-3);              // blown there
    EXPECT_GT(x.x, channel.origin.x + 5e-3);  // and still carried along
  }
}

TEST(Tracers, StayWhereTheyLeaveTheBox) {
  for (const bool is_pressure : {true, false}) {
    FluidSettings pipe = settings({8, 4, 4});
    pipe.faces[0] = {wall, is_pressure ? pressure : wall};
    const Fluid fluid(pipe);
    LatticeDrive drive;
    drive.velocity[0] = {V{0.05, 0, 0}, V{is_pressure ? 0 : 0.05, 0, 0}};
    FluidState s = moving(fluid, {0.05, 0, 0});
    seed_tracers(fluid, 40, 1, pipe.origin, pipe.origin + fluid.size(), s.tracers);
    drift(fluid, drive, s, 500);
    for (const V& x : s.tracers.x) EXPECT_EQ(x.x, pipe.origin.x + 8e-3);
    const auto there = s.tracers.x;
    s.populations = moving(fluid, {-0.05, 0.02, 0}).populations;  // no way back
    drift(fluid, drive, s, 100);
    for (std::size_t i = 0; i < there.size(); ++i) EXPECT_EQ(s.tracers.x[i].y, there[i].y);
  }
}

TEST(TracersThreads, GiveTheSameBits) {
  const Fluid fluid(settings({16, 8, 8}));
  std::mt19937 random(3);
  std::vector<V> ends[2];
  for (const int threads : {1, 3}) {
    random.seed(3);
    FluidState s = fluid.lattice().at_rest();
    set_random(fluid.lattice(), s, random);
    seed_tracers(fluid, 3000, 1, fluid.settings().origin, fluid.settings().origin + fluid.size(), s.tracers);
    drift(fluid, {}, s, 20, threads);
    ends[threads == 3] = s.tracers.x;
  }
  for (std::size_t i = 0; i < ends[0].size(); ++i) {
    EXPECT_EQ(ends[0][i].x, ends[1][i].x);
    EXPECT_EQ(ends[0][i].z, ends[1][i].z);
  }
}
