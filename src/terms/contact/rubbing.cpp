#include "terms/contact/rubbing.h"

#include "math/component.h"
#include "math/rotation.h"
#include "terms/contact/lever_stiffness.h"
#include "terms/contact/pair_barriers.h"
#include "terms/contact/slip_history.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ls {

namespace {

// cos: how far the directions of facets may lie apart that are one place to a ball, beside what the reach makes of a
// plane: those who meet at a sharper angle are two.
constexpr double widest_patch = 0.966;
constexpr double turned_back = 0.5;  // of a slide: what is left of one that comes to its end

bool is_held(const Rubbing::Lag& lag, const std::vector<std::uint8_t>* held) {
  return held && std::all_of(lag.node, lag.node + lag.count, [&](int i) { return (*held)[i] == hold_all; });
}

Rubbing::Change change_between(const std::vector<Rubbing::Lag>& old, const std::vector<Rubbing::Lag>& now) {
  double before = 0, after = 0, change = 0;
  for (const Rubbing::Lag& l : old) before += l.limit;
  for (const Rubbing::Lag& l : now) after += l.limit;
  if (old.size() != now.size()) return {std::max(before, after), std::abs(after - before)};
  for (std::size_t k = 0; k < old.size(); ++k)
    change += std::abs(now[k].limit - old[k].limit) + norm(now[k].normal - old[k].normal) * now[k].limit;
  return {std::max(before, after), change};
}

}  // namespace

int island_of(const int* node, int count, const std::vector<int>& island) {
  const int* const free = std::find_if(node, node + count, [&](int i) { return island[i] >= 0; });
  return free == node + count ? -1 : island[*free];
}

Rubbing::Rubbing(const Shapes& shapes) : shapes_(shapes) {
  for (const Surface& s : shapes.surfaces) rubs_ = rubs_ || s.friction > 0;
  for (const PairRule& r : shapes.rules) rubs_ = rubs_ || r.friction.value_or(0) > 0;
  is_ball_.assign(shapes.points.size(), 0);
  for (const int point : shapes.spheres) is_ball_[point] = 1;
}

void Rubbing::begin(const State& start, double slip) {
  start_ = start.nodes;
  slip_ = slip;
  last_ = std::move(lags_);
  lags_.clear();
  kept_.clear();
  const auto& stuck = start.memory.stuck;
  for (std::size_t k = 0; k < stuck.size(); ++k) kept_.emplace_back(bodies_of(shapes_, pair_of(stuck[k])), k);
  std::sort(kept_.begin(), kept_.end());
}

double Rubbing::friction_of(const PairPush& p) const {
  const auto body = [&](int node) { return static_cast<std::size_t>(shapes_.body_of[node]); };
  const std::size_t a = body(p.node[0]), b = body(p.node[p.count - 1]);
  if (const PairRule* rule = shapes_.rule(static_cast<int>(a), static_cast<int>(b)); rule && rule->friction)
    return *rule->friction;
  const double mu = std::min(shapes_.surfaces[a].friction, shapes_.surfaces[b].friction);
  return std::isfinite(mu) ? mu : 0;  // neither of them says
}

// The stretch that a contact had when the step began, in shares of the slip. One that has come from a part to the part
// beside it takes it along: the two bodies have not slid on each other by that.
std::optional<Vec3<double>> Rubbing::stretch_of(const ShapePair& pair, const Memory& memory) const {
  const auto stored = [&](std::size_t k) {
    const double* y = memory.stretch.data() + 3 * k;
    return Vec3<double>{y[0], y[1], y[2]};
  };
  const auto at = std::lower_bound(memory.stuck.begin(), memory.stuck.end(), pair.key());
  if (at != memory.stuck.end() && *at == pair.key()) return stored(static_cast<std::size_t>(at - memory.stuck.begin()));
  const std::uint64_t bodies = bodies_of(shapes_, pair);
  for (auto kin = std::lower_bound(kept_.begin(), kept_.end(), std::pair(bodies, std::size_t{0}));
       kin != kept_.end() && kin->first == bodies; ++kin)
    if (const int sign = kinship(shapes_, pair, pair_of(memory.stuck[kin->second])); sign != 0)
      return sign * stored(kin->second);
  return std::nullopt;
}

