#include "base/sanitized.h"
#include "math/block_matrix.h"
#include "terms/dipoles/dipole_term.h"
#include "terms/induction/induction_term.h"
#include "terms/induction/test_soft.h"

#include <gtest/gtest.h>

// Induced moments by fast sums: a tree, and copies in a periodic box.
namespace ls::induction_methods_test {

namespace {

using namespace ls::test;
using V = Vec3<double>;
using std::numbers::pi;

std::vector<V> moments_of(const Model& m, const State& s, const Inputs& in) {
  Team alone;
  return make_induction_term(m)->moments(s, in, alone);
}

// The lattice of one ball in a cubic box: H at it is the outer one and that of the whole, a third of the mean
// magnetisation with tin foil and nothing in a ball in vacuum (Clausius and Mossotti).
struct OneInABox {
  Model model = bodies_at_rest(1);
  State state;
  double alpha;  // m over H at it

  OneInABox(double chi, double period, bool vacuum) {
    model.soft.cells = {soft_ball(0, 1, chi)};
    alpha = 4 * pi * chi / (3 + chi);
    model.dipoles.interact = true;
    model.dipoles.method = DipoleMethod::ewald;
    model.dipoles.accuracy = 1e-11;
    model.dipoles.box = {period, period, period};
    model.dipoles.in_vacuum = vacuum;
    state.nodes = Nodes(1);
    state.nodes.set(0, Frame<double>{{0.3, 7, -1}, turn({0.4, 1, -0.2})});
  }
};

TEST(InductionInABox, ACubicLatticeIsThatOfClausiusAndMossotti) {
  constexpr double field = 0.01, h0 = field / mu0;
  for (const double chi : {1.0, 30.0, 1e4, -0.8})
    for (const double period : {2.0, 3.5})
      for (const bool vacuum : {false, true}) {
        const OneInABox one(chi, period, vacuum);
        const V b = field * normalized(V{1, -2, 0.5});
        const double whole = vacuum ? 0 : 1 / (3 * period * period * period);
        const double right = std::abs(one.alpha * h0 / (1 - one.alpha * whole));
        const V m = moments_of(one.model, one.state, in_field(b))[0];
        EXPECT_NEAR(norm(m), right, 1e-8 * right) << chi << " " << period << " " << vacuum;
        EXPECT_LT(norm(cross(m, b)), 1e-8 * norm(m) * field);
        const auto term = make_induction_term(one.model);
        EXPECT_NEAR(energy_of_term(*term, one.state, in_field(b)), -0.5 * dot(m, b), 1e-8 * norm(m) * field);
      }
}

// A chain that never ends: the rows of its copies beside it have no field, being endless and magnetised along.
TEST(InductionInABox, AnEndlessChain) {
  constexpr double chi = 50, zeta3 = 1.2020569031595942, h0 = 0.01 / mu0;
  OneInABox one(chi, 2.2, false);
  one.model.dipoles.box = {2.2, 40, 40};
  const double right = one.alpha * h0 / (1 - one.alpha * zeta3 / (pi * 2.2 * 2.2 * 2.2));
  EXPECT_NEAR(moments_of(one.model, one.state, in_field({0.01, 0, 0}))[0].x, right, 1e-7 * right);
}

// Balls of two kinds in turns, in the smallest box and in one of eight times as much.
TEST(InductionInABox, TwiceTheBoxHasTheSameMoments) {
  const auto lattice = [](int cells) {
    Model m = bodies_at_rest(2 * cells * cells * cells);
    State s;
    s.nodes = Nodes(m.nodes);
    for (int k = 0; k < m.nodes; ++k) {
      m.soft.cells.push_back(soft_ball(k, 1, k % 2 ? 5 : 100));
      const int c = k / 2;
      const int column = c % cells, row = c / cells % cells, layer = c / (cells * cells);
      const V corner{2.5 * column, 2.6 * row, 2.7 * layer};
      s.nodes.set(k, Frame<double>{corner + (k % 2 ? V{1.2, 1.3, 1.5} : V{}), turn(some_vector(7 + k % 2))});
    }
    m.dipoles.interact = true;
    m.dipoles.method = DipoleMethod::ewald;
    m.dipoles.accuracy = 1e-10;
    m.dipoles.box = {2.5 * cells, 2.6 * cells, 2.7 * cells};
    return moments_of(m, s, in_field({0.01, -0.02, 0.03}));
  };
  const auto small = lattice(1), large = lattice(2);
  for (std::size_t k = 0; k < large.size(); ++k) EXPECT_LT(norm(large[k] - small[k % 2]), 1e-8 * norm(small[k % 2]));
}

// Two magnets, of which one is soft as well, and three soft bodies: one that saturates, one of two cells.
struct Mixture {
  Model model = bodies_at_rest(5);
  State state;
  Inputs in = in_field({0.03, -0.05, 0.02}, 0.4);

