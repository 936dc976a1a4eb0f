#include "model/field_sampling.h"
#include "physics/dipole_in_field.h"
#include "physics/magnets.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::analytic_magnets {

namespace {

using V = Vec3<double>;

// The magnet of the files: a cube of side 0.1 m with a moment of 5 A m^2 along x.
constexpr double side = 0.1;
constexpr V moment{5, 0, 0};
const CuboidMagnet cube{{{side / 2, side / 2, side / 2}}, (1 / (side * side * side)) * moment};

Row cube_against_file(const Context& context, Plot& plot) {
  const Table t(context.folder / "cube_field.csv");
  double worst = 0, ours = 0, theirs = 0;
  Series on_axis{"cube, file", {}, {}, true};
  for (std::size_t i = 0; i < t.size(); ++i) {
    const V x = side * V{t["x/a"][i], t["y/a"][i], t["z/a"][i]}, right{t["Bx_T"][i], t["By_T"][i], t["Bz_T"][i]};
    const V b = cube.field(x);
    if (const double error = norm(b - right) / norm(right); !(error <= worst))
      worst = error, ours = norm(b), theirs = norm(right);
    if (x.y == 0 && x.z == 0) on_axis.x.push_back(x.x / side), on_axis.y.push_back(1e3 * right.x);
  }
  Series line{"cube", {}, {}}, dipole{"dipole of the same moment", {}, {}};
  for (double r = 0.6; r < 5.01; r *= 1.03) {
    line.x.push_back(r), line.y.push_back(1e3 * cube.field(V{r * side, 0, 0}).x);
    dipole.x.push_back(r), dipole.y.push_back(1e3 * PointDipole{moment}.field(V{r * side, 0, 0}).x);
  }
  plot.series = {line, dipole, on_axis};
  return {"field of a cube, worst of its nine points (T)", ours, theirs, worst, 1e-9, "of |B|"};
}

// The file gives lengths in those of the cube of the same volume, fields in mu0 M.
Row cylinder_against_file(const Context& context) {
  const Table t(context.folder / "cylinder_field.csv");
  double worst = 0, ours = 0, theirs = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    double aspect = t["d_over_l"][i];
    if (std::abs(aspect - 2 / std::sqrt(3.0)) < 1e-5) aspect = 2 / std::sqrt(3.0);  // written with six digits
    const double l = std::cbrt(4 / (std::numbers::pi * aspect * aspect));
    const CylinderMagnet magnet{{aspect * l / 2, l / 2}, {0, 0, 1 / mu0}};
    const double rho = t["rho_over_Veq"][i], radial = t["Brho/(mu0 M)"][i], axial = t["Bz/(mu0 M)"][i];
    const V b = magnet.field(V{0.6 * rho, 0.8 * rho, t["z_over_Veq"][i]});
    const double error = std::hypot(0.6 * b.x + 0.8 * b.y - radial, b.z - axial);
    if (!(error <= worst)) worst = error, ours = norm(b), theirs = std::hypot(radial, axial);
  }
  return {"field of a cylinder, worst of its 36 points (mu0 M)", ours, theirs, worst, 1e-9, "of mu0 M"};
}

