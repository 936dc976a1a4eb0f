#include "validation/validation.h"

namespace ls::validation {

// Where each case is written: validation/NAME/case.cpp. A line each.
// clang-format off
namespace bond_force_oracle { Result run(const Context&); }
namespace free_chain_trajectory { Result run(const Context&); }
namespace energy_conservation { Result run(const Context&); }
namespace tumbling { Result run(const Context&); }
namespace critical_step { Result run(const Context&); }
namespace cantilever_static { Result run(const Context&); }
namespace cantilever_dynamic { Result run(const Context&); }
namespace vector_rod_buckling { Result run(const Context&); }
namespace natural_frequencies { Result run(const Context&); }
namespace cantilever_newton { Result run(const Context&); }
namespace large_steps { Result run(const Context&); }
namespace thrown { Result run(const Context&); }
namespace hanging_chain { Result run(const Context&); }
namespace shell_buckling { Result run(const Context&); }
namespace magnetic_beams { Result run(const Context&); }
namespace twisted_rods { Result run(const Context&); }
namespace analytic_magnets { Result run(const Context&); }
namespace dipole_pairs { Result run(const Context&); }
namespace induction { Result run(const Context&); }
namespace magnet_clusters { Result run(const Context&); }
namespace hybrid_magnets { Result run(const Context&); }
namespace two_cubes { Result run(const Context&); }
namespace periodic_magnets { Result run(const Context&); }
namespace compass { Result run(const Context&); }
namespace plectoneme { Result run(const Context&); }
namespace helix { Result run(const Context&); }
namespace tight_knot { Result run(const Context&); }
namespace collisions { Result run(const Context&); }
namespace incline { Result run(const Context&); }
namespace arch { Result run(const Context&); }
namespace valley { Result run(const Context&); }
namespace joints { Result run(const Context&); }
namespace ball_track { Result run(const Context&); }
namespace crane { Result run(const Context&); }
namespace glass_sphere { Result run(const Context&); }
namespace catheter { Result run(const Context&); }
namespace tube { Result run(const Context&); }
namespace capstan { Result run(const Context&); }
namespace resistive_drag { Result run(const Context&); }
namespace fluid_channels { Result run(const Context&); }
namespace taylor_green { Result run(const Context&); }
namespace oscillating_channel { Result run(const Context&); }
namespace rod_arrays { Result run(const Context&); }
namespace sphere_array { Result run(const Context&); }
namespace filaments { Result run(const Context&); }
namespace cilia { Result run(const Context&); }
namespace swimmer { Result run(const Context&); }
// clang-format on

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      // One bond, then a few of them.
      {"bond_force_oracle", bond_force_oracle::run},
      {"free_chain_trajectory", free_chain_trajectory::run},
      // The explicit stepper.
      {"energy_conservation", energy_conservation::run},
      {"tumbling", tumbling::run},
      {"critical_step", critical_step::run},
      // Rods.
      {"cantilever_static", cantilever_static::run},
      {"cantilever_dynamic", cantilever_dynamic::run},
      {"vector_rod_buckling", vector_rod_buckling::run},
      {"natural_frequencies", natural_frequencies::run},
      // The static and the implicit solver.
      {"cantilever_newton", cantilever_newton::run},
      {"large_steps", large_steps::run},
      {"thrown", thrown::run},
      {"hanging_chain", hanging_chain::run},
      {"twisted_rods", twisted_rods::run},
      // Shells.
      {"shell_buckling", shell_buckling::run},
      // Magnets.
      {"magnetic_beams", magnetic_beams::run},
      {"analytic_magnets", analytic_magnets::run},
      {"dipole_pairs", dipole_pairs::run},
      {"magnet_clusters", magnet_clusters::run},
      {"compass", compass::run},
      {"hybrid_magnets", hybrid_magnets::run},
      {"two_cubes", two_cubes::run},
      {"induction", induction::run},
      {"periodic_magnets", periodic_magnets::run},
      // Contact.
      {"plectoneme", plectoneme::run},
      {"helix", helix::run},
      {"tight_knot", tight_knot::run},
      {"collisions", collisions::run},
      {"incline", incline::run},
      {"arch", arch::run},
      {"capstan", capstan::run},
      {"tube", tube::run},
      {"valley", valley::run},
      // Linkages.
      {"joints", joints::run},
      // Magnets that are switched, led and dropped.
      {"ball_track", ball_track::run},
      {"crane", crane::run},
      {"glass_sphere", glass_sphere::run},
      {"catheter", catheter::run},
      // Fluids.
      {"resistive_drag", resistive_drag::run},
      {"fluid_channels", fluid_channels::run},
      {"taylor_green", taylor_green::run},
      {"oscillating_channel", oscillating_channel::run},
      {"rod_arrays", rod_arrays::run},
      {"sphere_array", sphere_array::run},
      {"filaments", filaments::run},
      {"cilia", cilia::run},
      {"swimmer", swimmer::run},
  };
  return all;
}

}  // namespace ls::validation
