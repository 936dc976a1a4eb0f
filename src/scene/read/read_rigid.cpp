#include "base/memory.h"
#include "base/rng.h"
#include "build/magnets/soft_cells.h"
#include "build/meshes/mesh_file.h"
#include "math/rotation.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

// [[rigid]]: from the table to one or many RigidSpecs, and on to the builder.
namespace ls {

namespace {

using V = Vec3<double>;

constexpr long long most_bodies = 1'000'000;
constexpr std::uint64_t placing = 0x7197;  // the stream of random numbers that is this file's

V read_size(const Value& value) {
  const V size = value.vector(dim::length);
  if (!(size.x > 0 && size.y > 0 && size.z > 0)) value.fail_expected("three lengths above 0");
  return size;
}

double read_rounding(Table& rigid, double largest) {
  const double rounding = rigid.number("rounding", dim::length, range::not_negative, 0);
  if (rounding >= largest)
    rigid.find("rounding")->fail_expected(fmt::format("less than half of its smallest size, {:.4g} m", largest));
  return rounding;
}

// From a file beside the scene; its origin will be at `position`.
RigidShape read_mesh_shape(Table& rigid, Draft& draft) {
  const Value value = *rigid.find("mesh");
  const std::filesystem::path name = value.text("an .obj or .stl file");
  const double scale = rigid.number("scale", dim::number, range::positive, 1);
  const double rounding = rigid.number("rounding", dim::length, range::not_negative, 0);
  for (const char* key : {"radius", "length", "size", "sides"})
    if (const auto other = rigid.find(key)) other->fail(fmt::format("found `{}`, which a mesh does not have", key));
  try {
    const auto path = std::filesystem::path(draft.plan.file).parent_path() / name;
    Mesh mesh = read_mesh(path.string());
    draft.note_file(name.string(), path.string());
    for (V& v : mesh.vertices) v = scale * v;
    return mesh_shape(mesh, rounding);
  } catch (const Error& e) {
    value.fail(e.what());
  }
}

RigidShape read_shape(Table& rigid, Draft& draft) {
  if (rigid.one_of({"shape", "mesh"}) == "mesh") return read_mesh_shape(rigid, draft);
  if (const auto scale = rigid.find("scale")) scale->fail("it belongs to `mesh`");
  const std::string kind = rigid.need("shape", "\"sphere\", \"capsule\", \"box\" or \"cylinder\"")
                               .choice({"sphere", "capsule", "box", "cylinder"});
  // Each shape knows only its own sizes: one too many would be a misunderstanding.
  const auto refuse = [&](std::initializer_list<const char*> keys) {
    for (const char* key : keys)
      if (const auto value = rigid.find(key))
        value->fail(fmt::format("found `{}`, which a {} does not have", key, kind));
  };
  if (kind == "box") {
    refuse({"radius", "length", "sides"});
    const V size = read_size(rigid.need("size", "[x, y, z], its edges"));
    return box_shape(size, read_rounding(rigid, 0.5 * std::min({size.x, size.y, size.z})));
  }
  refuse({"size"});
  const double radius = rigid.number("radius", dim::length, range::positive);
  if (kind == "sphere") {
    refuse({"length", "sides", "rounding"});
    return ball_shape(radius);
  }
  const double length = rigid.number("length", dim::length, range::positive);
  if (kind == "capsule") {
    refuse({"sides", "rounding"});
    return capsule_shape(radius, length);
  }
  const auto sides = static_cast<int>(rigid.integer("sides", 3, 1000, 24));
  return cylinder_shape(radius, length, sides, read_rounding(rigid, std::min(radius, 0.5 * length)));
}

void read_mass(Table& rigid, Draft& draft, RigidSpec& spec) {
  const Material* material = rigid.has("material") ? &read_material_of(rigid, draft) : nullptr;
  spec.surface = surface_of(material, draft);
  const auto mass = rigid.maybe_number("mass", dim::mass, range::positive);
  if (const auto inertia = rigid.find("inertia")) {
    const V i = inertia->vector(dim::inertia);
    if (!mass) rigid.need("mass", "a mass beside `inertia`");
    if (!(i.x > 0 && i.y > 0 && i.z > 0) || i.x > i.y + i.z || i.y > i.x + i.z || i.z > i.x + i.y)
      inertia->fail("found moments that no body has, expected three above 0, none larger than the other two together");
    spec.mass = *mass;
    spec.centre = spec.shape.solid.centre;
    spec.inertia = {{{i.x, 0, 0}, {0, i.y, 0}, {0, 0, i.z}}};
  } else if (mass) {
    spec.fill(*mass / spec.shape.solid.volume);
  } else if (material && material->density) {
    spec.fill(*material->density);
  } else if (spec.fixed) {
    spec.mass = weightless;
    spec.centre = spec.shape.solid.centre;
    for (std::size_t k = 0; k < 3; ++k) spec.inertia[k][k] = weightless;
  } else if (material) {
    rigid.find("material")->fail("its material has no `density`; expected one, or a `mass`");
  } else {
    rigid.fail("how heavy is it? Expected a `material` with a `density`, or a `mass`");
  }
}

std::vector<PlacedMoment> read_samples(const Value& value, const RigidSpec& spec) {
  constexpr long long most_samples = 10'000'000;
  const double spacing = value.number(dim::length, range::positive);
  double largest = 2 * spec.shape.radius;
  const SampleGrid grid = sample_grid(spec.shape, spacing);
  const double sides[3] = {grid.cell.x * static_cast<double>(grid.cells[0]),
                           grid.cell.y * static_cast<double>(grid.cells[1]),
                           grid.cell.z * static_cast<double>(grid.cells[2])};
  for (const double side : sides) largest = std::max(largest, side);
  if (spacing > largest)
    value.fail(fmt::format("found {}, which leaves the body without cells: expected {:.4g} m at most", value.shown(),
                           largest));
  const double cells = sides[0] * sides[1] * sides[2] / (spacing * spacing * spacing);
  if (cells > most_samples || grid.count() > most_samples)
    value.fail(fmt::format("found {}, which makes {:.3g} cells: expected no more than {}", value.shown(),
                           std::max(cells, static_cast<double>(grid.count())), most_samples));
  auto samples = sampled(spec.shape, grid, spec.moment);
  if (samples.empty()) value.fail("found a spacing that leaves the body without cells: expected a smaller one");
  return samples;
}

// Cells of one body know each other by a matrix.
SoftBody read_soft_cells(const Value& sampling, const SoftMatter& matter, const RigidShape& shape, std::size_t cells) {
  constexpr std::size_t most = 1000;
  if (cells > most)
    sampling.fail(fmt::format(
        "found {}, which makes {} cells: of a body with a `susceptibility` expected no more than {}, such as \"{:.2g} "
        "m\"",
        sampling.shown(), cells, most, 1.05 * std::cbrt(shape.solid.volume / static_cast<double>(most))));
  return soft_body(matter, shape, sample_grid(shape, sampling.number(dim::length, range::positive)));
}

// `moment` or `magnetisation`, in the middle or by `sampling`; or dipoles one by one.
void read_magnets(Table& rigid, const SoftMatter& matter, RigidSpec& spec) {
  const std::string kind = rigid.one_of({"moment", "magnetisation", "dipoles"}, false);
  if (kind == "moment") spec.moment = rigid.find("moment")->vector(dim::moment);
  if (kind == "magnetisation")
    spec.moment = spec.shape.solid.volume * rigid.find("magnetisation")->vector(dim::magnetisation);
  for (Table& dipole : rigid.tables("dipoles")) {
    PlacedMoment d;
    d.position = dipole.need("position", "[x, y, z], lengths").vector(dim::length);
    d.moment = dipole.need("moment", "[x, y, z], each a magnetic moment (A m^2)").vector(dim::moment);
    dipole.finish();
    spec.dipoles.push_back(d);
    spec.moment += d.moment;
  }
  const auto sampling = rigid.find("sampling");
  if (!sampling) {
    if (matter.is_soft()) spec.soft = soft_body(matter, spec.shape);
    return;
  }
  if (kind == "dipoles") sampling->fail("found both `dipoles` and `sampling`, expected one of them");
  if (!(norm(spec.moment) > 0) && !matter.is_soft())
    sampling->fail("found a body without a `moment` or a `magnetisation` to share out, nor a `susceptibility`");
  auto samples = read_samples(*sampling, spec);
  if (matter.is_soft()) spec.soft = read_soft_cells(*sampling, matter, spec.shape, samples.size());
  if (norm(spec.moment) > 0) spec.dipoles = std::move(samples);
}

Quat<double> read_orientation(Table& rigid) {
  const auto value = rigid.find("orientation");
  if (!value) return {};
  if (!value->is_table()) return turn(value->vector(dim::angle));
  Table table(*value, "rigid.orientation");
  const V axis = table.need("axis", "[x, y, z]").direction();
  const double angle = table.number("angle", dim::angle, range::any);
  table.finish();
  return turn(angle * axis);
}

// Where the bodies of a table stand beside the first one.
struct Places {
  std::array<long long, 3> n{1, 1, 1};
  V spacing{};
  double jitter = 0;
  bool tumbled = false;
  std::vector<V> points;  // instead, m from the first: each by itself
  bool is_many = false;
};

std::vector<V> points_in(const Value& value) {
  const char* const expected = "a list of places, each [x, y, z]";
  const auto items = value.list(expected);
  if (items.empty()) value.fail("found an empty list, expected one place at least");
  if (static_cast<long long>(items.size()) > most_bodies)
    value.fail(fmt::format("found {} places, expected {} at most", items.size(), most_bodies));
  std::vector<V> points;
  points.reserve(items.size());
  for (const Value& item : items) points.push_back(item.vector(dim::length));
  return points;
}

Places read_places(Table& rigid) {
  Places p;
  const std::string how = rigid.one_of({"count", "grid", "points"}, false);
  if (how != "count")
    if (const auto spacing = rigid.find("spacing")) spacing->fail("it belongs to `count`");
  if (how.empty()) return p;
  p.is_many = true;
  if (how == "points") {
    p.points = points_in(*rigid.find("points"));
    return p;
  }
  if (how == "count") {
    const auto count = rigid.find("count");
    p.n[0] = count->integer(1, most_bodies);
    p.spacing = rigid.need("spacing", "[x, y, z], from one body to the next").vector(dim::length);
    return p;  // a line: only the first number counts, and the whole spacing goes with it
  }
  Table grid = *rigid.table("grid");
  const BodyGrid placed = read_grid(grid);
  p.n = placed.n, p.spacing = placed.spacing;
  p.jitter = grid.number("jitter", dim::length, range::not_negative, 0);
  p.tumbled = grid.boolean("tumbled", false);
  grid.finish();
  return p;
}

// Fails where surfaces and samples of so many bodies would not fit into memory, before any of it is taken.
void check_copies(Table& rigid, const Places& p, const RigidSpec& first) {
  constexpr double triangle_bytes = 450, dipole_bytes = 300;
  const double bodies = p.points.empty() ? static_cast<double>(p.n[0]) * static_cast<double>(p.n[1] * p.n[2])
                                         : static_cast<double>(p.points.size());
  const auto triangles = static_cast<double>(first.shape.triangles.size());
  const auto dipoles = static_cast<double>(first.dipoles.size());
  const double bytes = bodies * (triangles * triangle_bytes + dipoles * dipole_bytes), there = memory_there();
  if (bytes > 0.9 * there)
    rigid.fail(fmt::format("{:.3g} bodies of {} triangles and {} dipoles need some {:.3g} GB; there are {:.3g} GB",
                           bodies, triangles, dipoles, 1e-9 * bytes, 1e-9 * there));
}

// Each direction as likely as any other: Shoemake, Graphics Gems III, 1992.
Quat<double> random_turn(std::uint64_t seed, std::uint64_t body) {
  constexpr double full = 6.283185307179586;
  const auto draw = [&](std::uint64_t k) { return uniform(seed, placing, body, 3 + k); };
  const double u = draw(0), a = full * draw(1), b = full * draw(2);
  return {std::sqrt(u) * std::cos(b),
          {std::sqrt(1 - u) * std::sin(a), std::sqrt(1 - u) * std::cos(a), std::sqrt(u) * std::sin(b)}};
}

void add_at_points(const std::vector<V>& points, const RigidSpec& first, Draft& draft) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    RigidSpec one = first;
    one.name = fmt::format("{}[{}]", first.name, k);
    one.pose.x += points[k];
    draft.builder.add(one);
  }
}

