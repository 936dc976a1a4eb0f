// Long cords and a net, hung up: what they cost, and whether they hang as the elastic catenary.
#include "output/files.h"
#include "run/estimates/time_scales.h"
#include "step/newton/newton.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::hanging_chain {

namespace {

using std::numbers::pi;

// As case.toml says.
constexpr double length = 10, wider = 0.5;                               // m
constexpr double area = pi / 4 * 1e-6, second_moment = pi / 64 * 1e-12;  // m^2, m^4
constexpr double young = 1e6, weight = 1000 * 9.81 * area;               // Pa, N/m
constexpr long long load_steps = 10;
const double span = 2 * (length / (pi / 2)) * std::sin(pi / 4);  // m, as drawn

// The elastic catenary between two points of the same height, y from there: a thread that stretches and does not
// resist bending.
class Catenary {
 public:
  explicit Catenary(double across) : across_(across) {
    double low = 1e-9, high = 1e3;  // the width grows with the tension
    for (int i = 0; i < 200; ++i) {
      tension_ = 0.5 * (low + high);
      (2 * x(length / 2) < across ? low : high) = tension_;
    }
  }
  double tension() const { return tension_; }  // N, its horizontal part
  double slope() const { return std::atan(0.5 * weight * length / tension_); }
  Vec3<double> at(double s) const {  // m along the thread at rest, from its start
    const double from_middle = s - length / 2;
    return {across_ / 2 + x(from_middle), y(from_middle) - y(length / 2), 0};
  }

