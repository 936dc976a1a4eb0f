#include "terms/induction/induced_moments.h"

#include "model/soft_moments.h"
#include "physics/magnets.h"
#include "terms/dipoles/dipole_term.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace ls {

namespace {

using V = Vec3<double>;
using Numbers = std::vector<double>;

constexpr double finest = 1e-12;       // of the outer field: what is left of it in the balance
constexpr double good_enough = 1e-10;  // where rounding leaves no more
constexpr double share_of_sum =
    0.01;                        // of the accuracy of a sum that is not exact: it comes out alike, again and again
constexpr double remote = 1e12;  // m, of places in the columns that no cell has

V triple(const Numbers& a, int cell) {
  return {a[3 * cell], a[3 * cell + 1], a[3 * cell + 2]};
}
void put(const V& a, int cell, Numbers& to) {
  to[3 * cell] = a.x, to[3 * cell + 1] = a.y, to[3 * cell + 2] = a.z;
}
void add(const V& a, int cell, Numbers& to) {
  to[3 * cell] += a.x, to[3 * cell + 1] += a.y, to[3 * cell + 2] += a.z;
}
double size_of(const Numbers& a) {
  double sum = 0;
  for (const double k : a) sum += k * k;
  return std::sqrt(sum);
}

// The sum of 1/k^3 over the nodes of a rod that act on one: those that are more than so many bonds away.
double chain_sum(int bonds) {
  constexpr int few = 1000;  // beyond, as an integral
  if (bonds > few) return 0.5 / ((bonds + 0.5) * (bonds + 0.5));
  double sum = 0.5 / ((few + 0.5) * (few + 0.5));
  for (int k = few; k > bonds; --k) sum += 1.0 / k / k / k;
  return sum;
}

// How many bonds lie at least between nodes of a rod that act on each other's induced moments. Along a slender rod of
// radius r whose magnetisation varies slowly, points have the demagnetising field of the round section if their sum
// begins at a distance of r/2 exp(5/4); nearer ones know nothing of its width.
int bonds_between(const SoftCell& cell, int exclude_bonds) {
  constexpr double begin = 1.745;
  const Sym3& c = cell.chain;  // of eigenvalues -a/2, -a/2, a with a = (radius/length)^2
  const double squares = c.xx * c.xx + c.yy * c.yy + c.zz * c.zz + 2 * (c.xy * c.xy + c.xz * c.xz + c.yz * c.yz);
  const double radius = std::sqrt(std::sqrt(squares / 1.5));  // in lengths of a bond
  return std::max(exclude_bonds, static_cast<int>(std::lround(begin * radius - 0.5)));
}

// How many bonds lie at least between nodes of a sheet. Beside each other as points they would be of nobody's
// thickness: across the sheet more than a third of the factor is then to be a node's own. Neighbours never act on each
// other: as points on a square lattice, with what an even sheet has of itself, they have no minimum beyond some chi.
int rings_between(const SoftCell& cell, int exclude_bonds) {
  constexpr double most = 0.375;  // a hole of 4/3 of the thickness: as a slowly varying sheet, to second order
  int bonds = std::max(1, exclude_bonds);
  while (bonds < most_sheet_rings && cell.sheet[bonds - 1] > most) ++bonds;
  return bonds;
}
bool is_of_sheet(const SoftCell& cell) {
  return cell.sheet[0] > 0;
}
// A node's own factor, so that with all others it is that of an even sheet. Farther nodes are as even as a sheet is.
Sym3 less_far_sheet(const SoftCell& cell, int bonds) {
  const int known = std::min(bonds, most_sheet_rings);
  const double far = cell.sheet[known - 1] * (known + 0.45) / (bonds + 0.45);  // a hole of so many lengths of a bond
  const Sym3 even = (1 - 1.5 * far) * cell.factor + diagonal({0.5 * far, 0.5 * far, 0.5 * far});
  return bonds == 1 ? even + -1.0 * cell.chain : even;
}

// Pairs of nodes that do not act on each other: those that the scene leaves out, and of rods, networks and sheets those
// as near as that. Takes off the factors of the cells what the others of their body do.
std::vector<std::pair<int, int>> nodes_apart(const Model& m, std::vector<SoftCell>& cells) {
  auto apart = joined_nodes(m, m.dipoles.exclude_bonds);
  std::vector<int> between(static_cast<std::size_t>(m.nodes), 0);  // [node]
  for (const SoftCell& c : cells) {
    const int bonds =
        is_of_sheet(c) ? rings_between(c, m.dipoles.exclude_bonds) : bonds_between(c, m.dipoles.exclude_bonds);
    between[c.node] = std::max(between[c.node], bonds);
  }
  std::map<int, std::vector<std::uint8_t>> sheets;  // [bonds between][node] which have so many, of sheets and networks
  for (const Body& body : m.bodies) {
    int most = 0;
    for (const int n : body.nodes) most = std::max(most, between[n]);
    for (const int n : body.nodes) between[n] = most;
    if (body.kind == BodyKind::shell || body.kind == BodyKind::network) {
      auto& nodes = sheets.try_emplace(most, static_cast<std::size_t>(m.nodes), std::uint8_t{0}).first->second;
      for (const int n : body.nodes) nodes[n] = 1;
    }
    if (body.kind != BodyKind::rod) continue;
    const auto count = static_cast<int>(body.nodes.size());
    for (int i = 0; i < count; ++i)
      for (int k = i + 1; k <= std::min(i + most, count - 1); ++k)
        apart.push_back(std::minmax({body.nodes[i], body.nodes[k]}));
  }
  for (const auto& [bonds, nodes] : sheets)
    for (const auto& pair : joined_nodes(m, bonds))
      if (nodes[pair.first] && nodes[pair.second]) apart.push_back(pair);
  std::sort(apart.begin(), apart.end());
  apart.erase(std::unique(apart.begin(), apart.end()), apart.end());
  for (SoftCell& c : cells)
    c.factor = is_of_sheet(c) ? less_far_sheet(c, between[c.node]) : c.factor + chain_sum(between[c.node]) * c.chain;
  return apart;
}

std::vector<std::shared_ptr<const GridMatrix>> matrices_of(const SoftTable& soft) {
  std::vector<std::shared_ptr<const GridMatrix>> all;
  for (std::size_t g = 0; g < soft.grids.size(); ++g) {
    std::shared_ptr<const GridMatrix> known;
    for (std::size_t k = 0; k < g && !known; ++k)
      if (are_alike(soft, soft.grids[k], soft.grids[g])) known = all[k];
    all.push_back(known ? known : std::make_shared<const GridMatrix>(make_grid_matrix(soft, soft.grids[g])));
  }
  return all;
}

}  // namespace

