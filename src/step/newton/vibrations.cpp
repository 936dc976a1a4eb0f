#include "step/newton/vibrations.h"

#include "base/rng.h"
#include "model/inertia.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace ls {

namespace {

using Vector = Eigen::VectorXd;
constexpr int rigid_motions = 6;  // of a body that floats

class Lanczos {
 public:
  Lanczos(const Model& m, const State& s, NewtonWork& newton)
      : m_(m), s_(s), newton_(newton), joints_(newton.terms.joints), size_(dofs * m.nodes) {
    free_ = 0;
    for (int i = 0; i < m.nodes; ++i)
      for (int c = 0; c < dofs; ++c) free_ += (newton.held[i] >> c) & 1 ? 0 : 1;
  }

  // Modes not among those found already, which are M-orthogonal to all of these; false where nothing is left.
  bool search(int wanted, std::vector<Vector>& shapes, std::vector<double>& inverse, int round) const {
    std::vector<Vector> q;
    const int most = std::min(free_ - static_cast<int>(shapes.size()), 12 * wanted + 120);
    if (most <= 0) return false;
    Vector r = start(round);
    const double first = std::sqrt(r.dot(mass(r)));
    r = purged(r, shapes, q);
    double beta = std::sqrt(r.dot(mass(r)));
    if (!(beta > (joints_ ? nothing * first : 0))) return false;
    Eigen::MatrixXd t = Eigen::MatrixXd::Zero(most, most);
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;
    for (int j = 0; j < most; ++j) {
      newton_.pulse.beat();
      q.emplace_back(r / beta);
      const Vector mq = mass(q[j]);
      r = solved(mq);
      t(j, j) = r.dot(mq);
      r = purged(purged(r, shapes, q), shapes, q);
      beta = std::sqrt(std::max(0.0, r.dot(mass(r))));
      const bool last = j + 1 == most || beta < (joints_ ? nothing : 1e-13) * std::abs(t(0, 0));
      if (last || j % 10 == 9) {
        eigen.compute(t.topLeftCorner(j + 1, j + 1));
        if (last || settled(eigen, beta, wanted)) break;
      }
      if (j + 1 < most) t(j + 1, j) = t(j, j + 1) = beta;
    }
    return take(eigen, q, beta, wanted, shapes, inverse);
  }
  Vector mass(const Vector& u) const {
    Vector r(size_);
    for (int i = 0; i < m_.nodes; ++i) {
      const auto q = s_.nodes.frame(i).q;
      const auto at = [&](int c) { return (newton_.held[i] >> c) & 1 ? 0.0 : u[dofs * i + c]; };
      const auto t = angular_momentum(m_, i, q, {at(3), at(4), at(5)});
      const double out[dofs] = {m_.mass[i] * at(0), m_.mass[i] * at(1), m_.mass[i] * at(2), t.x, t.y, t.z};
      for (int c = 0; c < dofs; ++c) r[dofs * i + c] = (newton_.held[i] >> c) & 1 ? 0.0 : out[c];
    }
    return r;
  }

 private:
  // The same for every run, without any symmetry.
  Vector start(int round) const {
    Vector r(size_);
    for (int i = 0; i < size_; ++i)
      r[i] = uniform(77, static_cast<std::uint64_t>(round), static_cast<std::uint64_t>(i), 0) - 0.5;
    return solved(r);
  }
  // K^-1 r, of the motions alone that joints let be: in the matrix their rows only give way little, and what a soft
  // motion loses by that may be much of it.
  Vector solved(const Vector& r) const {
    constexpr int most_rounds = 60;  // in each the rows open by a share of what they did before
    Vector pull = r, u = r;
    newton_.ldlt.solve(u.data());
    for (int round = 0; joints_ && round < most_rounds; ++round) {
      joints_->subtract_pull(u.data(), pull.data());
      Vector next = pull;
      newton_.ldlt.solve(next.data());
      const double changed = (next - u).norm();
      u = std::move(next);
      if (!(changed > 1e-14 * u.norm())) break;
    }
    return u;
  }
  Vector purged(Vector r, const std::vector<Vector>& shapes, const std::vector<Vector>& q) const {
    const Vector mr = mass(r);
    for (const auto* list : {&shapes, &q})
      for (const auto& a : *list) r -= a.dot(mr) * a;
    return r;
  }
  // The slowest ones, stable or not, are at the two ends of the spectrum of K^-1 M.
  static std::vector<int> in_order(const Vector& inverse) {
    std::vector<int> order(static_cast<std::size_t>(inverse.size()));
    for (int i = 0; i < inverse.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](int a, int b) { return std::abs(inverse[a]) > std::abs(inverse[b]); });
    return order;
  }
  static bool is_settled(const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>& e, int i, double beta) {
    return std::abs(beta * e.eigenvectors()(e.eigenvalues().size() - 1, i)) < 1e-9 * std::abs(e.eigenvalues()[i]);
  }
  static bool settled(const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>& e, double beta, int wanted) {
    const auto order = in_order(e.eigenvalues());
    if (static_cast<int>(order.size()) < wanted) return false;
    return std::all_of(order.begin(), order.begin() + wanted, [&](int i) { return is_settled(e, i, beta); });
  }
  bool take(const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>& e, const std::vector<Vector>& q, double beta,
            int wanted, std::vector<Vector>& shapes, std::vector<double>& inverse) const {
    const auto order = in_order(e.eigenvalues());
    int taken = 0;
    for (std::size_t k = 0; k < order.size() && taken < wanted; ++k) {
      const int i = order[k];
      if (!is_settled(e, i, beta)) break;
      Vector u = Vector::Zero(size_);
      for (Eigen::Index j = 0; j < e.eigenvalues().size(); ++j) u += e.eigenvectors()(j, i) * q[j];
      shapes.emplace_back(u / std::sqrt(u.dot(mass(u))));
      inverse.push_back(e.eigenvalues()[i]);
      ++taken;
    }
    return taken > 0;
  }

