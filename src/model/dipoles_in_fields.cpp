#include "model/dipoles_in_fields.h"

#include "physics/dipole_in_field.h"

#include <cmath>

namespace ls {

double energy_in_fields(const Model& model, const State& state, const Inputs& in, const std::vector<int>& nodes) {
  double sum = 0;
  if (model.moment[0].empty()) return sum;
  for (const int i : nodes) {
    const Frame<double> f = state.nodes.frame(i);
    FieldSample sample;
    for (const auto& field : in.fields) field->add(&f.x, 1, 0, &sample);
    const Vec3<double> m = rotate(f.q, moment_of(model, i));
    sum += in.load_factor * dipole_energy(m, sample.b);
  }
  return sum;
}

int first_node_without_field(const Model& model, const State& state, const Inputs& in) {
  if (model.moment[0].empty()) return -1;
  for (int i = 0; i < model.nodes; ++i) {
    if (model.moment[0][i] == 0 && model.moment[1][i] == 0 && model.moment[2][i] == 0) continue;
    const Vec3<double> x = state.nodes.frame(i).x;
    FieldSample f;
    for (const auto& field : in.fields) field->add(&x, 1, 1, &f);
    if (!std::isfinite(norm(f.b) + norm(f.gradient.c1) + norm(f.gradient.c2) + norm(f.gradient.c3))) return i;
  }
  return -1;
}

}  // namespace ls
