#include "step/newton/newton.h"

#include "math/rotation.h"
#include "step/explicit_step.h"
#include "step/model_size.h"
#include "step/newton/move.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace ls {

namespace {

constexpr int w = BlockMatrix::width;

std::vector<std::pair<int, int>> pairs_of(const Model& m, const State& s, const Inputs& in) {
  std::vector<std::pair<int, int>> pairs;
  for (const auto& term : m.terms) term->add_pattern(s, in, pairs);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

struct Largest {
  double length = 0, turn = 0;  // m, rad
  int node = 0;                 // of the length
};
Largest largest(const std::vector<double>& u, int nodes) {
  Largest l;
  for (int i = 0; i < nodes; ++i) {
    const double* a = u.data() + static_cast<std::ptrdiff_t>(w) * i;
    const double x = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], t = a[3] * a[3] + a[4] * a[4] + a[5] * a[5];
    if (!(x <= l.length * l.length)) l.length = std::sqrt(x), l.node = i;
    if (!(t <= l.turn * l.turn)) l.turn = std::sqrt(t);
  }
  return l;
}

// The node whose residual is no number; -1: none.
int first_not_finite(const std::vector<double>& residual) {
  const auto bad = std::find_if(residual.begin(), residual.end(), [](double a) { return !std::isfinite(a); });
  return bad == residual.end() ? -1 : static_cast<int>(bad - residual.begin()) / w;
}

Quat<double> near(const Quat<double>& q, const Quat<double>& to) {
  return dot(q, to) < 0 ? Quat<double>{-q.w, -q.v} : q;
}

// One solve: the equations, their matrix and how a state moves.
class Newton {
 public:
  Newton(const Model& m, const Inputs& in, const std::vector<HeldNode>& held,
         const std::optional<ImplicitScheme>& scheme, const Nodes& start, State& s, Work& k, NewtonWork& n)
      : m_(m),
        in_(in),
        scheme_(scheme),
        start_(start),
        s_(s),
        k_(k),
        n_(n),
        damping_(in.temperature > 0 ? 0 : in.damping_rate),
        spin_damping_(in.temperature > 0 ? 0 : in.spin_damping_rate) {
    std::fill(n_.held.begin(), n_.held.end(), 0);
    std::fill(n_.driven.begin(), n_.driven.end(), 0.0);
    for (const auto& h : held) {
      n_.held[h.node] = h.mask;
      const auto f = s_.nodes.frame(h.node);
      const Vec3<double> dx = h.pose.x - f.x, turn = rotation_vector(near(h.pose.q * conj(f.q), {1.0, {}}));
      const double go[w] = {dx.x, dx.y, dx.z, turn.x, turn.y, turn.z};
      const bool all_turns = (h.mask & hold_turn) == hold_turn;
      for (int c = 0; c < w; ++c)
        if ((h.mask >> c) & 1 && (c < 3 || all_turns)) n_.driven[w * h.node + c] = go[c];
    }
  }

  // What is not in balance, into n.residual.
  void find_residual() {
    if (scheme_)
      for (int i = 0; i < m_.nodes; ++i) s_.nodes.set(i, twist_at(*scheme_, start_.frame(i), s_.nodes.frame(i)));
    sum_wrenches(m_, in_, s_, k_);
    for (int i = 0; i < m_.nodes; ++i) {
      Wrench<double> r = s_.nodes.wrench(i);
      if (scheme_) r = less_inertia(i, r);
      const double v[w] = {r.force.x, r.force.y, r.force.z, r.torque.x, r.torque.y, r.torque.z};
      std::copy(v, v + w, n_.residual.data() + static_cast<std::ptrdiff_t>(w) * i);
    }
  }

  [[nodiscard]] bool factor(bool mixed, bool projected) {
    fit_pattern(m_, in_, s_, n_);
    n_.stiffness.clear();
    StiffnessRequest wanted;
    if (scheme_) wanted.rate = 1 / scheme_->half();
    wanted.projected = projected;
    for (std::size_t t = 0; t < m_.terms.size(); ++t) {
      wanted.predicted = mixed ? &n_.predicted[t] : nullptr;
      m_.terms[t]->add_stiffness(s_, in_, wanted, n_.stiffness);
    }
    if (scheme_)
      for (int i = 0; i < m_.nodes; ++i) add_inertia(i);
    else
      add_spinners(s_, n_);
    return n_.ldlt.factor(n_.stiffness, n_.held);
  }