void Rubbing::note(const ShapePair& pair, const PairPush& p, const State& s) {
  const double mu = friction_of(p);
  if (mu == 0 || p.normal_force == 0) return;
  Lag lag{};
  lag.pair = pair;
  lag.count = p.count, lag.normal = p.normal, lag.limit = mu * p.normal_force;
  for (int k = 0; k < p.count; ++k) {
    const auto f = s.nodes.frame(p.node[k]);
    const bool of_a = p.weight[k] > 0 || (p.weight[k] == 0 && k == 0);
    lag.node[k] = p.node[k], lag.weight[k] = p.weight[k];
    lag.arm[k] = (of_a ? -p.radius[k] : p.radius[k]) * p.normal;
    if (pair.kind == PairKind::point_hollow && k == 1)
      lag.arm[k] += p.lever[k];  // what touches is never the same place of a wall that turns
    else
      lag.offset[k] = rotate(conj(f.q), p.lever[k]);
  }
  lag.stretch = stretch_of(pair, s.memory);
  find_start(lag);
  lags_.push_back(std::move(lag));
}

void Rubbing::find_start(Lag& lag) const {
  lag.start = {};
  for (int k = 0; k < lag.count; ++k) {
    const auto f = start_.frame(lag.node[k]);
    lag.start += lag.weight[k] * (f.x + rotate(f.q, lag.offset[k]) + lag.arm[k]);
  }
  const Vec3<double> before = lag.stretch.value_or(Vec3<double>{}),
                     flat = before - dot(before, lag.normal) * lag.normal;
  if (dot(flat, flat) > 0) lag.start += (-slip_ * norm(before) / norm(flat)) * flat;  // turned along, not shortened
}

// One contact where the ball touches the mean of the facets: across the direction of all their pushes, at its surface.
Rubbing::Lag Rubbing::gathered(const std::vector<Lag>& facets, const State& s) const {
  const Lag& strongest =
      *std::max_element(facets.begin(), facets.end(), [](const Lag& a, const Lag& b) { return a.limit < b.limit; });
  Lag all = strongest;
  Vec3<double> push{}, stretch{};
  double known = 0;
  for (const Lag& l : facets) {
    push += l.limit * l.normal;
    if (l.stretch) stretch += l.limit * *l.stretch, known += l.limit;
    if (&l != &strongest) all.also.push_back(l.pair.key());
  }
  all.limit = norm(push), all.normal = (1 / all.limit) * push;
  if (known > 0) all.stretch = (1 / known) * stretch;
  all.count = 2;
  all.arm[0] = -norm(strongest.arm[0]) * all.normal, all.arm[1] = {};
  all.weight[1] = -1;
  const auto ball = s.nodes.frame(all.node[0]), body = s.nodes.frame(all.node[1]);
  const Vec3<double> place = ball.x + rotate(ball.q, all.offset[0]) + all.arm[0];
  all.offset[1] = rotate(conj(body.q), place - body.x);
  find_start(all);
  return all;
}

// A weighted mean of places of one node is a place of it, and its arm and its slide are theirs.
bool Rubbing::unite_sides(Lag& lag) {
  const int of_a = lag.pair.kind == PairKind::edges ? 2 : 1;
  if (lag.count <= 2) return false;
  for (int k = 1; k < lag.count; ++k)
    if (k != of_a && lag.node[k] != lag.node[k - 1]) return false;
  Vec3<double> offset[2], arm[2];
  for (int k = 0; k < lag.count; ++k) {
    offset[k < of_a ? 0 : 1] += std::abs(lag.weight[k]) * lag.offset[k];
    arm[k < of_a ? 0 : 1] += std::abs(lag.weight[k]) * lag.arm[k];
  }
  lag.node[1] = lag.node[of_a], lag.count = 2;
  for (int k = 0; k < 2; ++k) lag.offset[k] = offset[k], lag.arm[k] = arm[k], lag.weight[k] = k == 0 ? 1 : -1;
  return true;
}

void Rubbing::gather(const State& s) {
  gather_facets(s);
  for (Lag& lag : lags_)
    if (unite_sides(lag)) find_start(lag);
}