InducedMoments::InducedMoments(const Model& model)
    : cells_(model.soft.cells),
      grids_(model.soft.grids),
      matrices_(matrices_of(model.soft)),
      wanted_(finest),
      enough_(good_enough) {
  grid_of_.assign(cells_.size(), -1);
  for (std::size_t g = 0; g < grids_.size(); ++g)
    for (int i = grids_[g].first; i < grids_[g].last; ++i) grid_of_[i] = static_cast<int>(g);
  for (const SoftCell& c : cells_) {
    sign_.push_back(c.inverse.xx < 0 ? -1 : 1);
    is_linear_ = is_linear_ && c.curve == SoftCurve::linear;
    has_diamagnets_ = has_diamagnets_ || sign_.back() < 0;
  }
  turned_.resize(cells_.size()), hard_.resize(cells_.size()), soft_.resize(cells_.size());
  at_.count = count();
  const auto room = static_cast<std::size_t>(padded(count()));
  for (int c = 0; c < 3; ++c) {
    at_.x[c].assign(room, 0.0), at_.m[c].assign(room, 0.0);
    effects_.b[c].assign(room, 0.0), effects_.force[c].assign(room, 0.0);
  }
  for (std::size_t k = 0; k < room; ++k) at_.x[0][k] = remote * static_cast<double>(k + 1);
  if (!model.dipoles.interact) return;
  apart_ = nodes_apart(model, cells_);
  DipoleRules rules;
  for (const SoftCell& c : cells_) rules.node.push_back(c.node);
  rules.apart = apart_;
  const bool has_copies = model.dipoles.method == DipoleMethod::ewald;
  if (!cells_.empty() && (has_copies || cells_.front().node != cells_.back().node))
    sum_ = make_dipole_sum(model.dipoles, rules);
  if (sum_ && model.dipoles.method == DipoleMethod::tree) {
    wanted_ = std::max(finest, share_of_sum * model.dipoles.accuracy);
    enough_ = std::max(good_enough, model.dipoles.accuracy);
  }
}

void InducedMoments::set_places(const std::vector<Frame<double>>& at) {
  for (int i = 0; i < count(); ++i) {
    turned_[i] = at[i].q;
    at_.x[0][i] = at[i].x.x, at_.x[1][i] = at[i].x.y, at_.x[2][i] = at[i].x.z;
  }
}

