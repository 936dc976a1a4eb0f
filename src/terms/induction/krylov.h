#pragma once
#include <functional>
#include <vector>

// Symmetric linear systems that are known by their products alone. Sums run in one order, whatever the threads.
namespace ls {

using Product = std::function<void(const std::vector<double>& x, std::vector<double>& product)>;

struct LinearSystem {
  Product matrix;
  Product preconditioner;  // positive definite
};

enum class KrylovStop { done, too_slow, indefinite };

struct KrylovResult {
  KrylovStop stop = KrylovStop::done;
  int iterations = 0;
  std::vector<double> along;  // where it is not definite: a direction that shows it
};

// Adds to x what takes the residual from `residual`, that of x, to a norm of at most `small`; the residual goes along.
// Conjugate gradients, for positive definite matrices (M. R. Hestenes and E. Stiefel, 1952).
KrylovResult solve_definite(const LinearSystem& system, double small, int most_iterations, std::vector<double>& x,
                            std::vector<double>& residual);
// By the least residual, for matrices that are not definite (C. C. Paige and M. A. Saunders, SIAM Journal on Numerical
// Analysis 12 (1975) 617).
KrylovResult solve_indefinite(const LinearSystem& system, double small, int most_iterations, std::vector<double>& x,
                              std::vector<double>& residual);

}  // namespace ls
