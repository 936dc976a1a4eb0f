#include "base/nearest.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

// [[pair]]: what holds where bodies of two groups touch.
namespace ls {

namespace {

constexpr Range from_none_to_all{0, 1, false, false, "a value from 0 to 1"};

// * stands for any letters, also none. What is between two stars goes to the first place where it fits: to try all of
// them would take for ever with many stars.
bool fits_pattern(std::string_view pattern, std::string_view name) {
  const auto first = pattern.find('*'), last = pattern.rfind('*');
  if (first == std::string_view::npos) return pattern == name;
  const std::string_view end = pattern.substr(last + 1);
  if (name.size() < first + end.size() || !name.starts_with(pattern.substr(0, first)) || !name.ends_with(end))
    return false;
  name = name.substr(first, name.size() - first - end.size());
  for (std::size_t from = first + 1; from <= last;) {
    const auto star = pattern.find('*', from);
    const std::string_view part = pattern.substr(from, star - from);
    const auto at = name.find(part);
    if (at == std::string_view::npos) return false;
    name = name.substr(at + part.size()), from = star + 1;
  }
  return true;
}

// What a table says, and of whom.
struct PairReading {
  Table table;
  std::vector<int> bodies[2];
  PairRule rule;
};

PairReading read_pair(Table table, const Draft& draft) {
  const std::vector<Body>& bodies = draft.plan.model.bodies;
  if (!draft.contact.present) table.fail("found a [[pair]], but the scene has no [contact]");
  const Value of = table.need("of", "two bodies, for example [\"cube\", \"magnet\"]");
  const auto names = of.list("two bodies, for example [\"cube\", \"magnet\"]");
  if (names.size() != 2) of.fail_expected("two bodies, for example [\"cube\", \"magnet\"]");
  PairReading r{table, {}, {}};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string name = names[k].text("the name of a body, for example \"cube\" or \"cube[*]\"");
    r.bodies[k] = bodies_called(name, bodies);
    if (r.bodies[k].empty()) names[k].fail(fmt::format("found {}, {}", names[k].shown(), no_body_called(name, bodies)));
  }
  r.rule.touch = table.boolean("contact", true);
  r.rule.friction = table.maybe_number("friction", dim::number, range::not_negative);
  r.rule.restitution = table.maybe_number("restitution", dim::number, from_none_to_all);
  table.finish();
  if (!r.rule.touch && (r.rule.friction || r.rule.restitution))
    table.fail("found `contact = false` beside `friction` or `restitution`: what does not touch has neither");
  if (r.rule.touch && !r.rule.friction && !r.rule.restitution)
    table.fail("nothing is said of the two: expected `contact = false`, `friction` or `restitution`");
  return r;
}

// Bodies that are named by the same sides of the same tables are one group. [body]
std::vector<int> groups_of(const std::vector<PairReading>& pairs, std::size_t bodies) {
  std::vector<std::vector<std::size_t>> named(bodies);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (std::size_t side = 0; side < 2; ++side)
      for (const int b : pairs[p].bodies[side]) named[b].push_back(2 * p + side);
  std::map<std::vector<std::size_t>, int> numbers;
  std::vector<int> group_of;
  group_of.reserve(bodies);
  for (const auto& sides : named)
    group_of.push_back(numbers.emplace(sides, static_cast<int>(numbers.size())).first->second);
  return group_of;
}

// What two tables say of the same bodies; fails where they don't agree.
void unite(const PairReading& other, const PairReading& pair, PairRule& rule) {
  const auto contradicts = [](const std::optional<double>& a, const std::optional<double>& b) {
    return a && b && *a != *b;
  };
  const bool odd_contact = rule.touch != pair.rule.touch;
  if (odd_contact || contradicts(rule.friction, pair.rule.friction) ||
      contradicts(rule.restitution, pair.rule.restitution))
    pair.table.fail(
        fmt::format("it contradicts the [[pair]] in line {}, which is about the same bodies: their {} "
                    "would be one and the other",
                    other.table.place().line,
                    odd_contact                                      ? "`contact`"
                    : contradicts(rule.friction, pair.rule.friction) ? "`friction`"
                                                                     : "`restitution`"));
  if (pair.rule.friction) rule.friction = pair.rule.friction;
  if (pair.rule.restitution) rule.restitution = pair.rule.restitution;
}

std::vector<int> groups_among(const std::vector<int>& bodies, const std::vector<int>& group_of) {
  std::set<int> groups;
  for (const int b : bodies) groups.insert(group_of[b]);
  return {groups.begin(), groups.end()};
}

}  // namespace

std::vector<int> bodies_called(const std::string& name, const std::vector<Body>& bodies) {
  std::vector<int> found, of_many;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (fits_pattern(name, bodies[b].name)) found.push_back(static_cast<int>(b));
    if (bodies[b].name.starts_with(name + "[")) of_many.push_back(static_cast<int>(b));
  }
  return found.empty() ? of_many : found;
}

std::string no_body_called(const std::string& name, const std::vector<Body>& bodies) {
  constexpr std::size_t most = 10;
  std::vector<std::string> names;
  for (const Body& b : bodies) {
    std::string own = b.name.substr(0, b.name.find('['));
    if (std::ranges::find(names, own) == names.end() && names.size() <= most) names.push_back(std::move(own));
  }
  const std::string near = did_you_mean(name.substr(0, name.find('[')), names);
  if (!near.empty()) return fmt::format("but no body is called so{}", near);
  const bool more = names.size() > most;
  if (more) names.pop_back();
  return fmt::format("but no body is called so; there are `{}`{}", fmt::join(names, "`, `"), more ? " and more" : "");
}

void read_pairs(const std::vector<Table>& tables, Draft& draft) {
  if (tables.empty()) return;
  std::vector<PairReading> pairs;
  pairs.reserve(tables.size());
  for (const Table& table : tables) pairs.push_back(read_pair(table, draft));
  Shapes& shapes = *draft.plan.model.shapes;
  shapes.group_of = groups_of(pairs, draft.plan.model.bodies.size());
  std::map<std::pair<int, int>, std::pair<PairRule, std::size_t>> rules;  // and the table that made it
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (const int a : groups_among(pairs[p].bodies[0], shapes.group_of))
      for (const int b : groups_among(pairs[p].bodies[1], shapes.group_of)) {
        const auto [low, high] = std::minmax(a, b);
        PairRule rule = pairs[p].rule;
        rule.a = low, rule.b = high;
        const auto [at, is_new] = rules.try_emplace({low, high}, rule, p);
        if (!is_new) unite(pairs[at->second.second], pairs[p], at->second.first);
      }
  for (const auto& [groups, rule] : rules) shapes.rules.push_back(rule.first);
}

}  // namespace ls
