#pragma once
#include <cstdint>
#include <vector>

namespace ls {

// Forces x that answer each for an error, within bounds: the least of x.g x/2 - right.x, with g symmetric and positive
// definite. What is left of the errors is right - g x: nothing where x is between its bounds, no less than 0 where it
// is at the upper one, no more than 0 at the lower one.
struct BoxProblem {
  std::vector<double> g;                 // [row][column]
  std::vector<double> right, low, high;  // [row]
};
enum class Side : std::int8_t { low = -1, between = 0, high = 1 };

// side: a guess that becomes the answer, [row]; x: the forces. False where g is not positive definite, or no answer was
// found in time; both are unchanged then.
[[nodiscard]] bool solve_box_problem(const BoxProblem& problem, std::vector<Side>& side, std::vector<double>& x);

}  // namespace ls
