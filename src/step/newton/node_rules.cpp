#include "step/newton/node_rules.h"

#include "math/rotation.h"
#include "model/inertia.h"
#include "step/newton/inertia.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

// Of mass over dt^2: a contact of this stiffness damps half of the motion that it resists.
constexpr double half_damped = 0.01;
constexpr double most_kept = 0.25;  // of the motion along the push of contact

void put(Move& way, int i, const V& x, const V& turned) {
  way.v[0][i] = x.x, way.v[1][i] = x.y, way.v[2][i] = x.z;
  way.w[0][i] = turned.x, way.w[1][i] = turned.y, way.w[2][i] = turned.z;
}
void put(Move& way, int i, const Frame<double>& from, const Frame<double>& to) {
  put(way, i, to.x - from.x, rotation_vector(nearer(to.q * conj(from.q), {1.0, {}})));
}

std::array<double, 6> column(const V& a, const V& b) {
  return {a.x, a.y, a.z, b.x, b.y, b.z};
}

// In world axes.
Matrix6 mass_of(const Model& m, int i, const Quat<double>& q) {
  Matrix6 mass{};
  for (int c = 0; c < 3; ++c) mass[(dofs + 1) * c] = m.mass[i];
  add_inertia(m, i, q, 1, mass.data());
  return mass;
}

// a -> L with L L^T = a, in its lower half. Of a positive definite matrix.
void factor_cholesky(Matrix6& a) {
  for (int c = 0; c < dofs; ++c)
    for (int r = c; r < dofs; ++r) {
      double sum = a[dofs * r + c];
      for (int k = 0; k < c; ++k) sum -= a[dofs * r + k] * a[dofs * c + k];
      a[dofs * r + c] = r == c ? std::sqrt(sum) : sum / a[dofs * c + c];
    }
}
void solve_cholesky(const Matrix6& l, std::array<double, 6>& x) {
  for (int r = 0; r < dofs; ++r) {
    for (int k = 0; k < r; ++k) x[r] -= l[dofs * r + k] * x[k];
    x[r] /= l[dofs * r + r];
  }
  for (int r = dofs - 1; r >= 0; --r) {
    for (int k = r + 1; k < dofs; ++k) x[r] -= l[dofs * k + r] * x[k];
    x[r] /= l[dofs * r + r];
  }
}

// (K + T)^-1 T with T = half_damped M/dt^2: 1 where contact has no stiffness, 0 where it has much.
Matrix6 kept_of(const double* k, const Matrix6& mass, double dt) {
  Matrix6 sum, kept{};
  const double weight = half_damped / (dt * dt);
  for (int e = 0; e < dofs * dofs; ++e) sum[e] = k[e] + weight * mass[e];
  factor_cholesky(sum);
  for (int c = 0; c < dofs; ++c) {
    std::array<double, 6> x;
    for (int r = 0; r < dofs; ++r) x[r] = weight * mass[dofs * r + c];
    solve_cholesky(sum, x);
    for (int r = 0; r < dofs; ++r) kept[dofs * r + c] = x[r];
  }
  return kept;
}

// Of its motion along the push of contact a body may keep little: what comes at a barrier, or rings in it, must be
// damped. Where contact is too soft for that beside the step, all of the motion is.
bool may_keep(const Matrix6& kept, const Matrix6& mass, const Wrench<double>& push) {
  Matrix6 l = mass;
  factor_cholesky(l);
  const auto f = column(push.force, push.torque);
  auto along = f;
  solve_cholesky(l, along);
  double rest = 0, all = 0;
  for (int r = 0; r < dofs; ++r) {
    for (int c = 0; c < dofs; ++c) rest += f[r] * kept[dofs * r + c] * along[c];
    all += f[r] * along[r];
  }
  return rest <= most_kept * all;
}

// What hangs together flies together; what it hangs on may be held.
void keep_linkages_together(const std::vector<HeldNode>& held, NewtonWork& newton) {
  const auto& linkage = newton.linkage;
  auto& a = newton.rules.a;
  std::vector<std::uint8_t> lowest(a.size(), 2), is_held(a.size(), 0);
  for (const auto& h : held) is_held[h.node] = 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (linkage[i] >= 0 && !is_held[i]) lowest[linkage[i]] = std::min(lowest[linkage[i]], a[i]);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (linkage[i] >= 0 && !is_held[i]) a[i] = lowest[linkage[i]];
}

}  // namespace