// Gauss's rule with `n` points on (0, 1), by Newton's method on Legendre's polynomial.
std::vector<std::pair<double, double>> gauss(int n) {
  std::vector<std::pair<double, double>> rule;
  for (int k = 0; k < n; ++k) {
    double x = std::cos(std::numbers::pi * (k + 0.75) / (n + 0.5)), slope = 1;
    for (int it = 0; it < 50; ++it) {
      double p = 1, before = 0;
      for (int j = 0; j < n; ++j) {
        const double next = ((2 * j + 1) * x * p - j * before) / (j + 1);
        before = p;
        p = next;
      }
      slope = n * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    rule.emplace_back(0.5 * (1 + x), 1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

// The force between two of these cubes, coaxial: the second one as poles on its two faces, M dA, in the exact field of
// the first. Near contact the faces look at edges, so the sum over a face converges slowly there.
double cube_force(double distance, const std::vector<std::pair<double, double>>& rule) {
  const double charge = norm(moment) / side / (side * side);  // per area, A/m
  double force = 0;
  for (const double end : {-0.5, 0.5})
    for (const auto& [u, wu] : rule)
      for (const auto& [v, wv] : rule) {
        const V x{distance + end * side, 0.5 * side * u, 0.5 * side * v};  // a quarter of the face
        force += (end > 0 ? 1 : -1) * 4 * wu * wv * 0.25 * side * side * charge * cube.field(x).x;
      }
  return -force;
}

Row force_against_file(const Context& context, Plot& plot) {
  const Table t(context.folder / "cube_force.csv");
  const auto rule = gauss(60);
  Series line{"two cubes", {}, {}}, dipoles{"two dipoles", {}, {}}, file{"two cubes, file", {}, {}, true};
  double worst = 0, ours = 0, theirs = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double r = t["r_m"][i], right = t["F_exact_N"][i];
    file.x.push_back(r / side), file.y.push_back(right);
    if (r < 1.02 * side) continue;  // the faces touch: their edges are singular
    const double f = cube_force(r, rule), error = std::abs(f - right) / right;
    line.x.push_back(r / side), line.y.push_back(f);
    dipoles.x.push_back(r / side), dipoles.y.push_back(6e-7 * dot(moment, moment) / std::pow(r, 4));
    if (!(error <= worst)) worst = error, ours = f, theirs = right;
  }
  plot.series = {line, dipoles, file};
  return {"force between two cubes, 1.05 to 10 sides apart (N)", ours, theirs, worst, 1e-9, "of the force"};
}

struct Body {
  const char* name;
  Magnet magnet;
  double size;  // m
};
std::vector<Body> bodies() {
  const V m{3e5, -2e5, 5e5};
  return {{"cuboid", CuboidMagnet{{{0.01, 0.02, 0.015}}, m}, 0.02},
          {"cylinder", CylinderMagnet{{0.01, 0.015}, m}, 0.015},
          {"sphere", SphereMagnet{0.02, m}, 0.02},
          {"loop", CurrentLoop{0.02, 30}, 0.02},
          {"coil", Coil{{0.01, 0.03}, 500}, 0.03}};
}

struct Worst {
  double divergence = 0, curl = 0, force = 0;
};

// Over points outside of it: on its axis, beside edges and rims, and far away.
Worst laws(const Body& body) {
  Worst worst;
  for (const double distance : {1.3, 2.0, 3.7, 6.0, 20.0, 60.0})
    for (const V& d : {V{0.3, -0.5, 0.81}, V{0, 0, 1}, V{1, 0, 0}, V{0.6, 0, -0.8}, V{0.5, 0.75, 0.75}})
      std::visit(
          [&](const auto& magnet) {
            const V x = (distance * body.size) * d, m{0.2, -0.5, 0.7};
            FieldSample f;
            add_sample([&](const auto& at) { return magnet.field(at); }, x, 1, 1.0, f);
            const Mat3<double>& g = f.gradient;
            const double size = std::sqrt(dot(g.c1, g.c1) + dot(g.c2, g.c2) + dot(g.c3, g.c3));
            worst.divergence = worse(worst.divergence, std::abs(g.c1.x + g.c2.y + g.c3.z) / size);
            worst.curl = worse(worst.curl, norm(V{g.c2.z - g.c3.y, g.c3.x - g.c1.z, g.c1.y - g.c2.x}) / size);
            // The gradient of m.B by differences of sixth order.
            const double h = 4e-3 * distance * body.size * (distance < 2 ? 0.3 : 1.0);
            const auto slope = [&](const V& e) {
              const auto u = [&](double k) { return dot(m, magnet.field(x + (k * h) * e)); };
              return (45 * (u(1) - u(-1)) - 9 * (u(2) - u(-2)) + (u(3) - u(-3))) / (60 * h);
            };
            const V right{slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})};
            worst.force = worse(worst.force, norm(dipole_wrench(m, f.b, g).force - right) / (norm(m) * size));
          },
          body.magnet);
  return worst;
}

}  // namespace

Result run(const Context& context) {
  Result r;
  Plot field{"Field on the axis of the cube", "distance (sides)", "B (mT)", {}, true, true};
  Plot force{"Force between two coaxial cubes", "distance of their centres (sides)", "attraction (N)", {}, true, true};
  r.rows = {cube_against_file(context, field), cylinder_against_file(context), force_against_file(context, force)};
  for (const Body& body : bodies()) {
    const Worst w = laws(body);
    r.rows.push_back(small(fmt::format("{}: div B outside", body.name), w.divergence, 1e-11, "of |grad B|"));
    r.rows.push_back(small(fmt::format("{}: curl B outside", body.name), w.curl, 1e-11, "of |grad B|"));
    r.rows.push_back(
        small(fmt::format("{}: force on a dipole against differences of m.B", body.name), w.force, 1e-9, "of it"));
  }
  r.plots = {field, force};
  return r;
}

}  // namespace ls::validation::analytic_magnets
