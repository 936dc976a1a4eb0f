#include "language/expression_tokens.h"
#include "language/units.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

// [define]: named constants, in any order, and those among them that stages change.
namespace ls {

namespace {

// The words of an expression that may be names, as the parser reads them: not those right after a number or a unit, and
// not those after a unit and a tight /. (What stands in parentheses there counts as names: at worst a circle is seen
// where there is none.)
std::set<std::string> possible_names(const Value& value) {
  std::set<std::string> names;
  if (!value.is_text()) return names;
  const std::vector<Token> tokens = tokens_of(Source(*value.toml().text(), value.place()));
  bool after_number = false, after_unit = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool tight = !token.space_before && !tokens[i + 1].space_before;
    if (token.kind == TokenKind::word && (after_number || after_unit)) {
      after_number = false;
      after_unit = true;
    } else if (token.kind == TokenKind::power && after_unit) {
      while (i + 2 < tokens.size() && tokens[i + 1].kind != TokenKind::number) ++i;  // "m^-2" goes on as a unit
      ++i;
    } else if (token.kind == TokenKind::divide && after_unit && tight && find_unit(tokens[i + 1].text)) {
      continue;
    } else {
      if (token.kind == TokenKind::word) names.emplace(token.text);
      after_number = token.kind == TokenKind::number;
      after_unit = false;
    }
  }
  return names;
}

// Finds the values of names whatever their order in the file.
class Definitions {
 public:
  Definitions(const std::vector<std::pair<std::string, Value>>& entries, const std::vector<std::string>& changing)
      : entries_(entries.begin(), entries.end()), changing_(changing.begin(), changing.end()) {
    for (const auto& [name, value] : entries) resolve(name, value);
  }

  const std::map<std::string, Quantity>& values() const { return values_; }

 private:
  void resolve(const std::string& name, const Value& value) {
    if (values_.contains(name)) return;
    if (const auto at = std::ranges::find(open_, name); at != open_.end()) {
      const std::vector<std::string> circle(at, open_.end());
      value.fail(fmt::format("`{}` is defined by itself: {} -> {}", name, fmt::join(circle, " -> "), name));
    }
    if (open_.size() > 1000) value.fail("too many names are defined by one another");
    open_.push_back(name);
    for (const std::string& word : possible_names(value)) {
      const auto other = entries_.find(word);
      if (other == entries_.end()) continue;
      resolve(word, other->second);
      if (changing_.contains(word))
        value.fail(fmt::format(
            "`{0}` uses `{1}`, which a stage sets, and would not follow it; write `{1}` where `{0}` is used", name,
            word));
    }
    open_.pop_back();
    const Quantity quantity = value.expression(scope_).quantity();
    values_[name] = quantity;
    scope_.constant(name, quantity);
  }

  std::map<std::string, Value> entries_;
  std::set<std::string> changing_;
  std::vector<std::string> open_;
  std::map<std::string, Quantity> values_;
  NameScope scope_;
};

void check_define_name(const std::string& name, const Value& value) {
  NameScope::check_name(name, value.place());
  const std::vector<std::string> reserved{"t", "s", "u", "x", "y", "z"};
  if (std::ranges::find(reserved, name) != reserved.end())
    value.fail(fmt::format("`{}` is a variable of its own; choose another name", name));
}

// The names that stages set, in the order in which they do.
std::vector<std::string> changing_names(const std::vector<Value>& sets) {
  std::vector<std::string> names;
  for (const Value& set : sets) {
    if (!set.is_table()) set.fail_expected("a table, as in { lambda = \"45 * s\" }");
    for (const TomlEntry& entry : *set.toml().table())
      if (std::ranges::find(names, entry.key) == names.end()) names.push_back(entry.key);
  }
  return names;
}

}  // namespace

void read_define(std::optional<Table> define, const std::vector<Value>& sets_of_stages, Draft& draft) {
  std::vector<std::pair<std::string, Value>> entries;
  if (define) entries = define->entries();
  for (const auto& [name, value] : entries) check_define_name(name, value);
  const std::vector<std::string> changing = changing_names(sets_of_stages);
  const auto values = Definitions(entries, changing).values();
  for (bool more = true; more;) {  // a name may be defined by another that is in Hz
    more = false;
    for (const auto& [name, value] : entries)
      if (value.counts_cycles()) more = draft.context.cycles.insert(name).second || more;
  }

  Plan& plan = draft.plan;
  plan.variables = {"t", "s"};
  plan.first_values = {0, 0};
  draft.schedule.variable("t", dim::time);
  draft.schedule.variable("s", dim::number);
  draft.graded.variable("u", dim::number);
  for (const std::string& name : changing) {
    const auto found = values.find(name);
    if (found == values.end()) continue;  // the stage that sets it will say so
    for (NameScope* scope : {&draft.context.constants, &draft.schedule, &draft.graded})
      scope->variable(name, found->second.dimension);
    plan.variables.push_back(name);
    plan.first_values.push_back(found->second.value);
  }
  for (const auto& [name, quantity] : values) {
    if (std::ranges::find(changing, name) != changing.end()) continue;
    for (NameScope* scope : {&draft.context.constants, &draft.schedule, &draft.graded}) scope->constant(name, quantity);
  }
}

}  // namespace ls