void foresee_way(const Model& m, const std::vector<HeldNode>& held, const Nodes& start, double dt, Move& way) {
  for (int i = 0; i < m.nodes; ++i) {
    const auto t = start.twist(i);
    put(way, i, dt * t.v + (dt * dt / m.mass[i]) * start.wrench(i).force, dt * t.w);
  }
  for (const auto& h : held) put(way, h.node, start.frame(h.node), h.pose);
}

void find_way(const Nodes& from, const Nodes& to, Move& way) {
  for (int i = 0; i < from.count; ++i) put(way, i, from.frame(i), to.frame(i));
}

void let_fly(const Model& m, const Inputs& in, const std::vector<HeldNode>& held, const State& start,
             NewtonWork& newton) {
  NodeRules& rules = newton.rules;
  rules.meets.assign(m.nodes, 0);
  rules.kept.assign(m.nodes, -1);
  rules.shares.clear();
  if (Contact* contact = newton.terms.contact(in)) contact->note_meetings(start, in, newton.move, rules.meets);
  rules.a.assign(m.nodes, 1);
  for (int i = 0; i < m.nodes; ++i) rules.a[i] = rules.meets[i] || newton.bonded[i] ? 1 : 2;
  for (const auto& h : held) rules.a[h.node] = 1;
  keep_linkages_together(held, newton);
}

Flight flight_of(const std::vector<HeldNode>& held, const NewtonWork& newton) {
  const auto& a = newton.rules.a;
  const auto flying = static_cast<std::size_t>(std::count(a.begin(), a.end(), 2));
  std::vector<std::uint8_t> is_held(a.size(), 0);
  for (const auto& h : held) is_held[h.node] = 1;
  const auto bound = static_cast<std::size_t>(std::count(is_held.begin(), is_held.end(), 1));
  return flying == 0 ? Flight::none : flying + bound == a.size() ? Flight::all : Flight::some;
}

bool take_back(const Inputs& in, const State& start, NewtonWork& newton) {
  NodeRules& rules = newton.rules;
  Contact* contact = newton.terms.contact(in);
  if (!contact) return false;
  contact->note_meetings(start, in, newton.move, rules.meets);
  const bool other_inputs = flight_of(in.held, newton) == Flight::all;  // those of the middle of the step
  rules.anew.assign(rules.a.size(), other_inputs ? 1 : 0);
  bool any = false;
  for (std::size_t i = 0; i < rules.a.size(); ++i)
    if (rules.a[i] == 2 && rules.meets[i]) rules.a[i] = 1, rules.anew[i] = 1, any = true;
  if (any) keep_linkages_together(in.held, newton);
  return any;
}

void find_kept(const Model& m, const Inputs& in, const std::vector<HeldNode>& held, double dt, const State& start,
               NewtonWork& newton) {
  NodeRules& rules = newton.rules;
  std::fill(rules.kept.begin(), rules.kept.end(), -1);
  rules.shares.clear();
  Contact* contact = newton.terms.contact(in);
  if (!contact) return;
  std::vector<std::uint8_t> is_free(m.nodes);
  for (int i = 0; i < m.nodes; ++i) is_free[i] = rules.a[i] == 1 && !newton.bonded[i];
  for (const auto& h : held) is_free[h.node] = 0;
  newton.stiffness.clear();
  StiffnessRequest wanted;
  wanted.projected = true;
  contact->add_stiffness(start, in, wanted, newton.stiffness);
  newton.pushes.need_node_columns(m.nodes);
  newton.pushes.clear_node_columns();
  contact->add_wrenches(start, in, {0, (m.nodes + block - 1) / block, nullptr}, newton.pushes);
  for (int i = 0; i < m.nodes; ++i) {
    const double* k = newton.stiffness.diagonal(i);
    if (!is_free[i] || std::all_of(k, k + dofs * dofs, [](double a) { return a == 0; })) continue;
    const auto& f = newton.pushes.force;
    const auto& t = newton.pushes.torque;
    const Wrench<double> push{{f[0][i], f[1][i], f[2][i]}, {t[0][i], t[1][i], t[2][i]}};
    const Matrix6 mass = mass_of(m, i, start.nodes.frame(i).q);
    const Matrix6 kept = kept_of(k, mass, dt);
    if (!may_keep(kept, mass, push)) continue;
    rules.kept[i] = static_cast<int>(rules.shares.size());
    rules.shares.push_back(kept);
  }
}

}  // namespace ls
