// Channels across every axis: Poiseuille, Couette, and half a channel with a free surface, in both precisions.
#include "validation/flows.h"
#include "validation/support.h"

#include <Eigen/Dense>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace ls::validation::fluid_channels {

namespace {

constexpr const char* letter[] = {"x", "y", "z"};
constexpr double viscosity = 0.1;

struct Channel {
  std::string name;
  FaceKind high = FaceKind::wall;
  int width = 12;
  double speed = 0.05;  // lattice units, the largest
  double force = 0;     // on every cell
  double low_wall = 0, high_wall = 0;
  std::function<double(double)> exact;  // of the distance from the low face
};

Channel poiseuille(double speed) {
  Channel c;
  c.name = fmt::format("Poiseuille, u = {}", speed);
  c.speed = speed;
  const double w = c.width, g = 8 * viscosity * speed / (w * w);
  c.force = g;
  c.exact = [=](double y) { return g / (2 * viscosity) * y * (w - y); };
  return c;
}
Channel couette() {
  Channel c;
  c.name = "Couette";
  c.low_wall = -0.01, c.high_wall = 0.05;
  const double w = c.width;
  c.exact = [=](double y) { return -0.01 + 0.06 * y / w; };
  return c;
}
Channel half_channel() {
  Channel c;
  c.name = "free slip";
  c.high = FaceKind::free_slip;
  c.width = 8;
  const double w = c.width, g = 2 * viscosity * c.speed / (w * w);
  c.force = g;
  c.exact = [=](double y) { return g / (2 * viscosity) * y * (2 * w - y); };
  return c;
}

struct Profile {
  std::vector<double> y, u;  // from the low face, in cells; lattice units
  double error = 0;          // largest, over the largest exact velocity
};

// Runs until diffusion has had its time: exp(-pi^2 nu t/w^2) is below rounding.
Profile settle(const Channel& c, int axis, bool is_double) {
  const int along = (axis + 1) % 3;
  const auto across = static_cast<std::size_t>(axis);
  LatticeSpec spec;
  spec.cells = {4, 2, 2};
  spec.cells[across] = c.width;
  spec.faces[across] = {FaceKind::wall, c.high};
  spec.viscosity = viscosity;
  spec.is_double = is_double;
  LatticeDrive drive;
  component(drive.body, along) = c.force;
  component(drive.velocity[across][0], along) = c.low_wall;
  component(drive.velocity[across][1], along) = c.high_wall;
  Flow flow(spec);
  for (int i = 0; i < 7001; ++i) flow.step(drive);
  Profile p;
  double largest = 0;
  for (int k = 0; k < c.width; ++k) {
    std::array<int, 3> cell{1, 1, 1};
    cell[across] = k;
    Vec3<double> u = flow.velocity(cell, drive);
    p.y.push_back(k + 0.5), p.u.push_back(component(u, along));
    const double exact = c.exact(k + 0.5);
    p.error = worse(p.error, std::abs(p.u.back() - exact)), largest = std::max(largest, std::abs(exact));
  }
  p.error /= largest;
  return p;
}

// Where the parabola through the velocities is zero, near the low face: cells.
double wall_of(const Profile& p) {
  Eigen::MatrixXd a(static_cast<Eigen::Index>(p.y.size()), 3);
  Eigen::VectorXd u(a.rows());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    const double y = p.y[i];
    a.row(i) << 1, y, y * y;
    u[i] = p.u[i];
  }
  const Eigen::Vector3d c = a.colPivHouseholderQr().solve(u);
  return 2 * c[0] / (-c[1] - std::sqrt(c[1] * c[1] - 4 * c[0] * c[2]));
}

}  // namespace

Result run(const Context& c) {
  Result out;
  struct Wanted {
    Channel channel;
    bool is_double;
    double limit;
  };
  const std::vector<Wanted> all = {{poiseuille(0.05), true, 1e-10}, {poiseuille(0.05), false, 5e-6},
                                   {poiseuille(1e-5), false, 3e-5}, {couette(), true, 1e-10},
                                   {couette(), false, 5e-6},        {half_channel(), true, 1e-10},
                                   {half_channel(), false, 5e-5}};
  Plot plot{"Channels across y, double precision", "distance from the low wall, cells", "velocity, lattice units", {}};
  std::vector<Series> marks;
  for (const Wanted& w : all)
    for (int axis = 0; axis < 3; ++axis) {
      if (c.manner.fast && axis != 1) continue;
      const Profile p = settle(w.channel, axis, w.is_double);
      const std::string what =
          fmt::format("{}, across {}, {}", w.channel.name, letter[axis], w.is_double ? "double" : "single");
      out.rows.push_back(small(what + ": velocity, over the largest", p.error, w.limit));
      if (!w.is_double) continue;
      if (w.channel.force != 0)
        out.rows.push_back(small(what + ": where the wall is, from the face", std::abs(wall_of(p)), 1e-9, "cells"));
      if (axis != 1) continue;
      Series exact{w.channel.name, {}, {}, true};
      for (const double y : p.y) exact.x.push_back(y), exact.y.push_back(w.channel.exact(y));
      plot.series.push_back({w.channel.name, p.y, p.u});
      marks.push_back(exact);
    }
  plot.series.insert(plot.series.end(), marks.begin(), marks.end());
  out.plots = {plot};
  return out;
}

}  // namespace ls::validation::fluid_channels
