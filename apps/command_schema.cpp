#include "apps/commands.h"

#include <cstdio>

namespace ls::app {

// Made by tools/make_schema.cpp while the program is built.
extern const char* const scene_schema_text;

Action add_schema(CLI::App& app) {
  auto* c = app.add_subcommand("schema", "Print a JSON Schema of the scene file, for editors");
  c->footer("Example:\n  lodestone schema > scene.schema.json");
  return [] {
    std::fputs(scene_schema_text, stdout);
    return 0;
  };
}

}  // namespace ls::app
