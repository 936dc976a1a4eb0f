#pragma once
// Models that an explicit step can go over in more than one way (step/sweep.h), and the comparison of these ways.
#include "build/drag_layout.h"
#include "step/critical_step.h"
#include "step/sweep.h"
#include "step/test_rods.h"

#include <gtest/gtest.h>

namespace ls::test {

class UniformTestField final : public Field {
 public:
  void add(const Vec3<double>*, int points, int, FieldSample* out) const override {
    for (int i = 0; i < points; ++i) out[i].b += Vec3<double>{0.1, 0, 0.3};
  }
  bool is_uniform() const override { return true; }
};

// A model under inputs that stay. Copies share nothing.
struct Swept {
  Model model;
  State state;
  Inputs in;

  explicit Swept(Builder::Result made) : model(std::move(made.model)), state(std::move(made.state)) {}
  void magnetise() {
    for (Column& c : model.moment) c.assign(static_cast<std::size_t>(padded(model.nodes)), 1e-6);
    in.fields = {std::make_shared<UniformTestField>()};
  }
  // A liquid that streams: what it does to a node depends on the node's velocity.
  void put_into_oil() {
    model.drag = lay_drag(model, state.nodes, 0.05);
    in.stream = std::make_shared<UniformTestField>();
  }
  Swept& in_a_field() {
    magnetise();
    return *this;
  }
  Swept& in_oil() {
    put_into_oil();
    return *this;
  }
};

// More than one tile, and no islands.
inline Swept rod_of_tiles() {
  Swept s(long_rod(3000));
  s.in = clamped_at({s.model, s.state}, 0, 2e-5);
  return s;
}

// Forty short rods, clamped.
inline Swept bed_of_rods() {
  Builder b;
  for (int k = 0; k < 40; ++k) {
    auto spec = soft_rod("exact", 10);
    spec.line = line({0.02 * k, 0, 0}, {0.02 * k, 0, 0.05}, 10, {1, 0, 0});
    spec.random = {0.05, 5, true, true, true, static_cast<std::uint64_t>(k)};
    b.add(spec);
  }
  Swept s(b.finish());
  s.in.dt = 1e-5;
  s.in.gravity = {0, 1, -9.81};
  for (int k = 0; k < 40; ++k) s.in.held.push_back({11 * k, hold_all, s.state.nodes.frame(11 * k), {}});
  return s;
}

// Half of the critical step, of what touches too.
inline double half_critical_step(const Swept& s) {
  const Terms terms = make_terms(s.model);
  const double bonds = critical_step(largest_frequency(s.model, terms, s.state, s.model.held), 0);
  return 0.5 * critical_step(bonds, terms, s.state, s.in);
}

// Two layers of rods, one across the other, that come together: enough nodes for one sweep over all.
inline Swept mats(double speed) {
  Builder b;
  b.set_contact({}, false);
  for (int i = 0; i < 12; ++i) {
    auto r = soft_rod("exact", 120);
    const int pair = i / 2;
    const double at = 8e-3 * pair;
    r.line = i % 2 == 0 ? line({0, at, 0}, {0.06, at, 0}, 120, {0, 0, 1})
                        : line({at + 5e-3, -5e-3, 4.02e-3}, {at + 5e-3, 0.055, 4.02e-3}, 120, {0, 0, 1});
    r.velocity = {0, 0, i % 2 == 0 ? 0 : -speed};
    r.random = {0.1 * speed, 1, true, true, true, 3};
    r.surface = {0.4, 0.6, 1e6, 0.3};
    b.add(r);
  }
  Swept s(b.finish());
  s.in.contact = ContactLaw::hertz_mindlin;
  s.in.damping_rate = s.in.spin_damping_rate = 3;
  s.in.held = {{0, hold_all, s.state.nodes.frame(0), {}}};
  s.in.dt = half_critical_step(s);
  return s;
}

inline bool same_wrenches(const Nodes& a, const Nodes& b) {
  for (int k = 0; k < 3; ++k)
    if (a.f[k] != b.f[k] || a.t[k] != b.t[k]) return false;
  return true;
}

// Ready to step by one way, with the impulses on what is held noted.
inline void start_by(Path path, const Swept& s, State& state, Work& work) {
  work.sweep.path = path;
  work.held_impulse.assign(s.in.held.size(), {});
  work.impulses.duration = s.in.dt;
  start_explicit(s.model, s.in, state, work);
  if (path == Path::islands) work.sweep.islands = find_islands(s.model, 3);  // more than threads, or for one thread
}

struct Compared {
  std::size_t most_touching = 0;
  bool waited = false;  // for contact, some block did
};
// Forces the way, `taken` where it can't be gone, and compares every step with separate passes of one thread.
inline Compared compare_with_passes(const Swept& s, Path path, int threads, int steps, Path taken = Path::any) {
  State a = s.state, b = s.state;
  Work forced(s.model, threads), passes(s.model, 1);
  start_by(path, s, a, forced);
  start_by(Path::passes, s, b, passes);
  EXPECT_EQ(choose_path(s.model, s.in, a, forced), taken == Path::any ? path : taken);
  EXPECT_EQ(choose_path(s.model, s.in, b, passes), Path::passes);
  Compared c;
  for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
    forced.team.set_active(threads);
    advance(s.model, s.in, a, forced, 1);
    advance(s.model, s.in, b, passes, 1);
    c.most_touching = std::max(c.most_touching, b.memory.touching.size());
    c.waited = c.waited || !forced.sweep.waiting.empty();
    EXPECT_TRUE(same_bits(a, b) && same_wrenches(a.nodes, b.nodes)) << "step " << i << ", " << threads << " threads";
  }
  EXPECT_TRUE(passes.sweep.waiting.empty());
  for (std::size_t i = 0; i < s.in.held.size(); ++i)
    EXPECT_EQ(norm(forced.held_impulse[i] - passes.held_impulse[i]), 0) << i;
  return c;
}

}  // namespace ls::test
