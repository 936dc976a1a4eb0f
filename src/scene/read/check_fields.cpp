#include "model/dipoles_in_fields.h"
#include "model/node_name.h"
#include "scene/read/reader.h"
#include "scene/schedule.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

// Whether the fields of a scene can be magnetic fields, and whether anything is there to feel them.
namespace ls {

namespace {

using V = Vec3<double>;

constexpr double tolerance = 1e-6;  // of |grad B|: what rounded constants in a formula may leave
constexpr int most_nodes = 40;      // looked at

struct Violation {
  double value = 0, share = 0;  // T/m; of |grad B|
  V x{};
  double s = 0;
  int stage = 0;
};

double size(const Mat3<double>& g) {
  return std::sqrt(dot(g.c1, g.c1) + dot(g.c2, g.c2) + dot(g.c3, g.c3));
}
double divergence(const Mat3<double>& g) {
  return std::abs(g.c1.x + g.c2.y + g.c3.z);
}
double curl(const Mat3<double>& g) {
  return norm(V{g.c2.z - g.c3.y, g.c3.x - g.c1.z, g.c1.y - g.c2.x});
}

std::string name_of(const SceneField& field) {
  return field.name.empty() ? fmt::format("the field in line {}", field.place.line)
                            : fmt::format("field `{}`", field.name);
}

// Some nodes of the rods as drawn, and points beside them: on a straight rod through its centre a wrong field may look
// right.
std::vector<V> points_of(const Plan& plan) {
  const int nodes = plan.model.nodes, every = std::max(1, nodes / most_nodes);
  V low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (int i = 0; i < nodes; ++i) {
    const V x = plan.start.nodes.frame(i).x;
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
  const double beside = 0.1 * norm(high - low);
  std::vector<V> points;
  for (int i = 0; i < nodes; i += every) {
    const V x = plan.start.nodes.frame(i).x;
    for (const V& d : {V{}, V{beside, 0, 0}, V{0, beside, 0}, V{0, 0, beside}, V{-beside, beside, -beside}})
      points.push_back(x + d);
  }
  return points;
}

void look(const Field& field, const std::vector<V>& points, double length, int stage, double s, Violation& source,
          Violation& current) {
  for (const V& x : points) {
    FieldSample f;
    field.add(&x, 1, 1, &f);
    const double whole = size(f.gradient);
    if (!std::isfinite(whole) || !(whole * length > 1e-9 * norm(f.b))) continue;
    const double div = divergence(f.gradient), rot = curl(f.gradient);
    if (div / whole > std::max(source.share, tolerance)) source = {div, div / whole, x, s, stage};
    if (rot / whole > std::max(current.share, tolerance)) current = {rot, rot / whole, x, s, stage};
  }
}

void warn(const SceneField& field, const Violation& found, const char* what, const char* why, Plan& plan) {
  if (found.share == 0) return;
  plan.warnings.push_back(
      fmt::format("{}: {} B is not 0: at ({:.3g}, {:.3g}, {:.3g}) m, stage `{}` at s = {:.2g}, it is {:.3g} T/m, "
                  "{:.2g} of the size "
                  "of grad B; {}",
                  name_of(field), what, found.x.x, found.x.y, found.x.z, plan.stages[found.stage].name, found.s,
                  found.value, found.share, why));
}

// A node on a wire, an edge or a point dipole feels nothing that is finite.
void refuse_singular(const SceneField& field, const Inputs& in, std::size_t index, const Plan& plan) {
  Inputs alone;
  alone.fields = {in.fields[index]};
  const int node = first_node_without_field(plan.model, plan.start, alone);
  if (node < 0) return;
  const V x = plan.start.nodes.frame(node).x;
  fail(field.place, fmt::format("at the start it is not finite at {}, ({:.4g}, {:.4g}, {:.4g}) m: a dipole can't "
                                "stand on a point dipole, a wire or an edge, or where a formula has a pole",
                                node_name(plan.model, node), x.x, x.y, x.z));
}

// Goes through the schedule, since a field may be nothing at first.
void check_formulas(Plan& plan) {
  Schedule schedule(plan, 1.0);
  const std::vector<V> points = points_of(plan);
  double length = 0;
  for (const V& x : points) length = std::max(length, norm(x - points.front()));
  std::vector<Violation> source(plan.fields.size()), current(plan.fields.size());
  State state;
  state.nodes = plan.start.nodes;
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    state.clock.stage = static_cast<int>(k);
    schedule.begin_stage(state);
    const auto steps = static_cast<double>(schedule.spans()[k].steps);
    for (const double s : {0.0, 0.31, 0.73, 1.0}) {
      const Inputs in = schedule.within(state.clock, s * steps);
      for (std::size_t i = 0; i < plan.fields.size(); ++i) {
        if (k == 0 && s == 0) refuse_singular(plan.fields[i], in, i, plan);
        if (plan.fields[i].is_formula())
          look(*in.fields[i], points, length, static_cast<int>(k), s, source[i], current[i]);
      }
    }
    state.clock.step_in_stage = schedule.spans()[k].steps;
    schedule.end_stage(state);
    state.clock.step_in_stage = 0;
    state.clock.time += schedule.spans()[k].duration;
  }
  for (std::size_t i = 0; i < plan.fields.size(); ++i) {
    warn(plan.fields[i], source[i], "div", "no magnetic field has sources", plan);
    warn(plan.fields[i], current[i], "curl", "there would be a current in the rod, which is not simulated", plan);
  }
}

// The flow of [drag] where it acts, at the start.
void refuse_singular_flow(const Plan& plan) {
  if (!plan.stream || plan.stages.empty()) return;
  Schedule schedule(plan, 1.0);
  State state;
  state.nodes = plan.start.nodes;
  schedule.begin_stage(state);
  const Inputs in = schedule.now(state.clock);
  if (!in.stream) return;
  for (const DragPiece& piece : plan.model.drag) {
    const V x = plan.start.nodes.frame(piece.node).x;
    FieldSample f;
    in.stream->add(&x, 1, 1, &f);
    if (std::isfinite(norm(f.b) + size(f.gradient))) continue;
    fail(plan.stream->place, fmt::format("at the start the flow, or its slope, is not a number at {}, ({:.4g}, {:.4g}, "
                                         "{:.4g}) m: expected a formula that has a value wherever a body is",
                                         node_name(plan.model, piece.node), x.x, x.y, x.z));
  }
}

}  // namespace

void check_fields(Draft& draft) {
  Plan& plan = draft.plan;
  refuse_singular_flow(plan);
  const bool magnets = !plan.model.moment[0].empty();
  const bool soft = !plan.model.soft.cells.empty();
  if (soft && plan.fields.empty() && !(magnets && plan.model.dipoles.interact))
    plan.warnings.emplace_back(
        "there is a `susceptibility`, but nothing magnetises it: neither a [[field]] nor, with [dipoles], a magnet");
  if (plan.fields.empty()) {
    if (magnets && !plan.model.dipoles.interact)
      plan.warnings.emplace_back(
          "there are magnets, but there is no [[field]]: they will not feel it. With [dipoles] they feel each other");
    return;
  }
  if (!magnets && !soft)
    plan.warnings.emplace_back(
        "there are fields, but nothing is magnetised: give a rod a `magnetisation_direction`, or a rigid body a "
        "`moment`");
  check_formulas(plan);
}

}  // namespace ls
