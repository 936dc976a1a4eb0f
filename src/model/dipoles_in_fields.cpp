#include "model/dipoles_in_fields.h"

#include "physics/dipole_in_field.h"

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

}  // namespace ls
