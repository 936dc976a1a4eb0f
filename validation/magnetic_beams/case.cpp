// Magnetic beams in fields that grow: equilibria, their convergence, and where a straight one gives way.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::magnetic_beams {

namespace {

constexpr double length = 0.0258;  // m
using Sets = std::vector<std::string>;

struct Beam {
  std::string name, about;
  double top;         // lambda at the end of the ramp
  int steps;          // so many that every lambda of the table is one of them
  int few;            // for the time it takes: lambda by ones
  double hours;       // that the paper's own run took; 0: not told
  std::string table;  // of references
  Sets sets;
};

const std::string no_uniform_field = "define.per_lambda_B=\"0 T\"",
                  gradient = "define.per_lambda_g=\"0.36 * 1.436217e-2 T/m\"",
                  across = "rod.beam.magnetisation_direction=[0, 1, 0]";

const std::vector<Beam> beams = {
    {"A", "uniform field across", 45, 90, 45, 1.5, "beam_A.csv", {}},
    {"B1", "gradient, magnetised across", 45, 90, 45, 4.8, "beam_B1.csv", {no_uniform_field, gradient, across}},
    {"B2",
     "gradient, magnetised along",
     45,
     450,
     45,
     4.0,
     "beam_B2.csv",
     {no_uniform_field, gradient, "define.kick=\"0.01 mT\""}},
    {"gravity",
     "with its weight",
     100,
     100,
     100,
     0,
     "beam_gravity.csv",
     {no_uniform_field, "define.per_lambda_g=\"1.436217e-2 T/m\"", across, "define.centre=\"L/2\"",
      "define.weight=\"9.81 m/s^2\"", "define.top=100"}},
};

struct Sweep {
  std::vector<double> lambda, x, y;  // of the tip's displacement, over L
  double seconds = 0, iterations = 0;

