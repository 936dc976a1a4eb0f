#pragma once
#include "base/column_block.h"
#include "model/model.h"

namespace ls {

inline constexpr int node_columns = 19;  // of Nodes

// Whether all columns lie in the block in the order in which Nodes makes them.
bool is_in_one_block(Nodes& nodes, const ColumnBlock& block);

// Whether positions, orientations, velocities and spins are the same, bit for bit.
bool same_motion(const Nodes& a, const Nodes& b);

// What a caller has written into a state that was `before`: orientations get length 1. Throws Error where it is no
// motion.
void accept_motion(const Model& m, const Nodes& before, Nodes& now);

}  // namespace ls
