#include "terms/dipoles/dipole_stiffness.h"

#include "physics/dipole_pair.h"
#include "physics/lever.h"
#include "terms/dipoles/node_relations.h"
#include "terms/dipoles/slope_loops.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;
constexpr int width = BlockMatrix::width;

V row(const double (&m)[3][3], int r) {
  return {m[r][0], m[r][1], m[r][2]};
}
void put(const V& a, double* to, int stride) {
  to[0] += a.x, to[stride] += a.y, to[2 * stride] += a.z;
}

// Row r of a symmetric part.
V row(const double (&half)[6], int r) {
  const auto at = [&](int c) { return half[r >= c ? r * (r + 1) / 2 + c : c * (c + 1) / 2 + r]; };
  return mu0_over_4pi * V{at(0), at(1), at(2)};
}

// One dipole's block for its node, as physics/dipole_in_field.h has it for outer fields.
void add_own_block(const SlopeSums& sum, const V& m, const V& lever, double* block) {
  double h[width * width] = {};
  const V field = mu0_over_4pi * V{sum.field[0], sum.field[1], sum.field[2]},
          force = mu0_over_4pi * V{sum.force[0], sum.force[1], sum.force[2]};
  const double mv[3] = {m.x, m.y, m.z}, bv[3] = {field.x, field.y, field.z}, along = dot(m, field);
  for (int r = 0; r < 3; ++r) {
    put(row(sum.curvature, r), h + width * r, 1);
    const V turned = cross(row(sum.slope, r), m);
    put(turned, h + width * r + 3, 1);
    put(turned, h + width * 3 + r, width);
    for (int c = 0; c < 3; ++c)
      h[width * (3 + r) + 3 + c] = (r == c ? along : 0.0) - 0.5 * (mv[r] * bv[c] + bv[r] * mv[c]);
  }
  shift_columns(h, lever);
  shift_rows(h, lever);
  add_lever_stiffness(lever, force, h);
  for (int k = 0; k < width * width; ++k) block[k] += h[k];
}

// Rows of the first dipole's place and turn, columns of the second's.
void set_cross_block(const DipolePairSlopes<double>& d, const V& m1, const V& m2, double* block) {
  double turned[3][3];  // coupling [m2]
  for (int r = 0; r < 3; ++r) {
    const V line = cross(row(d.coupling, r), m2), slope = cross(row(d.slope2, r), m2);
    turned[r][0] = line.x, turned[r][1] = line.y, turned[r][2] = line.z;
    block[width * r + 3] = slope.x, block[width * r + 4] = slope.y, block[width * r + 5] = slope.z;
    for (int c = 0; c < 3; ++c) block[width * r + c] = -d.curvature[r][c];
  }
  for (int c = 0; c < 3; ++c) {
    const V slope = cross(m1, row(d.slope1, c)), both = cross(m1, V{turned[0][c], turned[1][c], turned[2][c]});
    block[width * 3 + c] = slope.x, block[width * 4 + c] = slope.y, block[width * 5 + c] = slope.z;
    block[width * 3 + 3 + c] = both.x, block[width * 4 + 3 + c] = both.y, block[width * 5 + 3 + c] = both.z;
  }
}

// What a block between two nodes, rows of the second, says of their own blocks in each other's field: a move of both
// together turns their forces, and does nothing else. apart: from the first to the second.
void set_own_blocks(const double* block, const V& apart, double* first, double* second) {
  constexpr int half = width / 2;
  double of_first[half][half], of_second[half][half];
  for (int r = 0; r < half; ++r) {
    const V torque{block[width * (half + r)], block[width * (half + r) + 1], block[width * (half + r) + 2]},
        pull{block[half + r], block[width + half + r], block[2 * width + half + r]}, there = cross(torque, apart),
                                                                                     here = cross(pull, apart);
    const double t[3] = {there.x, there.y, there.z}, h[3] = {here.x, here.y, here.z},
                 by_first[3] = {pull.x, pull.y, pull.z}, by_second[3] = {torque.x, torque.y, torque.z};
    for (int c = 0; c < half; ++c) {
      of_second[r][c] = block[width * (half + r) + half + c] + t[c];
      of_first[r][c] = block[width * (half + c) + half + r] - h[c];
      first[width * r + c] = second[width * r + c] = -block[width * r + c];
      first[width * (half + r) + c] = first[width * c + half + r] = -by_first[c];
      second[width * (half + r) + c] = second[width * c + half + r] = -by_second[c];
    }
  }
  for (int r = 0; r < half; ++r)
    for (int c = 0; c < half; ++c) {
      first[width * (half + r) + half + c] = -0.5 * (of_first[r][c] + of_first[c][r]);
      second[width * (half + r) + half + c] = -0.5 * (of_second[r][c] + of_second[c][r]);
    }
}