  // Of a vector, beside what it came from: where joints leave only so many motions, and all are found.
  static constexpr double nothing = 1e-11;
  const Model& m_;
  const State& s_;
  NewtonWork& newton_;
  const Joints* joints_;
  int size_, free_ = 0;
};

Vibration vibration(const Vector& u, double omega_squared, int nodes) {
  Vibration v;
  v.omega_squared = omega_squared;
  Eigen::Index top = 0;
  double most = 0;
  for (int i = 0; i < nodes; ++i)  // a margin, so that rounding does not choose between symmetric places
    for (int c = 0; c < 3; ++c)
      if (std::abs(u[dofs * i + c]) > (1 + 1e-6) * most) most = std::abs(u[dofs * i + c]), top = dofs * i + c;
  const double sign = u[top] < 0 ? -1 : 1;
  for (int i = 0; i < nodes; ++i) {
    const auto at = [&](int c) { return sign * u[dofs * i + c]; };
    v.shape.push_back({{at(0), at(1), at(2)}, {at(3), at(4), at(5)}});
  }
  return v;
}

// Counts vibrations by the signs of pivots (Sylvester), which holds whether the model floats, stands or falls.
class Counter {
 public:
  Counter(const Model& m, const State& s, NewtonWork& newton)
      : m_(m), s_(s), newton_(newton), stiffness_(newton.stiffness) {}

  // With omega^2 below that; -1 where it can't be told.
  int below(double omega_squared) {
    for (const double nudged : {1.0, 1 + 1e-9, 1 - 1e-9}) {
      newton_.stiffness = stiffness_;
      add_mass(m_, s_, -nudged * omega_squared, newton_.stiffness);
      if (newton_.ldlt.factor(newton_.stiffness, newton_.held, newton_.pulse)) return newton_.ldlt.negative_pivots();
    }
    return -1;
  }
  // About the omega^2 of the vibration of that number, not counting bodies that float: none of their rigid motions,
  // which have none, should be what sets a scale.
  double about(int number) {
    const double high = fastest();
    const int freedoms = this->freedoms();
    number += rigid_motions * pieces();
    if (const Joints* joints = newton_.terms.joints) {
      const auto closed = [](const JointRowEntry& row) { return row.use == RowUse::closed; };
      const auto rows = std::count_if(joints->rows().begin(), joints->rows().end(), closed);
      number = std::clamp(freedoms - static_cast<int>(rows), 1, number);
    }
    double scale = high;
    if (number >= freedoms) return scale;
    while (scale > 1e-17 * high && below(0.1 * scale) >= number) scale *= 0.1;
    return scale;
  }
  // About the largest omega^2.
  double fastest() const {
    double most = 0;
    for_each_freedom([&](int i, int c, double inertia) {
      most = std::max(most, std::abs(stiffness_.diagonal(i)[(dofs + 1) * c]) / inertia);
    });
    return 2 * most;
  }

 private:
  // Parts of the model that nothing joins to each other.
  int pieces() const {
    const BlockPattern& p = stiffness_.pattern();
    std::vector<int> parent(static_cast<std::size_t>(p.size));
    for (int i = 0; i < p.size; ++i) parent[i] = i;
    const auto root = [&](int i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    int count = p.size;
    for (int c = 0; c < p.size; ++c)
      for (int b = p.first[c]; b < p.first[c + 1]; ++b)
        if (const int one = root(c), other = root(p.row[b]); one != other) parent[other] = one, --count;
    return count;
  }
  int freedoms() const {
    int count = 0;
    for_each_freedom([&](int, int, double) { ++count; });
    return count;
  }
  // With its node, its number there, and its mass or least moment of inertia.
  template <class Do>
  void for_each_freedom(Do&& act) const {
    for (int i = 0; i < m_.nodes; ++i) {
      const Vec3<double> principal = principal_inertia(m_, i);
      const double inertia = std::min({principal.x, principal.y, principal.z});
      for (int c = 0; c < dofs; ++c)
        if (!((newton_.held[i] >> c) & 1)) act(i, c, c < 3 ? m_.mass[i] : inertia);
    }
  }

  const Model& m_;
  const State& s_;
  NewtonWork& newton_;
  BlockMatrix stiffness_;
};

}  // namespace

