#pragma once
#include "step/newton/newton_work.h"

namespace ls {

// Steps in time of models that touch: rigid bodies that touch nothing on their way go by the midpoint, all others by
// backward Euler, which damps what the barrier takes up and gives back. Of a rigid body that rests, rolls or slides it
// damps only the motion that contact resists (inertia.h).

// How far nodes come in a step that takes dt: held ones to where they are held, the others by their velocities and the
// last wrenches on them, and a little farther.
void foresee_way(const Model& m, const std::vector<HeldNode>& held, const Nodes& start, double dt, Move& way);
// From one pose to another.
void find_way(const Nodes& from, const Nodes& to, Move& way);

// Gives the midpoint to rigid bodies of which contact says that they meet nothing on newton.move.
void let_fly(const Model& m, const Inputs& in, const std::vector<HeldNode>& held, const State& start,
             NewtonWork& newton);
// How many of those that are not held do.
enum class Flight { none, some, all };
Flight flight_of(const std::vector<HeldNode>& held, const NewtonWork& newton);
// Takes it back from those that met something after all; returns whether there were any.
bool take_back(const Inputs& in, const State& start, NewtonWork& newton);

// What rigid bodies in contact keep of their motion. Contact must have begun the step.
void find_kept(const Model& m, const Inputs& in, const std::vector<HeldNode>& held, double dt, const State& start,
               NewtonWork& newton);

}  // namespace ls