template <int n>
void keep_positive(Eigen::Matrix<double, n, n>& h) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, n, n>> eigen(h);
  h = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
}

class Assembly {
 public:
  Assembly(const DipoleSystem& s, double scale, bool projected, BlockMatrix& out)
      : s_(s),
        scale_(scale),
        projected_(projected),
        out_(out),
        relations_(s, out.pattern()),
        sums_(static_cast<std::size_t>(s.at.count)) {
    if (s.total && projected) coupled_.resize(sums_.size());
  }

  void add_all() {
    for (std::size_t a = 0; a < s_.nodes.size(); ++a) {
      if (s_.stands[a]) continue;
      relations_.look(a);
      add_runs(a, sums_, [&](std::size_t b) {
        return relations_.to(b) == Relation::far || (relations_.to(b) == Relation::coupled && !projected_ && s_.box);
      });
      if (!coupled_.empty())
        add_runs(a, coupled_, [&](std::size_t b) { return relations_.to(b) == Relation::coupled; });
      add_pairs(a);
    }
    for (std::size_t a = 0; a < s_.nodes.size(); ++a)
      if (!s_.stands[a]) add_own(s_.nodes[a]);
  }

 private:
  V place(int i) const { return {s_.at.x[0][i], s_.at.x[1][i], s_.at.x[2][i]}; }
  V moment(int i) const { return {s_.at.m[0][i], s_.at.m[1][i], s_.at.m[2][i]}; }

  // A node in the field of those that count.
  template <class Counts>
  void add_runs(std::size_t a, std::vector<SlopeSums>& sums, const Counts& counts) {
    runs_.clear();
    for (const std::size_t b : relations_.seen()) {
      if (!counts(b)) continue;
      if (runs_.empty() || runs_.back().second != s_.nodes[b].first) runs_.emplace_back(s_.nodes[b].first, 0);
      runs_.back().second = s_.nodes[b].last;
    }
    for (int i = s_.nodes[a].first; i < s_.nodes[a].last; ++i)
      if (s_.box || relations_.are_few())
        add_copied(i, runs_, sums[i]);
      else
        for (const auto& [first, last] : runs_) add_run(i, first, last, sums[i]);
  }
  void add_run(int i, int first, int last, SlopeSums& sum) {
    if (s_.box) return add_copied(i, std::array{std::pair{first, last}}, sum);
    const auto& at = s_.at;
    slopes_.add({{at.x[0].data(), at.x[1].data(), at.x[2].data()},
                 {at.m[0].data(), at.m[1].data(), at.m[2].data()},
                 i,
                 first,
                 last},
                sum);
  }

  // Of many short runs, or of the nearest copies of the others: all of them beside the one, which stands before them.
  void add_copied(int i, std::span<const std::pair<int, int>> runs, SlopeSums& sum) {
    constexpr int lanes = 8;
    int others = 0;
    for (const auto& [first, last] : runs) others += last - first;
    for (std::size_t c = 0; c < 3; ++c) {
      copy_x_[c].assign(static_cast<std::size_t>(others) + 2 * lanes, 0.0);
      copy_m_[c].assign(static_cast<std::size_t>(others) + 2 * lanes, 0.0);
      const double x = s_.at.x[c][i], length = s_.box ? s_.box->length[c] : 0;
      copy_x_[c][0] = x, copy_m_[c][0] = s_.at.m[c][i];
      int to = lanes;
      for (const auto& [first, last] : runs)
        for (int j = first; j < last; ++j, ++to) {
          const double d = s_.at.x[c][j] - x;
          copy_x_[c][to] = s_.box ? x + (d - length * std::round(d / length)) : s_.at.x[c][j];
          copy_m_[c][to] = s_.at.m[c][j];
        }
    }
    slopes_.add({{copy_x_[0].data(), copy_x_[1].data(), copy_x_[2].data()},
                 {copy_m_[0].data(), copy_m_[1].data(), copy_m_[2].data()},
                 0,
                 lanes,
                 lanes + others},
                sum);
  }
  V apart(int i, int j) const {
    const V r = place(i) - place(j);
    if (!s_.box) return r;
    const auto d = s_.box->nearest({r.x, r.y, r.z});
    return {d[0], d[1], d[2]};
  }

