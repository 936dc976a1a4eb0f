#pragma once
#include "scene/plan.h"

#include <set>
#include <string>
#include <vector>

namespace ls {

// As read_scene, of a text that stands for a file. asked receives the pattern of every key that the reader asked for.
Plan read_text(const std::string& text, const std::string& file, const std::vector<std::string>& sets = {},
               std::set<std::string>* asked = nullptr);

}  // namespace ls
