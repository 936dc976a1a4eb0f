#include "step/coupled/coupled_step.h"

#include "base/sanitized.h"
#include "fluid/immersed/marker_layout.h"
#include "fluid/tracers.h"
#include "step/explicit_step.h"
#include "step/model_size.h"
#include "step/test_rods.h"

#include <cstring>
#include <gtest/gtest.h>

namespace ls {

namespace {

Vec3<double> momentum(const Model& m, const Nodes& n) {
  Vec3<double> sum{};
  for (int i = 0; i < m.nodes; ++i) sum += m.mass[i] * n.twist(i).v;
  return sum;
}

// A soft rod of 100 mm in a box of water-like fluid, cells of 8 mm: the rod is thinner than a cell.
struct Tank {
  FluidSettings settings;
  Builder::Result made;
  std::unique_ptr<Fluid> fluid;
  std::unique_ptr<FluidWork> flow;
  std::unique_ptr<Work> work;
  std::unique_ptr<NewtonWork> newton;
  Inputs in;
  CoupledSettings how;

  explicit Tank(bool walls, bool clamped, int bonds = 20) : made(test::built(test::soft_rod("exact", bonds))) {
    settings.origin = {-0.02, -0.06, -0.05};
    settings.cells = {18, 15, 14};
    settings.spacing = 8e-3;
    settings.viscosity = 1e-3;
    settings.density = 1000;
    settings.dt = 0.5 * settings.spacing * settings.spacing / (6 * settings.viscosity);
    settings.is_double = true;
    if (walls) {
      settings.faces[1] = {FaceKind::wall, FaceKind::free_slip};
      settings.faces[2] = {FaceKind::wall, FaceKind::wall};
    }
    in.dt = settings.dt;
    if (clamped) in.held = {{0, hold_all, made.state.nodes.frame(0), {}}};
  }
  void start() {
    fluid = std::make_unique<Fluid>(settings);
    made.model.markers = {lay_markers(made.model, made.state.nodes, settings),
                          lay_floating(made.model, made.state.nodes, settings)};
    flow = std::make_unique<FluidWork>(*fluid, made.model.markers.markers);
    work = std::make_unique<Work>(made.model, 1);
    newton = std::make_unique<NewtonWork>(made.model, work->terms);
    newton->size = model_size(made.model, made.state.nodes);
    in.flow = &flow->flow;
    made.state.fluid = fluid->lattice().at_rest();
    start_explicit(made.model, in, made.state, *work);
  }
  Outcome step() {
    const InputsAt at = [this](double) { return in; };
    return step_coupled(made.model, *fluid, at, made.state, *work, *flow, newton.get(), how);
  }
  // Momentum that nothing explains, over the larger of what was moved and what was pushed.
  double unexplained(const Vec3<double>& first_solid) {
    const State& s = made.state;
    const auto totals = fluid->lattice().totals(s.fluid, work->team);
    Vec3<double> pushed = s.fluid.impulse.body + s.fluid.impulse.images;
    for (const auto& axis : s.fluid.impulse.faces)
      for (const auto& side : axis) pushed += side;
    const Vec3<double> left = fluid->impulse_unit() * (totals.momentum - pushed) + momentum(made.model, s.nodes) -
                              first_solid - s.memory.drive_impulse;
    const double scale = fluid->impulse_unit() * (totals.absolute + norm(pushed) + norm(s.fluid.impulse.markers));
    return norm(left) / scale;
  }
};

void set_in_motion(Tank& t) {
  for (int i = 0; i < t.made.model.nodes; ++i)
    if (t.in.held.empty() || i > 0)
      t.made.state.nodes.set(i, Twist<double>{{0.02, 0.05 * std::sin(0.4 * i), 0.03}, {0, 0, 0.2}});
}

}  // namespace

TEST(CoupledStep, MomentumIsKeptToRounding) {
  for (const Coupling coupling : {Coupling::friction, Coupling::direct, Coupling::penalty})
    for (const bool walls : {false, true})
      for (const bool spin : {false, true}) {
        Tank t(walls, walls);
        t.settings.coupling = coupling;
        t.settings.spin = spin;
        t.how.substeps = 200;
        t.in.fluid.body_force = {3, 0, -1};
        t.in.fluid.velocity[2][1] = {0.01, 0.005, 0};
        t.start();
        set_in_motion(t);
        const Vec3<double> first = momentum(t.made.model, t.made.state.nodes);
        for (int i = 0; i < (is_sanitized ? 10 : 60); ++i) ASSERT_EQ(t.step(), Outcome::done) << i;
        EXPECT_LT(t.unexplained(first), 1e-12) << static_cast<int>(coupling) << walls << spin;
        EXPECT_GT(norm(t.made.state.fluid.impulse.markers), 0);
      }
}

TEST(CoupledStep, ImplicitSolidsTradeMomentumToNewtonsTolerance) {
  Tank t(true, true);
  t.how.is_implicit = true;
  t.in.fluid.body_force = {3, 0, -1};
  t.start();
  set_in_motion(t);
  const Vec3<double> first = momentum(t.made.model, t.made.state.nodes);
  for (int i = 0; i < 60; ++i) ASSERT_EQ(t.step(), Outcome::done) << i;
  EXPECT_LT(t.unexplained(first), 1e-7);
}

// The same motion by many short explicit steps and by one implicit step a step of the fluid.
TEST(CoupledStep, ExplicitAndImplicitSolidsAgree) {
  Vec3<double> tip[2];
  for (const bool is_implicit : {false, true}) {
    Tank t(false, true);
    t.settings.dt *= 0.5;
    t.in.dt = t.settings.dt;
    t.how.is_implicit = is_implicit;
    t.how.substeps = 200;
    t.in.fluid.body_force = {0, 0, 20};
    t.start();
    for (int i = 0; i < 200; ++i) ASSERT_EQ(t.step(), Outcome::done) << i;
    tip[is_implicit] = t.made.state.nodes.frame(20).x;
  }
  EXPECT_GT(tip[0].z, 1e-3);
  EXPECT_NEAR(tip[0].z, tip[1].z, 0.02 * tip[0].z);
}

// A fluid without solids in a box that pays to sweep, pushed by a force that changes.
struct Pool {
  Model model;
  Fluid fluid;
  FluidWork flow;
  Work work;
  State state;
  Inputs in;

