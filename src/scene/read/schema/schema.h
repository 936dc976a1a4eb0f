#pragma once
#include "scene/key_notes.h"
#include "scene/read/schema/scene_docs.h"

#include <string>

namespace ls {

// A JSON Schema (draft 7) of the scene file, as text: what the reader was seen to ask of scenes that between them use
// every key, in the words of docs/scene.md. It lets through all that the reader takes. What it can't say, the reader
// does: whether a unit fits, whether a name is there, what depends on other keys.
std::string scene_schema(const SceneNotes& notes, const SceneDocs& docs);

}  // namespace ls
