#pragma once
#include "model/finite.h"
#include "scene/schedule.h"
#include "step/work.h"

#include <initializer_list>
#include <string>

// What is behind a number that is none: whoever wrote the scene can mend that, and not "the state".
namespace ls {

// The first of gravity, loads, drives, fields, flow and fluid that is not finite at one of these shares of the step
// that the clock is about to take, as a sentence without its full stop: "the load on r[20] is not a number at s = 0.5".
// Empty where all are numbers.
std::string bad_input(const Plan& plan, const Schedule& schedule, const State& s, std::initializer_list<double> shares);

// Of what drives a fluid from outside.
std::string bad_fluid(const FluidInputs& in);

// Which contact of a state pushes with a force that is none, because it is deeper than its law goes. Empty: none does.
std::string bad_contact(const Plan& plan, const Inputs& in, const State& s, const Work& work);

// How a node went astray within a step of dt: turned too far, or no longer a number; and what to do about it.
std::string astray_node(const Plan& plan, const State& s, int from, double dt, double critical);

}  // namespace ls
