#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ls {

// What a page like docs/scene.md says of the scene file.
struct SceneDocs {
  // A row of a table of keys, without markup.
  struct Key {
    std::string type, preset, meaning;  // preset: its column "default"
  };

  std::set<std::string> tables;                                // "rod.section"
  std::map<std::string, Key> keys;                             // "rod.section.diameter"
  std::vector<std::string> examples;                           // TOML
  std::map<std::string, std::vector<std::string>> quantities;  // [name] of, components, unit, meaning
};

SceneDocs read_scene_docs(const std::string& page);

// An example may leave out what it does not show: a material, a rod, how long.
std::string completed(const std::string& example);

}  // namespace ls
