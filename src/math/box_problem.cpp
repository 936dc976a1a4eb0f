#include "math/box_problem.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace ls {

namespace {

class Search {
 public:
  explicit Search(const BoxProblem& p)
      : n_(static_cast<int>(p.right.size())),
        g_(p.g.data(), n_, n_),
        p_(p),
        x_(p.right.size()),
        left_(p.right.size()) {}

  // The forces between bounds close their errors; the others stay.
  bool solve_for(const std::vector<Side>& side) {
    between_.clear();
    for (int i = 0; i < n_; ++i) {
      if (side[i] == Side::between) between_.push_back(i);
      x_[i] = side[i] == Side::high ? p_.high[i] : side[i] == Side::low ? p_.low[i] : 0;
    }
    find_left();
    const auto count = static_cast<Eigen::Index>(between_.size());
    Eigen::MatrixXd part(count, count);
    Eigen::VectorXd right(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      for (Eigen::Index j = 0; j <= i; ++j) part(i, j) = g_(between_[i], between_[j]);
      right[i] = left_[between_[i]];
    }
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factors(part);
    if (count > 0 && factors.info() != Eigen::Success) return false;
    if (count > 0) factors.solveInPlace(right);
    for (Eigen::Index i = 0; i < count; ++i) x_[between_[i]] = right[i];
    find_left();
    return std::all_of(x_.begin(), x_.end(), [](double a) { return std::isfinite(a); });
  }
  // Where a row ought to be instead.
  Side wanted(int i, Side side) const {
    constexpr double rounding = 1e-9;
    if (side == Side::between) {
      if (x_[i] > p_.high[i] + rounding * std::abs(p_.high[i])) return Side::high;
      return x_[i] < p_.low[i] - rounding * std::abs(p_.low[i]) ? Side::low : side;
    }
    const double little = rounding * g_(i, i) * std::abs(x_[i]);
    return static_cast<double>(side) * left_[i] < -little ? Side::between : side;
  }
  const std::vector<double>& forces() const { return x_; }

 private:
  void find_left() {
    const Eigen::Map<const Eigen::VectorXd> x(x_.data(), n_), right(p_.right.data(), n_);
    Eigen::Map<Eigen::VectorXd>(left_.data(), n_) = right - g_ * x;
  }

  int n_;
  Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> g_;
  const BoxProblem& p_;
  std::vector<double> x_, left_;
  std::vector<int> between_;
};

}  // namespace

// Block principal pivoting (J. J. Júdice and F. M. Pires, Comput. Oper. Res. 21 (1994)): all rows that are on the wrong
// side change at once, which takes a few rounds; where that does not get on, one at a time, the last of them (Murty),
// which ends for every positive definite g, if not always in time.
bool solve_box_problem(const BoxProblem& problem, std::vector<Side>& side, std::vector<double>& x) {
  constexpr int most_rounds = 10;  // without fewer rows on the wrong side
  constexpr int most_in_all = 400;
  const int n = static_cast<int>(problem.right.size());
  Search search(problem);
  std::vector<Side> now = side;
  int fewest = n + 1, spare = most_rounds;
  for (int round = 0; round < most_in_all; ++round) {
    if (!search.solve_for(now)) return false;
    std::vector<std::pair<int, Side>> wrong;
    for (int i = 0; i < n; ++i)
      if (const Side to = search.wanted(i, now[i]); to != now[i]) wrong.emplace_back(i, to);
    const int count = static_cast<int>(wrong.size());
    if (count == 0) {
      side = now, x = search.forces();
      return true;
    }
    if (count < fewest)
      fewest = count, spare = most_rounds;
    else if (spare > 0)
      --spare;
    if (spare == 0) wrong.erase(wrong.begin(), wrong.end() - 1);
    for (const auto& [i, to] : wrong) now[i] = to;
  }
  return false;
}

}  // namespace ls
