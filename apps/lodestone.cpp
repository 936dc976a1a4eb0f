#include "apps/commands.h"
#include "base/error.h"
#include "base/nearest.h"
#include "run/summary.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>

namespace {

// The first word is a command, or else it was forgotten or misspelt; the parser would only say that one is needed.
bool understood(int argc, char** argv, const CLI::App& app) {
  const std::string word = argc > 1 ? argv[1] : "-";
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (word.starts_with('-') || std::find(commands.begin(), commands.end(), word) != commands.end()) return true;
  const std::string near = ls::did_you_mean(word, commands);
  std::error_code none;
  const bool is_scene = word.ends_with(".toml") || std::filesystem::is_regular_file(word, none);
  if (near.empty() && is_scene)
    std::fprintf(stderr, "error: found the scene %s, but no command; did you mean `lodestone run %s`?\n", word.c_str(),
                 word.c_str());
  else
    std::fprintf(stderr, "error: there is no command `%s`%s\n", word.c_str(), near.c_str());
  std::string all;
  for (const std::string& command : commands) all += " " + command;
  std::fprintf(stderr, "Commands are%s; run with --help for more.\n", all.c_str());
  return false;
}

int parse_and_act(int argc, char** argv) {
  CLI::App app("Simulates magneto-elastic rods. A scene is one TOML file: docs/scene.md says what may stand in it.",
               "lodestone");
  app.set_version_flag("--version", std::string("lodestone ") + ls::version);
  app.require_subcommand(1);
  app.footer(
      "Example:\n  lodestone run scenes/cantilever.toml --out out/cantilever\n\n"
      "Exit codes: 0 done, 1 a validation failed, 2 bad usage or scene, 3 diverged, 4 files,\n"
      "130 after Ctrl-C, 143 after SIGTERM and 129 after SIGHUP, with a checkpoint written.");
  const std::pair<const char*, ls::app::Action> actions[] = {
      {"run", ls::app::add_run(app)},           {"sweep", ls::app::add_sweep(app)},
      {"modes", ls::app::add_modes(app)},       {"check", ls::app::add_check(app)},
      {"info", ls::app::add_info(app)},         {"view", ls::app::add_view(app)},
      {"picture", ls::app::add_picture(app)},   {"film", ls::app::add_film(app)},
      {"validate", ls::app::add_validate(app)}, {"schema", ls::app::add_schema(app)},
      {"man", ls::app::add_man(app)},           {"completion", ls::app::add_completion(app)}};
  if (!understood(argc, argv, app)) return static_cast<int>(ls::Fault::input);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : static_cast<int>(ls::Fault::input);
  }
  for (const auto& [name, act] : actions)
    if (app.got_subcommand(name)) return act();
  return static_cast<int>(ls::Fault::input);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return parse_and_act(argc, argv);
  } catch (const ls::Error& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return static_cast<int>(e.fault());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "error: out of memory: `lodestone check` tells how much a scene needs\n");
    return static_cast<int>(ls::Fault::io);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return static_cast<int>(ls::Fault::io);
  }
}
