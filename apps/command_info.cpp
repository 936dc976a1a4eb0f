#include "apps/commands.h"
#include "apps/display.h"
#include "base/error.h"
#include "output/files.h"
#include "output/folder/folder_lock.h"
#include "run/resume/resume.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ls::app {

namespace {

namespace fs = std::filesystem;

void line(const char* what, const std::string& text) {
  std::printf("%-16s %s\n", what, text.c_str());
}

void tell_summary(const nlohmann::json& j) {
  line("title", j.value("title", ""));
  line("status", j.value("status", "?"));
  if (j.contains("message")) line("message", j["message"]);
  line("nodes, bonds", fmt::format("{}, {}", j.value("nodes", 0), j.value("bonds", 0)));
  line("steps", fmt::format("{}", j.value("steps", 0LL)));
  line("time", with_prefix(j.value("time", 0.0), "s"));
  line("wall time", duration(j.value("wall_seconds", 0.0)));
  if (j.contains("energy"))
    for (const auto& [name, value] : j["energy"].items())
      line("energy", fmt::format("{} {}", name, with_prefix(value, "J")));
  if (j.contains("machine"))
    line("machine", fmt::format("{}, {}", j["machine"].value("cpu", "?"), j["machine"].value("isa", "?")));
  line("version", j.value("version", "?"));
}

int act(const fs::path& folder) {
  std::error_code e;
  if (!fs::is_directory(folder, e)) throw Error(folder.string() + ": no such folder; give the --out of a run");
  const bool has_summary = fs::exists(folder / "summary.json", e), has_one = has_checkpoint(folder);
  if (!has_summary && !has_one)
    throw Error(folder.string() + ": holds neither summary.json nor checkpoint.h5: not the folder of a run");
  if (has_summary) {
    try {
      tell_summary(nlohmann::json::parse(read_file(folder / "summary.json")));
    } catch (const nlohmann::json::exception& bad) {
      throw Error((folder / "summary.json").string() + ": damaged: " + bad.what(), Fault::io);
    }
  }
  if (has_one) {
    const auto [c, warning, is_before] = last_checkpoint(folder);
    if (is_before) line("warning", warning);
    line("checkpoint",
         fmt::format("step {}, t = {}, {} frames{}", c.state.clock.step, with_prefix(c.state.clock.time, "s"),
                     c.frame_times.size(), c.finished ? ", finished" : "; --resume goes on"));
  }
  if (const std::string who = holder_of(folder); !who.empty()) line("written by", who);
  return 0;
}

}  // namespace

Action add_info(CLI::App& app) {
  auto* c = app.add_subcommand("info", "Say what a folder of results holds");
  auto folder = std::make_shared<std::string>();
  c->add_option("folder", *folder, "The --out of a run")->required();
  c->footer("Example:\n  lodestone info out/cantilever");
  return [folder] { return act(*folder); };
}

}  // namespace ls::app
