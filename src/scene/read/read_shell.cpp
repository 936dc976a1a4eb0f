#include "build/meshes/mesh_file.h"
#include "build/particles_on_sphere.h"
#include "build/shell.h"
#include "model/bond_models.h"
#include "scene/read/reader.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

// [[shell]]: from the table to a ShellSpec, and on to the builder.
namespace ls {

namespace {

constexpr long long most_particles = 50'000;  // every new one is held against all triangles
constexpr long long most_sheet_nodes = 5'000'000;
constexpr long long highest_frequency = 500;

// What the generators and the checks of meshes say, with the place in the file.
template <class Make>
auto made_at(const Place& place, const Make& make) {
  try {
    return make();
  } catch (const Error& e) {
    fail(place, e.what());
  }
}

DrawnSurface read_hemisphere(Table table, const Draft& draft) {
  const double radius = table.number("radius", dim::length, range::positive);
  const auto spacing = table.maybe_number("spacing", dim::length, range::positive);
  const auto count = table.find("particles");
  if (!spacing && !count) table.one_of({"particles", "spacing"});
  const long long particles = count ? count->integer(7, most_particles) : 0;
  if (!count && hemisphere_particles(radius, *spacing) > static_cast<double>(most_particles))
    table.find("spacing")->fail(fmt::format("found a spacing for {:.0f} particles, expected at most {}",
                                            hemisphere_particles(radius, *spacing), most_particles));
  const long long seed =
      table.integer("seed", 0, std::numeric_limits<long long>::max(), static_cast<long long>(draft.plan.solver.seed));
  table.finish();
  return made_at(table.place(), [&] {
    return hemisphere(radius, static_cast<int>(particles), spacing.value_or(0), static_cast<std::uint64_t>(seed));
  });
}

// A bond each to six neighbours, of two nodes each, and the tables that such lists are made by.
void check_surface_fits(const Value& where, double nodes, const Draft& draft) {
  check_room(where, 1.5 * nodes, 3 * nodes, draft);
}

DrawnSurface read_sphere(Table table, const Draft& draft) {
  const double radius = table.number("radius", dim::length, range::positive);
  const Value frequency = table.need("frequency", "into how many parts each edge of the icosahedron is cut");
  table.finish();
  const auto parts = frequency.integer(1, highest_frequency);
  check_surface_fits(frequency, 10 * static_cast<double>(parts * parts), draft);
  return geodesic_sphere(radius, static_cast<int>(parts));
}

DrawnSurface read_sheet(Table table, const Draft& draft) {
  const Value size = table.need("size", "[x, y], two lengths");
  const auto sides = size.list("[x, y], two lengths");
  if (sides.size() != 2) size.fail_expected("[x, y], two lengths");
  const double x = sides[0].number(dim::length, range::positive), y = sides[1].number(dim::length, range::positive);
  const double spacing = table.number("spacing", dim::length, range::positive);
  const bool square = table.choice("lattice", {"triangular", "square"}) == "square";
  table.finish();
  if (spacing > std::min(x, y))
    table.find("spacing")->fail_expected(fmt::format("no more than the shorter side, {:.4g} m", std::min(x, y)));
  if (x / spacing * (y / spacing) > static_cast<double>(most_sheet_nodes))
    table.find("spacing")->fail(fmt::format("found a spacing for more than {} nodes", most_sheet_nodes));
  check_surface_fits(*table.find("spacing"), x / spacing * (y / spacing), draft);
  return square ? square_sheet(x, y, spacing) : triangular_sheet(x, y, spacing);
}

// Beside the scene, unless the path says otherwise.
DrawnSurface read_mesh_of(Table& shell, Draft& draft) {
  const Value value = *shell.find("mesh");
  const std::filesystem::path file = value.text("the name of an .obj or .stl file");
  const auto path = file.is_absolute() ? file : std::filesystem::path(draft.plan.file).parent_path() / file;
  const double scale = shell.number("scale", dim::number, range::positive, 1);
  const Mesh drawn_in_file = made_at(value.place(), [&] { return read_mesh(path.string()); });
  check_surface_fits(value, static_cast<double>(drawn_in_file.vertices.size()), draft);
  return made_at(value.place(), [&] {
    draft.note_file(file.string(), path.string());
    Mesh mesh = drawn_in_file;
    for (Vec3<double>& v : mesh.vertices) v = scale * v;
    check_mesh(mesh, false);
    if (boundary_of(mesh).empty()) check_mesh(mesh, true);  // a closed one knows what is outside
    return drawn(std::move(mesh));
  });
}

DrawnSurface read_surface(Table& shell, Draft& draft) {
  const std::string kind = shell.one_of({"hemisphere", "sphere", "sheet", "mesh"});
  if (kind != "mesh")
    if (const auto scale = shell.find("scale")) scale->fail("it belongs to `mesh`");
  const Placing place = read_placing(shell);
  DrawnSurface s = kind == "hemisphere" ? read_hemisphere(*shell.table(kind), draft)
                   : kind == "sphere"   ? read_sphere(*shell.table(kind), draft)
                   : kind == "sheet"    ? read_sheet(*shell.table(kind), draft)
                                        : read_mesh_of(shell, draft);
  return placed(std::move(s), place.turn, place.origin);
}

void read_lumping(Table& shell, ShellSpec& spec) {
  const std::string inertia = shell.choice("inertia", {"section", "segment", "sphere"});
  spec.inertia = inertia == "sphere"    ? NodeInertia::sphere
                 : inertia == "segment" ? NodeInertia::segment
                                        : NodeInertia::section;
  const auto diameter = shell.maybe_number("sphere_diameter", dim::length, range::positive);
  if (spec.inertia == NodeInertia::sphere && !diameter)
    shell.need("sphere_diameter", "a length (m), for example \"3 mm\"");
  if (spec.inertia != NodeInertia::sphere && diameter)
    shell.find("sphere_diameter")->fail("it belongs to inertia = \"sphere\"");
  spec.sphere_diameter = diameter.value_or(0);
  spec.node_mass = shell.number("node_mass", dim::mass, range::positive, 0);
}

}  // namespace

void read_shell(Table& shell, Draft& draft) {
  ShellSpec spec;
  spec.name = read_body_name(shell, "shell", draft);
  const Material& material = read_material_of(shell, draft);
  spec.surface = read_surface(shell, draft);
  spec.thickness = shell.number("thickness", dim::length, range::positive);
  spec.model = shell.choice("model", bond_models());
  read_lumping(shell, spec);
  const GivenStiffness stiffness = read_bonded(shell, "shell", material, spec.node_mass > 0, draft, spec);
  spec.holds = read_held_parts(shell, spec.surface.parts);
  shell.finish();
  const double poisson = spec.material.poisson();
  if (!stiffness.is_complete() && lattice_poisson(poisson) < poisson)
    draft.plan.warnings.push_back(fmt::format(
        "shell `{}`: Poisson's ratio of a lattice of bonds is at most {:.3f}, its material has {:.3g}; stiffness "
        "against stretch along one direction and against bending to a sphere-like shape are those of the material",
        spec.name, lattice_poisson(poisson), poisson));
  const Vec3<double>& chi = spec.soft.susceptibility;
  if (chi.x != chi.y)
    shell.find("material")
        ->fail(fmt::format(
            "its `susceptibility` is {:.3g} along one direction within the sheet and {:.3g} along the other, and which "
            "is "
            "which a curved sheet cannot tell: expected two numbers alike, and as the third that along the normal",
            chi.x, chi.y));
  made_at(shell.place(), [&] { return draft.builder.add(assembled(spec)); });
}

}  // namespace ls
