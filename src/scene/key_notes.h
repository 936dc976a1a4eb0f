#pragma once
#include "language/quantity.h"
#include "scene/range.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

// What the reader asks of a scene, noted while it reads: which keys a table may have, and what may stand there. Of many
// scenes together that is the format of the file, as the reader itself knows it: docs/scene.md is held against it, and
// the schema is made of it.
namespace ls {

// What may stand at one key. Several ways may hold at once: a word or a number, a table or its short form.
struct KeyNote {
  struct Number {
    Dimension dimension;
    Range range;
  };
  struct Whole {
    long long low, high;
  };

  bool boolean = false, text = false, any_dimension = false;
  bool one_or_list = false;     // a single value stands for a list of one
  std::set<std::string> words;  // a choice
  std::vector<Number> numbers;  // or expressions that come to one
  std::vector<Whole> wholes;
  std::unique_ptr<KeyNote> items;       // of a list; null: it is none
  bool any_length = false;              // of the list; else it has three
  std::set<std::string> table, tables;  // patterns of a table or of a list of tables

  KeyNote& item();
  void number(const Dimension& dimension, const Range& range);
  void whole(long long low, long long high);
};

// All tables of one pattern: "rod.section", "material.NAME".
struct TableNote {
  using Place = std::pair<int, const void*>;  // file and value

  std::map<std::string, KeyNote> keys;  // NAME: what the user calls as he likes
  std::set<Place> seen;
  std::map<std::string, std::set<Place>> needed;                 // [key] where the table could not do without it
  std::map<std::vector<std::string>, std::set<Place>> one_of;    // keys that exclude each other
  std::map<std::vector<std::string>, std::set<Place>> needs_of;  // and of which there must be one

  // Whether it was so in every table of this pattern that was read.
  bool always(const std::set<Place>& places) const { return places.size() == seen.size(); }
};

struct SceneNotes {
  std::map<std::string, TableNote> tables;  // "": the top level
  int files = 0;

  std::set<std::string> keys() const;  // "rod.section.diameter": of all tables
};

}  // namespace ls
