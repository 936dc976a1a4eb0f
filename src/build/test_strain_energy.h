#pragma once
// The energy of all bonds of a model, straight from the kernels: this layer knows no terms.
#include "model/model.h"
#include "physics/kernels.h"

namespace ls::test {

template <class K>
Modes<double> strain_energy_of(const BondTable& table, const Nodes& nodes) {
  Modes<double> sum;
  for (const BondEntry& e : table.bonds) {
    const BondClass& c = table.classes[e.cls];
    Frame<double> f[2] = {nodes.frame(e.node1), nodes.frame(e.node2)};
    f[0].q = f[0].q * c.rest1, f[1].q = f[1].q * c.rest2;
    sum += K::energy(K::of(c.stiffness), f);
  }
  return sum;
}

template <class... K>
Modes<double> strain_energy_of(KernelList<K...>, const BondTable& table, const Nodes& nodes) {
  Modes<double> sum;
  ((table.kernel == K::name ? sum = strain_energy_of<K>(table, nodes) : sum), ...);
  return sum;
}

inline Modes<double> strain_energy(const Model& model, const Nodes& nodes) {
  Modes<double> sum;
  for (const BondTable& table : model.bond_tables) sum += strain_energy_of(BondKernels{}, table, nodes);
  return sum;
}

}  // namespace ls::test
