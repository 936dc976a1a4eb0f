#include "scene/toml_value.h"

#include "base/nearest.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

// Some wrong input ("[=]") breaks an assertion of the library before it is reported as an error: it must neither stop
// the program nor be taken by the compiler as a promise, as it would under NDEBUG.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace ls {

namespace {

TomlValue converted(const toml::node& node);

TomlValue::Entries converted(const toml::table& table) {
  TomlValue::Entries entries;
  for (const auto& [key, value] : table) {
    const auto at = key.source().begin;
    entries.push_back(
        {std::string(key.str()), static_cast<int>(at.line), static_cast<int>(at.column), converted(value)});
  }
  // The library sorts by key; a reader of messages expects the order of the file.
  std::ranges::stable_sort(entries, [](const TomlEntry& a, const TomlEntry& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  return entries;
}

TomlValue converted(const toml::node& node) {
  TomlValue r;
  const auto at = node.source().begin;
  r.line = static_cast<int>(at.line);
  r.column = static_cast<int>(at.column);
  if (const auto* t = node.as_table()) {
    r.value = converted(*t);
  } else if (const auto* a = node.as_array()) {
    TomlValue::List list;
    list.reserve(a->size());
    for (const auto& item : *a) list.push_back(converted(item));
    r.value = std::move(list);
  } else if (const auto* s = node.as_string()) {
    r.value = s->get();
  } else if (const auto* i = node.as_integer()) {
    r.value = static_cast<long long>(i->get());
  } else if (const auto* f = node.as_floating_point()) {
    r.value = f->get();
  } else if (const auto* b = node.as_boolean()) {
    r.value = b->get();
  } else {
    r.value = TomlValue::Date{};
  }
  return r;
}

void mark_as_set(TomlValue& v) {
  v.from_set = true;
  v.line = v.column = 0;
  if (auto* list = v.list())
    for (auto& item : *list) mark_as_set(item);
  if (auto* table = v.table())
    for (auto& entry : *table) entry.line = entry.column = 0, mark_as_set(entry.value);
}

// The end of the string that opens at text[i]; stray: set to a letter beyond ASCII after a backslash.
std::size_t end_of_string(std::string_view text, std::size_t i, std::size_t& stray) {
  const char quote = text[i];
  const std::string three(3, quote);
  const std::string end = text.substr(i).starts_with(three) ? three : std::string(1, quote);
  for (i += end.size(); i < text.size() && !text.substr(i).starts_with(end); ++i) {
    if (end.size() == 1 && text[i] == '\n') return i;  // not closed: for the library to tell
    if (quote != '"' || text[i] != '\\') continue;
    const std::size_t next = std::min(text.find_first_not_of(" \t\r\n", i + 1), text.size());
    if (next < text.size() && (text[next] & 0x80)) stray = std::min(stray, next);
    if (next == i + 1) ++i;  // an escaped quote does not end the string
  }
  return std::min(i + end.size(), text.size());
}

// Two things that the library does not survive, neither of which a scene needs: letters beyond ASCII outside strings
// and comments (or after a backslash that joins lines), which TOML forbids, and keys of very many parts.
void check_text(std::string_view text, const std::string& file) {
  constexpr int most_parts = 100;
  const auto refuse = [&](std::size_t at, const char* why) {
    const std::size_t line_start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
    fail({file, static_cast<int>(line), static_cast<int>(at - line_start) + 1, ""}, why);
  };
  std::size_t i = text.starts_with("\xef\xbb\xbf") ? 3 : 0;  // the mark that some editors put in front
  int parts = 0;
  while (i < text.size()) {
    std::size_t stray = text[i] & 0x80 ? i : text.npos;
    parts = text[i] == '.' ? parts + 1 : std::string_view("=,[]{}#\n").find(text[i]) != text.npos ? 0 : parts;
    if (parts > most_parts) refuse(i, "a key has too many parts");
    if (text[i] == '#')
      i = std::min(text.find('\n', i), text.size());
    else if (text[i] == '"' || text[i] == '\'')
      i = end_of_string(text, i, stray);
    else
      ++i;
    if (stray != text.npos) refuse(stray, "this is no TOML: found a letter beyond ASCII, which must stand in quotes");
  }
}

// What follows the = on the command line: a string where it is no TOML.
TomlValue assigned_value(const std::string& text) {
  TomlValue r;
  r.value = text;
  try {
    const TomlValue parsed = parse_toml("value = " + text, "--set");
    // "1\nother = 2" is no value.
    if (parsed.table()->size() == 1 && parsed.find("value")) r = parsed.find("value")->value;
  } catch (const Error&) {
  }
  mark_as_set(r);
  return r;
}

// "stage.\"heat up\".duration" by its dots; quotes keep a dot or a space. "rod[2].bonds" is "rod.2.bonds".
std::vector<std::string> parts_of(const std::string& path, const Place& place) {
  std::vector<std::string> parts(1);
  char quote = 0;
  for (const char c : path) {
    if (quote ? c == quote : (c == '"' || c == '\'')) {
      quote = quote ? 0 : c;
    } else if ((c == '.' || c == '[') && !quote) {
      parts.emplace_back();
    } else if (quote || c != ']') {
      parts.back() += c;
    }
  }
  if (quote || std::ranges::any_of(parts, &std::string::empty))
    fail(place, "expected names with dots between them, for example `rod.beam.bonds`");
  return parts;
}

TomlValue& item_of(TomlValue::List& list, const std::string& part, const Place& place) {
  std::vector<std::string> names;
  for (auto& item : list) {
    const TomlEntry* name = item.find("name");
    if (!name || !name->value.text()) continue;
    if (*name->value.text() == part) return item;
    names.push_back(*name->value.text());
  }
  std::size_t index = 0;
  const auto read = std::from_chars(part.data(), part.data() + part.size(), index);
  const bool is_index = read.ec == std::errc() && read.ptr == part.data() + part.size();
  if (is_index && index < list.size()) return list[index];
  if (is_index) fail(place, fmt::format("there is no item {} in a list of {} (the first is 0)", part, list.size()));
  fail(place, fmt::format("there is nothing named `{}` here{}", part, did_you_mean(part, names)));
}

}  // namespace

const TomlEntry* TomlValue::find(std::string_view key) const {
  const Entries* entries = table();
  if (!entries) return nullptr;
  const auto found = std::ranges::find(*entries, key, &TomlEntry::key);
  return found == entries->end() ? nullptr : &*found;
}

TomlEntry* TomlValue::find(std::string_view key) {
  return const_cast<TomlEntry*>(std::as_const(*this).find(key));
}

TomlValue parse_toml(std::string_view text, const std::string& file) {
  check_text(text, file);
  try {
    return converted(static_cast<const toml::node&>(toml::parse(text, file)));
  } catch (const toml::parse_error& e) {
    const auto at = e.source().begin;
    const std::string why(e.description());
    // The mistake that is made most: dt = 1 us.
    const bool bare =
        why.ends_with("could not determine value type") || why.find("a comment or whitespace") != why.npos;
    const std::string hint = bare ? "; a text, a unit or an expression needs quotes, as in \"1 us\"" : "";
    fail({file, static_cast<int>(at.line), static_cast<int>(at.column), ""}, "this is no TOML: " + why + hint);
  }
}

void assign(TomlValue& root, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string path = assignment.substr(0, equals);
  if (equals == std::string::npos || path.empty())
    fail({"--set", 0, 0, ""},
         fmt::format("found `{}`, expected KEY=VALUE, for example `solver.dt=\"1 us\"`", assignment));
  assign(root, path, assigned_value(assignment.substr(equals + 1)), "--set");
}

void assign(TomlValue& root, const std::string& path, TomlValue value, const std::string& who) {
  const Place place{who, 0, 0, path};
  TomlValue* at = &root;
  for (const std::string& part : parts_of(path, place)) {
    if (auto* list = at->list()) {
      at = &item_of(*list, part, place);
    } else if (auto* table = at->table()) {
      if (!at->find(part)) {
        TomlValue made;
        made.value = TomlValue::Entries{};
        made.from_set = value.from_set;
        table->push_back({part, 0, 0, std::move(made)});
      }
      at = &at->find(part)->value;
    } else {
      fail(place, fmt::format("`{}` can't be a key of a plain value", part));
    }
  }
  *at = std::move(value);
}

}  // namespace ls
