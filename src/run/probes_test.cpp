#include "run/probe_values.h"
#include "scene/probe_kinds.h"
#include "scene/read/reader.h"

#include <gtest/gtest.h>

namespace ls {
namespace {

constexpr const char* beam_in_fluid = R"(
[solver]
duration = "1 s"
[material.rubber]
young = "1.2 MPa"
poisson = 0.5
density = "1.1 g/cm^3"
magnetisation = "94 kA/m"
[[rod]]
name = "beam"
material = "rubber"
section = { diameter = "3 mm" }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
bonds = 10
[fluid]
spacing = 0.01
size = [0.2, 0.1, 0.1]
origin = [-0.05, -0.05, -0.05]
viscosity = 1e-4
density = 1000
)";

// What the list promises is what a run records.
TEST(Probes, EveryKindHasItsColumns) {
  Plan p = read_text(beam_in_fluid, "scene.toml");
  Team alone(1);
  for (const ProbeKind& kind : probe_kinds())
    for (const ProbeOf of : {ProbeOf::node, ProbeOf::body, ProbeOf::system, ProbeOf::fluid, ProbeOf::place}) {
      if (!kind.is_for(of)) continue;
      Probe probe;
      probe.of = of;
      probe.record = {kind.name};
      const auto values = probe_values(p, probe, p.start, {}, alone);
      const std::size_t nodes = of == ProbeOf::body && kind.is_per_node() ? 11 : 1;
      ASSERT_EQ(values.size(), nodes * std::max<std::size_t>(1, kind.components.size())) << kind.name;
      const std::string first =
          kind.name + (nodes > 1 ? "[0]" : "") + (kind.components.empty() ? "" : "." + kind.components[0]);
      EXPECT_EQ(values[0].column, first);
    }
}

}  // namespace
}  // namespace ls
