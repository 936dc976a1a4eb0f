#include "step/newton/arc_length.h"

#include "math/rotation.h"
#include "step/explicit_step.h"
#include "step/move.h"
#include "step/newton/spinners.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

enum PathEntry { path_s, path_length, path_longest, path_ds, path_direction };  // then [node][6] of the direction

using Vector = std::vector<double>;

// One step along a branch.
class Arc {
 public:
  Arc(const Model& m, const InputsAt& at, State& s, Work& work, NewtonWork& newton)
      : m_(m), at_(at), s_(s), work_(work), newton_(newton) {
    std::fill(newton_.held.begin(), newton_.held.end(), 0);
    const Inputs in = at(s.memory.path[path_s]);
    for (const auto& h : in.held) newton_.held[h.node] = h.mask;
    renew_pattern(m, in, s, newton);  // in each step, so that it does not go by where a run was resumed
  }

  // What is not in balance on the free degrees of freedom, with held nodes where the share puts them.
  void find_residual(double share, Vector& out) {
    const Inputs in = at_(share);
    put_held(in.held, false, s_);
    sum_wrenches(m_, in, s_, work_);
    out.resize(static_cast<std::size_t>(dofs) * m_.nodes);
    for (int i = 0; i < m_.nodes; ++i) {
      const auto a = s_.nodes.wrench(i);
      const double v[dofs] = {a.force.x, a.force.y, a.force.z, a.torque.x, a.torque.y, a.torque.z};
      for (int c = 0; c < dofs; ++c) out[dofs * i + c] = (newton_.held[i] >> c) & 1 ? 0.0 : v[c];
    }
  }
  // Its derivative to the share, by differences: it only steers the iterations.
  void find_load(double share, Vector& out) {
    constexpr double apart = 1e-5;
    Vector low;
    const double from = std::max(0.0, share - apart), to = std::min(1.0, share + apart);  // s goes no farther
    find_residual(from, low);
    find_residual(to, out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (out[i] - low[i]) / (to - from);
  }
  [[nodiscard]] bool factor(double share, bool mixed) {
    const Inputs in = at_(share);
    fit_pattern(m_, in, s_, newton_);
    const LinearStep last = newton_.last_step();
    assemble_stiffness(in, s_, {0, mixed ? &last : nullptr}, newton_);
    add_spinners(s_, newton_);
    return newton_.ldlt.factor(newton_.stiffness, newton_.held, newton_.pulse);
  }
  // Moves the free nodes by u, and the held ones from one share to another; false where something is in the way, and
  // then nothing moves.
  [[nodiscard]] bool move(const Vector& u, double from, double to) {
    const std::vector<HeldNode> before = at_(from).held;
    const Inputs in = at_(to);
    const std::vector<HeldNode>& after = in.held;
    for (int i = 0; i < m_.nodes; ++i)
      for (int c = 0; c < 3; ++c) newton_.move.v[c][i] = u[dofs * i + c], newton_.move.w[c][i] = u[dofs * i + 3 + c];
    for (std::size_t h = 0; h < after.size(); ++h) {
      const Vec3<double> dx = after[h].pose.x - before[h].pose.x;
      const Quat<double> q = after[h].pose.q * conj(before[h].pose.q);
      const Vec3<double> turned = rotation_vector(nearer(q, {1.0, {}}));
      const double go[dofs] = {dx.x, dx.y, dx.z, turned.x, turned.y, turned.z};
      for (int c = 0; c < dofs; ++c)
        if ((after[h].mask >> c) & 1) (c < 3 ? newton_.move.v[c] : newton_.move.w[c - 3])[after[h].node] = go[c];
    }
    Contact* contact = newton_.terms.contact(in);
    if (contact && contact->allowed(s_, in, newton_.move) < 1) return false;
    make_move(s_, newton_);
    return true;
  }
  // Displacements beside the size of the model, as if of one node.
  double product(const Vector& a, const Vector& b) const {
    double sum = 0;
    for (int i = 0; i < m_.nodes; ++i)
      for (int c = 0; c < dofs; ++c)
        sum += a[dofs * i + c] * b[dofs * i + c] * (c < 3 ? 1 / (newton_.size * newton_.size) : 1.0);
    return sum / m_.nodes;
  }
  void solve(Vector& x) const { newton_.ldlt.solve(x.data()); }

 private:
  const Model& m_;
  const InputsAt& at_;
  State& s_;
  Work& work_;
  NewtonWork& newton_;
};

struct Point {
  bool ok = false;
  double s = 0;
  int iterations = 0, negative = 0;
};

// From the last point along (du, ds) for a length, then back to the branch within the plane normal to it.
Point step_to(Arc& arc, const Vector& du, double ds, double length, double s0, NewtonWork& newton,
              const NewtonSettings& settings) {
  Point p;
  Vector u(du.size()), residual, load, travelled(du.size(), 0.0);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = length * du[i];
  p.s = s0 + length * ds;
  if (!arc.move(u, s0, p.s)) return p;
  travelled = u;
  double before = 0;
  while (p.iterations < settings.most_iterations) {
    ++p.iterations;
    newton.pulse.beat();
    arc.find_load(p.s, load);
    arc.find_residual(p.s, residual);
    if (std::any_of(residual.begin(), residual.end(), [](double a) { return !std::isfinite(a); })) return p;
    if (!arc.factor(p.s, true)) return p;
    arc.solve(residual);
    arc.solve(load);
    const double astray = arc.product(du, travelled) + ds * (p.s - s0) - length;
    const double change = (-astray - arc.product(du, residual)) / (arc.product(du, load) + ds);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = residual[i] + change * load[i];
    const double now = std::sqrt(arc.product(u, u) + change * change);
    if (!std::isfinite(now) || now > 10 * length + 1) return p;
    if (!arc.move(u, p.s, p.s + change)) return p;
    p.s += change;
    for (std::size_t i = 0; i < u.size(); ++i) travelled[i] += u[i];
    if ((before > 0 ? now * std::min(1.0, now / before) : now) <= settings.tolerance) {
      arc.find_residual(p.s, residual);
      // Still on the branch? Beside the step, what the iterations added to it is small there.
      for (std::size_t i = 0; i < u.size(); ++i) u[i] = travelled[i] - length * du[i];
      const double beside = std::hypot(std::sqrt(arc.product(u, u)), p.s - s0 - length * ds);
      p.ok = beside < 0.7 * length && arc.factor(p.s, false);
      p.negative = newton.ldlt.negative_pivots();
      return p;
    }
    before = now;
  }
  return p;
}

}  // namespace