void add_many(const Places& p, const RigidSpec& first, bool is_line, Draft& draft) {
  const std::uint64_t seed = draft.plan.solver.seed;
  const auto before = static_cast<std::uint64_t>(draft.builder.bodies().size());
  long long number = 0;
  for (long long i = 0; i < p.n[0]; ++i)
    for (long long j = 0; j < p.n[1]; ++j)
      for (long long k = 0; k < p.n[2]; ++k, ++number) {
        const auto body = before + static_cast<std::uint64_t>(number);
        const double a = static_cast<double>(i), b = static_cast<double>(is_line ? i : j),
                     c = static_cast<double>(is_line ? i : k);
        const auto shake = [&](std::uint64_t axis) { return p.jitter * (2 * uniform(seed, placing, body, axis) - 1); };
        RigidSpec one = first;
        one.name = fmt::format("{}[{}]", first.name, number);
        one.pose.x += V{a * p.spacing.x, b * p.spacing.y, c * p.spacing.z};
        if (p.jitter > 0) one.pose.x += V{shake(0), shake(1), shake(2)};
        if (p.tumbled) one.pose.q = normalized(random_turn(seed, body) * one.pose.q);
        draft.builder.add(one);
      }
}

}  // namespace

void read_rigid(Table& rigid, Draft& draft) {
  RigidSpec spec;
  spec.name = read_body_name(rigid, "rigid", draft);
  spec.shape = read_shape(rigid, draft);
  spec.fixed = rigid.boolean("fixed", false);
  read_mass(rigid, draft, spec);
  if (const auto position = rigid.find("position")) spec.pose.x = position->vector(dim::length);
  spec.pose.q = read_orientation(rigid);
  if (const auto velocity = rigid.find("velocity")) spec.velocity = velocity->vector(dim::velocity);
  if (const auto spin = rigid.find("angular_velocity")) spec.spin = spin->angular_rates();
  if (spec.fixed && (norm(spec.velocity) > 0 || norm(spec.spin) > 0))
    rigid.find("fixed")->fail("found a body that stands still and has a velocity");
  read_magnets(rigid, rigid.has("material") ? read_material_of(rigid, draft).soft : SoftMatter{}, spec);
  const auto factor = rigid.find("moment_factor");
  if (factor && !(norm(spec.moment) > 0) && spec.dipoles.empty())
    factor->fail("found a body without a `moment`, a `magnetisation` or `dipoles` to switch");
  const int first_body = static_cast<int>(draft.builder.bodies().size());
  const Places places = read_places(rigid);
  const bool is_line = rigid.has("count");
  rigid.finish();
  check_copies(rigid, places, spec);
  if (!places.points.empty())
    add_at_points(places.points, spec, draft);
  else if (places.is_many)
    add_many(places, spec, is_line, draft);
  else
    draft.builder.add(spec);
  if (factor) draft.moment_factors.push_back({first_body, static_cast<int>(draft.builder.bodies().size()), *factor});
}

}  // namespace ls
