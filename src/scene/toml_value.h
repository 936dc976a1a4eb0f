#pragma once
#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ls {

struct TomlEntry;

// A TOML file as a plain tree in which every value knows where it stands. The library that reads it stays in
// toml_value.cpp: its header takes seconds to compile.
struct TomlValue {
  using List = std::vector<TomlValue>;
  using Entries = std::vector<TomlEntry>;  // in the order of the file
  struct Date {};                          // no scene needs one, but it must be told from the rest

  std::variant<bool, long long, double, std::string, List, Entries, Date> value;
  int line = 0, column = 0;  // from 1
  bool from_set = false;     // given on the command line

  const Entries* table() const { return std::get_if<Entries>(&value); }
  const List* list() const { return std::get_if<List>(&value); }
  const std::string* text() const { return std::get_if<std::string>(&value); }
  Entries* table() { return std::get_if<Entries>(&value); }
  List* list() { return std::get_if<List>(&value); }

  const TomlEntry* find(std::string_view key) const;  // null where this is no table or has no such key
  TomlEntry* find(std::string_view key);
};

struct TomlEntry {
  std::string key;
  int line = 0, column = 0;  // of the key
  TomlValue value;
};

// Throws Error with line and column where the text is no TOML.
TomlValue parse_toml(std::string_view text, const std::string& file);

// Changes the tree by an assignment of the command line: "rod.beam.bonds=64". Tables of a list go by their name or by
// their number from 0. The value is TOML where it can be, else a string. A key that is not there is added: whether
// there may be such a key is for the reader to say.
void assign(TomlValue& root, const std::string& assignment);
// The same of a value that is there already; "rod[2].bonds" is understood as "rod.2.bonds". who: named by errors.
void assign(TomlValue& root, const std::string& path, TomlValue value, const std::string& who);

}  // namespace ls
