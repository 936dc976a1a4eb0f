#pragma once
#include "build/builder.h"
#include "build/joints/join.h"
#include "math/rotation.h"
#include "step/energy.h"
#include "step/newton/implicit_step.h"

#include <gtest/gtest.h>

// Bars and joints for tests of implicit steps.
namespace ls::test_linkage {

using V = Vec3<double>;

// A bar from one place to another.
inline RigidSpec bar(const std::string& name, const V& from, const V& to, double mass, double thick = 0.02) {
  RigidSpec r;
  r.name = name;
  const double length = norm(to - from);
  r.shape = box_shape({thick, thick, length});
  r.pose = {0.5 * (from + to), turn_between({0, 0, 1}, (1 / length) * (to - from))};
  r.fill(1);
  const double factor = mass / r.mass;
  r.mass = mass;
  for (auto& row : r.inertia)
    for (double& i : row) i *= factor;
  return r;
}

struct Linkage {
  Builder::Result b;
  Inputs in;
  std::unique_ptr<Work> work;
  std::unique_ptr<NewtonWork> newton;
  ImplicitSettings set;

  explicit Linkage(Builder& builder, double dt = 1e-3) : b(builder.finish()) {
    in.dt = dt;
    in.gravity = {0, 0, -9.81};
    in.motors.clear();
  }
  JointSpec joint(JointKind kind, int a, int to, const V& at, const V& axis = {0, 0, 1}) {
    JointSpec j;
    j.kind = kind, j.node[0] = a, j.node[1] = to, j.at = at, j.axis = axis;
    j.name = "j" + std::to_string(b.model.joints.joints.size());
    return j;
  }
  void start() {
    for (int i = 0; i < b.model.nodes; ++i)
      if (b.model.held[i]) in.held.push_back({i, b.model.held[i], b.state.nodes.frame(i), {}});
    work = std::make_unique<Work>(b.model, 1);
    newton = std::make_unique<NewtonWork>(b.model, work->terms);
    b.state.memory.ledger.start = energy();
  }
  double energy() { return total_energy(b.model, in, b.state, *work); }
  void step(int n = 1) {
    const InputsAt at = [this](double) { return in; };
    for (int k = 0; k < n; ++k) ASSERT_EQ(step_implicit(b.model, at, b.state, *work, *newton, set), Outcome::done) << k;
  }
  double error() const {
    double worst = 0;
    for (std::size_t k = 0; k < b.model.joints.joints.size(); ++k)
      worst = std::max(worst, work->terms.joints->report(static_cast<int>(k), b.state, in).error);
    return worst;
  }
  JointReport report(int joint) const { return work->terms.joints->report(joint, b.state, in); }
};

}  // namespace ls::test_linkage
