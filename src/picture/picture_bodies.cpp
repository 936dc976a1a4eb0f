#include "picture/picture_bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ls::drawing {

namespace {

using Triple = Snapshot::Triple;

constexpr double no_bound = std::numeric_limits<double>::infinity();

struct Extent {
  Triple low{no_bound, no_bound, no_bound}, high{-no_bound, -no_bound, -no_bound};
  void add(const Triple& p, double r = 0) {
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k] - r), high[k] = std::max(high[k], p[k] + r);
  }
  bool has(const Extent& other) const {
    bool inside = other.low[0] <= other.high[0];
    for (std::size_t k = 0; k < 3; ++k) inside = inside && low[k] < other.low[k] && other.high[k] < high[k];
    return inside;
  }
};

std::size_t bodies_in(const Snapshot& s) {
  int most = -1;
  for (const int b : s.body) most = std::max(most, b);
  return static_cast<std::size_t>(most + 1);
}

// [body] the first of those that it is bonded to, over any number of others.
std::vector<int> bonded_bodies(const Snapshot& s) {
  std::vector<int> root(bodies_in(s));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int b) {
    while (root[b] != b) b = root[b];
    return b;
  };
  const int nodes = static_cast<int>(s.body.size());
  for (const auto& bond : s.bond) {
    if (bond[0] < 0 || bond[1] < 0 || bond[0] >= nodes || bond[1] >= nodes) continue;
    const int a = find(s.body[bond[0]]), b = find(s.body[bond[1]]);
    root[std::max(a, b)] = std::min(a, b);
  }
  for (std::size_t b = 0; b < root.size(); ++b) root[b] = find(static_cast<int>(b));
  return root;
}

}  // namespace

Snapshot whole_bodies(const Snapshot& s, const FlowPicture& flow) {
  Snapshot out = s;
  if (s.body.size() != s.position.size()) return out;
  const std::vector<int> root = bonded_bodies(s);
  std::vector<Triple> shift(root.size(), Triple{0, 0, 0});  // [body]
  std::vector<double> count(root.size(), 0);
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const int b = root[s.body[i]];
    for (std::size_t k = 0; k < 3; ++k) shift[b][k] += s.position[i][k];
    ++count[b];
  }
  std::vector<char> stays(root.size(), 0);  // walls do
  for (std::size_t i = 0; i < s.is_wall.size(); ++i)
    if (s.is_wall[i]) stays[root[s.body[i]]] = 1;
  for (std::size_t b = 0; b < root.size(); ++b)
    for (std::size_t k = 0; k < 3; ++k) {
      const double size = flow.high[k] - flow.low[k], boxes = std::floor((shift[b][k] / count[b] - flow.low[k]) / size);
      shift[b][k] = flow.is_periodic[k] && !stays[b] && std::isfinite(boxes) ? -boxes * size : 0;
    }
  const auto move = [&](int body, Triple& p) {
    for (std::size_t k = 0; k < 3; ++k) p[k] += shift[root[body]][k];
  };
  for (std::size_t i = 0; i < out.position.size(); ++i) move(s.body[i], out.position[i]);
  for (std::size_t i = 0; i < out.skin.size(); ++i) move(s.body[s.skin_node[i]], out.skin[i]);
  return out;
}

std::vector<char> hiding_bodies(const Snapshot& s) {
  const std::size_t count = bodies_in(s);
  std::vector<char> hides(count, 0);
  if (s.body.size() != s.position.size()) return hides;
  std::vector<Extent> skin(count), all(count);
  std::vector<char> is_wall(count, 0);
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const int b = s.body[i];
    const bool ball = i < s.is_ball.size() && s.is_ball[i];
    if (ball) skin[b].add(s.position[i], i < s.radius.size() ? s.radius[i] : 0);
    all[b].add(s.position[i]);
    if (i < s.is_wall.size() && s.is_wall[i]) is_wall[b] = 1;
  }
  for (const auto& t : s.triangle)
    for (const int corner : t) {
      const int b = s.body[s.skin_node[corner]];
      skin[b].add(s.skin[corner]);
      all[b].add(s.skin[corner]);
    }
  std::vector<std::size_t> outer;
  for (std::size_t b = 0; b < count; ++b)
    if (!is_wall[b] && skin[b].low[0] <= skin[b].high[0]) outer.push_back(b);
  constexpr std::size_t most = 2000;  // bodies, of which all pairs are looked at
  if (outer.size() > most) return hides;
  for (const std::size_t a : outer)
    for (std::size_t b = 0; b < std::min(count, most); ++b)
      if (a != b && !is_wall[b] && skin[a].has(all[b])) hides[a] = 1;
  return hides;
}

}  // namespace ls::drawing