  // The move that the linear model asks for, held degrees of freedom going all the way they have left.
  void solve() {
    n_.solution = n_.residual;
    if (std::any_of(n_.driven.begin(), n_.driven.end(), [](double a) { return a != 0; })) {
      std::vector<double> pulled(n_.solution.size(), 0.0);
      n_.stiffness.add_product(n_.driven.data(), pulled.data());
      for (std::size_t i = 0; i < pulled.size(); ++i) n_.solution[i] -= pulled[i];
    }
    n_.ldlt.solve(n_.solution.data());
    correct_for_followers();
    for (std::size_t i = 0; i < n_.solution.size(); ++i) n_.solution[i] += n_.driven[i];
  }

  // Goes a share of that way, or as far as nothing passes through anything; returns the share.
  double move(double share) {
    set_move(share);
    double allowed = 1;
    for (const auto& term : m_.terms) allowed = std::min(allowed, term->allowed(s_, in_, n_.move));
    if (allowed < 1) set_move(share *= allowed);
    make_move(m_, s_, n_);
    for (auto& d : n_.driven) d *= 1 - share;
    return share;
  }
  // The same, cut shorter while the forces at the end push back harder along the way than they pulled at its start: a
  // barrier that was entered too deep. Forces need no energy to be compared so. Leaves the residual of the new state.
  double move_guarded(double share) {
    constexpr int most_cuts = 12;
    constexpr double push_back = 0.5;
    const bool is_driven = std::any_of(n_.driven.begin(), n_.driven.end(), [](double a) { return a != 0; });
    if (is_driven) return move(share);  // drives do work: there is no downhill
    n_.before = s_.nodes;
    const double pull = along();
    share = move(share);
    for (int cut = 0; cut < most_cuts && pull > 0; ++cut) {
      find_residual();
      const double now = along();
      if (now >= -push_back * pull) break;
      share *= std::clamp(pull / (pull - now), 0.1, 0.7);
      s_.nodes = n_.before;
      set_move(share);
      make_move(m_, s_, n_);
    }
    return share;
  }

 private:
  // How hard what is not in balance pulls along the solution.
  double along() const {
    double sum = 0;
    for (int i = 0; i < m_.nodes; ++i)
      for (int c = 0; c < w; ++c)
        if (!((n_.held[i] >> c) & 1)) sum += n_.residual[w * i + c] * n_.solution[w * i + c];
    return sum;
  }
  void set_move(double share) {
    for (int i = 0; i < m_.nodes; ++i)
      for (int c = 0; c < 3; ++c) {
        n_.move.v[c][i] = share * n_.solution[w * i + c];
        n_.move.w[c][i] = share * n_.solution[w * i + 3 + c];
      }
  }

