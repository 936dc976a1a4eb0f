#include "scene/read/schema/schema.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace ls {

namespace {

using Json = nlohmann::ordered_json;

Json reference(const std::string& pattern) {
  return {{"$ref", "#/definitions/" + pattern}};
}

// A number in SI units, or a text that comes to one: "25 mm", "2*pi*R". Bounds hold for bare numbers only; where the
// reader asks in several ways, the wider ones.
Json number_schema(const std::vector<KeyNote::Number>& numbers) {
  Json j = {{"type", {"number", "string"}}};
  const KeyNote::Number* low = &numbers.front();
  const KeyNote::Number* high = &numbers.front();
  for (const KeyNote::Number& n : numbers) {
    if (n.range.low < low->range.low || (n.range.low == low->range.low && !n.range.without_low)) low = &n;
    if (n.range.high > high->range.high || (n.range.high == high->range.high && !n.range.without_high)) high = &n;
  }
  if (low->range.low > -range::huge) j[low->range.without_low ? "exclusiveMinimum" : "minimum"] = low->range.low;
  if (high->range.high < range::huge) j[high->range.without_high ? "exclusiveMaximum" : "maximum"] = high->range.high;
  return j;
}

Json whole_schema(const std::vector<KeyNote::Whole>& wholes) {
  Json j = {{"type", {"integer", "string"}}};
  const auto low = std::ranges::min(wholes, {}, &KeyNote::Whole::low).low;
  const auto high = std::ranges::max(wholes, {}, &KeyNote::Whole::high).high;
  j["minimum"] = low;
  if (high < std::numeric_limits<int>::max()) j["maximum"] = high;
  return j;
}

Json key_schema(const KeyNote& note);

Json list_schema(const KeyNote& note) {
  Json j = {{"type", "array"}, {"items", key_schema(*note.items)}};
  if (!note.any_length) {
    j["minItems"] = 3;
    j["maxItems"] = 3;
  }
  return j;
}

// Each way in which the key may be written.
std::vector<Json> ways_of(const KeyNote& note) {
  std::vector<Json> ways;
  if (note.boolean) ways.push_back({{"type", "boolean"}});
  if (note.text)
    ways.push_back({{"type", "string"}});
  else if (!note.words.empty())
    ways.push_back({{"enum", note.words}});
  if (!note.numbers.empty())
    ways.push_back(number_schema(note.numbers));
  else if (!note.wholes.empty())
    ways.push_back(whole_schema(note.wholes));
  else if (note.any_dimension)
    ways.push_back({{"type", {"number", "string"}}});
  for (const std::string& pattern : note.table) ways.push_back(reference(pattern));
  for (const std::string& pattern : note.tables) ways.push_back({{"type", "array"}, {"items", reference(pattern)}});
  if (note.items) ways.push_back(list_schema(note));
  if (note.one_or_list) {
    Json items = ways.size() == 1 ? ways.front() : Json{{"anyOf", ways}};
    ways.push_back({{"type", "array"}, {"items", std::move(items)}});
  }
  return ways;
}

Json key_schema(const KeyNote& note) {
  std::vector<Json> ways = ways_of(note);
  if (ways.empty()) return Json::object();
  return ways.size() == 1 ? ways.front() : Json{{"anyOf", ways}};
}

// "length; default 1 mm. what it means"
std::string description(const SceneDocs::Key& key) {
  std::string text = key.type;
  if (!key.preset.empty()) text += (text.empty() ? "" : "; ") + ("default: " + key.preset);
  if (!key.meaning.empty()) text += (text.empty() ? "" : ". ") + key.meaning;
  return text;
}

// Keys of which a table has one, or at most one.
void add_groups(const TableNote& note, Json& j) {
  for (const auto& [keys, places] : note.needs_of) {
    if (!note.always(places)) continue;
    Json one = Json::array();
    for (const std::string& key : keys) one.push_back({{"required", {key}}});
    j["allOf"].push_back({{"oneOf", one}});
  }
  for (const auto& [keys, places] : note.one_of) {
    if (!note.always(places)) continue;
    for (std::size_t a = 0; a < keys.size(); ++a)
      for (std::size_t b = a + 1; b < keys.size(); ++b)
        j["allOf"].push_back({{"not", {{"required", {keys[a], keys[b]}}}}});
  }
}

// Such a key was there whenever it was needed, for want of a scene with the other one.
bool is_one_of_several(const std::string& key, const TableNote& note) {
  const auto has_it = [&](const auto& group) { return std::ranges::find(group.first, key) != group.first.end(); };
  return std::ranges::any_of(note.one_of, has_it) || std::ranges::any_of(note.needs_of, has_it);
}

Json table_schema(const std::string& pattern, const TableNote& note, const SceneDocs& docs) {
  Json j = {{"type", "object"}, {"additionalProperties", false}};
  Json& properties = j["properties"] = Json::object();
  for (const auto& [key, key_note] : note.keys) {
    const auto said = docs.keys.find(pattern.empty() ? key : pattern + "." + key);
    Json schema = key_schema(key_note);
    // Of a reference draft 7 sees nothing else.
    if (said != docs.keys.end()) {
      if (schema.contains("$ref")) schema = {{"allOf", {schema}}};
      schema["description"] = description(said->second);
    }
    (key == "NAME" ? j["additionalProperties"] : properties[key]) = std::move(schema);
  }
  for (const auto& [key, places] : note.needed)
    if (note.always(places) && !is_one_of_several(key, note)) j["required"].push_back(key);
  add_groups(note, j);
  return j;
}

}  // namespace

std::string scene_schema(const SceneNotes& notes, const SceneDocs& docs) {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Scene of lodestone"}};
  schema.update(table_schema("", notes.tables.at(""), docs));
  for (const auto& [pattern, note] : notes.tables)
    if (!pattern.empty()) schema["definitions"][pattern] = table_schema(pattern, note, docs);
  return schema.dump(1) + "\n";
}

}  // namespace ls
