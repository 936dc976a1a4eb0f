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
  if (!(length > 0) || !std::isfinite(length)) end.fail("`from` and `to` are the same point: a rod needs a length");
  return line(from, to, bonds, width);
}

CentreLine read_arc(Table& table, int bonds, const V& width) {
  const double radius = table.number("radius", dim::length, range::positive);
  const double angle = table.number("angle", dim::angle, range::positive);
  return arc(radius, angle, bonds, width);
}

CentreLine read_helix(Table& table, int bonds, const V& width) {
  const Range range{-pi, pi, true, true, "an angle between -180 deg and 180 deg"};
  const double radius = table.number("radius", dim::length, range::positive);
  const double pitch = table.number("pitch_angle", dim::angle, range);
  return helix(radius, pitch, table.number("length", dim::length, range::positive), bonds, width);
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
    c = through_points(points, read_bonds(rod, static_cast<long long>(points.size()) - 1), width());
  } else {
    auto table = *rod.table(kind);
    place.read(table);
    const int bonds = read_bonds(rod, std::nullopt);
    c = kind == "line"  ? read_straight(table, bonds, width())
        : kind == "arc" ? read_arc(table, bonds, width())
                        : read_helix(table, bonds, width());
    table.finish();
  }
  const bool moved = norm(place.turn) > 0 || norm(place.origin) > 0;
  if (moved) c = placed(std::move(c), place.turn, place.origin);
  check_width(c, section);
  return c;
}

}  // namespace ls