  // The part of the derivative that torques t on nodes, and forces f that turn with them, have beyond the symmetric
  // matrix: to a turn, -1/2 [t]x for a torque fixed in space, +1/2 [t]x for one that turns along, and [f]x in the rows
  // of the force. The matrix with it is K + E A E'^T for a few nodes, solved by Woodbury's formula.
  void correct_for_followers() {
    if (is_conservative(in_)) return;
    std::map<int, std::array<std::array<double, 3>, w>> blocks;
    for (const auto& load : in_.loads)
      for (std::size_t i = 0; i < load.node.size(); ++i) add_follower(load, i, blocks[load.node[i]]);
    constexpr std::size_t most = 16;  // nodes; with more, Newton's method does without, and takes longer
    if (blocks.size() > most) return;
    const auto size = n_.solution.size();
    const auto columns = static_cast<Eigen::Index>(3 * blocks.size());
    n_.follower.assign(size * static_cast<std::size_t>(columns), 0.0);
    Eigen::MatrixXd small = Eigen::MatrixXd::Identity(columns, columns);
    Eigen::VectorXd turns(columns);
    Eigen::Index column = 0;
    for (const auto& [node, a] : blocks)
      for (int c = 0; c < 3; ++c, ++column) {
        double* z = n_.follower.data() + size * static_cast<std::size_t>(column);
        for (int r = 0; r < w; ++r) z[w * node + r] = a[r][c];
        n_.ldlt.solve(z);
        turns[column] = n_.solution[w * node + 3 + c];
        Eigen::Index row = 0;
        for (const auto& other : blocks)
          for (int r = 0; r < 3; ++r, ++row) small(row, column) += z[w * other.first + 3 + r];
      }
    const Eigen::VectorXd share = small.partialPivLu().solve(turns);
    for (Eigen::Index k = 0; k < columns; ++k)
      for (std::size_t i = 0; i < size; ++i)
        n_.solution[i] -= share[k] * n_.follower[size * static_cast<std::size_t>(k) + i];
  }
  void add_follower(const LoadGroup& load, std::size_t i, std::array<std::array<double, 3>, w>& block) const {
    const auto q = s_.nodes.frame(load.node[i]).q;
    const double factor = in_.load_factor * load.weight[i];
    const auto turned = [&](const Vec3<double>& a) { return factor * (load.in_body_axes ? rotate(q, a) : a); };
    const auto add = [&](int first_row, double scale, const Vec3<double>& a) {
      const double cross[3][3] = {{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}};
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) block[first_row + r][c] += scale * cross[r][c];
    };
    add(3, load.in_body_axes ? 0.5 : -0.5, turned(load.torque));
    if (load.in_body_axes) add(0, 1.0, turned(load.force));
  }

  Wrench<double> less_inertia(int i, Wrench<double> r) const {
    const auto pose = s_.nodes.frame(i);
    const auto inertia = inertia_force(m_, i, *scheme_, start_, pose);
    const auto t = s_.nodes.twist(i);
    const Vec3<double> spin = rotate(conj(pose.q), t.w);
    const Vec3<double> drag =
        rotate(pose.q, Vec3<double>{m_.inertia[0][i] * spin.x, m_.inertia[1][i] * spin.y, m_.inertia[2][i] * spin.z});
    r.force = r.force - inertia.force.force - damping_ * m_.mass[i] * t.v;
    r.torque = r.torque - inertia.force.torque - spin_damping_ * drag;
    return r;
  }
  void add_inertia(int i) {
    const auto pose = s_.nodes.frame(i);
    const auto inertia = inertia_force(m_, i, *scheme_, start_, pose);
    const double rate = 1 / scheme_->half();
    const Mat3<double> axes = matrix(pose.q);
    const Vec3<double> column[3] = {axes.c1, axes.c2, axes.c3};
    double* d = n_.stiffness.diagonal(i);
    for (int a = 0; a < 3; ++a) d[(w + 1) * a] += m_.mass[i] * rate * (rate + damping_);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        double drag = 0;
        for (int c = 0; c < 3; ++c) {
          const double ea[3] = {column[c].x, column[c].y, column[c].z};
          drag += m_.inertia[c][i] * ea[a] * ea[b];
        }
        d[w * (3 + a) + 3 + b] += inertia.slope[a][b] + spin_damping_ * rate * drag;
      }
  }

  const Model& m_;
  const Inputs& in_;
  const std::optional<ImplicitScheme>& scheme_;
  const Nodes& start_;
  State& s_;
  Work& k_;
  NewtonWork& n_;
  double damping_, spin_damping_;  // 1/s; heat brings its own
};

}  // namespace

void add_spinners(const State& s, NewtonWork& n) {
  for (const int i : n.spinners) {
    double* d = n.stiffness.diagonal(i);
    const Vec3<double> axis = axis_z(s.nodes.frame(i).q);
    const double z[3] = {axis.x, axis.y, axis.z};
    const double size = d[(w + 1) * 3] + d[(w + 1) * 4] + d[(w + 1) * 5];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) d[w * (3 + a) + 3 + b] += size * z[a] * z[b];
  }
}

void renew_pattern(const Model& m, const Inputs& in, const State& s, NewtonWork& n) {
  if (!m.shapes) return;
  auto pairs = pairs_of(m, s, in);
  if (pairs == n.pairs) return;
  n.pairs = std::move(pairs);
  n.stiffness = BlockMatrix(BlockPattern(m.nodes, n.pairs));
  n.ldlt = BlockLdlt(n.stiffness.pattern());
}

