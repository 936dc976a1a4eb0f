#include "scene/read/reader.h"

#include <fmt/format.h>

// [[wall]]: from the table to a WallSpec, and on to the builder.
namespace ls {

namespace {

using V = Vec3<double>;

WallSpec read_plane(Table plane) {
  const V point = plane.has("point") ? plane.find("point")->vector(dim::length) : V{};
  const V normal = plane.need("normal", "[x, y, z], towards the free side").direction();
  plane.finish();
  return plane_wall(point, normal);
}

WallSpec read_box(Table box, bool inside) {
  V low, high;
  if (box.one_of({"from", "centre"}) == "from") {
    low = box.find("from")->vector(dim::length);
    high = box.need("to", "[x, y, z], the corner opposite `from`").vector(dim::length);
  } else {
    const V centre = box.find("centre")->vector(dim::length);
    const V size = box.need("size", "[x, y, z], lengths").vector(dim::length);
    low = centre - 0.5 * size, high = centre + 0.5 * size;
  }
  if (!(high.x > low.x && high.y > low.y && high.z > low.z))
    box.fail("found a box without volume, expected `to` above `from` in x, y and z, or a `size` above 0");
  box.finish();
  return box_wall(low, high, inside);
}

WallSpec read_sphere(Table sphere, bool inside) {
  const V centre = sphere.has("centre") ? sphere.find("centre")->vector(dim::length) : V{};
  const double radius = sphere.number("radius", dim::length, range::positive);
  sphere.finish();
  return sphere_wall(centre, radius, inside);
}

WallSpec read_cylinder(Table cylinder, bool inside) {
  const double radius = cylinder.number("radius", dim::length, range::positive);
  WallSpec wall;
  if (cylinder.one_of({"from", "axis"}) == "from") {
    const V from = cylinder.find("from")->vector(dim::length);
    const Value to = cylinder.need("to", "[x, y, z], its other end");
    const V end = to.vector(dim::length);
    if (!(norm(end - from) > 0)) to.fail("`from` and `to` are the same point: the cylinder has no length");
    wall = cylinder_wall(from, end, radius, inside);
  } else {
    if (!inside) cylinder.find("axis")->fail("an obstacle has ends; expected `from` and `to`, or inside = true");
    const V centre = cylinder.has("centre") ? cylinder.find("centre")->vector(dim::length) : V{};
    wall = tube_wall(centre, cylinder.find("axis")->direction(), radius);
  }
  cylinder.finish();
  return wall;
}

}  // namespace

void read_wall(Table& table, Draft& draft) {
  if (!draft.contact.present) table.fail("found a wall, but nothing touches: add [contact]");
  const std::string name = read_body_name(table, "wall", draft);
  const std::string kind = table.one_of({"plane", "box", "sphere", "cylinder"});
  const auto inside = table.find("inside");
  if (inside && kind == "plane") inside->fail("a plane has no inside: its `normal` leads to the free side");
  const bool in = inside ? inside->boolean() : true;
  const Value shape = *table.find(kind);
  WallSpec wall = kind == "plane"    ? read_plane(Table(shape, "wall.plane"))
                  : kind == "box"    ? read_box(Table(shape, "wall.box"), in)
                  : kind == "sphere" ? read_sphere(Table(shape, "wall.sphere"), in)
                                     : read_cylinder(Table(shape, "wall.cylinder"), in);
  wall.name = name;
  wall.surface = surface_of(table.has("material") ? &read_material_of(table, draft) : nullptr, draft);
  table.finish();
  const int body = draft.builder.add(wall);
  if (kind != "plane" && !inside) draft.walls_around.insert(body);
}

}  // namespace ls
