#include "terms/contact/barrier_term.h"

#include "collide/pair_finder.h"
#include "math/block_matrix.h"
#include "math/component.h"
#include "math/rotation.h"
#include "terms/contact/barrier_pair.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;
constexpr int w = BlockMatrix::width;

constexpr double first_share = 0.1;      // of the stiffness of bonds, to begin with
constexpr double momentum_share = 0.01;  // or of the force that turns a body within one step
constexpr double weights_carried = 10;   // or so many times the weight at full reach
constexpr int most_doublings = 40;
constexpr double too_near = 0.02;       // of the reach: the stiffness doubles
constexpr double pattern_reach = 3;     // times the reach: pairs that the matrix has room for
constexpr double static_slip = 0.01;    // of the reach: within it friction of a load step grows
constexpr double same_friction = 0.05;  // of all of it: what it may change by without a further solve
constexpr double kept_gap = 0.2;        // of a gap that one move leaves at least
// The same where the linear model has the pair part or slide, and only the arc of turning, which it does not see,
// brings it nearer: each iteration would leave it a fifth, until the barrier is all that the matrix knows.
constexpr double kept_in_a_bend = 0.9;
constexpr double landing = 0.5;  // of the reach: where something that comes from afar is stopped

// Adds a stiffness between places at the ends of levers to that of their nodes: dx = v + w x lever, and where the
// energy has a slope at a place, the lever's turning counts in second order.
struct Places {
  int count;
  const int* node;
  const V* lever;
};
void add_to_nodes(const Places& p, const double* h, const V* slope, BlockMatrix& out) {
  const auto row = [&](int k, double(&j)[3][w]) {
    const V& l = p.lever[k];
    const double cross[3][3] = {{0, l.z, -l.y}, {-l.z, 0, l.x}, {l.y, -l.x, 0}};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) j[r][c] = r == c ? 1 : 0, j[r][3 + c] = cross[r][c];
  };
  for (int k = 0; k < p.count; ++k)
    for (int l = 0; l < p.count; ++l) {
      if (p.node[k] < p.node[l]) continue;
      double jk[3][w], jl[3][w], hj[3][w];
      row(k, jk), row(l, jl);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < w; ++c) {
          double sum = 0;
          for (int m = 0; m < 3; ++m) sum += h[PairPush::rows * (3 * k + r) + 3 * l + m] * jl[m][c];
          hj[r][c] = sum;
        }
      double* block = p.node[k] == p.node[l] ? out.diagonal(p.node[k]) : out.block(p.node[k], p.node[l]);
      for (int r = 0; r < w; ++r)
        for (int c = 0; c < w; ++c) block[w * r + c] += jk[0][r] * hj[0][c] + jk[1][r] * hj[1][c] + jk[2][r] * hj[2][c];
    }
  if (!slope) return;
  for (int k = 0; k < p.count; ++k) {
    const V &g = slope[k], &l = p.lever[k];
    double* d = out.diagonal(p.node[k]);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        d[w * (3 + r) + 3 + c] +=
            0.5 * (component(g, r) * component(l, c) + component(l, r) * component(g, c)) - (r == c ? dot(g, l) : 0.0);
  }
}

// A contact that resists sliding: what it was when it was noted.
struct Lag {
  int count;
  int node[4];
  V offset[4];       // m, where the node's own surface touches, in its own axes
  double weight[4];  // of the places
  V normal;
  V start;       // m, between the surfaces when the step began
  double limit;  // N
};

class BarrierTerm final : public Contact {
 public:
  BarrierTerm(const Shapes& shapes, const BarrierScale& scale)
      : shapes_(shapes), scale_(scale), finder_(shapes), motion_(shapes) {
    for (const Surface& s : shapes.surfaces) rubs_ = rubs_ || s.friction > 0;
  }

  std::string_view name() const override { return "contact"; }
  Scope scope(const Inputs& in) const override { return acts(in) ? Scope::all : Scope::idle; }