void fit_pattern(const Model& m, const Inputs& in, const State& s, NewtonWork& n) {
  const auto& pattern = n.stiffness.pattern();
  if (std::any_of(m.terms.begin(), m.terms.end(), [&](const auto& t) { return !t->fits(s, in, pattern); }))
    renew_pattern(m, in, s, n);
}

bool is_conservative(const Inputs& in) {
  return std::all_of(in.loads.begin(), in.loads.end(), [](const LoadGroup& load) {
    return dot(load.torque, load.torque) == 0 && !(load.in_body_axes && dot(load.force, load.force) > 0);
  });
}

NewtonWork::NewtonWork(const Model& model)
    : pairs(pairs_of(model, State(), Inputs{})),
      stiffness(BlockPattern(model.nodes, pairs)),
      ldlt(stiffness.pattern()),
      residual(static_cast<std::size_t>(w) * model.nodes),
      solution(residual),
      driven(residual),
      held(static_cast<std::size_t>(model.nodes), 0),
      predicted(model.terms.size()) {
  for (int c = 0; c < 3; ++c) {
    move.v[c].assign(static_cast<std::size_t>(padded(model.nodes)), 0.0);
    move.w[c] = move.v[c];
  }
}

std::size_t NewtonWork::bytes() const {
  std::size_t sum = pairs.size() * sizeof(pairs[0]) + stiffness.bytes() + ldlt.bytes() +
                    3 * residual.size() * sizeof(double) + held.size();
  for (const auto& p : predicted) sum += p.size() * sizeof(double);
  return sum + 6 * move.v[0].size() * sizeof(double);
}

namespace {
NewtonResult solve_once(const Model& m, const Inputs& in, const std::vector<HeldNode>& held,
                        const std::optional<ImplicitScheme>& scheme, const Nodes& start, State& s, Work& k,
                        NewtonWork& n, const NewtonSettings& settings) {
  Newton newton(m, in, held, scheme, start, s, k, n);
  NewtonResult r;
  Nodes foreseen;                // after the first iteration, to see at the end how good its forecast was
  double before = 0, first = 0;  // sizes of the last move and of the first
  const bool touching = m.shapes && in.contact == ContactLaw::barrier;
  const auto stopped = [&](NewtonStop stop, int node) {
    r.stop = stop, r.node = node;
    const auto left = std::find_if(n.driven.begin(), n.driven.end(), [](double a) { return a != 0; });
    if (touching && left != n.driven.end())
      r.stop = NewtonStop::blocked, r.node = static_cast<int>(left - n.driven.begin()) / w;
    return r;
  };
  // Slender rods must be let uphill at first (mixed Newton); rigid bodies never.
  const int free_iterations = m.bonds() > 0 ? settings.guarded_after : 0;
  while (r.iterations < settings.most_iterations) {
    newton.find_residual();
    if (const int bad = first_not_finite(n.residual); bad >= 0) return stopped(NewtonStop::not_finite, bad);
    const bool guarded = touching && r.iterations >= free_iterations;
    if (!newton.factor(r.iterations > 0 && !guarded, guarded)) return stopped(NewtonStop::singular, n.ldlt.lost());
    newton.solve();
    const Largest step = largest(n.solution, m.nodes);
    if (!std::isfinite(step.length) || !std::isfinite(step.turn)) return stopped(NewtonStop::singular, step.node);
    const double limit = settings.longest_move * n.size;
    double share = std::min({1.0, limit / step.length, settings.largest_turn / step.turn});
    if (!(step.length > 0 || step.turn > 0)) share = 1;
    share = guarded ? newton.move_guarded(share) : newton.move(share);
    ++r.iterations;
    const double now = std::max(step.length / n.size, step.turn);
    if (r.iterations == 1) r.first_move = step.length, foreseen = s.nodes, first = now;
    // Newton's error goes down at least as fast as its last two moves did: what is left is now * (now/before). In a
    // step in time it counts beside the step's own move, since velocities come of it. Rounding, which grows with the
    // cube of the number of bonds, may end the descent before that.
    const double left = before > 0 ? now * std::min(1.0, now / before) : now;
    double tolerance = settings.tolerance * (scheme ? std::clamp(first, 1e-4, 1.0) : 1.0);
    if (guarded && scheme) tolerance = std::max(tolerance, settings.touching_tolerance * std::clamp(first, 1e-3, 1.0));
    const bool settled = left <= tolerance;
    const bool rounding = r.iterations > 2 && now > 0.5 * before && now < 1e-7;
    if ((share == 1.0 && (settled || rounding)) || now <= tolerance) {
      newton.find_residual();
      if (const int bad = first_not_finite(n.residual); bad >= 0) return stopped(NewtonStop::not_finite, bad);
      r.from_foreseen = farthest(foreseen, s.nodes);
      return r;
    }
    before = share * now;
  }
  if (!scheme && n.ldlt.floating() >= 0) return stopped(NewtonStop::singular, n.ldlt.floating());
  return stopped(NewtonStop::too_slow, largest(n.solution, m.nodes).node);
}

}  // namespace