 private:
  double x(double s) const { return tension_ * (s / (young * area) + std::asinh(weight * s / tension_) / weight); }
  double y(double s) const { return weight * s * s / (2 * young * area) + std::hypot(tension_, weight * s) / weight; }
  double across_, tension_ = 0;
};

SceneRun cord(const Context& c, int bonds) {
  return run_scene(c, "case.toml", {fmt::format("rod.cord.bonds={}", bonds)}, fmt::format("cord-{}", bonds));
}

// Largest distance of a node from its place on the catenary, over the length. record: 0 for the first.
double error(const SceneRun& run, int bonds, std::size_t record, const Catenary& thread) {
  double worst = 0;
  for (int k = 0; k <= bonds; ++k) {
    const auto value = [&](char axis) { return run[fmt::format("cord.position[{}].{}", k, axis)].at(record); };
    worst = worse(worst, norm(Vec3<double>{value('x'), value('y'), value('z')} - thread.at(length * k / bonds)));
  }
  return worst / length;
}

Series line_of(const SceneRun& run, int bonds, std::size_t record, const std::string& name) {
  Series s{name, {}, {}};
  for (int k = 0; k <= bonds; k += bonds / 125) {
    s.x.push_back(run[fmt::format("cord.position[{}].x", k)].at(record));
    s.y.push_back(run[fmt::format("cord.position[{}].y", k)].at(record));
  }
  return s;
}
Series line_of(const Catenary& thread, const std::string& name) {
  Series s{name, {}, {}, true};
  for (int k = 0; k <= 20; ++k)
    s.x.push_back(thread.at(length * k / 20).x), s.y.push_back(thread.at(length * k / 20).y);
  return s;
}

void check_shape(const Context& c, const SceneRun& run, int bonds, Result& out) {
  const Catenary hung(span), drawn(span + wider);
  const std::size_t end = run.size() - 1;
  const double first = error(run, bonds, 0, hung), last = error(run, bonds, end, drawn);
  out.rows.push_back(small(fmt::format("cord of {} bonds against the elastic catenary", bonds), first, 1e-5, "of L"));
  out.rows.push_back(small(fmt::format("the same, drawn {} m wider", wider), last, 1e-5, "of L"));
  const double layer = std::sqrt(young * second_moment / hung.tension());
  out.remarks.push_back(fmt::format(
      "A clamp holds the cord at 45 degrees where the thread hangs at {:.1f}. The bending this takes is over within "
      "{:.1f} mm, the root of EI over the tension, and shifts the cord by about that times the angle: {:.1g} of L.",
      180 / pi * hung.slope(), 1e3 * layer, layer * (hung.slope() - pi / 4) / length));
  if (!c.manner.fast)
    out.plots.push_back({"A cord between two clamps, y upwards",
                         "x (m)",
                         "y (m)",
                         {line_of(run, bonds, 0, "hung up"), line_of(run, bonds, end, "drawn wider"),
                          line_of(hung, "catenary"), line_of(drawn, "catenary, drawn wider")}});
}

double seconds_an_iteration(const SceneRun& run) {
  return run.wall_seconds / static_cast<double>(run.newton_iterations);
}

// Of an iteration, everything included; the best of several for each size, in turns: other things run on the machine as
// well. How many iterations it takes to hang up a cord in one go is a matter of luck, not of its size.
std::vector<double> best_times(const Context& c, const std::vector<int>& sizes, std::vector<double> seconds) {
  for (int round = 0; round < 6; ++round)
    for (std::size_t k = 0; k < sizes.size(); ++k)
      seconds[k] = std::min(seconds[k], seconds_an_iteration(cord(c, sizes[k])));
  return seconds;
}

void check_cost(const Context& c, Result& out) {
  const auto sizes = c.manner.fast ? std::vector<int>{625, 1250, 2500} : std::vector<int>{1250, 2500, 5000, 10000};
  std::vector<double> bonds, seconds, bytes, newton_bytes;
  std::vector<long long> iterations;
  for (const int n : sizes) {
    const SceneRun run = cord(c, n);
    const Plan plan = read_scene((c.folder / "case.toml").string(), {fmt::format("rod.cord.bonds={}", n)});
    bonds.push_back(n), seconds.push_back(seconds_an_iteration(run)), iterations.push_back(run.newton_iterations);
    bytes.push_back(static_cast<double>(memory_bytes(plan, 1)));
    newton_bytes.push_back(static_cast<double>(NewtonWork(plan.model, make_terms(plan.model)).bytes()));
    const auto left = static_cast<double>(load_steps - run.steps);
    out.rows.push_back(small(fmt::format("cord of {} bonds: load steps that failed", n),
                             run.status == RunStatus::done ? left : std::max(left, 1.0), 0));
    if (n == 2500) check_shape(c, run, n, out);
  }
  out.rows.push_back(compared("memory of Newton's method goes with the bonds to the power",
                              convergence_order(bonds, newton_bytes), 1, 0.01));
  out.rows.push_back(
      compared("memory of everything goes with the bonds to the power", convergence_order(bonds, bytes), 1, 0.15));
  if (c.manner.fast) return;  // short times on a busy machine say nothing
  seconds = best_times(c, sizes, seconds);
  out.rows.push_back(
      compared("time of an iteration goes with the bonds to the power", convergence_order(bonds, seconds), 1, 0.15));
  std::string text;
  for (std::size_t k = 0; k < sizes.size(); ++k)
    text += fmt::format("{}{} bonds {:.2g} ms, {:.1f} MB, {} iterations", k == 0 ? "" : "; ", sizes[k],
                        1e3 * seconds[k], bytes[k] / 1e6, iterations[k]);
  out.remarks.push_back("Time of an iteration, memory, and the iterations of hanging up and ten load steps: " + text +
                        ".");
  out.plots.push_back({"One iteration", "bonds", "time (s)", {{"best of several", bonds, seconds}}, true, true});
}

// A square net held at its corners: rows are rods, and so is each piece of a column between two rows.
std::string net_scene(int meshes, int bonds) {
  const double mesh = 0.1;
  std::string text =
      "[solver]\nkind = \"static\"\nduration = \"20 s\"\nscheme = \"backward-euler\"\n"
      "[damping]\nper_mass = \"5/s\"\n[gravity]\ng = [0, 0, \"-9.81 m/s^2\"]\n"
      "[material.rubber]\nyoung = \"1 MPa\"\npoisson = 0.5\ndensity = \"1000 kg/m^3\"\n"
      "[output]\nevery = \"stage\"\nhdf5 = false\n";
  const auto rod = [&](const std::string& name, int i, int j, int i2, int j2, int count, const std::string& ends) {
    text += fmt::format(
        "[[rod]]\nname = \"{}\"\nmaterial = \"rubber\"\nsection = {{ diameter = \"2 mm\" }}\n"
        "line = {{ from = [{}, {}, 0], to = [{}, {}, 0] }}\nbonds = {}\n{}\n",
        name, i * mesh, j * mesh, i2 * mesh, j2 * mesh, count, ends);
    text += fmt::format(
        "[[probe]]\nname = \"{0}\"\nof = \"{0}\"\nrecord = [\"position\", \"reaction_force\"]\n"
        "every = \"stage\"\n",
        name);
  };
  for (int j = 0; j <= meshes; ++j)
    rod(fmt::format("row{}", j), 0, j, meshes, j, meshes * bonds,
        j == 0 || j == meshes ? "clamp = [\"start\", \"end\"]" : "");
  for (int i = 0; i <= meshes; ++i)
    for (int j = 0; j < meshes; ++j)
      rod(fmt::format("column{}-{}", i, j), i, j, i, j + 1, bonds,
          fmt::format("start = \"row{}[{}]\"\nend = \"row{}[{}]\"", j, i * bonds, j + 1, i * bonds));
  return text;
}

void check_net(const Context& c, Result& out) {
  const int meshes = c.manner.fast ? 6 : 10, bonds = 4, last = meshes * bonds;
  const auto file = c.scratch / "net.toml";
  write_atomically(file, net_scene(meshes, bonds));
  const SceneRun still = run_scene(c, file.string(), {"solver.steps=1"}, "net");
  const SceneRun moving = run_scene(c, file.string(), {"solver.kind=\"implicit\""}, "net-implicit");
  const double whole = 2 * (meshes + 1) * meshes * 0.1 * 1000 * 9.81 * pi / 4 * 4e-6;  // N
  double carried = 0, uneven = 0, apart = 0;
  for (const int j : {0, meshes})
    for (const int i : {0, last}) {
      const double f = still.last(fmt::format("row{}.reaction_force[{}].z", j, i));
      carried += f;
      uneven = worse(uneven, std::abs(4 * f / whole - 1));
    }
  for (int j = 0; j <= meshes; ++j)
    for (int i = 0; i <= last; ++i)
      for (const char axis : {'x', 'y', 'z'}) {
        const auto column = fmt::format("row{}.position[{}].{}", j, i, axis);
        apart = worse(apart, std::abs(still.last(column) - moving.last(column)));
      }
  const std::string what = fmt::format("net of {0} by {0} meshes: ", meshes);
  out.rows.push_back(compared(what + "weight on the corners", carried, whole, 1e-9 * whole, "N"));
  out.rows.push_back(small(what + "corners differ by", uneven, 1e-9, "of their load"));
  out.rows.push_back(
      small(what + "static and implicit rest, worst coordinate", apart / (0.1 * meshes), 1e-9, "of its side"));
  out.remarks.push_back(fmt::format(
      "The net starts flat and without tension, with nothing but bending to hold it up. It hangs, its middle {:.2g} of "
      "its side down, after {} iterations.",
      -still.last(fmt::format("row{}.position[{}].z", meshes / 2, last / 2)) / (0.1 * meshes),
      still.newton_iterations));
  Plot plot{"Rows of the net from the side, z upwards", "x (m)", "z (m)", {}};
  for (int j = 0; j <= meshes / 2; ++j) {
    Series row{fmt::format("row {}", j), {}, {}};
    for (int i = 0; i <= last; ++i) {
      row.x.push_back(still.last(fmt::format("row{}.position[{}].x", j, i)));
      row.y.push_back(still.last(fmt::format("row{}.position[{}].z", j, i)));
    }
    plot.series.push_back(row);
  }
  out.plots.push_back(plot);
}

}  // namespace

Result run(const Context& c) {
  Result out;
  check_cost(c, out);
  check_net(c, out);
  return out;
}

}  // namespace ls::validation::hanging_chain
