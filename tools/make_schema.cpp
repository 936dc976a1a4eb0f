#include "scene/read/read_text.h"
#include "scene/read/schema/schema.h"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

// Writes the JSON Schema of the scene file: make_schema docs/scene.md SCENES SCHEMA, where SCENES is a folder. The
// reader is watched while it reads all examples and scenes.
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  if (text.str().empty()) throw std::runtime_error(file.string() + " is empty, or not there");
  return text.str();
}

// What only a program can give: no text that is read alone has a field by a function.
struct NoField final : ls::FieldFunction {
  void add(double, double, const ls::Vec3<double>*, int, int, ls::FieldSample*) const override {}
};

void watch_a_function(ls::SceneNotes& notes) {
  const std::string text = ls::completed("[[field]]\nfunction = \"f\"\n");
  ls::read_tree(ls::parse_toml(text, "function"), text, "function", {{"f", std::make_shared<NoField>()}}, &notes);
}

void make_schema(const fs::path& page, const fs::path& scenes, const fs::path& schema) {
  const ls::SceneDocs docs = ls::read_scene_docs(text_of(page));
  ls::SceneNotes notes;
  int number = 0;
  for (const std::string& example : docs.examples)
    ls::read_text(ls::completed(example), page.string() + ", example " + std::to_string(++number), {}, &notes);
  watch_a_function(notes);
  for (const auto& entry : fs::directory_iterator(scenes))
    if (entry.path().extension() == ".toml") ls::read_text(text_of(entry.path()), entry.path().string(), {}, &notes);
  std::ofstream out(schema);
  out << ls::scene_schema(notes, docs);
  if (!out.flush()) throw std::runtime_error("can't write " + schema.string());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s docs/scene.md SCENES SCHEMA\n", argv[0]);
    return 2;
  }
  try {
    make_schema(argv[1], argv[2], argv[3]);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
