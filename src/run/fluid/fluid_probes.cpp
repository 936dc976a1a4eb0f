#include "run/fluid/fluid_probes.h"

#include "fluid/immersed/immersed_boundary.h"
#include "output/fluid_field.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ls {

namespace {

using V = Vec3<double>;

V sum_of_faces(const FluidImpulse& impulse) {
  V sum;
  for (const auto& pair : impulse.faces) sum += pair[0] + pair[1];
  return sum;
}

// What went in through faces. Walls take a part of what markers near them exert at once.
V from_walls(const FluidImpulse& impulse) {
  return sum_of_faces(impulse) + impulse.images;
}

double sum_of_sizes(const FluidImpulse& impulse) {
  double sum = norm(impulse.body) + norm(impulse.markers) + norm(impulse.images);
  for (const auto& pair : impulse.faces) sum += norm(pair[0]) + norm(pair[1]);
  return sum;
}

class FluidValues {
 public:
  FluidValues(const Plan& plan, const State& s, const Inputs& in, Team& team)
      : fluid_(*plan.fluid.box), s_(s.fluid), drives_(s.memory.drive_impulse), in_(in), team_(team) {}

  // All are vectors but for those that scalar() knows.
  V vector(const std::string& what) {
    const double impulse = fluid_.impulse_unit();
    if (what == "wall_force")
      return (-impulse / fluid_.settings().dt) * (from_walls(s_.impulse) - from_walls(s_.before));
    if (what == "wall_impulse") return impulse * from_walls(s_.impulse);
    if (what == "body_impulse") return impulse * s_.impulse.body;
    if (what == "drive_impulse") return drives_;
    if (what == "marker_impulse") return impulse * s_.impulse.markers;
    if (s_.populations.empty()) return {};
    // Velocities have half of the force of the step in them.
    const V momentum = totals().momentum + (0.5 * cells()) * lattice_drive(fluid_, in_.fluid).body;
    if (what == "momentum") return impulse * momentum;
    const V mean = fluid_.speed_unit() / (cells() + totals().mass) * momentum;
    if (what == "mean_velocity") return mean;
    const V size = fluid_.size();  // flow_rate
    return {mean.x * size.y * size.z, mean.y * size.z * size.x, mean.z * size.x * size.y};
  }
  std::optional<double> scalar(const std::string& what) {
    const bool none = s_.populations.empty();
    if (what == "mass") return none ? 0 : fluid_.mass_unit() * (cells() + totals().mass);
    if (what == "max_speed") return none ? 0 : scan_fluid(fluid_, s_, in_, team_).speed;
    if (what == "momentum_error") return none ? 0 : momentum_error();
    return std::nullopt;
  }

 private:
  const Lattice::Totals& totals() {
    if (!std::exchange(known_, true)) totals_ = fluid_.lattice().totals(s_, team_);
    return totals_;
  }
  double cells() const { return static_cast<double>(fluid_.lattice().cells()); }
  double momentum_error() {
    const V left = totals().momentum - from_walls(s_.impulse) - s_.impulse.body - s_.impulse.markers;
    const double beside = std::max(sum_of_sizes(s_.impulse), totals().absolute);
    return beside > 0 ? norm(left) / beside : 0;
  }

  const Fluid& fluid_;
  const FluidState& s_;
  V drives_;  // N s
  const Inputs& in_;
  Team& team_;
  Lattice::Totals totals_;  // worked out once, and only where a probe asks for it
  bool known_ = false;
};

}  // namespace

void add_fluid_values(std::vector<ProbeValue>& out, const Plan& plan, const Probe& probe, const State& s,
                      const Inputs& in, Team& team) {
  if (probe.of == ProbeOf::place) {
    FluidAtPlace at;
    if (!s.fluid.populations.empty()) at = read_place(*plan.fluid.box, s.fluid, in, probe.at);
    for (const auto& what : probe.record) {
      if (what == "pressure")
        out.push_back({what, at.pressure});
      else
        add(out, what, what == "vorticity" ? at.vorticity : at.velocity);
    }
    return;
  }
  FluidValues values(plan, s, in, team);
  for (const auto& what : probe.record) {
    if (const auto value = values.scalar(what))
      out.push_back({what, *value});
    else
      add(out, what, values.vector(what));
  }
}

Vec3<double> fluid_force(const Plan& plan, const State& s, int node) {
  const std::vector<Marker>& markers = plan.model.markers.markers;
  V sum;
  if (!plan.fluid || s.memory.marker_impulse.size() != markers.size()) return sum;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const Marker& m = markers[i];
    for (int a = 0; a < m.anchors; ++a)
      if (m.anchor[a].node == node) sum += m.anchor[a].weight * s.memory.marker_impulse[i].force;
  }
  return (1 / plan.fluid.box->settings().dt) * sum;
}

}  // namespace ls
