#pragma once
#include "model/inputs.h"

#include <limits>

namespace ls {

// What clamps and drives impose on the nodes they hold.
inline constexpr int all_nodes = std::numeric_limits<int>::max();

// Poses of the held nodes before a drift: those with one or two held rotations are turned again from here, and what
// they carry along goes as far as they do.
struct HeldBefore {
  HeldBefore(const Inputs& in, const State& s);
  std::vector<Frame<double>> pose;  // [held node]
};

// Of the held nodes: those in [first, last), by their places in Inputs::held.
struct HeldPart {
  std::size_t first, last;
};
// Those among the nodes [first, last); of entries that are not in the order of their nodes it is all.
HeldPart held_among(const Inputs& in, bool in_order, int first, int last);
bool is_in_order(const std::vector<HeldNode>& held);
void hold_poses(const Inputs& in, const HeldBefore& before, State& s, HeldPart part, int first, int last);
void hold_velocities(const Inputs& in, State& s, HeldPart part, int first, int last);

// Of the nodes in [first, last) only.
void hold_poses(const Inputs& in, const HeldBefore& before, State& s, int first = 0, int last = all_nodes);
void hold_velocities(const Inputs& in, State& s, int first = 0, int last = all_nodes);

// Moves the free nodes of a rod along with its driven ends.
void carry_along(const Model& m, const Inputs& in, const HeldBefore& before, State& s);

// What must be added to the forces of a step for held degrees of freedom to move as they do: the impulse of holds and
// drives, N s. push, start: [of in.held] the impulse of all forces on these nodes, and their velocities at the start.
Vec3<double> drive_impulse(const Model& m, const Inputs& in, const std::vector<Vec3<double>>& push,
                           const std::vector<Vec3<double>>& start, const Nodes& end);

// How far held nodes turn between two shares of a load step, rad. Poses alone do not tell a full turn from none, so the
// way is taken in short pieces, of uneven length lest they all are full turns.
double driven_turn(const InputsAt& at, double from, double to);
// rad, of a driven node in one part of a step of Newton's solvers: its pose must not look like a turn the other way.
inline constexpr double most_driven_turn = 1.6;

}  // namespace ls
