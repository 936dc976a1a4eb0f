#include "base/nearest.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

// Which node, or which body: "beam.end", "beam.start", "beam[17]", "beam", "beam.all"; "dome.rim" is a
// part of several; "cube" and "ball[3]" are rigid.
namespace ls {

namespace {

int node_index(const Value& value, const std::string& digits, int last) {
  int index = -1;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, index);
  if (read.ec != std::errc() || read.ptr != end || index < 0 || index > last)
    value.fail_expected(fmt::format("a node from [0] to [{}]", last));
  return index;
}

// A body's own name may end in brackets: "ball[3]", one of many.
std::string body_in(const std::string& text, const std::vector<Body>& bodies) {
  const auto is_body = [&](const std::string& name) {
    return std::ranges::find(bodies, name, &Body::name) != bodies.end();
  };
  const auto bracket = text.find(']');
  if (bracket != std::string::npos && is_body(text.substr(0, bracket + 1))) return text.substr(0, bracket + 1);
  return text.substr(0, text.find_first_of(".["));
}

// What may stand behind the name of a body, for messages.
std::string parts_of(const Body& body) {
  std::string text;
  if (body.kind == BodyKind::rod) text = fmt::format("\"{0}.start\", \"{0}.end\", ", body.name);
  for (const BodyPart& p : body.parts) text += fmt::format("\"{}.{}\", ", body.name, p.name);
  return text + fmt::format("\"{0}.all\" or a node from \"{0}[0]\" to \"{0}[{1}]\"", body.name, body.nodes.size() - 1);
}

// "ball" where there are only "ball[0]", "ball[1]", ...
int count_of_many(const std::string& name, const std::vector<Body>& bodies) {
  return static_cast<int>(std::ranges::count_if(bodies, [&](const Body& b) { return b.name.starts_with(name + "["); }));
}

// Each once, those of a `grid` by the name of all.
std::vector<std::string> names_of(const std::vector<Body>& bodies) {
  std::vector<std::string> names;
  for (const Body& b : bodies) {
    const std::string name = b.name.substr(0, b.name.find('['));
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

std::string what_there_is(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  if (names.empty()) return "; there are none before it";
  std::string text = names.size() == 1 ? "; there is" : "; there are";
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k)
    text += fmt::format("{} `{}`", k > 0 ? "," : "", names[k]);
  return names.size() > most ? text + fmt::format(" and {} more", names.size() - most) : text;
}

}  // namespace

Target read_target(const Value& value, const std::vector<Body>& bodies, const std::string& sort) {
  const std::string text = value.text("a part of a rod, for example \"beam.end\" or \"beam[17]\"");
  const std::string name = body_in(text, bodies);
  const std::string part = text.substr(name.size());
  const auto found = std::ranges::find(bodies, name, &Body::name);
  if (found == bodies.end()) {
    if (const int many = count_of_many(name, bodies); many > 0)
      value.fail_expected(fmt::format("one of \"{0}[0]\" to \"{0}[{1}]\"", name, many - 1));
    const std::vector<std::string> names = names_of(bodies);
    const std::string near = did_you_mean(name, names);
    value.fail(fmt::format("found {}, but there is no {} called `{}`{}", value.shown(), sort, name,
                           near.empty() ? what_there_is(names) : near));
  }
  const int last = static_cast<int>(found->nodes.size()) - 1;
  Target t;
  t.body = static_cast<int>(found - bodies.begin());
  const bool single = is_single(*found);
  if (single && !part.empty() && part != ".all") value.fail_expected(fmt::format("\"{}\": it has no parts", name));
  if ((single && part.empty()) || (part == ".start" && found->kind == BodyKind::rod)) {
    t.index = 0;
  } else if (part == ".end" && found->kind == BodyKind::rod) {
    t.index = last;
  } else if (part.starts_with('[') && part.ends_with(']')) {
    t.index = node_index(value, part.substr(1, part.size() - 2), last);
  } else if (!part.empty() && part != ".all") {
    const auto named = std::ranges::find(found->parts, part.substr(1), &BodyPart::name);
    if (!part.starts_with('.') || named == found->parts.end()) value.fail_expected(parts_of(*found));
    if (named->nodes.size() == 1) t.index = named->nodes[0];
    if (named->nodes.size() != 1) t.part = named->name;
    for (const int n : named->nodes) t.nodes.push_back(found->nodes[n]);
  }
  if (t.index >= 0) t.node = found->nodes[t.index];
  if (t.index >= 0) t.nodes = {t.node};
  if (t.is_whole()) t.nodes = found->nodes;
  return t;
}

Target read_node(const Value& value, const std::vector<Body>& bodies, const std::string& sort) {
  Target t = read_target(value, bodies, sort);
  if (t.node < 0) {
    const Body& body = bodies[t.body];
    value.fail_expected(
        fmt::format("one node, for example \"{}{}\"", body.name, body.kind == BodyKind::rod ? ".end" : "[0]"));
  }
  return t;
}

}  // namespace ls
