#include "apps/commands.h"
#include "apps/display.h"
#include "run/estimates/estimate.h"
#include "run/fluid/fluid_report.h"
#include "run/safety/energy_watch.h"
#include "scene/body_numbers.h"
#include "scene/plan.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ls::app {

namespace {

struct Options {
  std::string scene;
  std::vector<std::string> sets;
  int threads = 0;
  bool json = false;
};

constexpr std::size_t most_bodies = 20;

nlohmann::json json_of(const BodyNumbers& n) {
  nlohmann::json j = {{"name", n.name}, {"count", n.alike}, {"length", n.length}, {"mass", n.mass}};
  const std::pair<const char*, double> others[] = {{"moment", n.moment},
                                                   {"EA", n.ea},
                                                   {"EI", n.ei},
                                                   {"GJ", n.gj},
                                                   {"slenderness", n.slenderness},
                                                   {"magnetic_number", n.magnetic},
                                                   {"gravity_number", n.gravity}};
  for (const auto& [key, value] : others)
    if (value > 0) j[key] = value;
  return j;
}

// "beam: 200 mm long, 6.22 g, EA 28.3 N, EI 63.6 µN m², GJ 42.4 µN m², L/d 33, ρgAL³/EI 7.7"
std::string described(const BodyNumbers& n) {
  std::string text = n.name + (n.alike > 1 ? fmt::format(" ({} alike)", n.alike) : "");
  text += fmt::format(": {} long", with_prefix(n.length, "m"));
  if (n.mass > 0) text += fmt::format(", {}", with_prefix(1e3 * n.mass, "g"));
  if (n.moment > 0) text += fmt::format(", moment {}", with_prefix(n.moment, "A m²"));
  if (n.ea > 0) text += fmt::format(", EA {}", with_prefix(n.ea, "N"));
  if (n.ei > 0) text += fmt::format(", EI {}", with_prefix(n.ei, "N m²"));
  if (n.gj > 0) text += fmt::format(", GJ {}", with_prefix(n.gj, "N m²"));
  if (n.slenderness > 0) text += fmt::format(", L/d {:.3g}", n.slenderness);
  if (n.magnetic > 0) text += fmt::format(", MBAL²/EI {:.3g}", n.magnetic);
  if (n.gravity > 0) text += fmt::format(", ρgAL³/EI {:.3g}", n.gravity);
  return text;
}

const char* name_of(DipoleMethod method) {
  return method == DipoleMethod::direct ? "direct" : method == DipoleMethod::tree ? "tree" : "ewald";
}

std::string described_sum(const DipoleTable& t) {
  if (t.method == DipoleMethod::direct)
    return "direct sum, exact to rounding, no slower than a tree up to some thousand";
  const std::string how =
      t.method == DipoleMethod::tree
          ? "by a tree"
          : fmt::format("with all copies of a box of {} x {} x {} in {}", with_prefix(t.box[0], "m"),
                        with_prefix(t.box[1], "m"), with_prefix(t.box[2], "m"), t.in_vacuum ? "vacuum" : "tin foil");
  return fmt::format("{}, to {:.2g} of the rms field and force", how, t.accuracy);
}

void print_json(const Plan& plan, const Estimate& e, const std::vector<BodyNumbers>& bodies) {
  nlohmann::json j = {{"nodes", e.nodes},
                      {"bonds", e.bonds},
                      {"largest_frequency", e.scales.frequency},
                      {"critical_step", e.scales.critical},
                      {"dt", e.scales.dt},
                      {"steps", e.steps},
                      {"time", e.time},
                      {"memory_bytes", e.memory},
                      {"disk_bytes", e.disk},
                      {"wall_seconds", e.seconds},
                      {"warnings", plan.warnings}};
  if (plan.fluid) j["fluid"] = fluid_json(plan);
  if (const auto soft = plan.model.soft.cells.size(); soft > 0) {
    j["soft_cells"] = soft;
    if (plan.model.dipoles.interact) j["induction_method"] = name_of(plan.model.dipoles.method);
  }
  if (e.dipoles.count > 0)
    j["dipoles"] = {{"count", e.dipoles.count},
                    {"nodes", e.dipoles.nodes},
                    {"pairs", e.dipoles.pairs},
                    {"method", name_of(e.dipoles.method)}};
  for (const auto& t : e.terms) j["terms"].push_back({{"name", t.name}, {"count", t.count}});
  for (std::size_t k = 0; k < std::min(most_bodies, bodies.size()); ++k) j["bodies"].push_back(json_of(bodies[k]));
  std::printf("%s\n", j.dump(2).c_str());
}

int act(const Options& o) {
  Plan plan = while_telling("reading " + o.scene, o.json, [&] { return read_scene(o.scene, o.sets); });
  const std::vector<BodyNumbers> bodies = body_numbers(plan);
  for (std::size_t k = 0; k < std::min(most_bodies, bodies.size()); ++k)
    for (const std::string& what : absurdities(bodies[k])) plan.warnings.push_back(what);
  const Estimate e = while_telling("trying a few steps", o.json, [&] { return estimate(plan, o.threads); });
  if (o.json) {
    print_json(plan, e, bodies);
    return 0;
  }
  for (const auto& w : plan.warnings) std::fprintf(stderr, "warning: %s\n", w.c_str());
  const auto line = [](const char* what, const std::string& text) { std::printf("%-16s %s\n", what, text.c_str()); };
  line("scene", plan.title.empty() ? o.scene : plan.title);
  line("nodes", fmt::format("{}", e.nodes));
  std::string bonds = fmt::format("{}", e.bonds);
  for (const auto& t : e.terms) bonds += fmt::format(", {} {}", t.count, t.name);
  line("bonds", bonds);
  if (const auto soft = plan.model.soft.cells.size(); soft > 0)
    line("induction",
         fmt::format("{} pieces are magnetised by {}", soft,
                     plan.model.dipoles.interact ? "fields, magnets and each other, by some 5 to 30 sums a state: " +
                                                       described_sum(plan.model.dipoles)
                                                 : "fields; with [dipoles] also by magnets and by each other"));
  if (e.dipoles.count > 0)
    line("dipoles", fmt::format("{} on {} nodes act on each other, {} pairs: {}", e.dipoles.count, e.dipoles.nodes,
                                e.dipoles.pairs, described_sum(plan.model.dipoles)));
  for (std::size_t k = 0; k < std::min(most_bodies, bodies.size()); ++k) line("body", described(bodies[k]));
  if (bodies.size() > most_bodies) line("body", fmt::format("and {} more", bodies.size() - most_bodies));
  if (plan.fluid) line("fluid", describe_fluid(plan));
  if (const std::string markers = plan.fluid ? describe_markers(plan) : ""; !markers.empty()) line("markers", markers);
  for (std::size_t k = 0; k < e.stages.size(); ++k) {
    const auto& stage = e.stages[k];
    line("stage", plan.kind(static_cast<int>(k)) == SolverKind::statics
                      ? fmt::format("{}: {} load steps", stage.name, stage.steps)
                      : fmt::format("{}: {} in {} steps of {}, {}", stage.name, with_prefix(stage.duration, "s"),
                                    stage.steps, with_prefix(stage.dt, "s"), name(plan.kind(static_cast<int>(k)))));
  }
  const bool bounded = e.scales.critical > 0 && std::isfinite(e.scales.critical);
  if (bounded && e.scales.frequency > 0)
    line("fastest wave", fmt::format("period {}", with_prefix(6.283185307179586 / e.scales.frequency, "s")));
  if (bounded) line("critical step", with_prefix(e.scales.critical, "s"));
  if (e.scales.dt > 0 && std::isfinite(e.scales.dt))
    line(plan.fluid ? "solids' step" : "step",
         with_prefix(e.scales.dt, "s") +
             (bounded ? fmt::format(" ({:.2g} of the critical one)", e.scales.dt / e.scales.critical) : ""));
  line("memory", bytes(static_cast<double>(e.memory)));
  line("disk", bytes(e.disk));
  line("estimated time", duration(e.seconds));
  if (const std::string slow = warn_of_solid_steps(plan, e.scales.dt); !slow.empty())
    std::fprintf(stderr, "warning: %s\n", slow.c_str());
  if (const std::string w = step_warning(plan, e.scales); !w.empty()) std::fprintf(stderr, "warning: %s\n", w.c_str());
  return 0;
}

}  // namespace

Action add_check(CLI::App& app) {
  auto* c = app.add_subcommand("check", "Say what a scene would simulate, and simulate nothing");
  auto o = std::make_shared<Options>();
  c->add_option("scene", o->scene, "Scene file")->required();
  c->add_option("--set", o->sets, "Change a value of the scene")->take_all()->allow_extra_args(false);
  c->add_option("--threads", o->threads, "Threads to estimate for")->check(CLI::Range(1, 1024));
  c->add_flag("--json", o->json, "Print JSON");
  c->footer("Example:\n  lodestone check scenes/cantilever.toml --set rod.beam.bonds=1000");
  return [o] { return act(*o); };
}

}  // namespace ls::app
