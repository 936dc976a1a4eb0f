#include "apps/commands.h"
#include "apps/display.h"
#include "apps/live_page.h"
#include "base/error.h"
#include "run/estimates/time_scales.h"
#include "run/fluid/fluid_report.h"
#include "run/run.h"
#include "scene/plan.h"

#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ls::app {

namespace {

std::atomic<int> asked_to_stop{0};

extern "C" void ask_to_stop(int signal) {
  if (asked_to_stop.exchange(signal) != 0) std::_Exit(128 + signal);  // the second time, at once
}

struct Options {
  std::string scene, out;
  std::vector<std::string> sets;
  int threads = 0;
  double max_wall = 0;
  bool resume = false, force = false, quiet = false, json = false;
  bool live = false, control = false, open = true;
  int port = 0;

  std::filesystem::path folder() const {
    return out.empty() ? std::filesystem::path("out") / std::filesystem::path(scene).stem()
                       : std::filesystem::path(out);
  }
};

int exit_code(const RunReport& r) {
  if (r.status == RunStatus::diverged) return 3;
  if (r.status == RunStatus::interrupted) return 128 + asked_to_stop.load();
  return 0;
}

void tell(const Options& o, const RunReport& r) {
  if (o.json) {
    nlohmann::json j = {{"status", name(r.status)},
                        {"steps", r.steps},
                        {"wall_seconds", r.wall_seconds},
                        {"folder", r.folder.string()}};
    if (!r.message.empty()) j["message"] = r.message;
    if (!r.picture.empty()) j["picture"] = r.picture.string();
    std::printf("%s\n", j.dump().c_str());
    return;
  }
  if (r.status == RunStatus::diverged) std::fprintf(stderr, "error: %s: %s\n", o.scene.c_str(), r.message.c_str());
  if (o.quiet) return;
  if (r.nothing_to_do)
    std::printf("nothing to do: %s is finished\n", r.folder.string().c_str());
  else if (r.status == RunStatus::interrupted || r.status == RunStatus::out_of_time)
    std::printf(r.has_checkpoint
                    ? "stopped at step %lld with a checkpoint; --resume goes on\n"
                    : "stopped at step %lld, before the first equilibrium was found; --resume starts over\n",
                r.steps);
  else if (r.status == RunStatus::lost_stability)
    std::printf("%s, after %lld steps in %s\n", r.message.c_str(), r.steps, duration(r.wall_seconds).c_str());
  else if (r.status == RunStatus::done)
    std::printf("done: %lld steps in %s\n", r.steps, duration(r.wall_seconds).c_str());
  std::printf("results: %s\n", r.folder.string().c_str());
  if (!r.picture.empty()) std::printf("picture: %s\n", r.picture.string().c_str());
}

// What a page is told of how far the run is. A page that reads too slowly misses some of it.
void tell_page(int progress, const Progress& p) {
  const nlohmann::json j{{"done", p.done},
                         {"step", p.step},
                         {"steps", p.steps},
                         {"time", p.time},
                         {"seconds_left", p.seconds_left},
                         {"energy", p.energy},
                         {"energy_start", p.energy_start},
                         {"stage", p.stage}};
  const std::string line = j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  [[maybe_unused]] const ssize_t n = write(progress, line.data(), line.size());
}

// Who reads what a run prints may be gone before it ends, and a file may grow beyond the limit that is set on its size:
// the one is no reason to lose the run, the other an error of writing like a full disk.
void outlive_readers_and_limits() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

// progress: descriptor of the page's process; -1: there is none.
int simulate(const Options& o, int progress) {
  Plan plan = while_telling("reading " + o.scene, o.quiet || o.json, [&] { return read_scene(o.scene, o.sets); });
  if (!o.quiet && !o.json)
    for (const auto& w : plan.warnings) std::fprintf(stderr, "warning: %s\n", w.c_str());
  if (plan.fluid && !o.quiet && !o.json) {
    const std::string slow = warn_of_solid_steps(plan, time_scales(plan).dt);
    if (!slow.empty()) std::fprintf(stderr, "warning: %s\n", slow.c_str());
    std::printf("fluid: %s\n", describe_fluid(plan).c_str());
  }
  RunOptions options;
  options.out = o.folder();
  options.threads = o.threads;
  options.resume = o.resume;
  options.force = o.force;
  options.max_wall = o.max_wall;
  options.stop = &asked_to_stop;
  outlive_readers_and_limits();
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  if (std::signal(SIGHUP, ask_to_stop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup asks to outlive the terminal
  ProgressDisplay display(o.quiet  ? ProgressDisplay::Style::quiet
                          : o.json ? ProgressDisplay::Style::json
                                   : ProgressDisplay::Style::people);
  options.show = [&](const Progress& p) {
    display(p);
    if (progress >= 0) tell_page(progress, p);
  };
  options.tell = [&](const char* kind, const std::string& text) {
    display.done();
    if (o.json)
      std::printf("%s\n", nlohmann::json{{kind, text}}.dump().c_str());
    else if (!o.quiet)
      std::fprintf(stderr, "%s: %s\n", kind, text.c_str());
  };
  const RunReport r = run(plan, options);
  display.done();
  tell(o, r);
  return exit_code(r);
}

int act(const Options& o) {
  if (!o.live && (o.control || o.port > 0 || !o.open))
    throw Error("--control, --port and --no-open are about the page: they need --live");
  if (!o.live) return simulate(o, -1);
  const LivePart part =
      split_for_page({.out = o.folder(), .port = o.port, .control = o.control, .open = o.open, .json = o.json});
  return part.exit_code ? *part.exit_code : simulate(o, part.progress);
}

}  // namespace

Action add_run(CLI::App& app) {
  auto* c = app.add_subcommand("run", "Simulate a scene");
  auto o = std::make_shared<Options>();
  c->add_option("scene", o->scene, "Scene file")->required();
  c->add_option("--out", o->out, "Folder for the results (default: out/ and the scene's name)");
  c->add_option("--set", o->sets, "Change a value of the scene: solver.dt=\"1 us\", rod.beam.bonds=64")
      ->take_all()
      ->allow_extra_args(false);
  c->add_option("--threads", o->threads, "Threads (default: as the scene says, or 1)")->check(CLI::Range(1, 1024));
  c->add_option("--max-wall", o->max_wall, "Stop with a checkpoint after so many seconds")->check(CLI::PositiveNumber);
  c->add_flag("--resume", o->resume, "Go on from the checkpoint in the folder, if there is one");
  c->add_flag("--force", o->force, "Overwrite the results in the folder");
  c->add_flag("--quiet", o->quiet, "Print nothing but errors");
  c->add_flag("--live", o->live, "Show the run on a page in the browser while it goes on");
  c->add_flag("--control", o->control, "Let that page pause and stop the run (the address has a token for it)");
  c->add_option("--port", o->port, "Port of the page at 127.0.0.1 (default: a free one)")->check(CLI::Range(0, 65535));
  c->add_flag("!--no-open", o->open, "Do not open a browser, only print the page's address");
  c->add_flag("--json", o->json, "Print progress and summary as JSON lines");
  c->footer("Example:\n  lodestone run scenes/helix.toml --out out/helix --set rod.spring.bonds=200 --threads 2");
  return [o] { return act(*o); };
}

}  // namespace ls::app
