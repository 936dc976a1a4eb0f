#include "run/resume/scene_changes.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace ls {

namespace {

// A value of a scene with its key, once by number (which two trees are compared by: the order of bodies counts) and
// once as it is told.
struct Leaf {
  std::string key, pattern, shown;
  int item = -1;
};

std::string shown(const TomlValue& v) {
  struct Show {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(long long i) const { return fmt::format("{}", i); }
    std::string operator()(double d) const { return fmt::format("{}", d); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const TomlValue::List& list) const {
      std::string all;
      for (const TomlValue& item : list) all += (all.empty() ? "" : ", ") + shown(item);
      return "[" + all + "]";
    }
    std::string operator()(const TomlValue::Entries& table) const {
      std::string all;
      for (const TomlEntry& e : table) all += (all.empty() ? "" : ", ") + e.key + " = " + shown(e.value);
      return "{" + all + "}";
    }
    std::string operator()(const TomlValue::Date&) const { return "a date"; }
  };
  return std::visit(Show{}, v.value);
}

// Unlike shown(), differs wherever the value does: "1" is no 1.
std::string kind_and_value(const TomlValue& v) {
  if (const auto* list = v.list()) {
    std::string all = "[";
    for (const TomlValue& item : *list) all += kind_and_value(item) + ",";
    return all + "]";
  }
  return fmt::format("{}:{}", v.value.index(), shown(v));
}

bool is_list_of_tables(const TomlValue& v) {
  const auto* list = v.list();
  return list && !list->empty() && std::ranges::all_of(*list, [](const TomlValue& item) { return item.table(); });
}

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

struct LeafValue {
  Leaf leaf;
  std::string compared;
};
using Tree = std::map<std::string, LeafValue>;  // by the key with numbers

void collect(const TomlValue& v, const std::string& path, const Leaf& at, Tree& tree) {
  if (const auto* table = v.table()) {
    tree[path] = {{at.key, at.pattern, "a table", at.item}, "table"};  // an empty one is one, too
    for (const TomlEntry& e : *table)
      collect(e.value, joined(path, e.key), {joined(at.key, e.key), joined(at.pattern, e.key), "", at.item}, tree);
    return;
  }
  if (!is_list_of_tables(v)) {
    tree[path] = {{at.key, at.pattern, shown(v), at.item}, kind_and_value(v)};
    return;
  }
  for (std::size_t n = 0; n < v.list()->size(); ++n) {
    const TomlValue& item = (*v.list())[n];
    const TomlEntry* name = item.find("name");
    const std::string number = std::to_string(n);
    const std::string called = name && name->value.text() ? *name->value.text() : number;
    collect(item, joined(path, number),
            {joined(at.key, called), joined(at.pattern, "*"), "", at.item < 0 ? static_cast<int>(n) : at.item}, tree);
  }
}

Tree tree_of(const TomlValue& root) {
  Tree tree;
  collect(root, "", {}, tree);
  return tree;
}

}  // namespace

TomlValue scene_tree(const std::string& text, const std::vector<std::string>& sets) {
  TomlValue tree = parse_toml(text, "scene");
  for (const std::string& assignment : sets) assign(tree, assignment);
  return tree;
}

std::vector<SceneChange> scene_changes(const TomlValue& before, const TomlValue& now) {
  const Tree a = tree_of(before), b = tree_of(now);
  std::vector<SceneChange> changes;
  for (const auto& [path, was] : a) {
    const auto is = b.find(path);
    if (is == b.end())
      changes.push_back({was.leaf.key, was.leaf.pattern, was.leaf.item, was.leaf.shown, "", true, false});
    else if (is->second.compared != was.compared)
      changes.push_back(
          {was.leaf.key, was.leaf.pattern, was.leaf.item, was.leaf.shown, is->second.leaf.shown, true, true});
  }
  for (const auto& [path, is] : b)
    if (!a.contains(path))
      changes.push_back({is.leaf.key, is.leaf.pattern, is.leaf.item, "", is.leaf.shown, false, true});
  return changes;
}

bool is_length(const SceneChange& c) {
  return c.pattern == "solver.duration" || c.pattern == "solver.steps" || c.pattern == "stage.*.duration" ||
         c.pattern == "stage.*.steps";
}

bool may_change(const SceneChange& c) {
  constexpr const char* free_keys[] = {"title",
                                       "probe",
                                       "output",
                                       "output.every",
                                       "output.fluid",
                                       "output.fluid.every",
                                       "output.field",
                                       "output.field.every",
                                       "output.picture",
                                       "output.checkpoint",
                                       "output.field_lines",
                                       "solver.threads"};
  if (c.pattern == "probe.*" || c.pattern.starts_with("probe.*.")) return true;
  return std::ranges::find(free_keys, c.pattern) != std::end(free_keys) || is_length(c);
}

std::string complaint(const SceneChange& c) {
  if (!c.was_there) return fmt::format("{} was not there", c.key);
  return c.is_there ? fmt::format("{} was {}, and is {} now", c.key, c.was, c.is)
                    : fmt::format("{} was {}, and is not there now", c.key, c.was);
}

std::string account(const SceneChange& c) {
  if (!c.was_there) return fmt::format("{} {}, which was not there", c.key, c.is);
  return c.is_there ? fmt::format("{} {} instead of {}", c.key, c.is, c.was)
                    : fmt::format("no {}, which was {}", c.key, c.was);
}

}  // namespace ls
