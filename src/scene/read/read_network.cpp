#include "build/network.h"
#include "math/rotation.h"
#include "model/bond_models.h"
#include "scene/read/reader.h"

#include <fmt/format.h>

// [[network]]: from the table to a NetworkSpec, and on to the builder.
namespace ls {

namespace {

constexpr long long most_cells = 1'000'000;

StrutLattice read_lattice(Table& network) {
  const std::string kind =
      network.need("lattice", "\"cubic\", \"octet\" or \"kagome\"").choice({"cubic", "octet", "kagome"});
  const double size = network.number("cell", dim::length, range::positive);
  const bool is_flat = kind == "kagome";
  const std::string expected = is_flat ? "[nx, ny], two whole numbers" : "[nx, ny, nz], three whole numbers";
  const Value value = network.need("cells", expected);
  const auto items = value.list(expected);
  if (items.size() != (is_flat ? 2u : 3u)) value.fail_expected(expected);
  std::array<int, 3> cells{1, 1, 1};
  long long all = 1;
  for (std::size_t k = 0; k < items.size(); ++k) {
    cells[k] = static_cast<int>(items[k].integer(1, most_cells));
    all *= cells[k];
    if (all > most_cells) value.fail_expected(fmt::format("at most {} cells", most_cells));
  }
  if (is_flat) return kagome_lattice(cells[0], cells[1], size);
  return kind == "cubic" ? cubic_lattice(cells, size) : octet_lattice(cells, size);
}

double read_diameter(Table& network, const StrutLattice& lattice) {
  network.need("section", "{ diameter = … }");
  Table table = *network.table("section");
  const double diameter = table.number("diameter", dim::length, range::positive);
  table.finish();
  const auto& s = lattice.struts.front();
  const double length = norm(lattice.joints[s[1]] - lattice.joints[s[0]]);
  if (diameter >= length)
    table.find("diameter")->fail_expected(fmt::format("less than the length of a strut, {:.4g} m", length));
  return diameter;
}

}  // namespace

void read_network(Table& network, Draft& draft) {
  NetworkSpec spec;
  spec.name = read_body_name(network, "network", draft);
  const Material& material = read_material_of(network, draft);
  spec.lattice = read_lattice(network);
  const Placing place = read_placing(network);
  for (Vec3<double>& joint : spec.lattice.joints) joint = place.origin + rotate(turn(place.turn), joint);
  spec.diameter = read_diameter(network, spec.lattice);
  spec.bonds_per_strut = static_cast<int>(network.integer("bonds_per_strut", 1, 1000, spec.bonds_per_strut));
  if (static_cast<long long>(spec.lattice.struts.size()) * spec.bonds_per_strut > most_bonds)
    network.fail(fmt::format("found {} struts of {} bonds, expected at most {} bonds", spec.lattice.struts.size(),
                             spec.bonds_per_strut, most_bonds));
  const auto pieces = static_cast<double>(spec.lattice.struts.size()) * spec.bonds_per_strut;
  check_room(network.need("cells", ""), pieces, pieces, draft);
  spec.model = network.choice("model", bond_models());
  const std::string calibration = network.choice("calibration", {"bernoulli-euler", "timoshenko"});
  spec.calibration = calibration == "timoshenko" ? Calibration::timoshenko : Calibration::bernoulli_euler;
  read_bonded(network, "network", material, false, draft, spec);
  spec.holds = read_held_parts(network, spec.lattice.parts);
  network.finish();
  try {
    draft.builder.add(assembled(spec));
  } catch (const Error& e) {
    network.fail(e.what());
  }
}

}  // namespace ls
