#include "scene/read/schema/scene_docs.h"

#include "base/sanitized.h"
#include "scene/probe_kinds.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

// docs/scene.md and scenes/ against the reader: neither can say what the other does not know.
namespace ls::scene_docs_test {

const std::filesystem::path source = LODESTONE_SOURCE_DIR;

std::vector<std::filesystem::path> scenes() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source / "scenes"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_FALSE(text.str().empty()) << file;
  return text.str();
}

SceneDocs read_docs() {
  return read_scene_docs(text_of(source / "docs/scene.md"));
}

// All keys that the reader asks for while it reads the examples and the scenes.
std::set<std::string> asked_keys() {
  SceneNotes notes;
  for (const std::string& example : read_docs().examples) read_text(completed(example), "example.toml", {}, &notes);
  for (const auto& file : scenes()) read_text(text_of(file), file.string(), {}, &notes);
  return notes.keys();
}

// The tables of a tree as paths for --set.
void add_table_paths(const TomlValue& value, const std::string& path, std::vector<std::string>& paths) {
  if (const auto* table = value.table()) {
    paths.push_back(path);
    for (const TomlEntry& entry : *table) add_table_paths(entry.value, path + entry.key + ".", paths);
  } else if (const auto* list = value.list()) {
    for (std::size_t i = 0; i < list->size(); ++i) add_table_paths((*list)[i], path + std::to_string(i) + ".", paths);
  }
}

TEST(SceneDocs, ExamplesAreGoodScenes) {
  for (const std::string& example : read_docs().examples)
    EXPECT_NO_THROW(read_text(completed(example), "example.toml")) << example;
}

TEST(SceneDocs, ScenesAreGood) {
  EXPECT_GE(scenes().size(), 10u);
  for (const auto& file : scenes()) {
    try {
      const Plan plan = read_scene(file.string());
      EXPECT_FALSE(plan.title.empty()) << file;
      EXPECT_FALSE(plan.probes.empty()) << file;
      EXPECT_TRUE(plan.warnings.empty()) << file << ": " << plan.warnings[0];
    } catch (const Error& e) {
      ADD_FAILURE() << e.what();
    }
  }
}

TEST(SceneDocs, EveryKeyIsDescribed) {
  const SceneDocs docs = read_docs();
  for (const std::string& key : asked_keys())
    EXPECT_TRUE(docs.keys.contains(key) || docs.tables.contains(key)) << key << " is not in docs/scene.md";
}

TEST(SceneDocs, EveryDescribedKeyIsKnown) {
  const auto asked = asked_keys();
  for (const auto& [key, said] : read_docs().keys)
    EXPECT_TRUE(asked.contains(key)) << key << " is not known to the reader";
}

// Written into any table of any example, a key that nobody knows is an error: no table forgets to look.
TEST(SceneDocs, UnknownKeysAreErrorsEverywhere) {
  std::vector<std::pair<std::string, std::string>> texts;  // and their files, which other files lie beside
  for (const std::string& example : read_docs().examples) texts.emplace_back("example.toml", completed(example));
  if (!is_sanitized)
    for (const auto& file : scenes()) texts.emplace_back(file.string(), text_of(file));
  for (const auto& [file, text] : texts) {
    std::vector<std::string> paths;
    add_table_paths(parse_toml(text, file), "", paths);
    for (const std::string& path : paths) {
      if (path == "define." || path == "material.") continue;  // the user's own names
      try {
        read_text(text, file, {path + "zebra=1"});
        ADD_FAILURE() << path << "zebra passes in\n" << text;
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("zebra"), std::string::npos) << path << ": " << e.what();
      }
    }
  }
}

TEST(SceneDocs, QuantitiesAreThoseOfTheProbes) {
  const SceneDocs docs = read_docs();
  EXPECT_EQ(docs.quantities.size(), probe_kinds().size());
  for (const ProbeKind& kind : probe_kinds()) {
    ASSERT_TRUE(docs.quantities.contains(kind.name)) << kind.name;
    std::string of, components;
    for (const auto& [sort, is_it] : {std::pair{"node", probed::node},
                                      {"rod", probed::body},
                                      {"system", probed::system},
                                      {"fluid", probed::fluid},
                                      {"place", probed::place},
                                      {"field", probed::field},
                                      {"joint", probed::joint}})
      if (kind.sorts & is_it) of += (of.empty() ? "" : ", ") + std::string(sort);
    for (const std::string& c : kind.components) components += (components.empty() ? "" : " ") + c;
    EXPECT_EQ(docs.quantities.at(kind.name), (std::vector<std::string>{of, components, kind.unit, kind.doc}))
        << kind.name;
  }
}

}  // namespace ls::scene_docs_test
