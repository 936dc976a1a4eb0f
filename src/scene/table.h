#pragma once
#include "language/expression.h"
#include "math/vec.h"
#include "scene/key_notes.h"
#include "scene/range.h"
#include "scene/toml_value.h"

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

// Checked access to the tables of a scene file: whoever asks for a key says what it must be, and the errors name file,
// line, column, key, what was found and what was expected.
namespace ls {

// What all values of a file have in common.
struct ReadingContext {
  std::string file;
  NameScope constants;           // the names that a value which never changes may use
  std::set<std::string> cycles;  // names that are defined in Hz, and by no angle
  SceneNotes* notes = nullptr;   // what is asked, for those who want to know; else null
};

// One value of the file.
class Value {
 public:
  Value(const TomlValue& toml, std::string key, ReadingContext& context, KeyNote* note = nullptr)
      : toml_(&toml), key_(std::move(key)), context_(&context), note_(note) {}

  Place place() const { return {toml_->from_set ? "--set" : context_->file, toml_->line, toml_->column, key_}; }
  const std::string& key() const { return key_; }
  const TomlValue& toml() const { return *toml_; }
  ReadingContext& context() const { return *context_; }
  KeyNote* note() const { return note_; }  // of its key; null: nobody wants to know

  bool is_text() const { return toml_->text() != nullptr; }
  bool is_text(std::string_view word) const;
  bool is_list() const { return toml_->list() != nullptr; }
  bool is_table() const { return toml_->table() != nullptr; }
  bool is_integer() const { return std::holds_alternative<long long>(toml_->value); }

  [[noreturn]] void fail(const std::string& message) const { ls::fail(place(), message); }
  [[noreturn]] void fail_expected(const std::string& expected) const;  // "found 3, expected …"
  std::string shown() const;                                           // as it stands in the file

  bool boolean() const;
  std::string text(const std::string& expected) const;
  // A word that can stand in "beam.end" and in a header of probes.csv.
  std::string name(bool spaces = false) const;
  std::string choice(const std::vector<std::string>& options) const;
  long long integer(long long low, long long high) const;

  // Constants. A number without a unit is SI.
  double number(const Dimension& dimension, const Range& range = range::any) const;
  Vec3<double> vector(const Dimension& dimension) const;
  Vec3<double> direction() const;  // of length 1

  // Angles and angles per time: fails where Hz, which counts cycles, stands without a turn or 2 pi.
  double angular_rate(const Range& range = range::any) const;
  Vec3<double> angular_rates() const;
  Expression angular(const NameScope& scope, const Dimension& dimension) const;
  bool counts_cycles() const;

  // Numbers and texts alike; what it means for a bare number is left to expect().
  Expression expression(const NameScope& scope) const;
  Expression expression(const NameScope& scope, const Dimension& dimension) const;
  std::array<Expression, 3> expressions(const NameScope& scope, const Dimension& dimension) const;

  std::vector<Value> list(const std::string& expected) const;
  std::vector<Value> list_or_one() const;  // a single value stands for a list of one
  std::array<Value, 3> three(const std::string& expected) const;

 private:
  const TomlValue* toml_;
  std::string key_;
  ReadingContext* context_;
  KeyNote* note_;

  std::vector<Value> items(const std::string& expected, KeyNote* note) const;  // note: of each item
  Expression parsed(const NameScope& scope) const;
  Expression parsed(const NameScope& scope, const Dimension& dimension) const;
  double checked(const Dimension& dimension, const Range& range) const;
};

// One table. Ask for every key it may have, then finish().
class Table {
 public:
  // pattern: its key with NAME for what a user chooses, as in docs/scene.md: "rod.section", "material.NAME".
  Table(const Value& value, std::string pattern);

  Place place() const { return value_.place(); }
  const std::string& key() const { return value_.key(); }
  [[noreturn]] void fail(const std::string& message) const { value_.fail(message); }

  std::optional<Value> find(const std::string& key);
  Value need(const std::string& key, const std::string& expected);
  bool has(const std::string& key) { return find(key).has_value(); }

  double number(const std::string& key, const Dimension& dimension, const Range& range);
  double number(const std::string& key, const Dimension& dimension, const Range& range, double otherwise);
  std::optional<double> maybe_number(const std::string& key, const Dimension& dimension, const Range& range);
  long long integer(const std::string& key, long long low, long long high, long long otherwise);
  bool boolean(const std::string& key, bool otherwise);
  std::string choice(const std::string& key, const std::vector<std::string>& options);  // default: the first
  std::optional<Table> table(const std::string& key);
  // [[key]]. Places call them by their name, else by their number from 0.
  std::vector<Table> tables(const std::string& key, const std::string& pattern = "");  // "": that of the key

  // The keys are the user's own names: all of them, in the order of the file.
  std::vector<std::pair<std::string, Value>> entries();

  // One key at most, one at least where `needed`, of several that exclude each other.
  std::string one_of(const std::vector<std::string>& keys, bool needed = true);
  // A key that a later version will know.
  void refuse(const std::string& key, const std::string& why = "");

  // Fails where the table has a key that nobody asked for.
  void finish() const;

 private:
  std::string child_key(const std::string& key) const;
  std::string child_pattern(const std::string& key) const { return pattern_.empty() ? key : pattern_ + "." + key; }
  Place place_of(const TomlEntry& entry) const;
  bool was_asked(const std::string& key) const;
  void fail_if_misspelt(const std::string& key) const;
  KeyNote* note_of(const std::string& key);
  TableNote::Place noted_place() const { return {value_.context().notes->files, &value_.toml()}; }

  Value value_;
  std::string pattern_;
  TableNote* notes_;  // null: nobody wants to know
  std::vector<std::string> asked_;
};

}  // namespace ls