  // Which step this lambda is; none: their number.
  std::size_t at(double l) const {
    for (std::size_t i = 0; i < lambda.size(); ++i)
      if (std::abs(lambda[i] - l) < 1e-9 * (1 + l)) return i;
    return lambda.size();
  }
  double distance(double l, double dx, double dy) const {
    const std::size_t i = at(l);
    return i < lambda.size() ? std::max(std::abs(x[i] - dx), std::abs(y[i] - dy)) : NAN;
  }
};

Sweep sweep(const Context& c, const Beam& b, int bonds, const std::string& model, int steps, bool full = false) {
  Sets sets = b.sets;
  sets.push_back(fmt::format("rod.beam.bonds={}", bonds));
  sets.push_back(fmt::format("rod.beam.model=\"{}\"", model));
  sets.push_back(fmt::format("stage.ramp.steps={}", steps));
  if (full) sets.push_back("rod.beam.weights=\"full\"");
  const SceneRun run =
      run_scene(c, "case.toml", sets, fmt::format("{}-{}-{}-{}{}", b.name, model, bonds, steps, full ? "-full" : ""));
  Sweep s{run["s"], run["tip.displacement.x"], run["tip.displacement.y"], run.wall_seconds,
          static_cast<double>(run.newton_iterations) / static_cast<double>(std::max(1LL, run.steps))};
  for (double& l : s.lambda) l *= b.top;
  for (double& v : s.x) v /= length;
  for (double& v : s.y) v /= length;
  return s;
}

// Largest error of the tip at any load of the table.
double error(const Context& c, const Beam& b, const Sweep& s) {
  const Table t(c.folder / b.table);
  const auto l = t["lambda"], x = t["dx_over_L"], y = t["dy_over_L"];
  double worst = 0;
  for (std::size_t i = 0; i < l.size(); ++i) worst = worse(worst, s.distance(l[i], x[i], y[i]));
  return worst;
}

Series errors(const Context& c, const Beam& b, const std::vector<double>& bonds, bool full) {
  Series e{fmt::format("{}{}", b.name, full ? ", full ends" : ""), bonds, {}};
  for (const double n : bonds) e.y.push_back(error(c, b, sweep(c, b, static_cast<int>(n), "exact", b.steps, full)));
  return e;
}
double order(const Series& e) {
  const double h[] = {1 / e.x.front(), 1 / e.x.back()}, error[] = {e.y.front(), e.y.back()};
  return convergence_order(h, error);
}

void check_tables(const Context& c, std::vector<Sweep>& exact, Result& out) {
  for (const Beam& b : beams) {
    const std::string what = fmt::format("beam {}, every load of the table", b.name);
    exact.push_back(sweep(c, b, 258, "exact", b.steps));
    out.rows.push_back(small(what + ", exact", error(c, b, exact.back()), 5e-5, "of L"));
    if (c.manner.fast) continue;
    out.rows.push_back(
        small(what + ", corotational", error(c, b, sweep(c, b, 258, "corotational", b.steps)), 5e-5, "of L"));
    out.rows.push_back(small(what + ", vector", error(c, b, sweep(c, b, 258, "vector", b.steps)), 2e-4, "of L"));
  }
}

void check_convergence(const Context& c, Result& out) {
  const auto bonds = c.manner.fast ? std::vector<double>{32, 64} : std::vector<double>{32, 64, 128, 256};
  Plot half{"Error of the tip, half shares on the ends", "bonds", "worst error (of L)", {}, true, true};
  Plot whole{"Error of the tip, full shares on the ends", "bonds", "worst error (of L)", {}, true, true};
  for (const Beam& b : beams) {
    const Series e = errors(c, b, bonds, false), f = errors(c, b, bonds, true);
    const std::string range = fmt::format("N = {} to {}", bonds.front(), bonds.back());
    const double p = order(e);  // more than 2 would be no fault
    out.rows.push_back({fmt::format("beam {}: order of the error, {}", b.name, range), p, 2, worse(0, 2 - p), 0.1, ""});
    out.rows.push_back(
        compared(fmt::format("beam {}, full end weights: order of the error, {}", b.name, range), order(f), 1, 0.1));
    half.series.push_back(e), whole.series.push_back(f);
  }
  out.plots.push_back(half), out.plots.push_back(whole);
}

// LAMMPS's answers to the same beams; it gives end nodes full shares.
void check_lammps(const Context& c, Result& out) {
  const Table t(c.folder / "lammps_magnetic_beam.csv");
  const auto n = t["N"], l = t["lambda_C"], x = t["dx_over_L"], y = t["dy_over_L"];
  for (const char* model : {"corotational", "exact"})
    for (std::size_t k = 0; k < 3; ++k) {
      double worst = 0;
      std::vector<int> sizes;
      for (const int bonds : {16, 32, 64}) {
        const auto theirs = [&](std::size_t i) { return t.text("config")[i] == beams[k].name && n[i] == bonds; };
        std::size_t count = 0;
        for (std::size_t i = 0; i < t.size(); ++i) count += theirs(i) ? 1 : 0;
        if (count == 0) continue;
        sizes.push_back(bonds);
        const Sweep ours = sweep(c, beams[k], bonds, model, beams[k].steps, true);
        for (std::size_t i = 0; i < t.size(); ++i)
          if (theirs(i)) worst = worse(worst, ours.distance(l[i], x[i], y[i]));
      }
      out.rows.push_back(small(fmt::format("beam {}, {}, full end weights, against LAMMPS: tip, N = {}", beams[k].name,
                                           model, fmt::join(sizes, ", ")),
                               worst, 5e-6, "of L"));
    }
}

// B2 without the kick stays straight until it can't. For a beam that does not stretch this has a closed form: with
// k^2 = lambda_gradient / 2, tan k = 3k/2, and the mode below.
void check_instability(const Context& c, Result& out) {
  double k = 0.9;
  for (int i = 0; i < 50; ++i) k -= (std::tan(k) - 1.5 * k) / (1 / (std::cos(k) * std::cos(k)) - 1.5);
  const double lambda = 2 * k * k / 0.36;
  const SceneRun run =
      run_scene(c, "case.toml", {no_uniform_field, gradient, "stage.ramp.steps=450"}, "B2-without-kick");
  const bool gave_way = run.status == RunStatus::lost_stability && run.text("event").back() == "fold";
  const double ours = gave_way ? 45 * run.last("s") : NAN;
  out.rows.push_back(
      compared("beam B2 without the kick: where the straight beam gives way", ours, lambda, 0.005 * lambda));
  out.rows.push_back(
      small("its deflection until then", std::abs(run.last("tip.displacement.y")) / length, 1e-9, "of L"));
  if (!gave_way) return;
  const Table mode(run.folder / "modes/mode-001.csv");
  const auto dx = mode["dx"], dy = mode["dy"], dz = mode["dz"];
  Series shape{"ours", {}, {}}, exact{"closed form", {}, {}, true};
  double worst = 0;
  for (std::size_t i = 0; i < dy.size(); ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(dy.size() - 1), tip = dy.back();
    const double y = 2 * ((std::sin(k) - std::sin(k * (1 - s))) / (k * std::cos(k)) - s);
    worst = worse(worst, std::hypot(dx[i] / tip, dy[i] / tip - y, dz[i] / tip));
    shape.x.push_back(s), shape.y.push_back(dy[i] / tip);
    if (i % 16 == 0) exact.x.push_back(s), exact.y.push_back(y);
  }
  out.rows.push_back(small("the mode it gives way to, against the closed form", worst, 1e-3, "of its tip"));
  out.plots.push_back(
      {"The mode that a straight beam B2 gives way to", "s/L", "deflection over that of the tip", {shape, exact}});
}

void tell_speed(const Context& c, Result& out) {
  for (const Beam& b : beams) {
    Sweep best = sweep(c, b, 258, "exact", b.few);
    for (int i = 0; i < (c.manner.fast ? 0 : 4); ++i) {
      const Sweep again = sweep(c, b, 258, "exact", b.few);
      best.seconds = std::min(best.seconds, again.seconds);
    }
    out.rows.push_back(
        small(fmt::format("beam {}: Newton iterations per load step, {} steps", b.name, b.few), best.iterations, 4));
    std::string text =
        fmt::format("Beam {}: {} load steps with 258 bonds take {:.2g} s on one core", b.name, b.few, best.seconds);
    if (b.hours > 0)
      text += fmt::format("; the paper's damped motion took {} h, {:.0f} thousand times as long", b.hours,
                          3.6 * b.hours / best.seconds);
    out.remarks.push_back(text + ".");
  }
}

// As in the paper's figure, x backwards so that both grow.
Plot figure(const Context& c, const std::string& title, const std::vector<std::size_t>& which,
            const std::vector<Sweep>& exact, bool along) {
  Plot p{title, "lambda", along ? "-dx/L" : "dy/L", {}};
  for (const std::size_t k : which) {
    Series s{beams[k].name + ", " + beams[k].about, exact[k].lambda, along ? exact[k].x : exact[k].y};
    if (along)
      for (double& v : s.y) v = -v;
    p.series.push_back(s);
  }
  for (const std::size_t k : which) {
    const Table t(c.folder / beams[k].table);
    const auto l = t["lambda"], v = t[along ? "dx_over_L" : "dy_over_L"];
    Series s{"elastica, " + beams[k].name, {}, {}, true};
    for (std::size_t i = 0; i<l.size(); i += l.size()> 60 ? 5 : 2)
      s.x.push_back(l[i]), s.y.push_back(along ? -v[i] : v[i]);
    p.series.push_back(s);
  }
  return p;
}

}  // namespace

Result run(const Context& c) {
  Result out;
  std::vector<Sweep> exact;
  check_tables(c, exact, out);
  out.plots.push_back(figure(c, "Deflection of the tip", {0, 1, 2}, exact, false));
  out.plots.push_back(figure(c, "How far the tip draws in", {0, 1, 2}, exact, true));
  out.plots.push_back(figure(c, "Deflection of the tip, with gravity", {3}, exact, false));
  check_instability(c, out);
  check_convergence(c, out);
  check_lammps(c, out);
  tell_speed(c, out);
  return out;
}

}  // namespace ls::validation::magnetic_beams
