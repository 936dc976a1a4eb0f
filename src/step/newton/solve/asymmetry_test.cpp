#include "step/newton/solve/asymmetry.h"

#include "build/builder.h"
#include "build/shell.h"
#include "math/rotation.h"
#include "step/model_size.h"
#include "step/newton/implicit_step.h"
#include "step/test_rods.h"

#include <cmath>
#include <gtest/gtest.h>

// Nodes that turn, and what the symmetric matrix does not know of them.
namespace ls::asymmetry_test {

using V = Vec3<double>;

ShellSpec thin_sheet(double side, double thickness, double young) {
  ShellSpec sheet;
  sheet.name = "sheet", sheet.surface = triangular_sheet(side, side, side / 8);
  sheet.thickness = thickness, sheet.density = 1200;
  sheet.material = {young, young / 2.6};
  return sheet;
}

struct Course {
  Builder::Result b;
  Inputs in;
  Work work;
  NewtonWork newton;

  Course(Builder& builder, double dt) : b(builder.finish()), work(b.model, 1), newton(b.model, work.terms) {
    newton.size = model_size(b.model, b.state.nodes);
    in.dt = dt;
    in.contact = b.model.shapes ? ContactLaw::barrier : in.contact;
    for (int i = 0; i < b.model.nodes; ++i)
      if (b.model.held[i]) in.held.push_back({i, b.model.held[i], b.state.nodes.frame(i), {}});
  }
  long long iterations_of(int steps) {
    const InputsAt at = [this](double) { return in; };
    ImplicitSettings set;
    set.a = 1, set.newton.most_iterations = 60;  // as in a run with contact
    for (int k = 0; k < steps; ++k) EXPECT_EQ(step_implicit(b.model, at, b.state, work, newton, set), Outcome::done);
    return b.state.memory.iterations;
  }
};

// About its normal a node of a thin sheet is heavier to turn than across it by the square of its spacing over the
// thickness. A sheet that spins in its plane and waves is then a field of gyroscopes: without them in the linear model
// these ten steps take 166 000 iterations, with them 51.
TEST(Gyroscopes, AThinSheetThatSpinsTakesFewIterations) {
  Builder builder;
  ShellSpec sheet = thin_sheet(1, 5e-4, 2e6);
  sheet.spin = {0, 0, 3};
  builder.add(assembled(sheet));
  Course run(builder, 1e-3);
  Nodes& n = run.b.state.nodes;
  for (int i = 0; i < n.count; ++i) {
    auto t = n.twist(i);
    const V x = n.frame(i).x;
    t.v.z += 0.3 * std::sin(9 * x.x) * std::sin(7 * x.y + 1);
    n.set(i, t);
  }
  EXPECT_LE(run.iterations_of(10), 100);
}

// A rod that falls on a sheet aslant, in iterations.
struct Fall {
  double side, thickness, young;   // of the sheet, m, Pa
  double diameter, length, slant;  // of the rod, m, rad
  int bonds;
  V velocity;
  double dt;
  std::vector<std::string> clamped;

  long long iterations(double friction) const {
    Builder builder;
    builder.set_contact({}, false);
    ShellSpec sheet = thin_sheet(side, thickness, young);
    for (const std::string& part : clamped) sheet.holds.push_back({part, hold_all});
    sheet.contact.friction = friction;
    builder.add(assembled(sheet));
    RodSpec rod = test::soft_rod("exact", bonds);
    const V middle{0.5 * side, 0.5 * side, 0.5 * (thickness + diameter) + 2e-3},
        half = 0.5 * length * V{0.9 * std::cos(slant), 0.43 * std::cos(slant), 0};
    rod.line = line(middle - half, middle + half + V{0, 0, length * std::sin(slant)}, bonds, {0, 0, 1});
    const Elasticity e{young, young / 2.6};
    const double d = diameter;
    rod.section = [d, e](double) { return circular_section(d, e.poisson()); };
    rod.material = [e](double) { return e; };
    rod.density = [](double) { return 1200.0; };
    rod.velocity = velocity, rod.surface.friction = friction;
    builder.add(rod);
    Course run(builder, dt);
    run.in.gravity = {0, 0, -9.81};
    return run.iterations_of(8);
  }
};

// Friction takes nodes of the sheet by its surface, and so tilts them. Without gyroscopes in the linear model the falls
// take 6, 68 and 3 times as many iterations as without friction, with them 1.6 to 2.
TEST(Gyroscopes, ARodFallsOnASheetWithFrictionInFewIterations) {
  const std::vector<std::string> all{"low_x", "high_x", "low_y", "high_y"}, two{"low_x", "high_x"}, one{"low_x"};
  const Fall falls[] = {{2, 5e-4, 2e6, 2e-3, 0.6, 0.5, 22, {0.5, 0.3, -1.5}, 1.5e-3, two},
                        {1, 2e-4, 2e6, 3e-3, 0.3, 0.2, 20, {0.5, -0.3, -1}, 2e-3, all},
                        {1, 2e-4, 1e7, 3e-3, 0.4, 0.4, 24, {0.8, 0.3, -1.5}, 2e-3, one}};
  for (const Fall& fall : falls) {
    const long long without = fall.iterations(0), with = fall.iterations(0.5);
    EXPECT_LE(with, 3 * without) << "a rod of " << fall.length << " m";
  }
}

}  // namespace ls::asymmetry_test
