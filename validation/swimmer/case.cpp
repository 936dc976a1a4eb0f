// A soft helix with a magnetic head in a field that rotates: it swims, and the other way when the field turns the other
// way.
#include "base/error.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <Eigen/Dense>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::swimmer {

namespace {

using std::numbers::pi;
using V = Eigen::Vector3d;

// m, Pa s, s, A/m, T: those of the scenes.
constexpr double radius = 0.3e-3, angle = pi / 4, rod_radius = 0.05e-3, viscosity = 0.02, period = 1.0 / 6;
constexpr double magnetisation = 60e3, field = 2e-3, head = 5.0 / 16;
constexpr int samples = 40;  // a period

// Per length of a rod, N s/m^2, and against its spin about itself, N s.
struct Drag {
  double across, along, spin;
};

double turn_length() {
  return 2 * pi * radius / std::sin(angle);
}

// That of a whole straight rod (Batchelor, Cox), which `[drag]` takes.
Drag straight_drag() {
  const double slender = std::log(2 * 2 * turn_length() / rod_radius);
  return {4 * pi * viscosity / (slender - 0.5), 2 * pi * viscosity / (slender - 1.5),
          4 * pi * viscosity * rod_radius * rod_radius};
}

// That of a piece of a long helix (Lighthill). Without `spin` a lattice does not feel a rod spin about itself.
Drag helix_drag() {
  const double slender = std::log(2 * 0.09 * turn_length() / rod_radius);
  return {4 * pi * viscosity / (slender + 0.5), 2 * pi * viscosity / slender, 0};
}

// How far a helix that turns about its own axis comes in one turn, over its radius.
double advance_on_axis(const Drag& d) {
  const double s = std::sin(angle), c = std::cos(angle);
  return 2 * pi * (d.across - d.along) * s * c / (d.across * s * s + d.along * c * c);
}

// By time, `samples` a period: the place of the middle along x over the radius, and how far the head is behind the
// field, in degrees, positive whichever way the field turns.
struct Track {
  std::vector<double> periods, x, lag;