Sym3 InducedMoments::hardness(int cell, const V& inner) const {
  const SoftCell& c = cells_[cell];
  if (c.curve == SoftCurve::linear) return c.inverse;
  const double h = norm(inner);
  const CurvePoint p = on_curve(c, h);
  const double across = 1 / p.ratio;
  const Sym3 round = diagonal({across, across, across});
  return h > 0 ? round + outer((1 / p.slope - across) / (h * h), inner) : round;
}

double InducedMoments::stored(const std::vector<V>& inner) const {
  Numbers m(3 * cells_.size()), product(m.size(), 0.0);
  for (int i = 0; i < count(); ++i) put(moment_of(cells_[i], inner[i]), i, m);
  add_shape_fields(m, product);
  double sum = 0;
  for (int i = 0; i < count(); ++i) {
    const SoftCell& c = cells_[i];
    const bool is_straight = c.curve == SoftCurve::linear;
    sum += is_straight ? 0.5 * dot(triple(m, i), inner[i]) : c.volume * on_curve(c, norm(inner[i])).stored;
    sum += 0.5 * dot(triple(m, i), triple(product, i));
  }
  return mu0 * sum;
}

// Q m: the field that shapes take away.
void InducedMoments::add_shape_fields(const Numbers& m, Numbers& product) const {
  for (int i = 0; i < count(); ++i)
    if (grid_of_[i] < 0) add((1 / cells_[i].volume) * (cells_[i].factor * triple(m, i)), i, product);
  for (std::size_t g = 0; g < grids_.size(); ++g) {
    const Eigen::Index first = 3 * grids_[g].first, size = 3 * (grids_[g].last - grids_[g].first);
    const Eigen::Map<const Eigen::VectorXd> part(m.data() + first, size);
    Eigen::Map<Eigen::VectorXd>(product.data() + first, size).noalias() += matrices_[g]->coupling * part;
  }
}

void InducedMoments::add_fields_of_others(const Numbers& m, double factor, Numbers& product, Team& team) {
  for (int i = 0; i < count(); ++i) {
    const V world = rotate(turned_[i], triple(m, i));
    at_.m[0][i] = world.x, at_.m[1][i] = world.y, at_.m[2][i] = world.z;
  }
  if (!sum_) return;
  sum_->find(at_, effects_, team);
  for (int i = 0; i < count(); ++i) {
    const V b{effects_.b[0][i], effects_.b[1][i], effects_.b[2][i]};
    add((factor / mu0) * rotate(conj(turned_[i]), b), i, product);
  }
}

// What is left of the balance H = outer - Q m + field of others; returns its size.
double InducedMoments::residual(const Fields& outer, const Fields& inner, Numbers& out, Team& team) {
  Numbers m(out.size()), taken(out.size(), 0.0);
  for (int i = 0; i < count(); ++i) put(moment_of(cells_[i], inner[i]), i, m);
  add_shape_fields(m, taken);
  add_fields_of_others(m, -1, taken, team);
  for (int i = 0; i < count(); ++i) put(outer[i] - triple(taken, i) - inner[i], i, out);
  return size_of(out);
}

void InducedMoments::set_preconditioner() {
  for (int i = 0; i < count(); ++i) {
    Sym3 own = hard_[i] + (1 / cells_[i].volume) * cells_[i].factor;
    if (grid_of_[i] >= 0) {
      const auto& q = matrices_[grid_of_[i]]->coupling;
      const Eigen::Index k = 3 * (i - grids_[grid_of_[i]].first);
      own = hard_[i] + Sym3{q(k, k), q(k + 1, k + 1), q(k + 2, k + 2), q(k + 2, k + 1), q(k + 2, k), q(k + 1, k)};
    }
    soft_[i] = sign_[i] * inverse(own);
  }
}

void InducedMoments::apply_preconditioner(const Numbers& r, Numbers& z) const {
  for (int i = 0; i < count(); ++i)
    if (grid_of_[i] < 0 || !matrices_[grid_of_[i]]->is_factored) put(soft_[i] * triple(r, i), i, z);
  for (std::size_t g = 0; g < grids_.size(); ++g) {
    if (!matrices_[g]->is_factored) continue;
    const Eigen::Index first = 3 * grids_[g].first, size = 3 * (grids_[g].last - grids_[g].first);
    Eigen::Map<Eigen::VectorXd>(z.data() + first, size) =
        matrices_[g]->response.solve(Eigen::Map<const Eigen::VectorXd>(r.data() + first, size));
  }
}

