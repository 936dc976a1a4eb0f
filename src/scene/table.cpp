#include "scene/table.h"

#include "base/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls {

Table::Table(const Value& value, std::string pattern)
    : value_(value),
      pattern_(std::move(pattern)),
      notes_(value.context().notes ? &value.context().notes->tables[pattern_] : nullptr) {
  if (value.note()) value.note()->table.insert(pattern_);
  if (notes_) notes_->seen.insert(noted_place());
  if (value.is_list() && !value.toml().list()->empty() && value.toml().list()->front().table())
    value.fail(fmt::format("found a list of tables, expected one: write [{0}], not [[{0}]]", value.key()));
  if (!value.is_table()) value.fail_expected("a table, as in { … } or under [" + value.key() + "]");
}

std::string Table::child_key(const std::string& key) const {
  return value_.key().empty() ? key : value_.key() + "." + key;
}

Place Table::place_of(const TomlEntry& entry) const {
  return {entry.value.from_set ? "--set" : value_.context().file, entry.line, entry.column, child_key(entry.key)};
}

bool Table::was_asked(const std::string& key) const {
  return std::ranges::find(asked_, key) != asked_.end();
}

KeyNote* Table::note_of(const std::string& key) {
  return notes_ ? &notes_->keys[key] : nullptr;
}

std::optional<Value> Table::find(const std::string& key) {
  if (!was_asked(key)) asked_.push_back(key);
  KeyNote* note = note_of(key);
  const TomlEntry* entry = value_.toml().find(key);
  if (!entry) return std::nullopt;
  return Value(entry->value, child_key(key), value_.context(), note);
}

// Most of what is missing is there under another spelling.
void Table::fail_if_misspelt(const std::string& key) const {
  for (const TomlEntry& entry : *value_.toml().table())
    if (!was_asked(entry.key) && nearest(entry.key, {key}) == key)
      ls::fail(place_of(entry), fmt::format("unknown key `{}`; did you mean `{}`?", entry.key, key));
}

Value Table::need(const std::string& key, const std::string& expected) {
  if (notes_) notes_->needed[key].insert(noted_place());
  if (auto value = find(key)) return *value;
  fail_if_misspelt(key);
  fail(fmt::format("`{}` is missing, expected {}", key, expected));
}

double Table::number(const std::string& key, const Dimension& dimension, const Range& range) {
  return need(key, fmt::format("{}, for example \"{}\"", dimension.name(), dimension.example()))
      .number(dimension, range);
}

double Table::number(const std::string& key, const Dimension& dimension, const Range& range, double otherwise) {
  return maybe_number(key, dimension, range).value_or(otherwise);
}

std::optional<double> Table::maybe_number(const std::string& key, const Dimension& dimension, const Range& range) {
  const auto value = find(key);
  if (KeyNote* note = note_of(key)) note->number(dimension, range);
  if (!value) return std::nullopt;
  return value->number(dimension, range);
}

long long Table::integer(const std::string& key, long long low, long long high, long long otherwise) {
  const auto value = find(key);
  if (KeyNote* note = note_of(key)) note->whole(low, high);
  return value ? value->integer(low, high) : otherwise;
}

bool Table::boolean(const std::string& key, bool otherwise) {
  const auto value = find(key);
  if (KeyNote* note = note_of(key)) note->boolean = true;
  return value ? value->boolean() : otherwise;
}

std::string Table::choice(const std::string& key, const std::vector<std::string>& options) {
  const auto value = find(key);
  if (KeyNote* note = note_of(key)) note->words.insert(options.begin(), options.end());
  return value ? value->choice(options) : options.front();
}

std::optional<Table> Table::table(const std::string& key) {
  const auto value = find(key);
  if (KeyNote* note = note_of(key)) note->table.insert(child_pattern(key));
  if (!value) return std::nullopt;
  return Table(*value, child_pattern(key));
}

std::vector<Table> Table::tables(const std::string& key, const std::string& pattern) {
  std::vector<Table> all;
  const auto value = find(key);
  if (KeyNote* note = note_of(key)) note->tables.insert(pattern.empty() ? child_pattern(key) : pattern);
  if (!value) return all;
  const std::string expected = fmt::format("a list of tables: write [[{}]]", value->key());
  if (!value->is_list()) value->fail_expected(expected);
  int index = 0;
  for (const TomlValue& item : *value->toml().list()) {
    const TomlEntry* name = item.find("name");
    const std::string own = name && name->value.text() ? "." + *name->value.text()
                            : item.line > 0            ? fmt::format(".{}", index)
                                                       : fmt::format("[{}]", index);  // of no file
    const Value one(item, value->key() + own, value_.context());
    if (!one.is_table()) one.fail_expected(expected);
    all.emplace_back(one, pattern.empty() ? child_pattern(key) : pattern);
    ++index;
  }
  return all;
}

std::vector<std::pair<std::string, Value>> Table::entries() {
  std::vector<std::pair<std::string, Value>> all;
  KeyNote* note = note_of("NAME");
  for (const TomlEntry& entry : *value_.toml().table()) {
    asked_.push_back(entry.key);
    all.emplace_back(entry.key, Value(entry.value, child_key(entry.key), value_.context(), note));
  }
  return all;
}

std::string Table::one_of(const std::vector<std::string>& keys, bool needed) {
  if (notes_) (needed ? notes_->needs_of : notes_->one_of)[keys].insert(noted_place());
  std::string found;
  for (const std::string& key : keys) {
    const auto value = find(key);
    if (!value) continue;
    if (!found.empty()) value->fail(fmt::format("found both `{}` and `{}`, expected one of them", found, key));
    found = key;
  }
  if (!found.empty() || !needed) return found;
  for (const std::string& key : keys) fail_if_misspelt(key);
  fail(fmt::format("expected one of `{}`", fmt::join(keys, "`, `")));
}

void Table::refuse(const std::string& key, const std::string& why) {
  const TomlEntry* entry = value_.toml().find(key);
  const std::string reason = why.empty() ? "" : ": " + why;
  if (entry) ls::fail(place_of(*entry), fmt::format("`{}` is not available in this version{}", key, reason));
}

void Table::finish() const {
  for (const TomlEntry& entry : *value_.toml().table()) {
    if (was_asked(entry.key)) continue;
    std::string hint = did_you_mean(entry.key, asked_);
    if (hint.empty()) hint = fmt::format("; known here are {}", fmt::join(asked_, ", "));
    ls::fail(place_of(entry), fmt::format("unknown key `{}`{}", entry.key, hint));
  }
}

}  // namespace ls
