#pragma once
#include "scene/plan.h"

#include <string>
#include <vector>

namespace ls {

struct SceneNotes;

// As read_scene, of a text that stands for a file. notes receive what the reader asked for.
Plan read_text(const std::string& text, const std::string& file, const std::vector<std::string>& sets = {},
               SceneNotes* notes = nullptr);

}  // namespace ls