void Rubbing::gather_facets(const State& s) {
  const auto is_facet = [&](const Lag& l) {
    const bool rigid = l.node[1] == l.node[2] && l.node[1] == l.node[3];
    return l.pair.kind == PairKind::point_triangle && is_ball_[l.pair.a] && rigid;
  };
  if (std::none_of(lags_.begin(), lags_.end(), is_facet)) return;
  std::vector<Lag> out, left, facets;
  for (auto first = lags_.begin(); first != lags_.end();) {
    if (!is_facet(*first)) {
      out.push_back(std::move(*first++));
      continue;
    }
    const auto end =
        std::find_if(first, lags_.end(), [&](const Lag& l) { return !is_facet(l) || l.pair.a != first->pair.a; });
    left.assign(std::make_move_iterator(first), std::make_move_iterator(end));
    first = end;
    const double r = shapes_.points[left.front().pair.a].radius;
    const double alike = std::max(widest_patch, r / (r + 2 * shapes_.settings.thickness));
    while (!left.empty()) {  // about the strongest of those that are left
      const Lag seed =
          *std::max_element(left.begin(), left.end(), [](const Lag& a, const Lag& b) { return a.limit < b.limit; });
      const auto rest = std::stable_partition(left.begin(), left.end(), [&](const Lag& l) {
        return l.node[1] != seed.node[1] || dot(l.normal, seed.normal) < alike;
      });
      facets.assign(std::make_move_iterator(rest), std::make_move_iterator(left.end()));
      left.erase(rest, left.end());
      out.push_back(facets.size() == 1 ? std::move(facets.front()) : gathered(facets, s));
    }
  }
  std::sort(out.begin(), out.end(), [](const Lag& a, const Lag& b) { return a.pair < b.pair; });
  lags_ = std::move(out);
}

Rubbing::Change Rubbing::change_from(const std::vector<Lag>& old) const {
  return change_between(old, lags_);
}

void Rubbing::settle_islands(const std::vector<Lag>& before, const std::vector<int>& island,
                             const std::vector<double>& share, std::vector<std::uint8_t>& asked) {
  std::vector<std::vector<Lag>> old(asked.size()), now(asked.size());
  const auto of = [&](const Lag& lag) { return island_of(lag.node, lag.count, island); };
  for (const Lag& l : before)
    if (const int k = of(l); k >= 0 && asked[k]) old[k].push_back(l);
  for (const Lag& l : lags_) now[of(l)].push_back(l);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    if (!asked[k]) continue;
    const Change change = change_between(old[k], now[k]);
    asked[k] = change.by > share[k] * change.all ? 1 : 0;
  }
  std::vector<Lag> kept, all;
  const auto is_new = [&](const Lag& l) { return of(l) >= 0 && asked[of(l)]; };
  std::copy_if(before.begin(), before.end(), std::back_inserter(kept), [&](const Lag& l) { return !is_new(l); });
  lags_.erase(std::remove_if(lags_.begin(), lags_.end(), [&](const Lag& l) { return !is_new(l); }), lags_.end());
  std::merge(kept.begin(), kept.end(), lags_.begin(), lags_.end(), std::back_inserter(all),
             [](const Lag& a, const Lag& b) { return a.pair < b.pair; });
  lags_ = std::move(all);
}

void Rubbing::go_on(const std::vector<std::uint8_t>& anew) {
  const auto is_old = [&](const Lag& l) {
    return std::none_of(l.node, l.node + l.count, [&](int i) { return anew[i] != 0; });
  };
  std::vector<Lag> all;
  last_.erase(std::remove_if(last_.begin(), last_.end(), [&](const Lag& l) { return !is_old(l); }), last_.end());
  lags_.erase(std::remove_if(lags_.begin(), lags_.end(), is_old), lags_.end());
  std::merge(last_.begin(), last_.end(), lags_.begin(), lags_.end(), std::back_inserter(all),
             [](const Lag& a, const Lag& b) { return a.pair < b.pair; });
  lags_ = std::move(all);
}

// Places that turn with their node move along chords, which is where they go. A round surface rolls: where it touches
// wanders along it, so that what it has slid is the arc, the turn times the arm.
Rubbing::Slide Rubbing::slide_of(const Lag& lag, const Nodes& nodes) const {
  Slide s;
  Vec3<double> between{}, turned{};
  int turning = -1;  // the node that it is of
  for (int k = 0; k < lag.count; ++k) {
    const auto f = nodes.frame(lag.node[k]);
    const bool rolls = dot(lag.arm[k], lag.arm[k]) > 0;
    if (rolls && std::exchange(turning, lag.node[k]) != lag.node[k])
      turned = rotation_vector(nearer(f.q * conj(start_.frame(lag.node[k]).q), {1.0, {}}));
    const Vec3<double> place = rotate(f.q, lag.offset[k]);
    s.lever[k] = place + lag.arm[k];
    between += lag.weight[k] * (f.x + s.lever[k]);
    if (rolls) between += lag.weight[k] * cross(turned, lag.arm[k]);
  }
  const Vec3<double> by = between - lag.start;
  s.by = by - dot(by, lag.normal) * lag.normal;
  s.length = norm(s.by);
  return s;
}

void Rubbing::add_wrenches(const Nodes& nodes, const std::vector<std::uint8_t>* held, Wrenches& out) const {
  for (const Lag& lag : lags_) {
    if (is_held(lag, held)) continue;
    const Slide slide = slide_of(lag, nodes);
    const double force = friction_secant({lag.limit, slip_}, slide.length);
    for (int k = 0; k < lag.count; ++k)
      out.add_force_at(lag.node[k], slide.lever[k], -force * lag.weight[k] * slide.by);
  }
}

