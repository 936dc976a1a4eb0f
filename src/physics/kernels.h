#pragma once
#include "physics/corotational_bond.h"
#include "physics/exact_bond.h"
#include "physics/vector_bond.h"

namespace ls::inline LS_ISA {

template <class... K>
struct KernelList {
  static constexpr int size = sizeof...(K);
};

// Every bond model, once. The terms, the hot loops of every vector width, the scene reader and the property tests are
// generated from this line; the first is the default.
using BondKernels = KernelList<ExactBond, CorotationalBond, VectorBond>;

}  // namespace ls::inline LS_ISA