  void add_wrenches(const State& s, const Inputs& in, const Blocks&, Wrenches& out) override {
    for_each(s, in, [&](const ShapePair&, const PairPush& p) {
      for (int k = 0; k < p.count; ++k) out.add_force_at(p.node[k], p.lever[k], -p.slope[k]);
    });
    for (const Lag& lag : lags_) {
      const Slide slide = slide_of(lag, s.nodes);
      const double force = friction_secant({lag.limit, slip_}, slide.length);
      for (int k = 0; k < lag.count; ++k)
        out.add_force_at(lag.node[k], slide.lever[k], -force * lag.weight[k] * slide.by);
    }
  }
  void add_energy(const State& s, const Inputs& in, Energies& out, Team&) override {
    if (!out.wants(EnergyKind::contact)) return;
    double sum = 0;
    if (acts(in)) for_each(s, in, [&](const ShapePair&, const PairPush& p) { sum += p.energy; });
    out.add(EnergyKind::contact, sum);
  }
  void add_pattern(const State& s, const Inputs& in, NodePairs& pairs) override {
    if (!acts(in)) return;
    const auto add = [&](int i, int j) {
      pairs.emplace_back(i, j);
      return true;
    };
    for_each_coupled(s, pattern_reach * reach(), add);
    for_each_lagged(add);
  }
  bool fits(const State& s, const Inputs& in, const BlockPattern& pattern) override {
    if (!acts(in)) return true;
    const auto has = [&](int i, int j) { return pattern.find(std::max(i, j), std::min(i, j)) >= 0; };
    return for_each_coupled(s, reach(), has) && for_each_lagged(has);
  }
  void add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& wanted, BlockMatrix& out) override {
    if (!acts(in)) return;
    const Barrier b = barrier(s, in);
    double h[PairPush::rows * PairPush::rows];
    PairPush p;
    for (const ShapePair& pair : near(s))
      if (push_of(shapes_, pair, finder_.at(), s.nodes, b, p, h, wanted.projected))
        add_to_nodes({p.count, p.node, p.lever}, h, wanted.projected ? nullptr : p.slope, out);
    for (const Lag& lag : lags_) add_friction_stiffness(lag, s.nodes, out);
  }

  void begin(const State& s, const Inputs& in, double duration, Memory& memory) override {
    lags_.clear();
    if (!acts(in)) return;
    memory.barrier_stiffness = std::ldexp(stiffness_for(s, in, duration), memory.barrier_doublings);
    if (!rubs_) return;
    slip_ = duration > 0 ? shapes_.settings.slip_speed * duration : static_slip * reach();
    start_ = s.nodes;
    note_friction(s, in);
  }
  bool needs_again(const State& s, const Inputs& in) override {
    if (!acts(in) || !rubs_) return false;
    double before = 0, change = 0, after = 0;
    std::vector<Lag> old = lags_;
    note_friction(s, in);
    for (const Lag& l : old) before += l.limit;
    for (const Lag& l : lags_) after += l.limit;
    if (old.size() != lags_.size()) {
      change = std::abs(after - before);
    } else {
      for (std::size_t k = 0; k < old.size(); ++k)
        change += std::abs(lags_[k].limit - old[k].limit) + norm(lags_[k].normal - old[k].normal) * lags_[k].limit;
    }
    if (change > same_friction * std::max(after, before)) return true;
    lags_ = std::move(old);  // what is in balance, and what is recorded: the friction that the solve went by
    return false;
  }
  void end(const State& s, const Inputs& in, Memory& memory) override {
    memory.friction.clear();
    if (!acts(in) || lags_.empty()) return;
    memory.friction.resize(static_cast<std::size_t>(s.nodes.count));
    for (const Lag& lag : lags_) {
      const Slide slide = slide_of(lag, s.nodes);
      const double force = friction_secant({lag.limit, slip_}, slide.length);
      for (int k = 0; k < lag.count; ++k) memory.friction[lag.node[k]] += -force * lag.weight[k] * slide.by;
    }
  }
  double friction_work(const State& pose, const Inputs& in, double dt) override {
    if (!acts(in)) return 0;
    double sum = 0;
    for (const Lag& lag : lags_) {
      const Slide slide = slide_of(lag, pose.nodes);
      const LaggedFriction law{lag.limit, slip_};
      if (dt == 0) {
        sum += friction_energy(law, slide.length) - friction_energy(law, slide_of(lag, start_).length);
        continue;
      }
      for (int k = 0; k < lag.count; ++k) {
        const auto t = pose.nodes.twist(lag.node[k]);
        sum +=
            dt * friction_secant(law, slide.length) * lag.weight[k] * dot(slide.by, t.v + cross(t.w, slide.lever[k]));
      }
    }
    return sum;
  }
  double allowed(const State& s, const Inputs& in, const Move& move) override {
    if (!acts(in)) return 1;
    motion_.set(s.nodes, &move);
    const bool small = 2 * motion_.longest() < (1 - kept_gap) * reach();  // only what pushes already can come too near
    const auto* pairs = small ? &near(s) : &finder_.near(s.nodes, list_reach());
    if (!small && finder_.moved() + motion_.longest() > finder_.slack()) {
      finder_.near_on_the_way(motion_, reach(), on_the_way_);
      pairs = &on_the_way_;
    }
    double share = 1;
    for (const ShapePair& pair : *pairs) {
      const Nearness n = nearness(shapes_, pair, finder_.at(), s.nodes);
      const bool bends = n.gap() < reach() && motion_.closing(pair, n) <= 0;
      const double least = std::min((bends ? kept_in_a_bend : kept_gap) * n.gap(), landing * reach());
      if (n.gap() - least < motion_.most_closing(pair, n))
        share = allowed_share(shapes_, pair, n, motion_, least, share);
    }
    return share;
  }
  void advance(const State& s, const Inputs& in, Memory& memory) override {
    if (!acts(in)) return;
    double nearest = reach();
    for_each(s, in, [&](const ShapePair&, const PairPush& p) { nearest = std::min(nearest, p.gap); });
    if (nearest < too_near * reach() && memory.barrier_doublings < most_doublings) ++memory.barrier_doublings;
  }
  void report(const State& s, const Inputs& in, ContactReport& out) override {
    if (!acts(in)) return;
    const Barrier b = barrier(s, in);
    PairPush p;
    for (const ShapePair& pair : finder_.near(s.nodes, list_reach())) {
      const bool pushes = push_of(shapes_, pair, finder_.at(), s.nodes, b, p);
      const Nearness n = nearness(shapes_, pair, finder_.at(), s.nodes);
      if (n.gap() <= list_reach()) note_pair(shapes_, pair, n, pushes, out);  // others may be listed or not
      for (int k = 0; k < p.count && pushes; ++k) out.force[p.node[k]] += -1.0 * p.slope[k];
    }
    for (std::size_t i = 0; i < s.memory.friction.size(); ++i) out.force[i] += s.memory.friction[i];
  }
  std::size_t bytes() const override { return finder_.bytes(); }

 private:
  bool acts(const Inputs& in) const { return in.contact == ContactLaw::barrier; }
  double reach() const { return shapes_.settings.thickness; }
  // One for all uses, so that the list, and with it the pattern of the matrix, is the same whatever was asked before.
  double list_reach() const { return pattern_reach * reach(); }
  // As large as what it has to hold: bonds, the weight of bodies, and their momentum, which must be turned within one
  // step. duration: of the step, 0: none.
  double stiffness_for(const State& s, const Inputs& in, double duration) const {
    if (shapes_.settings.stiffness > 0) return shapes_.settings.stiffness;
    const double weight = weights_carried * scale_.mass * norm(in.gravity) / reach();
    double speed = 0;
    for (int i = 0; i < s.nodes.count && duration > 0; ++i) {
      const auto t = s.nodes.twist(i);
      speed = std::max(speed, norm(t.v) + norm(t.w) * motion_.farthest(i));
    }
    const double momentum = duration > 0 ? momentum_share * scale_.node_mass * speed / (duration * reach()) : 0;
    const double k = std::max({first_share * scale_.elastic, weight, momentum});
    return k > 0 ? k : 1;
  }
  Barrier barrier(const State& s, const Inputs& in) const {
    const double k = s.memory.barrier_stiffness;
    return {k > 0 ? k : stiffness_for(s, in, in.dt), reach()};
  }

  // Those that may push each other.
  const std::vector<ShapePair>& near(const State& s) { return finder_.within(s.nodes, list_reach(), reach()); }
  template <class F>
  void for_each(const State& s, const Inputs& in, const F& visit) {
    const Barrier b = barrier(s, in);
    PairPush p;
    for (const ShapePair& pair : near(s))
      if (push_of(shapes_, pair, finder_.at(), s.nodes, b, p)) visit(pair, p);
  }
  // Pairs of nodes that a gap below the given one couples; until visit says no.
  template <class F>
  bool for_each_coupled(const State& s, double gap, const F& visit) {
    for (const ShapePair& pair : gap > reach() ? finder_.near(s.nodes, list_reach()) : near(s)) {
      const Nearness n = nearness(shapes_, pair, finder_.at(), s.nodes);
      if (n.gap() >= gap) continue;
      const PairNodes nodes = nodes_of(shapes_, pair, n);
      for (int a = 0; a < nodes.count; ++a)
        for (int b = 0; b < a; ++b)
          if (!visit(nodes.node[a], nodes.node[b])) return false;
    }
    return true;
  }
  // The same of contacts that rub: they hold on to pairs that may have parted since they were noted.
  template <class F>
  bool for_each_lagged(const F& visit) const {
    for (const Lag& lag : lags_)
      for (int a = 0; a < lag.count; ++a)
        for (int b = 0; b < a; ++b)
          if (lag.node[a] != lag.node[b] && !visit(lag.node[a], lag.node[b])) return false;
    return true;
  }
  // Friction
  struct Slide {
    V by;  // m, along the surface
    double length;
    V lever[4];
  };
  Slide slide_of(const Lag& lag, const Nodes& nodes) const {
    Slide s;
    V between{};
    for (int k = 0; k < lag.count; ++k) {
      const auto f = nodes.frame(lag.node[k]);
      s.lever[k] = rotate(f.q, lag.offset[k]);
      between += lag.weight[k] * (f.x + s.lever[k]);
    }
    const V by = between - lag.start;
    s.by = by - dot(by, lag.normal) * lag.normal;
    s.length = norm(s.by);
    return s;
  }
  double friction_of(const PairPush& p) const {
    const auto body = [&](int node) { return static_cast<std::size_t>(shapes_.body_of[node]); };
    const double mu =
        std::min(shapes_.surfaces[body(p.node[0])].friction, shapes_.surfaces[body(p.node[p.count - 1])].friction);
    return std::isfinite(mu) ? mu : 0;  // neither of them says
  }
  void note_friction(const State& s, const Inputs& in) {
    lags_.clear();
    for_each(s, in, [&](const ShapePair&, const PairPush& p) {
      const double mu = friction_of(p);
      if (mu == 0 || p.normal_force == 0) return;
      Lag lag{};
      lag.count = p.count, lag.normal = p.normal, lag.limit = mu * p.normal_force;
      for (int k = 0; k < p.count; ++k) {
        const auto f = s.nodes.frame(p.node[k]), f0 = start_.frame(p.node[k]);
        const bool of_a = p.weight[k] > 0 || (p.weight[k] == 0 && k == 0);
        lag.node[k] = p.node[k], lag.weight[k] = p.weight[k];
        lag.offset[k] = rotate(conj(f.q), p.lever[k] + (of_a ? -p.radius[k] : p.radius[k]) * p.normal);
        lag.start += lag.weight[k] * (f0.x + rotate(f0.q, lag.offset[k]));
      }
      lags_.push_back(lag);
    });
  }
  void add_friction_stiffness(const Lag& lag, const Nodes& nodes, BlockMatrix& out) const {
    const Slide slide = slide_of(lag, nodes);
    const LaggedFriction f{lag.limit, slip_};
    const double secant = friction_secant(f, slide.length);
    const double bend = slide.length > 0 ? friction_secant_slope(f, slide.length) / slide.length : 0;
    double h[PairPush::rows * PairPush::rows] = {};
    for (int k = 0; k < lag.count; ++k)
      for (int l = 0; l < lag.count; ++l)
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c)
            h[PairPush::rows * (3 * k + r) + 3 * l + c] =
                lag.weight[k] * lag.weight[l] *
                (secant * ((r == c ? 1.0 : 0.0) - component(lag.normal, r) * component(lag.normal, c)) +
                 bend * component(slide.by, r) * component(slide.by, c));
    add_to_nodes({lag.count, lag.node, slide.lever}, h, nullptr, out);
  }

  const Shapes& shapes_;
  BarrierScale scale_;
  bool rubs_ = false;
  // Caches, functions of the states that the term is asked about; and what begin() noted of the step under way.
  PairFinder finder_;
  PointMotion motion_;
  std::vector<ShapePair> on_the_way_;
  std::vector<Lag> lags_;
  Nodes start_;
  double slip_ = 1;
};

}  // namespace

std::unique_ptr<Contact> make_barrier_term(const Shapes& shapes, const BarrierScale& scale) {
  return std::make_unique<BarrierTerm>(shapes, scale);
}

}  // namespace ls
