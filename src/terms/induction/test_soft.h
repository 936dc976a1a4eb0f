#pragma once
#include "base/rng.h"
#include "math/rotation.h"
#include "physics/magnets.h"
#include "terms/induction/induction_term.h"

#include <cmath>
#include <numbers>

// Soft balls and other bodies, one node each.
namespace ls::test {

inline Vec3<double> some_vector(std::uint64_t k) {
  const auto draw = [&](std::uint64_t c) { return 2 * uniform(7, 0, k, c) - 1; };
  return {draw(0), draw(1), draw(2)};
}

inline Model bodies_at_rest(int count) {
  Model m;
  m.nodes = count;
  const auto room = static_cast<std::size_t>(padded(count));
  m.mass.assign(room, 1.0);
  for (Column& c : m.inertia) c.assign(room, 1.0);
  m.held.assign(static_cast<std::size_t>(count), 0);
  m.radius.assign(static_cast<std::size_t>(count), 0.1);
  for (int i = 0; i < count; ++i) {
    m.body_of.push_back(i);
    m.bodies.push_back({});
    m.bodies.back().name = std::string(1, static_cast<char>('a' + i % 26));
    m.bodies.back().kind = BodyKind::rigid;
    m.bodies.back().nodes = {i};
  }
  return m;
}

inline SoftCell soft_ball(int node, double radius, double chi) {
  SoftCell c;
  c.node = node;
  c.volume = 4 * std::numbers::pi / 3 * radius * radius * radius;
  c.inverse = diagonal({1 / chi, 1 / chi, 1 / chi});
  c.factor = diagonal({1.0 / 3, 1.0 / 3, 1.0 / 3});
  return c;
}

// A cube of that edge in n^3 cells.
inline void add_cube(Model& m, int node, int n, double edge, double chi) {
  SoftGrid grid;
  const double cell = edge / n;
  grid.first = static_cast<int>(m.soft.cells.size());
  grid.cell = {cell, cell, cell};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        SoftCell c = soft_ball(node, 1, chi);
        c.factor = {};
        c.volume = cell * cell * cell;
        const auto place = [&](int at) { return cell * (at + 0.5) - 0.5 * edge; };
        c.position = {place(i), place(j), place(k)};
        m.soft.cells.push_back(c);
        grid.at.push_back({i, j, k});
        grid.share.push_back(1);
      }
  grid.last = static_cast<int>(m.soft.cells.size());
  m.soft.grids.push_back(grid);
}

// B = b + G x, with a symmetric G without trace: two slopes.
class LinearField final : public Field {
 public:
  explicit LinearField(const Vec3<double>& b, double slope = 0) : b_(b), slope_(slope) {}
  void add(const Vec3<double>* x, int points, int order, FieldSample* out) const override {
    for (int k = 0; k < points; ++k) {
      out[k].b += b_ + slope_ * Vec3<double>{x[k].x + 0.5 * x[k].y, 0.5 * x[k].x - 2 * x[k].y, x[k].z};
      if (order < 1) continue;
      out[k].gradient.c1 += slope_ * Vec3<double>{1, 0.5, 0};
      out[k].gradient.c2 += slope_ * Vec3<double>{0.5, -2, 0};
      out[k].gradient.c3 += slope_ * Vec3<double>{0, 0, 1};
    }
  }

 private:
  Vec3<double> b_;
  double slope_;
};

inline Inputs in_field(const Vec3<double>& b, double slope = 0) {
  Inputs in;
  in.fields.push_back(std::make_shared<LinearField>(b, slope));
  return in;
}

inline double energy_of_term(Term& term, const State& s, const Inputs& in) {
  Team alone;
  Energies e;
  term.add_energy(s, in, e, alone);
  return e.total();
}
// [node][force, torque]
inline std::vector<double> wrenches_of_term(Term& term, const State& s, const Inputs& in, int threads = 1) {
  Team team(threads);
  const int n = s.nodes.count;
  Wrenches w(n);
  w.need_node_columns(n);
  term.add_wrenches(s, in, Blocks::all(n, team), w);
  std::vector<double> all;
  for (int i = 0; i < n; ++i)
    for (const auto* triple : {w.force, w.torque})
      for (int c = 0; c < 3; ++c) all.push_back(triple[c][i]);
  return all;
}
inline State shifted(const State& from, int node, int dof, double by) {
  State s = from;
  auto f = s.nodes.frame(node);
  const Vec3<double> e{dof % 3 == 0 ? by : 0, dof % 3 == 1 ? by : 0, dof % 3 == 2 ? by : 0};
  if (dof < 3)
    f.x += e;
  else
    f.q = turn(e) * f.q;
  s.nodes.set(node, f);
  return s;
}

}  // namespace ls::test