void InducedMoments::note_unsettled(const Numbers& size) {
  std::vector<std::pair<double, int>> worst;
  for (int i = 0; i < count(); ++i) {
    const double off = norm(triple(size, i));
    worst.emplace_back(std::isfinite(off) ? -off : -std::numeric_limits<double>::max(), cells_[i].node);
  }
  std::sort(worst.begin(), worst.end());
  unsettled_.clear();
  for (const auto& [least, node] : worst)
    if (unsettled_.size() < 2 && (unsettled_.empty() || unsettled_.front() != node)) unsettled_.push_back(node);
}

bool InducedMoments::find(const std::vector<V>& outer, std::vector<V>& inner, Team& team) {
  constexpr int most_rounds = 60, most_iterations = 2000, most_cuts = 30;
  iterations_ = 0, was_indefinite_ = false;
  unsettled_.clear();
  Fields own(cells_.size());
  double strength = 0;
  for (int i = 0; i < count(); ++i) own[i] = rotate(conj(turned_[i]), outer[i]), strength += dot(outer[i], outer[i]);
  strength = std::sqrt(strength);
  if (strength == 0) std::fill(inner.begin(), inner.end(), V{});
  Numbers left(3 * cells_.size()), change(left.size());
  double now = residual(own, inner, left, team);
  if (!std::isfinite(now)) return note_unsettled(left), false;
  const LinearSystem system{[&](const Numbers& x, Numbers& y) {
                              for (int i = 0; i < count(); ++i) put(hard_[i] * triple(x, i), i, y);
                              add_shape_fields(x, y);
                              add_fields_of_others(x, -1, y, team);
                            },
                            [&](const Numbers& r, Numbers& z) { apply_preconditioner(r, z); }};
  for (int round = 0; round < most_rounds && now > wanted_ * strength; ++round) {
    for (int i = 0; i < count(); ++i) hard_[i] = (1 / cells_[i].volume) * hardness(i, inner[i]);
    set_preconditioner();
    Numbers rest = left;
    std::fill(change.begin(), change.end(), 0.0);
    // Sums to some accuracy are no linear function of the moments: more than that one solution does not find.
    const double small = std::max(0.1 * wanted_ * strength, is_linear_ && wanted_ == finest ? 0.0 : 1e-3 * now);
    const auto solve = has_diamagnets_ ? solve_indefinite : solve_definite;
    const KrylovResult r = solve(system, small, most_iterations, change, rest);
    iterations_ += r.iterations;
    if (r.stop == KrylovStop::indefinite) return was_indefinite_ = true, note_unsettled(r.along), false;
    const Fields before = inner;
    const double last = now;
    double share = 1;
    for (int cut = 0; cut <= most_cuts; ++cut, share *= 0.5) {
      for (int i = 0; i < count(); ++i) inner[i] = before[i] + share * (hard_[i] * triple(change, i));
      now = residual(own, inner, left, team);
      if (now < last || is_linear_) break;
    }
    if (!(now < 0.9 * last) && now <= enough_ * strength) break;  // rounding
    if (is_linear_ && round > (wanted_ == finest ? 4 : 12)) break;
  }
  if (now <= enough_ * strength) return true;
  note_unsettled(left);
  return false;
}

Eigen::MatrixXd InducedMoments::curvature(const std::vector<V>& inner) const {
  const Eigen::Index n = 3 * static_cast<Eigen::Index>(cells_.size());
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  const auto dense = [](const Sym3& m) {
    Eigen::Matrix3d d;
    d << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
    return d;
  };
  for (int i = 0; i < count(); ++i) {
    a.block<3, 3>(3 * i, 3 * i) = dense((1 / cells_[i].volume) * hardness(i, inner[i]));
    if (grid_of_[i] < 0) a.block<3, 3>(3 * i, 3 * i) += dense((1 / cells_[i].volume) * cells_[i].factor);
  }
  for (std::size_t g = 0; g < grids_.size(); ++g) {
    const Eigen::Index first = 3 * grids_[g].first, size = 3 * (grids_[g].last - grids_[g].first);
    a.block(first, first, size, size) += matrices_[g]->coupling;
  }
  return a;
}

std::size_t InducedMoments::bytes() const {
  std::size_t sum = cells_.size() * (sizeof(SoftCell) + 40 * sizeof(double)) + (sum_ ? sum_->bytes() : 0);
  for (std::size_t g = 0; g < matrices_.size(); ++g)
    if (matrices_[g].use_count() == 1 || g == 0) sum += 2 * sizeof(double) * matrices_[g]->coupling.size();
  return sum;
}

}  // namespace ls
