#pragma once
#include "scene/toml_value.h"

#include <string>
#include <vector>

namespace ls {

// A key that two versions of a scene do not agree about. Comments and the order of keys are no difference.
struct SceneChange {
  std::string key;      // "stage.fall.duration": tables of a list go by their name or, where they have none, number
  std::string pattern;  // likewise with * for these: "stage.*.duration"
  int item = -1;        // the number of the outermost of them; -1: none
  std::string was, is;  // as a person wrote it
  bool was_there = true, is_there = true;
};

// The tree of a scene after --set.
TomlValue scene_tree(const std::string& text, const std::vector<std::string>& sets);

std::vector<SceneChange> scene_changes(const TomlValue& before, const TomlValue& now);

// Whether a run may go on in spite of it: it changes nothing of what is simulated up to where the run stands. Lengths
// of stages are looked at more closely elsewhere.
bool may_change(const SceneChange& change);
bool is_length(const SceneChange& change);

// "material.m.young was 1 MPa, and is 2 MPa now"
std::string complaint(const SceneChange& change);
// "solver.duration 2 s instead of 1 s"
std::string account(const SceneChange& change);

}  // namespace ls
