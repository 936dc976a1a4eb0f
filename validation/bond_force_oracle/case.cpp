#include "physics/kernels.h"
#include "physics/test_kernel_properties.h"
#include "validation/support.h"

#include <cmath>
#include <fmt/format.h>

namespace ls::validation::bond_force_oracle {

namespace {

using properties::Pair;
using properties::V;

// One configuration of the file, as our kernel wants it.
struct Configuration {
  std::string name;
  CorotationalBond::Params<double> bond;
  Pair frames;
  double wrench[12];  // force and torque on node 1, then on node 2
  double energy;
};

std::vector<Configuration> read(const std::filesystem::path& file) {
  const Table table(file);
  std::vector<Configuration> all(table.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto at = [&](const std::string& column) { return table[column][i]; };
    const auto vec = [&](const std::string& a) { return V{at(a + "x"), at(a + "y"), at(a + "z")}; };
    const auto quat = [&](const std::string& a) {
      return Quat<double>{at(a + "w"), {at(a + "i"), at(a + "j"), at(a + "k")}};
    };
    const V rest = vec("ri");
    const double l = norm(rest);
    // There orientations count from the start, whatever way the bond runs; here z runs along the bond at rest.
    const Quat<double> along = turn_between({0, 0, 1}, (1 / l) * rest);
    auto& c = all[i];
    c.name = table.text("case")[i];
    c.bond = {at("Kr"), at("Ks"), at("Ks"), at("Kb"), at("Kb"), at("Kt"), l};
    c.frames[0] = {vec("x1"), quat("q1") * along};
    c.frames[1] = {vec("x2"), quat("q2") * along};
    int k = 0;
    for (const auto* what : {"f1", "t1", "f2", "t2"})
      for (const auto* axis : {"x", "y", "z"}) c.wrench[k++] = at(std::string(what) + axis);
    c.energy = at("ebond");
  }
  return all;
}

Row compare_wrench(const Configuration& c) {
  Wrench<double> w[2];
  CorotationalBond::wrench(c.bond, c.frames, w);
  double ours[12], our_square = 0, square = 0;
  for (int k = 0; k < 12; ++k) {
    ours[k] = properties::component(w[k / 6], k % 6);
    our_square += ours[k] * ours[k];
    square += c.wrench[k] * c.wrench[k];
  }
  // A bond at rest has no size of its own: there the force of a shear by its own length is the scale. In `tiny` the
  // reference itself is good to four digits: it takes angles by arccos, which loses half of them near zero.
  const bool tiny = c.name == "tiny";
  const double size = std::sqrt(square), scale = tiny ? size : std::max(size, c.bond.ks1 * c.bond.l);
  return {"force and torque, " + c.name,
          std::sqrt(our_square),
          size,
          max_abs_difference(ours, c.wrench) / scale,
          tiny ? 3e-4 : 1e-10,
          tiny ? "of the row" : "of the row or Ks·l"};
}

Row compare_energies(const std::vector<Configuration>& all) {
  double worst = 0;
  for (const auto& c : all) {
    if (c.name == "tiny") continue;
    const double scale = std::max(c.energy, c.bond.ks1 * c.bond.l * c.bond.l);
    worst = worse(worst, std::abs(total(CorotationalBond::energy(c.bond, c.frames)) - c.energy) / scale);
  }
  return small("energy, worst of all but tiny", worst, 1e-10, "of the energy or Ks·l²");
}

// A round rod whose bonds are twice as long as thick: EA = l = 1.
ElasticBond round_bond() {
  ElasticBond b;
  b.kr = 1, b.ks1 = b.ks2 = 12.0 / 64, b.kb1 = b.kb2 = 1.0 / 64, b.kt = 1.0 / 84, b.l = 1;
  return b;
}

// How far the wrench is from minus the gradient of the energy, which dual numbers give without a difference quotient:
// the worst of many random configurations deformed by about `size`.
template <class K>
double gradient_gap(double size, int samples) {
  const auto p = K::of(round_bond());
  properties::Rng rng(7);
  double worst = 0;
  for (int i = 0; i < samples; ++i) {
    Pair f;
    properties::random_pair(rng, 1.0, size, f);
    Frame<Dual<double, 12>> g[2];
    displace_all(f, g);
    const auto u = total(K::energy(p, g));
    Wrench<double> w[2];
    K::wrench(p, f, w);
    double gap = 0, scale = 0;
    for (int k = 0; k < 12; ++k) {
      gap = worse(gap, std::abs(u.d[k] + properties::component(w[k / 6], k % 6)));
      scale = std::max(scale, std::abs(u.d[k]));
    }
    worst = worse(worst, gap / scale);
  }
  return worst;
}

struct Gaps {
  std::vector<double> size, gradient, loop;
};

template <class K>
Gaps gaps(const Context& context, Plot& gradients, Plot& loops) {
  Gaps g;
  for (const double size : {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3}) {
    g.size.push_back(size);
    g.gradient.push_back(gradient_gap<K>(size, context.manner.fast ? 200 : 2000));
    g.loop.push_back(std::abs(properties::loop_work<K>(K::of(round_bond()), 1.0, size)));
  }
  gradients.series.push_back({K::name, g.size, g.gradient});
  loops.series.push_back({K::name, g.size, g.loop});
  return g;
}

}  // namespace

Result run(const Context& context) {
  Result r;
  const auto all = read(context.folder / "bond_force_oracle.csv");
  for (const auto& c : all) r.rows.push_back(compare_wrench(c));
  r.rows.push_back(compare_energies(all));

  Plot gradients{
      "Forces against the gradient of the energy", "deformation", "largest difference, relative", {}, true, true};
  Plot loops{
      "Work of the bond around a closed loop", "deformation", "over the largest energy on the way", {}, true, true};
  const auto exact = gaps<ExactBond>(context, gradients, loops);
  const auto paper = gaps<CorotationalBond>(context, gradients, loops);
  const auto vector = gaps<VectorBond>(context, gradients, loops);
  r.rows.push_back(small("exact: gradient gap at 0.3", exact.gradient.back(), 1e-12));
  r.rows.push_back(small("vector: gradient gap at 0.3", vector.gradient.back(), 1e-12));
  r.rows.push_back(small("exact: loop work at 0.3", exact.loop.back(), 1e-8, "of the peak energy"));
  r.rows.push_back(small("vector: loop work at 0.3", vector.loop.back(), 1e-8, "of the peak energy"));
  r.plots = {gradients, loops};
  for (const std::size_t i : {3, 6})
    r.remarks.push_back(
        fmt::format("corotational, deformed by {}: forces up to {:.1f} % from the gradient; a closed loop does work of "
                    "{:.2f} % of the peak energy.",
                    paper.size[i], 100 * paper.gradient[i], 100 * paper.loop[i]));
  r.remarks.emplace_back(
      "What is left of the loop work of exact and vector comes of summing it over 20 000 straight pieces.");
  return r;
}

}  // namespace ls::validation::bond_force_oracle
