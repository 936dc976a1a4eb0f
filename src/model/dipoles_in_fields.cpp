#include "model/dipoles_in_fields.h"

#include "model/soft_moments.h"
#include "physics/dipole_in_field.h"
#include "physics/magnets.h"

#include <algorithm>
#include <cmath>

namespace ls {

double energy_in_fields(const Model& model, const State& state, const Inputs& in, const std::vector<int>& nodes) {
  double sum = 0;
  if (model.moment[0].empty()) return sum;
  const auto add = [&](const Dipole& d) {
    const Frame<double> f = state.nodes.frame(d.node);
    const Vec3<double> x = f.x + rotate(f.q, d.position);
    FieldSample sample;
    for (const auto& field : in.fields) field->add(&x, 1, 0, &sample);
    sum += in.load_factor * dipole_energy(rotate(f.q, moment_factor(in, d.node) * d.moment), sample.b);
  };
  const auto& samples = model.dipoles.samples;
  for (const int i : nodes) {
    auto own = std::lower_bound(samples.begin(), samples.end(), i, [](const Dipole& d, int n) { return d.node < n; });
    if (own == samples.end() || own->node != i) add({i, {}, moment_of(model, i)});
    for (; own != samples.end() && own->node == i; ++own) add(*own);
  }
  return sum;
}

int first_node_without_field(const Model& model, const State& state, const Inputs& in) {
  const auto has_field = [&](int node, const Vec3<double>& position) {
    const Frame<double> pose = state.nodes.frame(node);
    const Vec3<double> x = pose.x + rotate(pose.q, position);
    FieldSample f;
    for (const auto& field : in.fields) field->add(&x, 1, 1, &f);
    return std::isfinite(norm(f.b) + norm(f.gradient.c1) + norm(f.gradient.c2) + norm(f.gradient.c3));
  };
  for (const Dipole& d : all_dipoles(model))
    if (!has_field(d.node, d.position)) return d.node;
  for (const SoftCell& c : model.soft.cells)
    if (!has_field(c.node, c.position)) return c.node;
  return -1;
}

Vec3<double> magnetic_field_at(const Model& model, const State& state, const Inputs& in, const Vec3<double>& x) {
  FieldSample f;
  for (const auto& field : in.fields) field->add(&x, 1, 0, &f);
  Vec3<double> of_dipoles{};
  const auto add = [&](int node, const Vec3<double>& position, const Vec3<double>& moment) {
    const Frame<double> pose = state.nodes.frame(node);
    of_dipoles += mu0 * dipole_field(rotate(pose.q, moment), x - (pose.x + rotate(pose.q, position)));
  };
  for (const Dipole& d : all_dipoles(model)) add(d.node, d.position, moment_factor(in, d.node) * d.moment);
  const auto& cells = model.soft.cells;
  for (std::size_t i = 0; i < cells.size() && state.memory.inner_field.size() == cells.size(); ++i)
    add(cells[i].node, cells[i].position, moment_of(cells[i], state.memory.inner_field[i]));
  return in.load_factor * (f.b + of_dipoles);
}

}  // namespace ls
