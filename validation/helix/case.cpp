// A helix whose coils attract each other, in a field gradient that pulls it out and lets it go again.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>

namespace ls::validation::helix {

namespace {

constexpr double length = 0.103, most = 3.5;  // m; of lambda
const std::string tip = "tip.position.z";

struct Reference {
  double gamma, detaches, contracts, rest;  // lambda, lambda, z/L at lambda = 0
};
constexpr Reference references[] = {{1e-4, 2.15, 1.75, 0.0401}, {2e-4, 2.55, 2.05, 0.0390}, {4e-4, 2.95, 2.27, 0.0383}};
constexpr double pulled_out = 0.285;  // z/L at the strongest field, whatever gamma is

struct Loop {
  Series up, down;
  double detaches = std::nan(""), contracts = std::nan("");  // lambda
  double rest = 0, out = 0;                                  // z/L at no field before, and at the strongest
};

// The shares of the stages at which stability was lost: rows of the probes know them to a load step, the log to a
// hundredth of one.
std::vector<double> losses(const SceneRun& run) {
  std::vector<double> found;
  std::ifstream log(run.folder / "log.jsonl");
  for (std::string line; std::getline(log, line);)
    if (const auto at = line.find(", s = "); line.find("stability is lost") != std::string::npos && at != line.npos)
      found.push_back(std::stod(line.substr(at + 6)));
  return found;
}

Loop loop_of(const SceneRun& run, const std::string& name) {
  Loop l{{name, {}, {}}, {name + ", back", {}, {}}};
  const auto s = run["s"], z = run[tip];
  const auto& stage = run.text("stage");
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (stage[i] == "up") l.up.x.push_back(most * s[i]), l.up.y.push_back(z[i] / length);
    if (stage[i] == "down") l.down.x.push_back(most * (1 - s[i])), l.down.y.push_back(z[i] / length);
  }
  if (l.up.y.empty() || run.status != RunStatus::done) return l;
  l.rest = l.up.y.front(), l.out = l.up.y.back();
  if (const auto lost = losses(run); lost.size() == 2) l.detaches = most * lost[0], l.contracts = most * (1 - lost[1]);
  return l;
}

Loop run_loop(const Context& c, double gamma, int bonds, Result& r) {
  const std::string name = fmt::format("gamma-{:g}-{}", gamma, bonds);
  const SceneRun run = run_scene(
      c, "case.toml", {fmt::format("define.gamma={}", gamma), fmt::format("rod.helix.bonds={}", bonds)}, name);
  r.remarks.push_back(fmt::format("gamma = {:g}, {} bonds: {} load steps take {} iterations and {:.1f} s.", gamma,
                                  bonds, run.steps, run.newton_iterations, run.wall_seconds));
  return loop_of(run, fmt::format("gamma = {:g}, {} bonds", gamma, bonds));
}

void add_events(const Loop& l, const Reference& right, const std::string& name, Result& r) {
  r.rows.push_back(compared(name + ": detaches at lambda", l.detaches, right.detaches, 0.1));
  r.rows.push_back(compared(name + ": contracts at lambda", l.contracts, right.contracts, 0.1));
}
void add_rest(const Loop& l, const Reference& right, const std::string& name, Result& r) {
  r.rows.push_back(small(name + ": z/L without field", std::abs(l.rest / right.rest - 1), 0.02, "of itself"));
}
void add_pulled_out(const Loop& l, const std::string& name, Result& r) {
  r.rows.push_back(small(name + ": z/L at lambda = 3.5", std::abs(l.out / pulled_out - 1), 0.02, "of itself"));
}

// Dipoles that only feel the field.
Loop add_without_loop(const Context& c, Result& r) {
  const SceneRun run = run_scene(c, "case.toml", {"define.gamma=1e-4", "dipoles.interact=false"}, "gamma-0");
  Loop l = loop_of(run, "gamma = 0");
  double open = losses(run).empty() && l.down.y.size() + 1 == l.up.y.size() ? 0 : std::nan("");
  for (std::size_t i = 0; i < l.down.y.size(); ++i)
    open = worse(open, std::abs(l.down.y[i] - l.up.y[l.up.y.size() - 2 - i]));
  r.rows.push_back(small("gamma = 0: way back beside the way out", open, 1e-7, "of L"));
  add_pulled_out(l, "gamma = 0", r);
  return l;
}

double apart(double a, double b) {
  return std::abs(a / b - 1);
}

// Finer and coarser rods beside that of 103 bonds.
void add_resolutions(const Context& c, const Loop& right, Result& r) {
  const Loop coarse = run_loop(c, 4e-4, 52, r), fine = run_loop(c, 4e-4, 206, r);
  for (const auto& [name, l] : {std::pair{"52 bonds", &coarse}, {"206 bonds", &fine}}) {
    r.rows.push_back(small(fmt::format("{} beside 103: z/L without field", name), apart(l->rest, right.rest), 0.03));
    r.rows.push_back(small(fmt::format("{} beside 103: z/L at lambda = 3.5", name), apart(l->out, right.out), 0.03));
    r.rows.push_back(small(fmt::format("{} beside 103: contracts", name), apart(l->contracts, right.contracts), 0.03));
    r.rows.push_back(small(fmt::format("{} beside 103: detaches", name), apart(l->detaches, right.detaches), 0.03));
  }
}

// The same in time, slowly: jumps take a while, all else must be where the static solver has it.
Series add_slow(const Context& c, const Loop& right, Result& r) {
  const SceneRun run = run_scene(c, "slow.toml", {}, "slow");
  Loop l = loop_of(run, "slow motion");
  const auto off = [&](const Series& ours, const Series& theirs, double jump, double sign) {
    double worst = ours.x.empty() ? std::nan("") : 0;
    for (std::size_t i = 0; i < theirs.x.size(); ++i) {
      const double beyond = sign * (theirs.x[i] - jump);
      if (beyond > -0.1 && beyond < 0.3) continue;
      double nearest = std::nan(""), gap = 1e300;
      for (std::size_t k = 0; k < ours.x.size(); ++k)
        if (std::abs(ours.x[k] - theirs.x[i]) < gap) gap = std::abs(ours.x[k] - theirs.x[i]), nearest = ours.y[k];
      if (theirs.x[i] > 0.3 || sign < 0) worst = worse(worst, std::abs(nearest - theirs.y[i]));
    }
    return worst;
  };
  const double worst = worse(off(l.up, right.up, right.detaches, 1), off(l.down, right.down, right.contracts, -1));
  r.rows.push_back(small("slow motion beside the static loop, away from jumps", worst, 0.003, "of L"));
  l.up.x.insert(l.up.x.end(), l.down.x.begin(), l.down.x.end());
  l.up.y.insert(l.up.y.end(), l.down.y.begin(), l.down.y.end());
  return l.up;
}

}  // namespace

Result run(const Context& c) {
  Result r;
  Plot plot{"How far the end of the helix hangs out", "lambda", "z/L", {}};
  const auto draw = [&](const Loop& l) { plot.series.push_back(l.up), plot.series.push_back(l.down); };
  draw(add_without_loop(c, r));
  if (c.manner.fast) {
    const Loop l = run_loop(c, 4e-4, 52, r);
    add_events(l, references[2], "gamma = 4e-4, 52 bonds", r);
    add_rest(l, references[2], "gamma = 4e-4, 52 bonds", r);
    draw(l);
  } else {
    Loop last;
    for (const Reference& right : references) {
      last = run_loop(c, right.gamma, 103, r);
      const std::string name = fmt::format("gamma = {:g}", right.gamma);
      add_events(last, right, name, r);
      add_rest(last, right, name, r);
      add_pulled_out(last, name, r);
      draw(last);
    }
    plot.series.push_back(add_slow(c, last, r));
    add_resolutions(c, last, r);
  }
  r.plots.push_back(plot);
  return r;
}

}  // namespace ls::validation::helix
