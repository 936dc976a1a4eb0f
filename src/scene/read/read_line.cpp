#include "math/rotation.h"
#include "scene/read/reader.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

// The centre line of a rod: line, arc, helix or points, with origin and turn.
namespace ls {

namespace {

using V = Vec3<double>;
constexpr double pi = std::numbers::pi;
constexpr long long most_tried = 100'000;  // bonds, to find out how many would do

// `origin` and `turn` may stand beside the centre line or inside it.
struct Placement {
  V origin{}, turn{};

  void read(Table& table) {
    if (const auto value = table.find("origin")) {
      if (has_origin_) value->fail("`origin` is given twice");
      origin = value->vector(dim::length);
      has_origin_ = true;
    }
    if (const auto value = table.find("turn")) {
      if (has_turn_) value->fail("`turn` is given twice");
      turn = value->vector(dim::angle);
      has_turn_ = true;
    }
  }

 private:
  bool has_origin_ = false, has_turn_ = false;
};

int read_bonds(Table& rod, std::optional<long long> otherwise) {
  if (otherwise) return static_cast<int>(rod.integer("bonds", 1, most_bonds, *otherwise));
  return static_cast<int>(rod.need("bonds", "the number of bonds, for example 100").integer(1, most_bonds));
}

// Between two nodes a line may turn by less than half a turn: a chord knows no more than that. angle: of the whole
// line.
void check_turns(Table& rod, const char* what, double angle, int bonds) {
  if (std::isfinite(angle) && angle < pi * bonds) return;
  const Value value = *rod.find("bonds");
  const double least = std::floor(angle / pi) + 1;
  if (!(least <= static_cast<double>(most_bonds)))
    value.fail(fmt::format("{} turns by {:.3g} turns in all, more than any number of bonds could follow", what,
                           angle / (2 * pi)));
  value.fail_expected(
      fmt::format("at least {:.0f}: {} turns by {:.4g} deg from one node to the next, and a bond can't follow half a "
                  "turn (20 a turn, "
                  "{:.0f}, make a good shape)",
                  least, what, 180 / pi * angle / bonds, std::ceil(20 * angle / (2 * pi))));
}

// Nodes that lie evenly along many points must not leave out what is between them. A corner that is cut does no harm; a
// line that loses a quarter of its length is another one. (Of half a turn a bond, 2/pi is left.)
void check_followed(Table& rod, const std::vector<V>& points, int bonds) {
  if (static_cast<int>(points.size()) == bonds + 1) return;
  double way = 0;
  for (std::size_t i = 1; i < points.size(); ++i) way += norm(points[i] - points[i - 1]);
  const auto is_followed = [&](int count) { return through_points(points, count, {0, 0, 1}).arc.back() > 0.75 * way; };
  if (is_followed(bonds)) return;
  long long enough = bonds;
  while (enough < most_tried && !is_followed(static_cast<int>(enough))) enough *= 2;
  rod.find("bonds")->fail_expected(fmt::format(
      "{} `points` themselves, that is {}: bonds between nodes that lie evenly along them are too long to follow them",
      enough < most_tried ? fmt::format("at least some {}, or the", enough) : "the", points.size() - 1));
}

std::vector<V> read_points(const Value& value) {
  const auto items = value.list("a list of points [x, y, z]");
  if (items.size() < 2) value.fail_expected("at least two points");
  if (static_cast<long long>(items.size()) > most_bonds)
    value.fail_expected(fmt::format("at most {} points", most_bonds));
  std::vector<V> points;
  points.reserve(items.size());
  for (const Value& item : items) {
    points.push_back(item.vector(dim::length));
    const std::size_t n = points.size();
    if (n > 1 && !(norm(points[n - 1] - points[n - 2]) > 0))
      item.fail("found the point before it again: a bond needs a length");
  }
  return points;
}

CentreLine read_straight(Table& table, int bonds, const V& width) {
  const Value end = table.need("to", "[x, y, z], each a length");
  const V from = table.need("from", "[x, y, z], each a length").vector(dim::length), to = end.vector(dim::length);
  const double length = norm(to - from);
  const bool apart = from.x != to.x || from.y != to.y || from.z != to.z;
  if (!(length > 0) && apart) end.fail("found a rod so short that its length is 0 to a number's precision");
  if (!(length > 0)) end.fail("`from` and `to` are the same point: a rod needs a length");
  return line(from, to, bonds, width);
}

CentreLine read_arc(Table& rod, Table& table, int bonds, const V& width) {
  const double radius = table.number("radius", dim::length, range::positive);
  const double angle = table.number("angle", dim::angle, range::positive);
  check_turns(rod, "the arc", angle, bonds);
  return arc(radius, angle, bonds, width);
}

CentreLine read_helix(Table& rod, Table& table, int bonds, const V& width) {
  const Range range{-pi, pi, true, true, "an angle between -180 deg and 180 deg"};
  const double radius = table.number("radius", dim::length, range::positive);
  const double pitch = table.number("pitch_angle", dim::angle, range);
  const double length = table.number("length", dim::length, range::positive);
  check_turns(rod, "the helix", std::abs(std::sin(pitch)) / radius * length, bonds);
  return helix(radius, pitch, length, bonds, width);
}

void check_width(const CentreLine& c, const SectionReading& section) {
  if (!section.width_matters) return;
  const V along = axis_z(c.frames.front().q);
  if (norm(cross(along, section.width)) > 1e-6) return;
  fail(section.place, fmt::format("`width_direction` [{:.4g}, {:.4g}, {:.4g}] runs along the rod; expected a direction "
                                  "across it, for example [{:.4g}, {:.4g}, {:.4g}]",
                                  section.width.x, section.width.y, section.width.z, any_across(along).x,
                                  any_across(along).y, any_across(along).z));
}

}  // namespace

CentreLine read_centre_line(Table& rod, const SectionReading& section) {
  const std::string kind = rod.one_of({"line", "arc", "helix", "points"});
  Placement place;
  place.read(rod);
  CentreLine c;
  // The direction of the width is meant as drawn, that is after `turn`.
  const auto width = [&] { return rotate(conj(turn(place.turn)), section.width); };
  if (kind == "points") {
    const auto points = read_points(*rod.find("points"));
    const int bonds = read_bonds(rod, static_cast<long long>(points.size()) - 1);
    check_followed(rod, points, bonds);
    c = through_points(points, bonds, width());
  } else {
    auto table = *rod.table(kind);
    place.read(table);
    const int bonds = read_bonds(rod, std::nullopt);
    c = kind == "line"  ? read_straight(table, bonds, width())
        : kind == "arc" ? read_arc(rod, table, bonds, width())
                        : read_helix(rod, table, bonds, width());
    table.finish();
  }
  const bool moved = norm(place.turn) > 0 || norm(place.origin) > 0;
  if (moved) c = placed(std::move(c), place.turn, place.origin);
  check_width(c, section);
  return c;
}

}  // namespace ls
