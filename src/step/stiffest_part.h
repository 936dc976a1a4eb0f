#pragma once
#include "model/model.h"

namespace ls {

// A part of a large model around its stiffest bonds, as a model of its own: nodes and bonds, and nothing else.
struct ModelPart {
  Model model;
  State state;
  std::vector<std::uint8_t> held;  // [node] Hold bits
};

// Some of them, each with at most so many nodes that bonds connect. The fastest vibrations of a model are those of its
// stiffest part, where neighbours move against each other, and need no more than some thousand of them: what is cut off
// lowers the frequency by (pi/n)^2 for n nodes in a row.
std::vector<ModelPart> stiffest_parts(const Model& model, const State& state, const std::vector<std::uint8_t>& held,
                                      int nodes);

}  // namespace ls