  explicit Pool(const FluidSettings& settings) : fluid(settings), flow(fluid, model.markers.markers), work(model, 1) {
    in.dt = settings.dt;
    in.flow = &flow.flow;
    state.fluid = fluid.lattice().at_rest();
    seed_tracers(fluid, 10, 1, {0.1, 0.1, 0.1}, {0.3, 0.3, 0.3}, state.fluid.tracers);
    start_explicit(model, in, state, work);
  }
  InputsAt at(long long step) {
    return [this, step](double share) {
      Inputs now = in;
      now.t = in.dt * (static_cast<double>(step) + share);
      now.fluid.body_force = {3 * std::cos(0.3 * static_cast<double>(step)), 20, 0};
      return now;
    };
  }
  Outcome step() {
    state.fluid.before = state.fluid.impulse;
    return step_coupled(model, fluid, at(state.clock.step), state, work, flow, nullptr, {});
  }
  Outcome several(int most) {
    std::vector<InputsAt> steps;
    const int count = most_unseen_steps(state.fluid, most);
    steps.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) steps.push_back(at(state.clock.step + i));
    return steps_of_fluid(model, fluid, steps, state, work, flow);
  }
};

TEST(CoupledStep, StepsOfAFluidAloneAreThoseOfSingleOnes) {
  FluidSettings settings;
  settings.cells = {40, 40, 44};
  settings.spacing = 1e-2;
  settings.viscosity = 1e-3;
  settings.density = 1000;
  settings.dt = settings.spacing * settings.spacing / (6 * settings.viscosity);
  settings.faces[1] = {FaceKind::wall, FaceKind::wall};
  Pool a(settings), b(settings);
  int sweeps = 0;
  while (b.state.clock.step < 20) {
    const long long from = b.state.clock.step;
    ASSERT_EQ(b.several(8), Outcome::done);
    if (b.state.clock.step > from + 1) ++sweeps;
    while (a.state.clock.step < b.state.clock.step) ASSERT_EQ(a.step(), Outcome::done);
    const FluidState &p = a.state.fluid, &q = b.state.fluid;
    EXPECT_EQ(std::memcmp(p.populations.data(), q.populations.data(), p.populations.size()), 0);
    EXPECT_EQ(p.impulse.faces[1][0].x, q.impulse.faces[1][0].x);
    EXPECT_EQ(p.before.faces[1][1].x, q.before.faces[1][1].x);
    EXPECT_EQ(p.before.body.x, q.before.body.x);
    EXPECT_EQ(p.tracers.moved, q.tracers.moved);
    for (std::size_t i = 0; i < p.tracers.x.size(); ++i) EXPECT_EQ(p.tracers.x[i].x, q.tracers.x[i].x);
    EXPECT_EQ(a.state.clock.time, b.state.clock.time);
    EXPECT_EQ(a.state.clock.step_in_stage, b.state.clock.step_in_stage);
  }
  EXPECT_GE(sweeps, 2);
}

