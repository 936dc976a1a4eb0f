#include "step/critical_step.h"

#include "base/rng.h"
#include "math/verlet.h"
#include "step/stiffest_part.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ls {

namespace {

using V = Vec3<double>;
using Vector = std::vector<Twist<double>>;  // [node] as generalised displacement

// M^-1/2 K M^-1/2 times a vector, with held degrees of freedom left out.
class MassScaledStiffness {
 public:
  MassScaledStiffness(const Model& m, const Terms& terms, const State& s, const std::vector<std::uint8_t>& held)
      : m_(m), terms_(terms), s_(s), held_(held) {}

  Vector operator()(const Vector& y) const {
    const Vector move = scaled(y);
    std::vector<Wrench<double>> product(y.size());
    for (const auto& term : terms_.all) term->add_product(s_, Inputs{}, move, product);
    Vector out(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) out[i] = {product[i].force, product[i].torque};
    return scaled(out);
  }
  void free_only(Twist<double>& a, int node) const {
    const int h = held_[node];
    a.v = {h & 1 ? 0 : a.v.x, h & 2 ? 0 : a.v.y, h & 4 ? 0 : a.v.z};
    a.w = {h & 8 ? 0 : a.w.x, h & 16 ? 0 : a.w.y, h & 32 ? 0 : a.w.z};
  }

 private:
  Vector scaled(Vector a) const {
    for (int i = 0; i < m_.nodes; ++i) {
      auto& t = a[i];
      free_only(t, i);
      const Quat<double> q = s_.nodes.frame(i).q;
      const V own = rotate(conj(q), t.w);
      t.v = (1 / std::sqrt(m_.mass[i])) * t.v;
      t.w = rotate(q, V{own.x / std::sqrt(m_.inertia[0][i]), own.y / std::sqrt(m_.inertia[1][i]),
                        own.z / std::sqrt(m_.inertia[2][i])});
      free_only(t, i);
    }
    return a;
  }

  const Model& m_;
  const Terms& terms_;
  const State& s_;
  const std::vector<std::uint8_t>& held_;
};

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += ls::dot(a[i].v, b[i].v) + ls::dot(a[i].w, b[i].w);
  return sum;
}
void add(Vector& a, double s, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i].v += s * b[i].v, a[i].w += s * b[i].w;
}
void scale(Vector& a, double s) {
  for (auto& t : a) t.v = s * t.v, t.w = s * t.w;
}

double largest_ritz_value(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  const auto n = static_cast<Eigen::Index>(diagonal.size());
  Eigen::MatrixXd t = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    t(i, i) = diagonal[i];
    if (i + 1 < n) t(i, i + 1) = t(i + 1, i) = beside[i];
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(t, Eigen::EigenvaluesOnly).eigenvalues()[n - 1];
}

}  // namespace

double largest_frequency(const Model& m, const Terms& terms, const State& s, const std::vector<std::uint8_t>& held) {
  constexpr int most_rounds = 120;
  const MassScaledStiffness stiffness(m, terms, s, held);
  Vector q(static_cast<std::size_t>(m.nodes)), before(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto draw = [i](std::uint64_t c) { return uniform(1, 0, i, c) - 0.5; };
    q[i] = {{draw(0), draw(1), draw(2)}, {draw(3), draw(4), draw(5)}};
    stiffness.free_only(q[i], static_cast<int>(i));
  }
  const double start = std::sqrt(dot(q, q));
  if (start == 0) return 0;
  scale(q, 1 / start);
  std::vector<double> diagonal, beside;
  double largest = 0;
  for (int round = 0; round < most_rounds; ++round) {
    Vector r = stiffness(q);
    diagonal.push_back(dot(q, r));
    add(r, -diagonal.back(), q);
    if (!beside.empty()) add(r, -beside.back(), before);
    const double next = std::sqrt(dot(r, r));
    const double found = largest_ritz_value(diagonal, beside);
    const bool settled = round > 8 && std::abs(found - largest) < 1e-7 * std::abs(found);
    largest = found;
    if (settled || !(next > 1e-13 * std::abs(largest))) break;
    scale(r, 1 / next);
    beside.push_back(next);
    before = std::move(q);
    q = std::move(r);
  }
  return largest > 0 ? std::sqrt(largest) : 0;
}

bool are_rods(const Model& m) {
  std::vector<int> bonds(static_cast<std::size_t>(m.nodes), 0);
  for (const BondTable& t : m.bond_tables)
    for (const BondEntry& b : t.bonds) ++bonds[b.node1], ++bonds[b.node2];
  return std::ranges::none_of(bonds, [](int n) { return n > 2; });
}

double largest_frequency_by_parts(const Model& m, const State& s, const std::vector<std::uint8_t>& held) {
  constexpr int part_nodes = 4000;
  double largest = 0;
  for (const ModelPart& part : stiffest_parts(m, s, held, part_nodes))
    largest = std::max(largest, largest_frequency(part.model, make_terms(part.model), part.state, part.held));
  return largest;
}

double critical_step(double frequency, double damping_time) {
  return verlet_limit(frequency, damping_time);
}

double critical_step(double vibrations, const Terms& terms, const State& s, const Inputs& in) {
  double stiffness = 1 / (vibrations * vibrations), others = std::numeric_limits<double>::infinity();
  for (const auto& term : terms.all) {
    const Limits l = term->limits(s, in);
    if (l.stiffens)
      stiffness += 1 / (l.step * l.step);
    else
      others = std::min(others, l.step);
  }
  return std::min(stiffness > 1 / (vibrations * vibrations) ? 1 / std::sqrt(stiffness) : vibrations, others);
}

}  // namespace ls