  double advance() const { return x.back() - x[x.size() - 1 - samples]; }  // in the last period
  double last_lag() const { return mean(std::span(lag).last(samples)); }
  void add(double time, double place, double behind) {
    periods.push_back(time / period), x.push_back(place / radius);
    // Carried on from sample to sample: a head that slips behind by whole turns shows.
    const double before = lag.empty() ? 0 : lag.back();
    lag.push_back(before + std::remainder(behind * 180 / pi - before, 360));
  }
};

Eigen::Matrix3d cross_matrix(const V& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// Velocity and spin of the rigid helix by a torque alone, in its own axes about its middle: the last three columns of
// the inverse of its resistance, summed over its pieces.
Eigen::Matrix<double, 6, 3> mobility(const Drag& d) {
  constexpr int pieces = 4000;
  const double ds = 2 * turn_length() / pieces;
  Eigen::Matrix<double, 6, 6> resistance = Eigen::Matrix<double, 6, 6>::Zero();
  for (int i = 0; i < pieces; ++i) {
    const double s = (i + 0.5) * ds, turned = s * std::sin(angle) / radius, c = std::cos(turned), n = std::sin(turned);
    const V place((s - turn_length()) * std::cos(angle), radius * n, -radius * c);
    const V along(std::cos(angle), std::sin(angle) * c, std::sin(angle) * n);
    const Eigen::Matrix3d tt = along * along.transpose();
    Eigen::Matrix<double, 3, 6> slip;
    slip << Eigen::Matrix3d::Identity(), -cross_matrix(place);
    resistance += ds * slip.transpose() * (d.across * Eigen::Matrix3d::Identity() + (d.along - d.across) * tt) * slip;
    resistance.bottomRightCorner<3, 3>() += ds * d.spin * tt;
  }
  return resistance.inverse().rightCols<3>();
}

// The rigid helix, free to move and turn, with the field as its only torque, by midpoint steps.
Track rigid_swim(const Drag& d, int periods, double sense) {
  const Eigen::Matrix<double, 6, 3> moves = mobility(d);
  const double moment = magnetisation * head * 2 * turn_length() * pi * rod_radius * rod_radius;
  const auto field_angle = [&](double t) { return sense * 2 * pi * t / period; };
  const auto rates = [&](double t, const Eigen::Quaterniond& q) -> Eigen::Matrix<double, 6, 1> {
    const V b(0, field * std::cos(field_angle(t)), field * std::sin(field_angle(t)));
    const V torque = (moment * V::UnitY()).cross(q.conjugate() * b);
    Eigen::Matrix<double, 6, 1> out = moves * torque;
    out << q * out.head<3>(), q * out.tail<3>();
    return out;
  };
  const auto turned = [](const Eigen::Quaterniond& q, const V& by) {
    Eigen::Quaterniond out;
    out.coeffs() = q.coeffs() + 0.5 * (Eigen::Quaterniond(0, by.x(), by.y(), by.z()) * q).coeffs();
    return out.normalized();
  };
  constexpr int steps = 20;  // a sample
  const double dt = period / samples / steps;
  Track track;
  Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
  double x = 0;
  for (int i = 0; i <= periods * samples * steps; ++i) {
    const double t = i * dt;
    const V m = q * V::UnitY();
    if (i % steps == 0) track.add(t, x, sense * (field_angle(t) - std::atan2(m.z(), m.y())));
    const auto middle = rates(t + dt / 2, turned(q, dt / 2 * rates(t, q).tail<3>()));
    x += dt * middle[0], q = turned(q, dt * middle.tail<3>());
  }
  return track;
}

// A run of a scene. The magnetisation is along y as drawn; positions are kept for the shape.
struct Swim : Track {
  int bonds;
  SceneRun run;

  Swim(const Context& c, const std::string& scene, int count, double sense, std::vector<std::string> sets,
       const std::string& name)
      : bonds(c.manner.fast ? 40 : 56), run([&] {
          sets.push_back(fmt::format("define.periods={}", count));
          sets.push_back(fmt::format("define.rate=\"{} turn / period\"", sense));
          sets.push_back(fmt::format("rod.swimmer.bonds={}", bonds));
          return run_scene(c, scene, sets, name);
        }()) {
    if (run.status != RunStatus::done) throw Error(fmt::format("{}: {}", name, run.message));
    const auto t = run["time"], place = run["swimmer.mean_position.x"];
    const auto w = run["head.orientation.w"], i = run["head.orientation.x"], j = run["head.orientation.y"],
               k = run["head.orientation.z"];
    const Eigen::Quaterniond drawn(w[0], i[0], j[0], k[0]);
    for (std::size_t n = 0; n < t.size(); ++n) {
      const V m = Eigen::Quaterniond(w[n], i[n], j[n], k[n]) * (drawn.conjugate() * V::UnitY());
      add(t[n], place[n] - place[0], 2 * pi * t[n] / period - sense * std::atan2(m.z(), m.y()));
    }
  }

  // Largest change of the distance of two nodes in the end, over the radius of the helix.
  double bent() const {
    std::vector<V> drawn, now;
    for (int n = 0; n <= bonds; n += 2) {
      const auto at = [&](const char* axis) { return run[fmt::format("swimmer.position[{}].{}", n, axis)]; };
      const auto x_of = at("x"), y_of = at("y"), z_of = at("z");
      drawn.emplace_back(x_of[0], y_of[0], z_of[0]), now.emplace_back(x_of.back(), y_of.back(), z_of.back());
    }
    double most = 0;
    for (std::size_t a = 0; a < now.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        most = worse(most, std::abs((now[a] - now[b]).norm() - (drawn[a] - drawn[b]).norm()));
    return most / radius;
  }
};

Row relative(std::string what, double ours, double reference, double limit) {
  return {std::move(what), ours, reference, std::abs(ours / reference - 1), limit, "of itself"};
}

// What two senses have in common, over what they have apart: 0 where one is the other one backwards.
double unevenness(const Track& forward, const Track& backward) {
  return std::abs((forward.advance() + backward.advance()) / (forward.advance() - backward.advance()));
}

Series places(const std::string& name, const Track& track) {
  return {name, track.periods, track.x};
}
Series marks(const std::string& name, const Track& track, const std::vector<double>& values) {
  Series out{name, {}, {}, true};
  for (std::size_t i = 0; i < values.size(); i += 8) out.x.push_back(track.periods[i]), out.y.push_back(values[i]);
  return out;
}
Series marks(const std::string& name, const Track& track) {
  return marks(name, track, track.x);
}

// Without a lattice the theory is that of the simulator: what is left is the discretisation, and how soft the rod is.
void check_drag(const Context& c, Result& out) {
  const int periods = c.manner.fast ? 2 : 3;
  const std::vector<std::string> stiff = {"material.rubber.young=\"400 MPa\""};
  const Track rigid = rigid_swim(straight_drag(), periods, 1);
  const Swim forward(c, "drag.toml", periods, 1, stiff, "drag-stiff"),
      backward(c, "drag.toml", periods, -1, stiff, "drag-stiff-back"),
      soft(c, "drag.toml", periods, 1, {}, "drag-soft"), soft_back(c, "drag.toml", periods, -1, {}, "drag-soft-back");
  out.rows.push_back(relative("drag alone, stiff: way in a turn over R", forward.advance(), rigid.advance(), 0.01));
  out.rows.push_back(
      relative("drag alone, stiff: way in a turn over R, reversed", backward.advance(), -rigid.advance(), 0.01));
  out.rows.push_back(
      compared("drag alone, stiff: lag of the head", forward.last_lag(), rigid.last_lag(), 1, "degrees"));
  out.rows.push_back(
      small("drag alone, stiff: what reversal changes beside the sign", unevenness(forward, backward), 1e-3));
  out.rows.push_back(relative("drag alone, soft: way in a turn over R", soft.advance(), rigid.advance(), 0.03));
  out.rows.push_back(
      relative("drag alone, soft: way in a turn over R, reversed", soft_back.advance(), -rigid.advance(), 0.03));
  out.remarks.push_back(
      fmt::format("By drag alone the rigid helix that is free to wobble comes {:.3f} R a turn, one held on its axis "
                  "{:.3f} R.",
                  rigid.advance(), advance_on_axis(straight_drag())));
  out.plots.push_back({"By drag alone",
                       "turns of the field",
                       "way over R",
                       {places("soft", soft), places("soft, reversed", soft_back), marks("rigid helix", rigid),
                        marks("rigid helix", rigid_swim(straight_drag(), periods, -1))}});
}

double worst_of(const SceneRun& run, const std::string& column) {
  double worst = 0;
  for (const double v : run[column]) worst = worse(worst, std::abs(v));
  return worst;
}

// The field is uniform and gives no force: what the swimmer has the fluid must have backwards. It is little beside what
// the fluid has in all its parts, by which `momentum_error` goes.
double momentum_left(const SceneRun& run) {
  double left = 0, largest = 0;
  for (const std::string axis : {"x", "y", "z"}) {
    const auto fluid = run["fluid.momentum." + axis], solid = run["system.momentum." + axis];
    for (std::size_t i = 0; i < fluid.size(); ++i) {
      left = worse(left, std::abs(fluid[i] + solid[i]));
      largest = worse(largest, std::abs(solid[i]));
    }
  }
  return left / largest;
}

void compare_with_theory(const Context& c, const Swim& forward, const Swim& backward, Result& out) {
  const int periods = c.manner.fast ? 2 : 5;
  const Track rigid = rigid_swim(helix_drag(), periods, 1), reversed = rigid_swim(helix_drag(), periods, -1);
  const double on_axis = advance_on_axis(helix_drag());
  out.rows.push_back(relative("lattice: way in a turn over R", forward.advance(), on_axis, 0.15));
  out.rows.push_back(relative("lattice: way in a turn over R, reversed", backward.advance(), -on_axis, 0.15));
  out.rows.push_back(relative("lattice: sine of the lag, which is the torque", std::sin(forward.last_lag() * pi / 180),
                              std::sin(rigid.last_lag() * pi / 180), 0.2));
  out.remarks.push_back(fmt::format(
      "In the lattice the helix comes {:.3f} R a turn and {:.3f} R when reversed; on its axis it would come {:.3f} R, "
      "and rigid but free {:.3f} R. Its head is {:.0f} and {:.0f} degrees behind the field, that of the rigid one "
      "{:.0f}. Distances within it change by up to {:.1f} % of R.",
      forward.advance(), backward.advance(), on_axis, rigid.advance(), forward.last_lag(), backward.last_lag(),
      rigid.last_lag(), 100 * forward.bent()));
  out.plots.push_back({"In the lattice",
                       "turns of the field",
                       "way over R",
                       {places("soft", forward), places("soft, reversed", backward), marks("rigid helix", rigid),
                        marks("rigid helix", reversed)}});
  out.plots.push_back({"How far the head is behind the field",
                       "turns of the field",
                       "degrees",
                       {{"soft", forward.periods, forward.lag},
                        {"soft, reversed", backward.periods, backward.lag},
                        marks("rigid helix", rigid, rigid.lag)}});
}

void check_lattice(const Context& c, Result& out) {
  const int periods = c.manner.fast ? 2 : 5;
  std::vector<std::string> grid;
  if (c.manner.fast) grid = {"define.dx=\"0.125 mm\"", "define.nx=52", "define.ny=20"};
  const Swim forward(c, "swimmer.toml", periods, 1, grid, "lattice"),
      backward(c, "swimmer.toml", periods, -1, grid, "lattice-back");
  compare_with_theory(c, forward, backward, out);
  out.rows.push_back(small("lattice: what reversal changes beside the sign", unevenness(forward, backward), 0.03));
  for (const Swim* swim : {&forward, &backward})
    out.rows.push_back(
        small(fmt::format("lattice{}: change of the lag in the last turn", swim == &forward ? "" : ", reversed"),
              std::abs(swim->lag.back() - swim->lag[swim->lag.size() - 1 - samples]), 2, "degrees"));
  out.rows.push_back(small(
      "lattice: momentum that does not add up, over the largest",
      worse(worst_of(forward.run, "fluid.momentum_error"), worst_of(backward.run, "fluid.momentum_error")), 1e-6));
  out.rows.push_back(small("lattice: momentum of swimmer and fluid together, over the largest of the swimmer",
                           momentum_left(forward.run), 1e-4));
  out.rows.push_back(small("lattice: mean flow along x, over the speed of the swimmer",
                           worst_of(forward.run, "fluid.mean_velocity.x") * period / (forward.advance() * radius),
                           0.01));

  auto left = grid;
  left.emplace_back("define.angle=\"-45 deg\"");
  const Swim mirrored(c, "swimmer.toml", c.manner.fast ? 1 : 2, -1, left, "lattice-mirrored");
  double worst = 0;
  for (std::size_t i = 0; i < mirrored.x.size(); ++i) worst = worse(worst, std::abs(mirrored.x[i] - forward.x[i]));
  out.rows.push_back(small("lattice: left-handed and reversed against right-handed, way", worst, 1e-6, "of R"));

  if (c.manner.fast) return;
  const Swim wide(c, "swimmer.toml", 3, 1, {"define.nx=96", "define.ny=40"}, "lattice-wide");
  out.rows.push_back(relative("lattice, box 1.5 times as long and 1.7 times as wide: way in a turn over R",
                              wide.advance(), forward.advance(), 0.05));
  const Swim fine(c, "swimmer.toml", 3, 1, {"define.dx=\"0.2 mm / 3\"", "define.nx=96", "define.ny=36"},
                  "lattice-fine");
  out.rows.push_back(
      relative("lattice 1.5 times as fine: way in a turn over R", fine.advance(), forward.advance(), 0.05));
}

}  // namespace

Result run(const Context& c) {
  Result out;
  check_drag(c, out);
  check_lattice(c, out);
  return out;
}

}  // namespace ls::validation::swimmer
