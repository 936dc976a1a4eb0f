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

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << file;
  return lines;
}

// The words between backticks.
std::vector<std::string> in_backticks(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t open = text.find('`'); open != std::string::npos; open = text.find('`', open + 1)) {
    const std::size_t close = text.find('`', open + 1);
    if (close == std::string::npos) break;
    words.push_back(text.substr(open + 1, close - open - 1));
    open = close;
  }
  return words;
}

struct Docs {
  std::set<std::string> tables;                                // "rod.section"
  std::set<std::string> keys;                                  // "rod.section.diameter"
  std::vector<std::string> examples;                           // TOML
  std::map<std::string, std::vector<std::string>> quantities;  // [name] of, components, unit, meaning
};

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream in(row.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

Docs read_docs() {
  Docs docs;
  std::string prefix;
  bool counts = false, quantities = false, code = false;
  for (const std::string& line : lines_of(source / "docs/scene.md")) {
    if (line.starts_with("```")) {
      code = line == "```toml";
      if (code) docs.examples.emplace_back();
    } else if (code) {
      docs.examples.back() += line + "\n";
    } else if (line.starts_with("#")) {
      const auto names = in_backticks(line);
      std::string table = names.empty() ? "" : names[0];
      std::erase_if(table, [](char c) { return c == '[' || c == ']'; });
      counts = !names.empty() || line == "## Top level";
      quantities = line == "### Quantities";
      if (!table.empty()) docs.tables.insert(table);
      prefix = table.empty() ? "" : table + ".";
    } else if (line.starts_with("| `") && quantities) {
      const auto cells = cells_of(line);
      docs.quantities[in_backticks(cells[0]).at(0)] = {cells.begin() + 1, cells.end()};
    } else if (line.starts_with("| `") && counts) {
      for (const std::string& key : in_backticks(cells_of(line)[0])) docs.keys.insert(prefix + key);
    }
  }
  return docs;
}

// An example may leave out what it does not show.
std::string completed(const std::string& example) {
  const auto has = [&](const char* part) { return example.find(part) != std::string::npos; };
  std::string scene = example;
  if (!has("[material.rubber]"))
    scene += "[material.rubber]\nyoung = \"1 MPa\"\npoisson = 0.4\ndensity = 1000\nmagnetisation = 1e4\n";
  if (!has("[[rod]]"))
    scene +=
        "[[rod]]\nname = \"beam\"\nmaterial = \"rubber\"\nsection = { diameter = \"3 mm\" }\n"
        "line = { from = [0, 0, 0], to = [0.1, 0, 0] }\nbonds = 20\n";
  if (!has("[solver]") && !has("[[stage]]")) scene += "[solver]\nduration = \"20 ms\"\n";
  return scene;
}

std::vector<std::filesystem::path> scenes() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source / "scenes"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string text_of(const std::filesystem::path& file) {
  std::string text;
  for (const std::string& line : lines_of(file)) text += line + "\n";
  return text;
}

// All keys that the reader asks for while it reads the examples and the scenes.
std::set<std::string> asked_keys() {
  std::set<std::string> asked;
  for (const std::string& example : read_docs().examples) read_text(completed(example), "example.toml", {}, &asked);
  for (const auto& file : scenes()) read_text(text_of(file), file.string(), {}, &asked);
  return asked;
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
  const Docs docs = read_docs();
  for (const std::string& key : asked_keys())
    EXPECT_TRUE(docs.keys.contains(key) || docs.tables.contains(key)) << key << " is not in docs/scene.md";
}

TEST(SceneDocs, EveryDescribedKeyIsKnown) {
  const auto asked = asked_keys();
  for (const std::string& key : read_docs().keys)
    EXPECT_TRUE(asked.contains(key)) << key << " is not known to the reader";
}

// Written into any table of any example, a key that nobody knows is an error: no table forgets to look.
TEST(SceneDocs, UnknownKeysAreErrorsEverywhere) {
  std::vector<std::string> texts;
  for (const std::string& example : read_docs().examples) texts.push_back(completed(example));
  if (!is_sanitized)
    for (const auto& file : scenes()) texts.push_back(text_of(file));
  for (const std::string& text : texts) {
    std::vector<std::string> paths;
    add_table_paths(parse_toml(text, "example.toml"), "", paths);
    for (const std::string& path : paths) {
      if (path == "define." || path == "material.") continue;  // the user's own names
      try {
        read_text(text, "example.toml", {path + "zebra=1"});
        ADD_FAILURE() << path << "zebra passes in\n" << text;
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("zebra"), std::string::npos) << path << ": " << e.what();
      }
    }
  }
}

TEST(SceneDocs, QuantitiesAreThoseOfTheProbes) {
  const Docs docs = read_docs();
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