NewtonResult solve_newton(const Model& m, const Inputs& in, const std::vector<HeldNode>& held,
                          const std::optional<ImplicitScheme>& scheme, const Nodes& start, State& s, Work& k,
                          NewtonWork& n, const NewtonSettings& settings) {
  constexpr int most_rounds = 2;
  if (n.size == 0) n.size = model_size(m, s.nodes);
  for (const auto& term : m.terms) term->begin(s, in, scheme ? scheme->half() : 0.0, s.memory);
  renew_pattern(m, in, s, n);
  NewtonResult r = solve_once(m, in, held, scheme, start, s, k, n, settings);
  for (int round = 0; r.ok() && round < most_rounds; ++round) {
    bool again = false;
    for (const auto& term : m.terms) again = term->needs_again(s, in) || again;
    if (!again) break;
    const NewtonResult next = solve_once(m, in, held, scheme, start, s, k, n, settings);
    r.iterations += next.iterations, r.stop = next.stop, r.node = next.node;
  }
  return r;
}

bool factor_stiffness(const Model& m, const Inputs& in, const std::vector<HeldNode>& held, const State& s,
                      NewtonWork& n) {
  std::fill(n.held.begin(), n.held.end(), 0);
  for (const auto& h : held) n.held[h.node] = h.mask;
  fit_pattern(m, in, s, n);
  n.stiffness.clear();
  for (const auto& term : m.terms) term->add_stiffness(s, in, {}, n.stiffness);
  add_spinners(s, n);
  return n.ldlt.factor(n.stiffness, n.held);
}

void find_spinners(const Model& m, const State& rest, const std::vector<std::uint8_t>& held, NewtonWork& n) {
  n.spinners.clear();
  std::vector<HeldNode> holds;
  for (int i = 0; i < m.nodes; ++i)
    if (held[i]) holds.push_back({i, held[i], rest.nodes.frame(i), {}});
  if (n.size == 0) n.size = model_size(m, rest.nodes);
  while (factor_stiffness(m, Inputs{}, holds, rest, n) && n.ldlt.floating() >= 0) {
    // The motion that nothing resists: what a torque about the axis of the floating node does.
    const int node = n.ldlt.floating();
    const Vec3<double> axis = axis_z(rest.nodes.frame(node).q);
    std::fill(n.solution.begin(), n.solution.end(), 0.0);
    double* torque = n.solution.data() + static_cast<std::ptrdiff_t>(w) * node + 3;
    torque[0] = axis.x, torque[1] = axis.y, torque[2] = axis.z;
    n.ldlt.solve(n.solution.data());
    const Largest motion = largest(n.solution, m.nodes);
    const Vec3<double> turned{torque[0], torque[1], torque[2]};
    const bool spins = motion.length < 1e-6 * n.size * motion.turn &&
                       std::abs(dot(turned, axis)) > 0.99 * norm(turned) && norm(turned) > 0.1 * motion.turn;
    if (!spins || std::find(n.spinners.begin(), n.spinners.end(), node) != n.spinners.end()) return;
    n.spinners.push_back(node);
  }
}

}  // namespace ls
