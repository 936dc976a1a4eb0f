#include "run/safety/near_samples.h"

#include "math/frame.h"
#include "model/node_name.h"
#include "terms/dipoles/dipole_term.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace ls {

namespace {

constexpr double nearest_gap = 0.8;         // spacings
constexpr std::size_t most_sampled = 1000;  // bodies, of which all pairs are looked at
constexpr std::size_t most_warnings = 20;
constexpr std::size_t samples_to_look_at = 16;  // for the distance to their neighbours: all are of one grid

double spacing_of(const std::vector<Vec3<double>>& places) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(places.size(), samples_to_look_at); ++i)
    for (std::size_t j = 0; j < places.size(); ++j)
      if (const double d = norm(places[i] - places[j]); j != i && d > 0) nearest = std::min(nearest, d);
  return nearest < std::numeric_limits<double>::infinity() ? nearest : 0;
}

}  // namespace

NearSamples::NearSamples(const Model& model) : model_(model) {
  if (!model.dipoles.interact) return;
  std::vector<std::pair<int, Vec3<double>>> all;  // by node
  for (const Dipole& d : all_dipoles(model)) all.emplace_back(d.node, d.position);
  for (const SoftCell& c : model.soft.cells) all.emplace_back(c.node, c.position);
  const auto bonded = bonded_nodes(model);  // what a rod is made of touches itself
  std::erase_if(all, [&](const auto& one) { return bonded[one.first] != 0; });
  std::ranges::stable_sort(all, {}, [](const auto& one) { return one.first; });
  bool any = false;
  for (std::size_t k = 0; k < all.size();) {
    Sampled body;
    body.node = all[k].first;
    for (; k < all.size() && all[k].first == body.node; ++k) {
      body.places.push_back(all[k].second);
      body.extent = std::max(body.extent, norm(all[k].second));
    }
    body.spacing = spacing_of(body.places);
    body.reach = body.spacing > 0 ? 0.5 * body.spacing : model.radius[body.node];
    any = any || body.spacing > 0;
    bodies_.push_back(std::move(body));
  }
  if (!any || bodies_.size() > most_sampled) bodies_.clear();
}

double NearSamples::least_distance(const Sampled& a, const Sampled& b) {
  return a.reach + b.reach + nearest_gap * std::max(a.spacing, b.spacing);
}

Vec3<double> NearSamples::apart(const Vec3<double>& a, const Vec3<double>& b) const {
  const Vec3<double> r = a - b;
  if (model_.dipoles.method != DipoleMethod::ewald) return r;
  const auto d = periodic_box(model_.dipoles).nearest({r.x, r.y, r.z});
  return {d[0], d[1], d[2]};
}

// Only samples that are as near to the other body as its own ones reach can be near one of them.
bool NearSamples::are_near(const Sampled& a, const Sampled& b, const State& s) const {
  const double limit = least_distance(a, b);
  const Frame<double> fa = s.nodes.frame(a.node), fb = s.nodes.frame(b.node);
  const auto facing = [&](const Sampled& own, const Frame<double>& f, const Sampled& other, const Vec3<double>& there) {
    std::vector<Vec3<double>> near;
    for (const Vec3<double>& p : own.places) {
      const Vec3<double> x = f.x + rotate(f.q, p);
      if (norm(apart(x, there)) <= other.extent + limit) near.push_back(x);
    }
    return near;
  };
  const auto first = facing(a, fa, b, fb.x);
  if (first.empty()) return false;
  const auto second = facing(b, fb, a, fa.x);
  return std::ranges::any_of(first, [&](const Vec3<double>& x) {
    return std::ranges::any_of(second, [&](const Vec3<double>& y) { return norm(apart(x, y)) < limit; });
  });
}

NearSamples::Pairs NearSamples::look(const State& s, Pairs& known) const {
  Pairs found;
  const auto is_known = [&](int a, int b) {
    for (std::size_t k = 0; k + 1 < known.size(); k += 2)
      if (known[k] == a && known[k + 1] == b) return true;
    return false;
  };
  if (known.size() >= 2 * most_warnings) return found;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    for (std::size_t j = i + 1; j < bodies_.size(); ++j) {
      const Sampled &a = bodies_[i], &b = bodies_[j];
      if (a.spacing == 0 && b.spacing == 0) continue;
      const Vec3<double> way = apart(s.nodes.frame(a.node).x, s.nodes.frame(b.node).x);
      if (norm(way) > a.extent + b.extent + least_distance(a, b)) continue;
      if (known.size() + found.size() >= 2 * most_warnings || is_known(a.node, b.node) || !are_near(a, b, s)) continue;
      found.insert(found.end(), {a.node, b.node});
    }
  known.insert(known.end(), found.begin(), found.end());
  return found;
}

const NearSamples::Sampled& NearSamples::of(int node) const {
  return *std::ranges::lower_bound(bodies_, node, {}, &Sampled::node);
}

std::string NearSamples::warning(int node, int other) const {
  const double spacing = std::max(of(node).spacing, of(other).spacing);
  return fmt::format(
      "{} and {} come nearer to each other than {} of the spacing of their samples, {:.3g} mm: as points these are no "
      "magnet there, and forces between them may be wrong by more than 1 %",
      node_name(model_, node), node_name(model_, other), nearest_gap, 1e3 * spacing);
}

}  // namespace ls