// Whether a slide has come back by much since the state before, or goes the other way now.
bool Rubbing::turns_back(Lag& lag, const Slide& slide) const {
  const auto same = [](const Vec3<double>& a, const Vec3<double>& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  if (!lag.slid || !same(*lag.slid, slide.by)) lag.slid_before = lag.slid, lag.slid = slide.by;
  if (!lag.slid_before || slide.length < slip_) return false;
  return dot(slide.by, *lag.slid_before) < turned_back * dot(*lag.slid_before, *lag.slid_before);
}

// Without what the levers' turning adds: with it solves take a few more iterations, not fewer.
// What slides resists no more of it. So a linear model lets what has slid too far in one iteration go back as far as
// inertia takes it, beyond where it sticks, and the guard makes that ever shorter moves of the whole island. Of a slide
// that turns back it is the secant to none at all instead, which stops it about where it sticks.
void Rubbing::add_stiffness(const Nodes& nodes, const std::vector<std::uint8_t>* held, bool in_time, BlockMatrix& out) {
  for (Lag& lag : lags_) {
    if (is_held(lag, held)) continue;
    const Slide slide = slide_of(lag, nodes);
    const LaggedFriction f{lag.limit, slip_};
    const double secant = friction_secant(f, slide.length);
    const bool bends = slide.length > 0 && !(in_time && turns_back(lag, slide));
    const double bend = bends ? friction_secant_slope(f, slide.length) / slide.length : 0;
    double m[3][3];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        m[r][c] = secant * ((r == c ? 1.0 : 0.0) - component(lag.normal, r) * component(lag.normal, c)) +
                  bend * component(slide.by, r) * component(slide.by, c);
    if (lag.count == 2 && lag.node[0] != lag.node[1] && lag.weight[0] == 1 && lag.weight[1] == -1) {
      add_between({lag.node[0], lag.node[1], slide.lever[0], slide.lever[1]}, m, out);
      continue;
    }
    double h[PairPush::rows * PairPush::rows] = {};
    for (int k = 0; k < lag.count; ++k)
      for (int l = 0; l < lag.count; ++l)
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c)
            h[PairPush::rows * (3 * k + r) + 3 * l + c] = lag.weight[k] * lag.weight[l] * m[r][c];
    add_to_nodes({lag.count, lag.node, slide.lever}, h, out);
  }
}

double Rubbing::work(const Nodes& nodes, double dt) const {
  double sum = 0;
  for (const Lag& lag : lags_) {
    const Slide slide = slide_of(lag, nodes);
    const LaggedFriction law{lag.limit, slip_};
    if (dt == 0) {
      sum += friction_energy(law, slide.length) - friction_energy(law, slide_of(lag, start_).length);
      continue;
    }
    for (int k = 0; k < lag.count; ++k) {
      const auto t = nodes.twist(lag.node[k]);
      sum += dt * friction_secant(law, slide.length) * lag.weight[k] * dot(slide.by, t.v + cross(t.w, slide.lever[k]));
    }
  }
  return sum;
}

void Rubbing::keep(const Nodes& nodes, const std::vector<std::uint64_t>& pushing, Memory& memory) const {
  memory.friction.clear(), memory.stuck.clear(), memory.stretch.clear();
  if (lags_.empty()) return;
  memory.friction.resize(static_cast<std::size_t>(nodes.count));
  std::vector<std::pair<std::uint64_t, Vec3<double>>> kept;
  for (const Lag& lag : lags_) {
    const Slide slide = slide_of(lag, nodes);
    const double force = friction_secant({lag.limit, slip_}, slide.length);
    for (int k = 0; k < lag.count; ++k) memory.friction[lag.node[k]] += -force * lag.weight[k] * slide.by;
    const auto pushes = [&](std::uint64_t key) { return std::binary_search(pushing.begin(), pushing.end(), key); };
    const auto other = std::find_if(lag.also.begin(), lag.also.end(), pushes);
    if (pushes(lag.pair.key()))
      kept.emplace_back(lag.pair.key(), (1 / std::max(slide.length, slip_)) * slide.by);
    else if (other != lag.also.end())
      kept.emplace_back(*other, (1 / std::max(slide.length, slip_)) * slide.by);
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, stretch] : kept) {
    memory.stuck.push_back(key);
    for (int c = 0; c < 3; ++c) memory.stretch.push_back(component(stretch, c));
  }
}

}  // namespace ls