void start_arc(const Model& m, State& s) {
  s.memory.path.assign(path_direction + static_cast<std::size_t>(dofs) * m.nodes, 0.0);
}

ArcResult step_arc(const Model& m, const InputsAt& at, State& s, Work& work, NewtonWork& newton,
                   const ArcSettings& settings) {
  constexpr int most_tries = 12;
  ArcResult r;
  auto& path = s.memory.path;
  const double s0 = path[path_s];
  Arc arc(m, at, s, work, newton);
  const State start = s;
  Vector du, last(path.begin() + path_direction, path.end());
  arc.find_load(s0, du);
  s.nodes = start.nodes;
  if (!arc.factor(s0, false)) {
    r.outcome = Outcome::diverged, r.reason = NewtonStop::singular, work.lost_node = newton.ldlt.lost();
    return r;
  }
  const int negative = newton.ldlt.negative_pivots();
  arc.solve(du);
  double ds = 1 / std::sqrt(arc.product(du, du) + 1);
  const bool first = path[path_length] == 0;
  if (!first && ds * (arc.product(du, last) + path[path_ds]) < 0) ds = -ds;  // on, not back
  for (auto& a : du) a *= ds;
  double length = first ? settings.first_step / std::abs(ds) : path[path_length];
  const double longest = first ? 2 * length : path[path_longest];  // rows should not lie much farther apart than asked
  for (int tries = 0; tries < most_tries; ++tries, length /= 2) {
    const Point p = step_to(arc, du, ds, length, s0, newton, settings.newton);
    s.memory.iterations += p.iterations;
    if (!p.ok) {
      s.nodes = start.nodes;
      continue;
    }
    r.s = p.s, r.negative_pivots = p.negative;
    r.ended = p.s >= 1 || p.s < 0;
    if (r.ended) {  // back to where the stage ends, or began
      r.s = p.s < 0 ? 0 : 1;
      const Inputs in = at(r.s);
      const Nodes reached = s.nodes;
      const auto landed = solve_newton({m, in, in.held, s.nodes, {}}, s, work, newton, settings.newton);
      s.memory.iterations += landed.iterations;
      if (!landed.ok() || farthest(reached, s.nodes) > 0.05 * newton.size ||
          !factor_stiffness(m, in, in.held, s, newton)) {
        s.nodes = start.nodes;
        continue;
      }
      r.negative_pivots = newton.ldlt.negative_pivots();
    }
    r.changed = r.negative_pivots != negative;
    if (r.changed) {  // does s go back from here?
      Vector on;
      const Nodes here = s.nodes;
      arc.find_load(r.s, on);
      s.nodes = here;
      if (arc.factor(r.s, false)) arc.solve(on), r.turned = (arc.product(on, du) + ds < 0) != (ds < 0);
    }
    path[path_s] = r.s, path[path_ds] = ds, path[path_longest] = longest;
    path[path_length] = std::min(longest, length * std::clamp(4.0 / p.iterations, 0.5, 1.5));
    std::copy(du.begin(), du.end(), path.begin() + path_direction);
    return r;
  }
  s = start;
  r.outcome = Outcome::diverged, r.reason = NewtonStop::too_slow, work.lost_node = 0;
  return r;
}

}  // namespace ls