void add_mass(const Model& m, const State& s, double factor, BlockMatrix& stiffness) {
  for (int i = 0; i < m.nodes; ++i) {
    double* d = stiffness.diagonal(i);
    for (int a = 0; a < 3; ++a) d[(dofs + 1) * a] += factor * m.mass[i];
    add_inertia(m, i, s.nodes.frame(i).q, factor, d);
  }
}

double Vibration::frequency() const {
  const double omega = std::sqrt(std::abs(omega_squared));
  return (omega_squared < 0 ? -omega : omega) / (2 * std::numbers::pi);
}

std::vector<Vibration> lowest_vibrations(const Model& m, const Inputs& in, const std::vector<HeldNode>& held,
                                         const State& s, NewtonWork& newton, int count, double shift) {
  if (!factor_stiffness(m, in, held, s, newton) && shift == 0) return {};
  if (shift != 0) {
    add_mass(m, s, shift, newton.stiffness);
    if (!newton.ldlt.factor(newton.stiffness, newton.held, newton.pulse)) return {};
  }
  const Lanczos lanczos(m, s, newton);
  std::vector<Vector> shapes;
  std::vector<double> inverse;
  // One search finds one of each set of equal frequencies (a round rod has pairs); later ones find the others.
  for (int round = 0; round < 2 * count + 2; ++round) {
    const std::size_t before = inverse.size();
    if (!lanczos.search(count, shapes, inverse, round)) break;
    const auto slowest_new = *std::max_element(inverse.begin() + static_cast<std::ptrdiff_t>(before), inverse.end(),
                                               [](double a, double b) { return std::abs(a) < std::abs(b); });
    auto earlier = std::vector<double>(inverse.begin(), inverse.begin() + static_cast<std::ptrdiff_t>(before));
    std::sort(earlier.begin(), earlier.end(), [](double a, double b) { return std::abs(a) > std::abs(b); });
    if (static_cast<int>(before) >= count && std::abs(slowest_new) < std::abs(earlier[count - 1])) break;
  }
  std::vector<int> order(inverse.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return std::abs(inverse[a]) > std::abs(inverse[b]); });
  if (static_cast<int>(order.size()) > count) order.resize(count);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return 1 / inverse[a] < 1 / inverse[b]; });
  std::vector<Vibration> found;
  found.reserve(order.size());
  for (const int i : order) found.push_back(vibration(shapes[i], 1 / inverse[i] - shift, m.nodes));
  return found;
}

double vibration_scale(const Model& m, const Inputs& in, const std::vector<HeldNode>& held, const State& s,
                       NewtonWork& newton, int number) {
  (void)factor_stiffness(m, in, held, s, newton);
  return Counter(m, s, newton).about(number);
}

std::vector<Vibration> natural_vibrations(const Model& m, const Inputs& in, const std::vector<HeldNode>& held,
                                          const State& s, NewtonWork& newton, int count) {
  if (in.of_vibrations) renew_pattern(m, in, s, newton);
  (void)factor_stiffness(m, in, held, s, newton);
  Counter counter(m, s, newton);
  double shift = 0.01 * counter.about(count);
  if (!(shift > 0)) return {};
  for (int k = 0; counter.below(-shift) != 0; ++k) {
    if (k == 60) return {};
    shift *= 4;
  }
  return lowest_vibrations(m, in, held, s, newton, count, shift);
}

bool is_stable(const Model& m, const Inputs& in, State& s, NewtonWork& newton) {
  constexpr double neutral = 1e-6;  // of the omega^2 of the next vibration
  // What rounding makes of none: of the omega^2 of the fastest one. Contact within picometres is 10^12 times as stiff
  // as magnets that turn.
  constexpr double rounding = 1e-15, most_by_rounding = 1e-3;
  constexpr double weight = 10;  // m/s^2
  if (!factor_stiffness(m, in, in.held, s, newton)) return false;
  int& negative = s.memory.negative_pivots;
  negative = newton.ldlt.negative_pivots();
  if (negative == 0 || negative > rigid_motions) return negative == 0;
  const double noise = rounding * Counter(m, s, newton).fastest();
  const auto found = natural_vibrations(m, in, in.held, s, newton, negative + rigid_motions);
  const bool joined = newton.terms.joints && !found.empty();
  if (joined) {  // what is softer than a joint that opens is not what the joint lets be
    const auto is_negative = [](const Vibration& v) { return v.omega_squared < 0; };
    negative = static_cast<int>(std::count_if(found.begin(), found.end(), is_negative));
    if (negative == 0) return true;
  }
  double largest = 0;  // of those before
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double now = found[i].omega_squared;
    if (static_cast<int>(i) >= negative && now > 0 &&
        largest <= std::max(neutral * now, std::min(noise, most_by_rounding * now))) {
      negative = 0;
      return true;
    }
    largest = std::max(largest, std::abs(now));
  }
  // Of a linkage those may be all there are: beside how a weight swings in it.
  if (joined && static_cast<int>(found.size()) == negative && largest <= neutral * weight / newton.size) negative = 0;
  return negative == 0;
}

}  // namespace ls
