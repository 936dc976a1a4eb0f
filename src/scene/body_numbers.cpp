#include "scene/body_numbers.h"

#include "build/rigid.h"
#include "math/rotation.h"
#include "scene/schedule.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace ls {

namespace {

using V = Vec3<double>;

// Compliances of the bonds of a body in a row.
struct Row {
  double length = 0, stretch = 0, bend = 0, twist = 0;
};

std::vector<Row> rows_of(const Model& m) {
  std::vector<Row> rows(m.bodies.size());
  for (const BondTable& table : m.bond_tables)
    for (const BondEntry& b : table.bonds) {
      if (m.body_of[b.node1] != m.body_of[b.node2]) continue;
      const ElasticBond& k = table.classes[b.cls].stiffness;
      Row& row = rows[m.body_of[b.node1]];
      row.length += k.l;
      row.stretch += 1 / k.kr;
      row.bend += 1 / std::min(k.kb1, k.kb2);
      row.twist += 1 / k.kt;
    }
  return rows;
}

// The strongest that acts on some nodes of each body, over all stages.
struct Strongest {
  double gravity = 0;         // m/s^2
  std::vector<double> field;  // [body] T
};

Strongest strongest(const Plan& plan) {
  Strongest found;
  found.field.assign(plan.model.bodies.size(), 0.0);
  Schedule schedule(plan, 1.0);
  State state;
  state.nodes = plan.start.nodes;
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    state.clock.stage = static_cast<int>(k);
    schedule.begin_stage(state);
    const auto steps = static_cast<double>(schedule.spans()[k].steps);
    for (const double s : {0.0, 0.25, 0.5, 1.0}) {
      const Inputs in = schedule.within(state.clock, s * steps);
      found.gravity = std::max(found.gravity, norm(in.gravity));
      for (std::size_t b = 0; b < found.field.size() && !in.fields.empty(); ++b) {
        const auto& nodes = plan.model.bodies[b].nodes;
        for (const int node : {nodes.front(), nodes[nodes.size() / 2], nodes.back()}) {
          const V x = state.nodes.frame(node).x;
          FieldSample sample;
          for (const auto& field : in.fields) field->add(&x, 1, 0, &sample);
          if (std::isfinite(norm(sample.b))) found.field[b] = std::max(found.field[b], norm(sample.b));
        }
      }
    }
    state.clock.step_in_stage = schedule.spans()[k].steps;
    schedule.end_stage(state);
    state.clock.step_in_stage = 0;
    state.clock.time += schedule.spans()[k].duration;
  }
  return found;
}

double extent_of(const Plan& plan, const Body& body) {
  V low = plan.start.nodes.frame(body.nodes.front()).x, high = low;
  double radius = 0;
  for (const int n : body.nodes) {
    const V x = plan.start.nodes.frame(n).x;
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
    radius = std::max(radius, plan.model.radius[n]);
  }
  return std::max({high.x - low.x, high.y - low.y, high.z - low.z}) + 2 * radius;
}

void add_rod(const Body& body, const Row& row, double moments, double field, double gravity, BodyNumbers& n) {
  const double volume = [&] {
    double sum = 0;
    for (std::size_t k = 0; k < body.area.size(); ++k) sum += body.area[k] * body.weight[k];
    return sum;
  }();
  n.length = body.arc.back();
  double radius = 0;
  for (const double r : body.flow_radius) radius += r / static_cast<double>(body.flow_radius.size());
  n.slenderness = n.length / (2 * radius);
  n.density = n.mass / volume;
  if (!(row.length > 0)) return;
  n.ea = row.length / row.stretch;
  n.ei = row.length / row.bend;
  n.gj = row.length / row.twist;
  n.young = n.ea * n.length / volume;
  if (!(n.ei > 0)) return;
  n.magnetic = moments * field * n.length / n.ei;
  n.gravity = n.mass * gravity * n.length * n.length / n.ei;
}

std::string shared_name(const std::string& name) {
  return name.substr(0, name.find('['));
}

}  // namespace

std::vector<BodyNumbers> body_numbers(const Plan& plan) {
  const Model& m = plan.model;
  const std::vector<Row> rows = rows_of(m);
  const Strongest acts = strongest(plan);
  std::vector<BodyNumbers> all;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const Body& body = m.bodies[b];
    if (body.kind == BodyKind::wall) continue;
    const std::string name = shared_name(body.name);
    const bool is_one_of_many = name != body.name;
    if (is_one_of_many && !all.empty() && all.back().name == name) {
      ++all.back().alike;
      continue;
    }
    BodyNumbers n;
    n.name = name;
    V moment{};
    double moments = 0;
    for (const int node : body.nodes) {
      if (m.mass[node] > weightless) n.mass += m.mass[node];
      const V own = moment_of(m, node);
      moment += rotate(plan.start.nodes.frame(node).q, own);
      moments += norm(own);
    }
    n.moment = norm(moment);
    if (body.kind == BodyKind::rod)
      add_rod(body, rows[b], moments, acts.field[b], acts.gravity, n);
    else
      n.length = extent_of(plan, body);
    all.push_back(n);
  }
  return all;
}

// The bounds are far beyond what anybody has simulated: rubber and steel, hair and cables pass.
std::vector<std::string> absurdities(const BodyNumbers& n) {
  std::vector<std::string> all;
  const auto say = [&](const std::string& what) { all.push_back(fmt::format("`{}` {}", n.name, what)); };
  if (n.length > 1e4 || n.length < 1e-9) say(fmt::format("is {:.3g} m long: is that in the right unit?", n.length));
  if (n.density > 0 && (n.density > 3e4 || n.density < 0.1))
    say(fmt::format("has a density of {:.3g} kg/m^3: water has 1000", n.density));
  if (n.young > 0 && (n.young < 10 || n.young > 1e13))
    say(fmt::format("stretches as if Young's modulus were {:.3g} Pa: rubber has 1e6, steel 2e11", n.young));
  if (n.slenderness > 0 && n.slenderness < 0.05)
    say(fmt::format("is {:.3g} times as long as thick: is that a rod, and in the right units?", n.slenderness));
  if (n.slenderness > 1e6) say(fmt::format("is {:.3g} times as long as thick", n.slenderness));
  if (n.gravity > 1e7)
    say(fmt::format("would collapse under its weight: rho g A L^3/EI is {:.3g}, of a soft rod some 10", n.gravity));
  if (n.magnetic > 1e5)
    say(fmt::format("would be torn by the field: M B A L^2/EI is {:.3g}, of a soft magnet some 10", n.magnetic));
  return all;
}

}  // namespace ls