  explicit Mixture(DipoleMethod method) {
    for (Column& c : model.moment) c.assign(static_cast<std::size_t>(padded(5)), 0.0);
    model.moment[0][0] = 10, model.moment[1][0] = 80, model.moment[2][0] = 15;
    model.moment[2][4] = 30;
    SoftCell one = soft_ball(1, 0.1, 50), four = soft_ball(4, 0.08, 7);
    one.curve = SoftCurve::langevin, one.saturation = 6e4;
    model.soft.cells = {one, soft_ball(2, 0.09, 3), soft_ball(3, 0.06, 20), soft_ball(3, 0.06, 20), four};
    model.soft.cells[2].position = {0.05, 0, 0};
    model.soft.cells[3].position = {-0.05, 0, 0};
    model.dipoles.interact = true;
    model.dipoles.method = method;
    model.dipoles.accuracy = method == DipoleMethod::tree ? 1e-7 : 1e-11;
    model.dipoles.box = {2, 1.1, 0.9};
    state.nodes = Nodes(5);
    for (int i = 0; i < 5; ++i)
      state.nodes.set(i, Frame<double>{V{0.3 * i, 0, 0} + 0.05 * some_vector(static_cast<std::uint64_t>(i)),
                                       turn(2.0 * some_vector(10 + static_cast<std::uint64_t>(i)))});
  }
};

TEST(InductionMethods, ForcesAreSlopesOfTheEnergy) {
  for (const DipoleMethod method : {DipoleMethod::tree, DipoleMethod::ewald}) {
    const Mixture mix(method);
    const auto term = make_induction_term(mix.model);
    const auto w = wrenches_of_term(*term, mix.state, mix.in);
    double size = 0;
    for (const double a : w) size = std::max(size, std::abs(a));
    for (int d = 0; d < 30; d += is_sanitized ? 7 : 1) {
      const auto at = [&](double by) { return energy_of_term(*term, shifted(mix.state, d / 6, d % 6, by), mix.in); };
      constexpr double h = 2e-4;
      const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      EXPECT_NEAR(w[d], -slope, (method == DipoleMethod::tree ? 1e-5 : 1e-7) * size) << "degree of freedom " << d;
    }
  }
}

// Weak paramagnets among strong magnets: what the magnets do to each other is 10^7 times as strong.
TEST(InductionMethods, WeakMomentsBesideStrongOnes) {
  const auto wrenches = [](DipoleMethod method) {
    Mixture mix(method);
    for (Column& c : mix.model.moment) c[2] = 40;
    mix.model.soft.cells = {soft_ball(1, 0.1, 1e-5), soft_ball(3, 0.1, 2e-5)};
    return wrenches_of_term(*make_induction_term(mix.model), mix.state, {});
  };
  const auto right = wrenches(DipoleMethod::direct), found = wrenches(DipoleMethod::tree);
  double size = 0;
  for (const double a : right) size = std::max(size, std::abs(a));
  for (std::size_t k = 0; k < right.size(); ++k) EXPECT_NEAR(found[k], right[k], 1e-6 * size);
}

// A jittered grid of soft balls, every fourth of them a magnet.
struct Heap {
  Model model;
  State state;
  Heap(int side, double chi) : model(bodies_at_rest(side * side * side)) {
    for (Column& c : model.moment) c.assign(static_cast<std::size_t>(padded(model.nodes)), 0.0);
    state.nodes = Nodes(model.nodes);
    for (int i = 0; i < model.nodes; ++i) {
      const int column = i % side, row = i / side % side, layer = i / (side * side);
      const V corner{1.0 * column, 1.0 * row, 1.0 * layer};
      const auto id = static_cast<std::uint64_t>(i);
      state.nodes.set(i, Frame<double>{corner + 0.2 * some_vector(id), turn(some_vector(id + 9000))});
      model.radius[i] = 0.29;
      if (i % 4 == 0)
        model.moment[0][i] = 2e4 * some_vector(id).x, model.moment[2][i] = 3e4;
      else
        model.soft.cells.push_back(soft_ball(i, 0.29, chi));
    }
    model.dipoles.interact = true;
  }
  void use_tree(double accuracy) { model.dipoles.method = DipoleMethod::tree, model.dipoles.accuracy = accuracy; }
};

double rms_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double off = 0, all = 0;
  for (std::size_t k = 0; k < a.size(); ++k) off += (a[k] - b[k]) * (a[k] - b[k]), all += b[k] * b[k];
  return std::sqrt(off / all);
}

TEST(InductionMethods, ATreeFindsWhatPairsDo) {
  Heap heap(12, 200);
  const Inputs in = in_field({0.02, 0, 0.03});
  const auto flat = [](const std::vector<V>& all) {
    std::vector<double> numbers;
    for (const V& m : all) numbers.insert(numbers.end(), {m.x, m.y, m.z});
    return numbers;
  };
  const auto right = flat(moments_of(heap.model, heap.state, in));
  const auto pull = wrenches_of_term(*make_induction_term(heap.model), heap.state, in);
  for (const double accuracy : {1e-3, 1e-5, 1e-7}) {
    heap.use_tree(accuracy);
    const auto term = make_induction_term(heap.model);
    EXPECT_LT(rms_difference(flat(moments_of(heap.model, heap.state, in)), right), accuracy);
    EXPECT_LT(rms_difference(wrenches_of_term(*term, heap.state, in), pull), 3 * accuracy);
    EXPECT_EQ(term->failure(), "");
  }
}

TEST(InductionMethods, ATreePullsByTheSlopeOfItsEnergy) {
  Heap heap(11, 30);
  heap.use_tree(1e-5);
  const Inputs in = in_field({0.02, 0, 0.03});
  const auto term = make_induction_term(heap.model);
  const auto w = wrenches_of_term(*term, heap.state, in);
  double size = 0;
  for (const double a : w) size += a * a / static_cast<double>(w.size());
  for (int k = 0; k < (is_sanitized ? 1 : 5); ++k) {
    const int d = 6 * (700 + k) + k;
    const auto at = [&](double by) { return energy_of_term(*term, shifted(heap.state, d / 6, d % 6, by), in); };
    constexpr double h = 0.02;
    const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    EXPECT_NEAR(w[d], -slope, 1e-3 * std::sqrt(size)) << d;
  }
}

// Blocks of nodes that no pair stands in the matrix for.
TEST(InductionMethods, FarNodesHoldByTheSlopesOfTheNearest) {
  Heap heap(11, 30);
  heap.model.dipoles.implicit_distance = 0.0;
  const auto diagonals = [&] {
    BlockMatrix k(BlockPattern(heap.model.nodes, {}));
    StiffnessRequest moving;
    moving.rate = 1;
    const Inputs in = in_field({0.02, 0, 0.03});
    make_induction_term(heap.model)->add_stiffness(heap.state, in, moving, k);
    std::vector<double> all;
    for (int i = 0; i < heap.model.nodes; ++i) all.insert(all.end(), k.diagonal(i), k.diagonal(i) + 36);
    return all;
  };
  const auto right = diagonals();
  heap.use_tree(1e-5);
  EXPECT_LT(rms_difference(diagonals(), right), 0.03);
}

TEST(InductionMethodsThreads, SameBitsForAnyNumber) {
  Heap heap(8, 30);
  const Inputs in = in_field({0.1, 0, 0.2}, 0.5);
  for (const DipoleMethod method : {DipoleMethod::tree, DipoleMethod::ewald}) {
    heap.model.dipoles.method = method;
    heap.model.dipoles.box = {9, 9, 9};
    const auto one = make_induction_term(heap.model), three = make_induction_term(heap.model);
    EXPECT_EQ(wrenches_of_term(*one, heap.state, in, 1), wrenches_of_term(*three, heap.state, in, 3));
  }
}

}  // namespace

}  // namespace ls::induction_methods_test
