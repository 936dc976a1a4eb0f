#include "scene/toml_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls {

namespace {

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string key_text(const std::string& key) {
  return !key.empty() && std::ranges::all_of(key, is_bare) ? key : quoted(key);
}

// The shortest number that reads back as the same one; never as an integer.
std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// On one line, tables as { … }.
std::string inline_text(const TomlValue& v) {
  struct Show {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(long long i) const { return std::to_string(i); }
    std::string operator()(double d) const { return number_text(d); }
    std::string operator()(const std::string& text) const { return quoted(text); }
    std::string operator()(const TomlValue::List& list) const {
      std::string all;
      for (const TomlValue& item : list) all += (all.empty() ? "" : ", ") + inline_text(item);
      return "[" + all + "]";
    }
    std::string operator()(const TomlValue::Entries& table) const {
      std::string all;
      for (const TomlEntry& e : table)
        all += (all.empty() ? " " : ", ") + key_text(e.key) + " = " + inline_text(e.value);
      return all.empty() ? "{}" : "{" + all + " }";
    }
    std::string operator()(const TomlValue::Date&) const { throw Error("a date can't be written: no scene has one"); }
  };
  return std::visit(Show{}, v.value);
}

bool is_list_of_tables(const TomlValue& v) {
  return v.list() && !v.list()->empty() && std::ranges::all_of(*v.list(), [](const auto& t) { return t.table(); });
}

std::string lines_of(const TomlValue::Entries& table) {
  std::string out;
  for (const TomlEntry& e : table) out += key_text(e.key) + " = " + inline_text(e.value) + "\n";
  return out;
}

// [material.rubber] for each where a table has nothing but tables.
std::string table_text(const std::string& key, const TomlValue& v) {
  const TomlValue::Entries& entries = *v.table();
  const bool all_tables =
      !entries.empty() && std::ranges::all_of(entries, [](const auto& e) { return e.value.table(); });
  if (!all_tables) return "\n[" + key + "]\n" + lines_of(entries);
  std::string out;
  for (const TomlEntry& e : entries) out += "\n[" + key + "." + key_text(e.key) + "]\n" + lines_of(*e.value.table());
  return out;
}

}  // namespace

// What is below a table's own name is written inline, so that its keys keep their order, which may count (names of
// [define] may use those before them). Plain values of the root have to come first.
std::string toml_text(const TomlValue& root) {
  std::string plain, tables;
  for (const TomlEntry& e : *root.table()) {
    const std::string key = key_text(e.key);
    if (e.value.table()) {
      tables += table_text(key, e.value);
    } else if (is_list_of_tables(e.value)) {
      for (const TomlValue& item : *e.value.list()) tables += "\n[[" + key + "]]\n" + lines_of(*item.table());
    } else {
      plain += key + " = " + inline_text(e.value) + "\n";
    }
  }
  return plain + tables;
}

}  // namespace ls
