#include "apps/commands.h"
#include "apps/display.h"
#include "base/error.h"
#include "run/modes.h"
#include "run/resume/leavings.h"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ls::app {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string scene, out;
  std::vector<std::string> sets;
  int count = 10, threads = 0;
  bool force = false, quiet = false, json = false;
};

void print_json(const ModesReport& r) {
  nlohmann::json j = {{"status", r.found             ? "done"
                                 : r.message.empty() ? name(r.run.status)
                                                     : "no equilibrium"},
                      {"folder", r.run.folder.string()}};
  if (!r.message.empty()) j["message"] = r.message;
  if (r.found) {
    j["moved"] = r.moved;
    if (!r.left_out.empty()) j["left_out"] = r.left_out;
    j["unstable"] = r.unstable;
    j["floating"] = r.floating;
    j["table"] = r.table.string();
    j["modes"] = nlohmann::json::array();
    for (const auto& mode : r.modes)
      j["modes"].push_back({{"frequency_Hz", mode.frequency()}, {"omega_squared", mode.omega_squared}});
    if (!r.picture.empty()) j["picture"] = r.picture.string();
  }
  std::printf("%s\n", j.dump().c_str());
}

void print_table(const ModesReport& r) {
  if (r.run.status == RunStatus::lost_stability)
    std::printf("%s: these are the modes of the last stable state\n", r.run.message.c_str());
  if (r.moved > 0) std::printf("equilibrium: up to %s from where the run ended\n", with_prefix(r.moved, "m").c_str());
  std::printf("%6s  %14s  %14s\n", "mode", "frequency (Hz)", "omega^2 (1/s^2)");
  for (std::size_t k = 0; k < r.modes.size(); ++k) {
    const bool floats = std::abs(r.modes[k].omega_squared) < r.floor, grows = !floats && r.modes[k].omega_squared < 0;
    std::printf("%6zu  %14.6g  %14.6g%s\n", k + 1, r.modes[k].frequency(), r.modes[k].omega_squared,
                floats  ? "  floats"
                : grows ? "  unstable"
                        : "");
  }
  if (!r.left_out.empty()) std::printf("warning: %s\n", r.left_out.c_str());
  if (r.unstable > 0)
    std::printf(
        "The state is unstable: a negative frequency f stands for a motion that grows as exp(2 pi |f| t), where\n"
        "omega^2 is below 0.\n");
  if (r.floating > 0) std::printf("Motions without stiffness (\"floats\") have a frequency of 0 but for rounding.\n");
  std::printf("table: %s\n", r.table.string().c_str());
  std::printf("shapes: %s\n", (r.run.folder / "modes" / "vibration-001.pvd").string().c_str());
  if (!r.picture.empty()) std::printf("picture: %s\n", r.picture.string().c_str());
}

void must_be_empty(const fs::path& out) {
  std::error_code e;
  if (const std::string who = holder_of(out); !who.empty())
    throw Error(
        fmt::format("{}: is being written by {}; wait for it, stop it, or give another --out", out.string(), who),
        Fault::io);
  if (fs::is_directory(out, e) && !is_empty_folder(out))
    throw Error(out.string() + ": is not empty; give another --out, or --force to start afresh");
}

int act(const Options& o) {
  Plan plan = while_telling("reading " + o.scene, o.quiet || o.json, [&] { return read_scene(o.scene, o.sets); });
  if (!o.quiet && !o.json)
    for (const auto& w : plan.warnings) std::fprintf(stderr, "warning: %s\n", w.c_str());
  ModesOptions options;
  options.count = o.count;
  options.run.out = o.out.empty() ? fs::path("out") / (fs::path(o.scene).stem().string() + "-modes") : fs::path(o.out);
  options.run.threads = o.threads;
  options.run.force = o.force;
  if (!o.force) must_be_empty(options.run.out);
  ProgressDisplay display(o.quiet  ? ProgressDisplay::Style::quiet
                          : o.json ? ProgressDisplay::Style::json
                                   : ProgressDisplay::Style::people);
  options.run.show = [&](const Progress& p) { display(p); };
  const ModesReport r = find_modes(plan, options);
  display.done();
  if (o.json)
    print_json(r);
  else if (!r.found)
    std::fprintf(stderr, "error: %s: %s\n", o.scene.c_str(), r.message.c_str());
  else if (!o.quiet)
    print_table(r);
  return r.found ? 0 : 3;
}

}  // namespace

Action add_modes(CLI::App& app) {
  auto* c = app.add_subcommand("modes", "Find the natural frequencies and shapes about the equilibrium of a scene");
  auto o = std::make_shared<Options>();
  c->add_option("scene", o->scene, "Scene file")->required();
  c->add_option("--count", o->count, "How many, from the lowest (default: 10)")->check(CLI::Range(1, 10000));
  c->add_option("--out", o->out, "Folder for the results (default: out/, the scene's name and -modes)");
  c->add_option("--set", o->sets, "Change a value of the scene: rod.beam.bonds=64")
      ->take_all()
      ->allow_extra_args(false);
  c->add_option("--threads", o->threads, "Threads (default: as the scene says, or 1)")->check(CLI::Range(1, 1024));
  c->add_flag("--force", o->force, "Overwrite the results in the folder");
  c->add_flag("--quiet", o->quiet, "Print nothing but errors");
  c->add_flag("--json", o->json, "Print progress and summary as JSON lines");
  c->footer("Example:\n  lodestone modes scenes/cantilever.toml --count 6 --set solver.kind=static");
  return [o] { return act(*o); };
}

}  // namespace ls::app
