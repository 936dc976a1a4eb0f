#include "apps/commands.h"
#include "apps/display.h"
#include "apps/processes.h"
#include "apps/sweep_display.h"
#include "base/error.h"
#include "output/files.h"
#include "output/folder/folder_lock.h"
#include "run/resume/leavings.h"
#include "run/resume/resume.h"
#include "run/run.h"
#include "run/sweeps/sweep.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

namespace ls::app {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string scene, out;
  std::vector<std::string> over, sets;
  int jobs = 0;
  bool resume = false, force = false, quiet = false, json = false;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_number(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

// The folder of a sweep before the sweep: what is there and what of it may go.
class SweepFolder {
 public:
  SweepFolder(const Options& o, const ParameterSweep& sweep) : path_(o.out) {
    std::error_code e;
    if (!is_empty_folder(path_) && !o.resume && !o.force)
      throw Error(o.out + ": is not empty; give another --out, --resume to go on, or --force to start afresh");
    std::set<std::string> ours;
    for (std::size_t run = 0; run < sweep.runs(); ++run) ours.insert(sweep.folder(run));
    for (const auto& entry : fs::directory_iterator(path_, e)) {
      // What is no run's is somebody else's, whatever its name.
      if (!is_number(entry.path().filename()) || !is_run_folder(entry.path())) continue;
      if (o.resume && !ours.contains(entry.path().filename()))
        throw Error(fmt::format("{}: is no run of this sweep; give another --out, or --force to start afresh",
                                entry.path().string()));
      runs_.push_back(entry.path());
    }
  }

  // Runs of a sweep that was killed are on their way to their end: they were told to stop when it died.
  void wait_for_runs() const {
    for (const auto& run : runs_)
      for (int look = 0;; ++look) {
        const std::string who = holder_of(run);
        if (who.empty()) break;
        if (look == 100)
          throw Error(
              fmt::format("{}: is being written by {}; wait for it, stop it, or give another --out", run.string(), who),
              Fault::io);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
  }

  void clear() const {
    std::error_code e;
    for (const auto& run : runs_) {
      clear_run_folder(run);
      fs::remove(run / FolderLock::file_name, e);
      // Where somebody put something of their own into it, it stays and is known as that of a run.
      if (!fs::remove(run, e) && fs::is_directory(run, e)) append_to_file(run / log_file, "");
    }
    for (const char* name : {"table.csv", "sweep.log"}) fs::remove(path_ / name, e);
  }

 private:
  fs::path path_;
  std::vector<fs::path> runs_;
};

// Reads the scene with the values of every run, so that a bad one is told before anything is done. Gives the runs that
// are already at their end.
std::vector<bool> read_all(const Options& o, const ParameterSweep& sweep) {
  std::vector<bool> finished(sweep.runs(), false);
  std::set<std::string> warnings;
  for (std::size_t run = 0; run < sweep.runs(); ++run) {
    try {
      const Plan plan = read_scene(o.scene, sweep.sets(run));
      warnings.insert(plan.warnings.begin(), plan.warnings.end());
      const fs::path folder = fs::path(o.out) / sweep.folder(run);
      if (!o.resume || !has_checkpoint(folder)) continue;
      finished[run] = resumption(last_checkpoint(folder).checkpoint, started(plan), folder).finished;
    } catch (const Error& e) {
      throw Error(fmt::format("run {} ({}): {}", sweep.folder(run), sweep.label(run), e.what()), e.fault());
    }
  }
  if (!o.quiet && !o.json)
    for (const auto& w : warnings) std::fprintf(stderr, "warning: %s\n", w.c_str());
  return finished;
}

class SweepRuns {
 public:
  SweepRuns(const Options& o, const ParameterSweep& sweep, const std::vector<bool>& finished)
      : options_(o),
        sweep_(sweep),
        out_(o.out),
        scene_(read_file(o.scene)),
        rows_(sweep.runs()),
        display_(o.quiet, o.json),
        start_(now()) {
    for (std::size_t run = 0; run < sweep.runs(); ++run) {
      if (o.resume) rows_[run] = sweep_row(out_ / sweep.folder(run));
      if (!finished[run]) waiting_.push_back(run);
    }
    done_ = sweep.runs() - waiting_.size();
    write_table();
  }

  int go() {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t jobs = options_.jobs > 0 ? static_cast<std::size_t>(options_.jobs) : cores;
    while (processes_.running() > 0 || may_start()) {
      while (may_start() && processes_.running() < jobs) start_next();
      if (const auto ended = processes_.wait(0.5)) note(*ended);
      if (processes_.signal() == 0) display_.progress(done_, failed_, sweep_.runs(), seconds_left());
    }
    write_table();
    tell();
    if (!halted_.empty()) throw Error(halted_);
    return processes_.signal() != 0 ? 128 + processes_.signal() : diverged_ ? 3 : first_failure_;
  }

 private:
  bool may_start() const { return next_ < waiting_.size() && processes_.signal() == 0 && halted_.empty(); }

  void start_next() {
    // The processes read the scene again. If it was edited meanwhile, the table would mix two scenes.
    if (read_file(options_.scene) != scene_) {
      halted_ = options_.scene + ": the scene was changed during the sweep; undo the change and --resume";
      return;
    }
    const std::size_t run = waiting_[next_++];
    std::vector<std::string> arguments{"run", options_.scene, "--quiet", "--threads=1",
                                       "--out=" + (out_ / sweep_.folder(run)).string()};
    for (const auto& set : sweep_.sets(run)) arguments.push_back("--set=" + set);
    if (options_.resume) arguments.emplace_back("--resume");
    if (options_.force) arguments.emplace_back("--force");
    processes_.start(run, arguments);
  }

  void note(const Processes::Ended& ended) {
    const fs::path folder = out_ / sweep_.folder(ended.id);
    SweepRow& row = rows_[ended.id];
    // What stopped together with the sweep may have died before it had a folder, and is no failure.
    const bool stopped = processes_.signal() != 0 && ended.code >= 128;
    row = sweep_row(folder);
    if (stopped)
      row.status = "interrupted";
    else if (ended.code == 0)
      ++done_;
    else
      note_failure(ended, row);
    ++ended_;
    display_.line({{"run", ended.id},
                   {"folder", folder.string()},
                   {"status", row.status},
                   {"runs_done", done_},
                   {"runs_failed", failed_},
                   {"runs", sweep_.runs()},
                   {"seconds_left", seconds_left()}});
    // Large tables of short runs would take longer to write than the runs to run.
    if (now() - table_written_ > 20 * table_cost_) write_table();
  }
  void note_failure(const Processes::Ended& ended, SweepRow& row) {
    ++failed_;
    diverged_ = diverged_ || ended.code == 3;
    if (ended.code != 3) row = SweepRow();  // its files may be those of an earlier attempt
    if (row.status.empty()) row.status = "failed";
    if (first_failure_ == 0) first_failure_ = ended.code;
    std::string why = ended.said.starts_with("error: ") ? ended.said.substr(7) : ended.said;
    while (!why.empty() && why.back() == '\n') why.pop_back();
    if (why.empty()) why = fmt::format("ended with code {}", ended.code);
    const std::string text = fmt::format("run {} ({}): {}", sweep_.folder(ended.id), sweep_.label(ended.id), why);
    display_.complain(text);
    append_to_file(out_ / "sweep.log", text + "\n");
  }

  double seconds_left() const {
    if (ended_ == 0) return std::numeric_limits<double>::infinity();
    return (now() - start_) / static_cast<double>(ended_) * static_cast<double>(waiting_.size() - ended_);
  }
  void write_table() {
    const double begin = now();
    write_atomically(out_ / "table.csv", sweep_table(sweep_, rows_));
    table_written_ = now();
    table_cost_ = table_written_ - begin;
  }

  void tell() {
    const double seconds = now() - start_;
    const std::string table = (out_ / "table.csv").string();
    const std::size_t left = sweep_.runs() - done_ - failed_;
    display_.line({{"status", left > 0      ? "interrupted"
                              : failed_ > 0 ? "failed"
                                            : "done"},
                   {"runs_done", done_},
                   {"runs_failed", failed_},
                   {"runs", sweep_.runs()},
                   {"wall_seconds", seconds},
                   {"folder", out_.string()},
                   {"table", table}});
    std::string text =
        fmt::format("{} of {} runs done, {} failed, in {}", done_, sweep_.runs(), failed_, duration(seconds));
    if (left > 0) text += fmt::format("; --resume goes on with the {} that are left", left);
    display_.say(text);
    display_.say("table: " + table);
  }

  const Options& options_;
  const ParameterSweep& sweep_;
  fs::path out_;
  std::string scene_;  // its text when the sweep began
  std::vector<SweepRow> rows_;
  std::vector<std::size_t> waiting_;  // the runs that are not at their end, in order
  std::size_t next_ = 0;              // of waiting_
  std::size_t done_ = 0, failed_ = 0;
  std::size_t ended_ = 0;  // of those started here
  bool diverged_ = false;
  int first_failure_ = 0;  // its exit code
  std::string halted_;     // why no more runs are started
  SweepDisplay display_;
  double start_, table_written_ = 0, table_cost_ = 0;  // s
  Processes processes_;
};

int act(Options o) {
  if (o.out.empty()) o.out = (fs::path("out") / (fs::path(o.scene).stem().string() + "-sweep")).string();
  const ParameterSweep sweep(o.over, o.sets);
  std::error_code e;
  if (fs::exists(o.out, e) && !fs::is_directory(o.out, e)) throw Error(o.out + ": is a file; --out needs a folder");
  const FolderLock lock(o.out);
  const SweepFolder folder(o, sweep);
  folder.wait_for_runs();
  const auto finished = read_all(o, sweep);
  if (o.force) folder.clear();
  return SweepRuns(o, sweep, finished).go();
}

}  // namespace

Action add_sweep(CLI::App& app) {
  auto* c = app.add_subcommand("sweep", "Simulate a scene for every combination of values");
  auto o = std::make_shared<Options>();
  c->add_option("scene", o->scene, "Scene file")->required();
  c->add_option("--over", o->over, "A key and its values: rod.beam.bonds=32,64,128 or define.lambda=0:45:46")
      ->required()
      ->take_all()
      ->allow_extra_args(false);
  c->add_option("--out", o->out, "Folder for the runs and their table (default: out/, the scene's name and -sweep)");
  c->add_option("--set", o->sets, "Change a value of the scene in all runs")->take_all()->allow_extra_args(false);
  c->add_option("--jobs", o->jobs, "Runs at the same time (default: one a core)")->check(CLI::Range(1, 1024));
  auto* resume = c->add_flag("--resume", o->resume, "Go on with the runs that are not at their end");
  c->add_flag("--force", o->force, "Remove the runs in the folder first")->excludes(resume);
  c->add_flag("--quiet", o->quiet, "Print nothing but errors");
  c->add_flag("--json", o->json, "Print progress and summary as JSON lines");
  c->footer(
      "Example:\n  lodestone sweep scenes/cantilever.toml --over rod.beam.bonds=25,50,100 "
      "--over material.silicone.young=\"0.5 MPa:2 MPa:4\"");
  return [o] { return act(*o); };
}

}  // namespace ls::app