// A step that is given up leaves the state as it was: taken again, it leads to the same bits.
TEST(CoupledStep, ThatIsInterruptedChangesNothing) {
  for (const bool is_implicit : {false, true}) {
    Tank a(false, true), b(false, true);
    for (Tank* t : {&a, &b}) {
      t->how.is_implicit = is_implicit;
      t->how.substeps = 200;
      t->in.fluid.body_force = {0, 0, 20};
      t->start();
      set_in_motion(*t);
    }
    int beats = 0;
    b.work->pulse = b.newton->pulse = Pulse([&] { return ++beats != 3; });
    for (int i = 0; i < 5; ++i) {
      beats = 0;
      ASSERT_EQ(a.step(), Outcome::done);
      EXPECT_THROW((void)b.step(), Interrupted);
      ASSERT_EQ(b.step(), Outcome::done);
    }
    for (int c = 0; c < 3; ++c) {
      EXPECT_EQ(a.made.state.nodes.x[c], b.made.state.nodes.x[c]) << is_implicit;
      EXPECT_EQ(a.made.state.nodes.v[c], b.made.state.nodes.v[c]) << is_implicit;
    }
    EXPECT_EQ(a.made.state.fluid.steps, b.made.state.fluid.steps);
    EXPECT_EQ(a.made.state.fluid.impulse.body.z, b.made.state.fluid.impulse.body.z);
    EXPECT_EQ(a.made.state.memory.iterations, b.made.state.memory.iterations);
  }
}

// Its clamped node weighs next to nothing, and the rod moves as one whose does.
TEST(CoupledStep, WhatIsHeldNeedsNoMass) {
  Vec3<double> tip[2];
  for (const bool massless : {false, true}) {
    Tank t(true, true);
    t.how.substeps = 200;
    t.in.fluid.body_force = {0, 0, 20};
    if (massless) {
      t.made.model.mass[0] *= 1e-20;
      for (Column& inertia : t.made.model.inertia) inertia[0] *= 1e-20;
    }
    t.start();
    EXPECT_LT(steps_for_drag(t.made.model, t.in.held, t.in.dt, *t.flow).count, 200);
    for (int i = 0; i < 20; ++i) ASSERT_EQ(t.step(), Outcome::done) << i;
    tip[massless] = t.made.state.nodes.frame(20).x;
  }
  EXPECT_GT(tip[0].z, 0);
  EXPECT_EQ(tip[0].z, tip[1].z);
}

TEST(CoupledStep, StopsWhereDragAsksForTooManySteps) {
  Tank t(false, false);
  t.made.model.mass[5] *= 1e-12;
  t.start();
  EXPECT_EQ(t.step(), Outcome::diverged);
}

TEST(CoupledStep, BuoyancyHoldsWhatIsAsHeavyAsTheFluid) {
  Tank t(true, false);
  t.in.gravity = {0, 0, -9.81};  // rod and fluid are both of 1000 kg/m^3
  t.how.substeps = 200;
  t.start();
  for (int i = 0; i < 50; ++i) ASSERT_EQ(t.step(), Outcome::done);
  EXPECT_LT(norm(t.made.state.nodes.twist(10).v), 1e-9);
}

}  // namespace ls
