#pragma once
#include "scene/plan.h"
#include "scene/toml_value.h"

#include <string>
#include <vector>

namespace ls {

struct SceneNotes;

std::string scene_text(const std::string& file);  // Throws Error where it can't be read.

// As read_scene, of a text that stands for a file. notes receive what the reader asked for.
Plan read_text(const std::string& text, const std::string& file, const std::vector<std::string>& sets = {},
               SceneNotes* notes = nullptr);

// As read_scene, of a tree. text: what a checkpoint keeps of it, and a run that is resumed compares with: toml_text of
// the tree. functions: what [[field]]s with a `function` may name.
Plan read_tree(const TomlValue& tree, const std::string& text, const std::string& file,
               const FieldFunctions& functions = {}, SceneNotes* notes = nullptr);

}  // namespace ls