  // A node with all after it that it is coupled to.
  void add_pairs(std::size_t a) {
    others_.clear();
    for (const std::size_t b : relations_.seen())
      if (b > a && relations_.to(b) == Relation::coupled) others_.push_back(b);
    blocks_.assign(others_.size(), {});
    if (s_.box)
      for (std::size_t k = 0; k < others_.size(); ++k)
        for (int i = s_.nodes[a].first; i < s_.nodes[a].last; ++i)
          add_cross(i, s_.nodes[others_[k]], blocks_[k].data());
    else
      add_crosses(s_.nodes[a]);
    for (std::size_t k = 0; k < others_.size(); ++k) put_pair(s_.nodes[a], s_.nodes[others_[k]], blocks_[k].data());
  }
  // block: rows of the second
  void put_pair(const NodeDipoles& first, const NodeDipoles& second, const double* block) {
    double own[2][width * width];
    if (!s_.box)
      set_own_blocks(block, node_place(second) - node_place(first), own[0], own[1]);
    else if (projected_)
      set_own(first, second, own[0]), set_own(second, first, own[1]);
    if (projected_) return add_positive(first, second, block, own[0], own[1]);
    add_scaled(block, out_.block(second.node, first.node));
    if (s_.box) return;  // there the sums have it
    add_scaled(own[0], out_.diagonal(first.node));
    add_scaled(own[1], out_.diagonal(second.node));
  }
  void add_scaled(const double* block, double* to) const {
    for (int k = 0; k < width * width; ++k) to[k] += scale_ * block[k];
  }
  V node_place(const NodeDipoles& n) const { return place(n.first) - s_.lever[n.first]; }
  // Eight dipoles of the others at a time, whichever nodes they are of.
  void add_crosses(const NodeDipoles& first) {
    constexpr int lanes = 8;
    constexpr double far_away = 1e12;  // m
    double x[3][lanes], m[3][lanes], lever[3][lanes], found[lanes][block_room];
    std::size_t owner[lanes];
    int filled = 0;
    const V at = node_place(first);
    const auto fill = [&](const V& place, const V& moment, const V& arm) {
      x[0][filled] = place.x, x[1][filled] = place.y, x[2][filled] = place.z;
      m[0][filled] = moment.x, m[1][filled] = moment.y, m[2][filled] = moment.z;
      lever[0][filled] = arm.x, lever[1][filled] = arm.y, lever[2][filled] = arm.z;
      ++filled;
    };
    const auto empty = [&] {
      const int used = filled;
      while (filled < lanes) fill({far_away, far_away, far_away}, {}, {});
      slopes_.blocks({{s_.at.x[0].data(), s_.at.x[1].data(), s_.at.x[2].data()},
                      {s_.at.m[0].data(), s_.at.m[1].data(), s_.at.m[2].data()},
                      first.first,
                      first.last,
                      {at.x, at.y, at.z},
                      {x[0], x[1], x[2]},
                      {m[0], m[1], m[2]},
                      {lever[0], lever[1], lever[2]}},
                     found);
      for (int lane = 0; lane < used; ++lane) {
        double* to = blocks_[owner[lane]].data();
        for (int k = 0; k < width * width; ++k) to[k] += found[lane][k];
      }
      filled = 0;
    };
    for (std::size_t k = 0; k < others_.size(); ++k)
      for (int j = s_.nodes[others_[k]].first; j < s_.nodes[others_[k]].last; ++j) {
        owner[filled] = k;
        fill(place(j), moment(j), s_.lever[j]);
        if (filled == lanes) empty();
      }
    if (filled > 0) empty();
  }
  void add_cross(int i, const NodeDipoles& second, double* block) const {
    double row_of_i[width * width] = {}, one[width * width];
    for (int j = second.first; j < second.last; ++j) {
      const V m1 = moment(i), m2 = moment(j);
      set_cross_block(dipole_pair_slopes(apart(i, j), m1, m2, mu0_over_4pi), m1, m2, one);
      shift_columns(one, s_.lever[j]);
      for (int k = 0; k < width * width; ++k) row_of_i[k] += one[k];
    }
    shift_rows(row_of_i, s_.lever[i]);
    for (int r = 0; r < width; ++r)
      for (int c = 0; c < width; ++c) block[width * c + r] += row_of_i[width * r + c];
  }
  void set_own(const NodeDipoles& of, const NodeDipoles& others, double (&block)[width * width]) {
    std::fill(block, block + width * width, 0.0);
    for (int i = of.first; i < of.last; ++i) {
      SlopeSums sum;
      add_run(i, others.first, others.last, sum);
      add_own_block(sum, moment(i), s_.lever[i], block);
    }
  }
  void add_positive(const NodeDipoles& first, const NodeDipoles& second, const double* cross, const double* own1,
                    const double* own2) {
    double h[2 * width][2 * width];
    Eigen::Matrix<double, 2 * width, 2 * width> all;
    for (int r = 0; r < width; ++r)
      for (int c = 0; c < width; ++c) {
        all(r, c) = own1[width * r + c], all(width + r, width + c) = own2[width * r + c];
        all(width + r, c) = all(c, width + r) = cross[width * r + c];
      }
    keep_positive<2 * width>(all);
    for (int r = 0; r < 2 * width; ++r)
      for (int c = 0; c < 2 * width; ++c) h[r][c] = scale_ * 0.5 * (all(r, c) + all(c, r));
    out_.add_pair(first.node, second.node, h);
  }
  // With the field and force of all others, less those of coupled ones where these have blocks of their own.
  void see_total(int i, SlopeSums& sum) const {
    for (int c = 0; c < 3; ++c) {
      sum.field[c] = s_.total->b[c][i] / mu0_over_4pi - (coupled_.empty() ? 0 : coupled_[i].field[c]);
      sum.force[c] = s_.total->force[c][i] / mu0_over_4pi - (coupled_.empty() ? 0 : coupled_[i].force[c]);
    }
  }
  void add_own(const NodeDipoles& of) {
    double own[width * width] = {};
    for (int i = of.first; i < of.last; ++i) {
      if (s_.total) see_total(i, sums_[i]);
      add_own_block(sums_[i], moment(i), s_.lever[i], own);
    }
    if (projected_) {
      Eigen::Matrix<double, width, width> h;
      for (int r = 0; r < width; ++r)
        for (int c = 0; c < width; ++c) h(r, c) = own[width * r + c];
      keep_positive<width>(h);
      for (int r = 0; r < width; ++r)
        for (int c = 0; c < width; ++c) own[width * r + c] = 0.5 * (h(r, c) + h(c, r));
    }
    double* to = out_.diagonal(of.node);
    for (int k = 0; k < width * width; ++k) to[k] += scale_ * own[k];
  }

