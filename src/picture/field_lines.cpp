#include "picture/field_lines.h"

#include <algorithm>

namespace ls::drawing {

namespace {

constexpr int most_steps = 1500;                                         // along a line, in either direction
constexpr double longest_step = 1 / 150.0, shortest_step = 1 / 20000.0;  // of the radius of the region
constexpr double share_of_way = 0.1;   // a step is no longer than this part of the way to the next dipole
constexpr double visible = 1 / 300.0;  // of the radius of the region
constexpr double weak = 0.1;           // of the strongest source: weaker ones send out no lines
constexpr int least_lines = 4;         // of a source

// One that is being followed, forwards or backwards.
struct Follower {
  Vec start{}, at{};
  double direction = 1;
  bool goes_on = true, is_closed = false;
  std::vector<Vec> points{};
};

class FieldLineTracer {
 public:
  FieldLineTracer(const FieldPicture& field, const FieldRegion& region) : field_(field), region_(region) {}

  // All of them at once, since the field is asked for many places in one go.
  void follow(std::vector<Follower>& all) const {
    for (int step = 0; step < most_steps; ++step) {
      std::vector<Follower*> going;
      for (Follower& f : all)
        if (f.goes_on) going.push_back(&f);
      if (going.empty()) return;
      advance(going, step);
    }
  }

 private:
  std::vector<Vec> directions(const std::vector<Vec>& places) const {
    std::vector<Vec> b = field_.field(places);
    for (Vec& v : b) {
      const double size = norm(v);
      v = size > 0 && std::isfinite(size) ? combine(1 / size, v, 0, v) : Vec{0, 0, 0};
    }
    return b;
  }
  // How far a step may go; 0 where the line ends.
  double stride(const Vec& at) const {
    double step = longest_step * region_.radius;
    for (const FieldPicture::Sink& s : field_.sinks) {
      const double way = norm(combine(1, at, -1, s.place)), end = std::max(s.radius, visible * region_.radius);
      if (way < end) return 0;
      step = std::min(step, share_of_way * way);
    }
    return std::max(step, shortest_step * region_.radius);
  }
  void advance(const std::vector<Follower*>& going, int step) const {
    std::vector<Vec> at, next, sum;
    std::vector<double> h;
    for (const Follower* f : going) at.push_back(f->at), h.push_back(f->direction * stride(f->at));
    next = at;
    const std::vector<Vec> first = directions(at);
    constexpr double weight[4] = {1, 2, 2, 1}, way[4] = {0.5, 0.5, 1, 0};
    for (int k = 0; k < 4; ++k) {
      const std::vector<Vec> slope = k == 0 ? first : directions(next);
      if (k == 0) sum = at;
      for (std::size_t i = 0; i < at.size(); ++i) {
        sum[i] = combine(1, sum[i], h[i] * weight[k] / 6, slope[i]);
        next[i] = combine(1, at[i], h[i] * way[k], slope[i]);
      }
    }
    for (std::size_t i = 0; i < going.size(); ++i) {
      Follower& f = *going[i];
      const double length = std::abs(h[i]);
      const bool is_lost = h[i] == 0 || norm(first[i]) == 0 || !std::isfinite(norm(sum[i])) ||
                           norm(combine(1, sum[i], -1, region_.middle)) > region_.radius;
      f.goes_on = !is_lost;
      if (is_lost) continue;
      f.at = sum[i];
      f.points.push_back(f.at);
      if (step > 20 && norm(combine(1, f.at, -1, f.start)) < 0.7 * length) f.is_closed = true, f.goes_on = false;
    }
  }

  const FieldPicture& field_;
  const FieldRegion& region_;
};

// One line from each pole; the others by the places where they are farthest out, on both sides in turn, from near the
// source to some way off: those of a dipole lie in a plane that shows as much of them as can be.
void add_seeds(const FieldPicture::Source& s, int count, const View& view, double radius, std::vector<Vec>& seeds) {
  constexpr double nearest = 1.2, farthest = 4.5;  // radii
  const Vec north = combine(1 / norm(s.moment), s.moment, 0, s.moment);
  Vec side = cross(north, view.toward);
  side = norm(side) > 0.05 ? combine(1 / norm(side), side, 0, side) : view.right;  // else it points at the viewer
  const int sides = std::max(0, count - 2), pairs = (sides + 1) / 2;
  for (int k = 0; k < std::min(count, 2); ++k) seeds.push_back(combine(1, s.centre, k == 0 ? radius : -radius, north));
  for (int k = 0; k < sides; ++k) {
    const int pair = k / 2;
    const double share = pairs > 1 ? static_cast<double>(pair) / (pairs - 1) : 0;
    const double out = radius * nearest * std::pow(farthest / nearest, share);
    seeds.push_back(combine(1, s.centre, k % 2 == 0 ? out : -out, side));
  }
}

// Strongest first, with as many lines each as there are to share.
std::vector<Vec> seeds_around(const FieldPicture& field, const View& view, const FieldRegion& region) {
  std::vector<FieldPicture::Source> sources = field.sources;
  std::ranges::stable_sort(sources, [](const auto& a, const auto& b) { return norm(a.moment) > norm(b.moment); });
  const double least = weak * norm(sources.front().moment);
  std::erase_if(sources, [&](const auto& s) { return !(norm(s.moment) > least); });
  const auto most = static_cast<std::size_t>(std::max(1, field.lines / least_lines));
  if (sources.size() > most) sources.resize(most);
  std::vector<Vec> seeds;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const FieldPicture::Source& s = sources[k];
    const int own = field.lines / static_cast<int>(sources.size()) +
                    (static_cast<int>(k) < field.lines % static_cast<int>(sources.size()) ? 1 : 0);
    add_seeds(s, own, view, std::max(s.radius, 4 * visible * region.radius), seeds);
  }
  return seeds;
}

std::vector<Vec> seeds_across(const FieldPicture& field, const View& view, const FieldRegion& region) {
  const Vec b = field.field(std::span(&region.middle, 1))[0];
  const double x = dot(b, view.right), y = dot(b, view.up), size = std::hypot(x, y);
  if (!(size > 0) || !std::isfinite(size)) return {};
  const Vec across = combine(-y / size, view.right, x / size, view.up);
  std::vector<Vec> seeds;
  seeds.reserve(field.lines);
  for (int i = 0; i < field.lines; ++i)
    seeds.push_back(combine(1, region.middle, region.radius * (2 * (i + 0.5) / field.lines - 1), across));
  return seeds;
}

}  // namespace

std::vector<FieldLine> field_lines(const FieldPicture& field, const View& view, const FieldRegion& region) {
  std::vector<Follower> all;
  const bool has_sources = std::ranges::any_of(field.sources, [](const auto& s) { return norm(s.moment) > 0; });
  for (const Vec& seed : has_sources ? seeds_around(field, view, region) : seeds_across(field, view, region))
    for (const double direction : {1.0, -1.0}) all.push_back({.start = seed, .at = seed, .direction = direction});
  FieldLineTracer(field, region).follow(all);
  std::vector<FieldLine> lines;
  for (std::size_t k = 0; k + 1 < all.size(); k += 2) {
    const Follower &ahead = all[k], &behind = all[k + 1];
    FieldLine line{{}, ahead.is_closed};
    if (!ahead.is_closed) line.points.assign(behind.points.rbegin(), behind.points.rend());
    line.points.push_back(ahead.start);
    line.points.insert(line.points.end(), ahead.points.begin(), ahead.points.end());
    if (line.points.size() > 2) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace ls::drawing