  const DipoleSystem& s_;
  double scale_;
  bool projected_;
  BlockMatrix& out_;
  const SlopeLoops& slopes_ = slope_loops();
  NodeRelations relations_;
  std::vector<std::pair<int, int>> runs_;  // scratch: of dipoles that count
  std::vector<SlopeSums>
      sums_;  // [dipole] with all that it is not coupled to, or in a box where nothing is projected with all
  std::vector<SlopeSums> coupled_;   // [dipole] with those that it is coupled to, where both are needed
  std::vector<std::size_t> others_;  // scratch: of nodes, those that the one at hand is coupled to
  std::vector<std::array<double, width * width>> blocks_;  // [of others]
  Column copy_x_[3], copy_m_[3];                           // scratch, of a run in a periodic box
};

}  // namespace

std::vector<std::uint8_t> standing_nodes(std::span<const NodeDipoles> nodes, const State& s, const Inputs& in) {
  constexpr double at_rest = 1e-13;
  std::vector<std::uint8_t> stands(nodes.size(), 0);
  for (const HeldNode& h : in.held) {
    const auto n = std::ranges::lower_bound(nodes, h.node, {}, &NodeDipoles::node);
    if (n == nodes.end() || n->node != h.node || h.mask != hold_all) continue;
    const Frame<double> f = s.nodes.frame(h.node);
    const double off = norm(h.pose.x - f.x), turn = norm((nearer(h.pose.q, f.q) * conj(f.q)).v);
    stands[n - nodes.begin()] = off <= at_rest * norm(f.x) && turn <= at_rest;
  }
  return stands;
}

void add_dipole_stiffness(const DipoleSystem& system, double scale, bool projected, BlockMatrix& out) {
  Assembly(system, scale, projected, out).add_all();
}

}  // namespace ls
