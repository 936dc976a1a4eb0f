#include "base/nearest.h"
#include "math/component.h"
#include "scene/probe_kinds.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

// What expressions may read of the state: "ball.position.x", "system.energy.kinetic", "contact(ball, floor)". Whatever
// a probe can record has a name of this kind, by the name of such a probe or by what it would be of; each that some
// expression asks for becomes a Watch with a slot of its own.
namespace ls {

namespace {

using Found = NameScope::Found;

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// In the unit's own words, which are those of the language.
Dimension dimension_of_unit(const std::string& unit) {
  if (unit.empty()) return dim::number;
  const std::string one = unit.starts_with("1/") ? unit : "1 " + unit;
  return Expression::parse(one, NameScope(), {}).dimension();
}

bool is_quantity(const std::string& word) {
  return std::ranges::any_of(probe_kinds(), [&](const ProbeKind& k) { return k.name == word; });
}

// "beam.end.position.x": of whom, which quantity, and which component of it; the last may be empty.
struct StateName {
  std::string of, quantity, component;
};
StateName parted(std::string_view word) {
  std::vector<std::string> parts = split(word, '.');
  StateName n;
  const std::size_t count = parts.size();
  const auto is_component = [&] {
    const bool is_axis = parts.back().size() == 1 && parts.back().find_first_of("wxyz") == 0;
    return is_axis || is_quantity(parts[count - 2].substr(0, parts[count - 2].find('[')));
  };
  if (count > 2 && is_component()) {
    n.component = parts.back();
    parts.pop_back();
  }
  n.quantity = parts.back();
  parts.pop_back();
  n.of = fmt::format("{}", fmt::join(parts, "."));
  // As the columns of a whole rod are called: "beam.position[17].x" is "beam[17].position.x".
  if (const auto open = n.quantity.find('['); open != std::string::npos) {
    n.of += n.quantity.substr(open);
    n.quantity.erase(open);
  }
  return n;
}

class StateNames {
 public:
  StateNames(std::vector<Table> probes, Draft& draft) : probes_(std::move(probes)), draft_(draft) {}

  Found find(std::string_view word) {
    const bool is_call = word.find('(') != std::string_view::npos;
    if (!is_call && word.find('.') == std::string_view::npos) return {};
    const std::vector<Watch>& watches = draft_.plan.watches;
    const auto known = std::ranges::find(watches, word, &Watch::name);
    if (known != watches.end()) return name_of(static_cast<int>(known - watches.begin()));
    try {
      Watch watch;
      watch.name = word;
      if (!is_call)
        aim(parted(word), watch);
      else if (!aim_at_contact(word, watch))
        return {};
      return add(std::move(watch));
    } catch (const Error& e) {
      return {std::nullopt, without_place(e.what())};
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { fail(nowhere(), why); }
  // The parser knows where the name stands, and says so itself.
  Place nowhere() const { return {draft_.context.file, 0, 0, ""}; }
  std::string without_place(const std::string& message) const {
    const std::string prefix = describe(nowhere(), "");
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
  }

  void aim(const StateName& n, Watch& watch) {
    watch.probe = target(n.of);
    const ProbeKind* kind = find_probe_kind(n.quantity, watch.probe);
    if (!kind) refuse_quantity(n, watch.probe);
    if (watch.probe.of == ProbeOf::body && kind->is_per_node())
      refuse(fmt::format("of which node? Expected one, for example \"{}[0].{}\"", n.of, n.quantity));
    const std::vector<std::string> components = components_of(*kind, watch.probe);
    const bool is_vector = components == std::vector<std::string>{"x", "y", "z"};
    const bool is_whole = n.component.empty() && (components.empty() || is_vector);
    if (!is_whole && std::ranges::find(components, n.component) == components.end()) refuse_component(n, components);
    if (n.quantity == "ledger" && draft_.fluid.present && draft_.plan.solver.kind == SolverKind::explicit_dynamics)
      refuse("explicit solids in a fluid keep no ledger; expected kind = \"implicit\"");
    const BodyKind body =
        watch.probe.of == ProbeOf::body ? draft_.plan.model.bodies[watch.probe.index].kind : BodyKind::rod;
    if (n.quantity == "length" && (body == BodyKind::shell || body == BodyKind::network))
      refuse("`length` is for rods: this body has no first node and no last");
    watch.probe.record = {n.quantity};
    watch.columns = {n.component.empty() ? n.quantity : n.quantity + "." + n.component};
    if (is_whole && is_vector) watch.columns = {n.quantity + ".x", n.quantity + ".y", n.quantity + ".z"};
  }

  // A probe of that name comes first: it may stand for a place, or for a body whose name no expression can write.
  Probe target(const std::string& of) {
    for (Table& table : probes_)
      if (probe_name(table) == of) return read_probe_target(table, draft_);
    Probe probe;
    probe.name = of;
    if (of == "system") return probe;
    if (of == "fluid") {
      if (!draft_.fluid.present) refuse("the scene has no [fluid]");
      probe.of = ProbeOf::fluid;
      return probe;
    }
    const auto& joints = draft_.plan.model.joints.joints;
    if (const auto joint = std::ranges::find(joints, of, &Joint::name); joint != joints.end()) {
      if (std::ranges::find(draft_.plan.model.bodies, of, &Body::name) != draft_.plan.model.bodies.end())
        refuse(fmt::format(
            "`{}` is a joint and a body; expected a [[probe]] with another name, of the one that is meant", of));
      probe.of = ProbeOf::joint;
      probe.index = static_cast<int>(joint - joints.begin());
      probe.has_angle = joint->is_hinged(), probe.is_rope = joint->kind == JointKind::rope;
      return probe;
    }
    TomlValue text;
    text.value = of;
    set_probe_target(Value(text, "", draft_.context), draft_, probe);
    return probe;
  }

  [[noreturn]] void refuse_quantity(const StateName& n, const Probe& probe) const {
    std::vector<std::string> known;
    for (const ProbeKind& k : probe_kinds())
      if (can_record(probe, k)) known.push_back(k.name);
    const std::string near = did_you_mean(n.quantity, known);
    refuse(fmt::format("`{}` has no quantity `{}`{}", n.of, n.quantity,
                       near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near));
  }

  [[noreturn]] void refuse_component(const StateName& n, const std::vector<std::string>& components) const {
    if (components.empty())
      refuse(fmt::format("`{}` has no components; expected \"{}.{}\"", n.quantity, n.of, n.quantity));
    refuse(fmt::format("`{0}` has several components; expected \"{1}.{0}.{2}\"", n.quantity, n.of,
                       fmt::join(components, fmt::format("\" or \"{}.{}.", n.of, n.quantity))));
  }

  std::vector<std::string> components_of(const ProbeKind& kind, const Probe& probe) const {
    std::vector<std::string> all = kind.components;
    if (kind.name != "energy" || probe.of != ProbeOf::system) return all;
    if (draft_.plan.model.dipoles.interact) all.emplace_back("dipole");
    if (!draft_.plan.model.soft.cells.empty()) all.emplace_back("induction");
    if (draft_.plan.model.shapes) all.emplace_back("contact");
    if (!draft_.plan.model.joints.empty()) all.emplace_back("joint");
    return all;
  }

  // "contact(ball,floor)"; false where it is another call.
  bool aim_at_contact(std::string_view word, Watch& watch) const {
    const auto open = word.find('(');
    if (word.substr(0, open) != "contact") return false;
    const std::vector<std::string> names = split(word.substr(open + 1, word.size() - open - 2), ',');
    if (names.size() != 2) refuse("contact needs two bodies, as in \"contact(ball, floor)\"");
    if (!draft_.contact.present) refuse("nothing touches anything: the scene has no [contact]");
    const std::vector<Body>& bodies = draft_.plan.model.bodies;
    for (std::size_t k = 0; k < 2; ++k) {
      watch.touch[k] = bodies_called(names[k], bodies);
      if (watch.touch[k].empty()) refuse(fmt::format("found `{}`, {}", names[k], no_body_called(names[k], bodies)));
    }
    return true;
  }

  Found add(Watch watch) {
    Plan& plan = draft_.plan;
    if (plan.watches.empty()) plan.first_values.resize(static_cast<std::size_t>(plan.first_watch()), 0.0);
    plan.first_values.push_back(first_value(watch));
    plan.watches.push_back(std::move(watch));
    return name_of(static_cast<int>(plan.watches.size()) - 1);
  }

  // Before a run has begun: what the reader can tell without a solver, for whoever looks at the schedule as it starts.
  double first_value(const Watch& w) const {
    if (w.is_contact() || w.probe.of != ProbeOf::node) return 0;
    const Nodes& nodes = draft_.plan.start.nodes;
    const std::string& what = w.probe.record[0];
    const auto value = [&](const Vec3<double>& v) {
      return w.columns.size() == 3 ? norm(v) : component(v, w.columns[0].back() - 'x');
    };
    if (what == "position") return value(nodes.frame(w.probe.index).x);
    return what == "velocity" ? value(nodes.twist(w.probe.index).v) : 0;
  }

  Found name_of(int watch) const {
    const Plan& plan = draft_.plan;
    const Watch& w = plan.watches[watch];
    NameScope::Name name{w.name, plan.first_watch() + watch, {0, dim::number}, w.is_contact()};
    if (!w.is_contact()) name.value.dimension = dimension_of(w.probe);
    return {name, ""};
  }
  // What a joint leaves free is an angle or a way, and a table of units can't tell.
  Dimension dimension_of(const Probe& probe) const {
    const std::string& what = probe.record[0];
    if (probe.of == ProbeOf::joint) {
      const bool turns = draft_.plan.model.joints.joints[probe.index].is_hinged();
      if (what == "travel") return turns ? dim::angle : dim::length;
      if (what == "rate") return turns ? dim::rate : dim::velocity;
      if (what == "motor") return turns ? dim::torque : dim::force;
    }
    return dimension_of_unit(find_probe_kind(what, probe)->unit);
  }

  std::vector<Table> probes_;
  Draft& draft_;
};

}  // namespace

void name_states(std::vector<Table> probes, Draft& draft) {
  const auto names = std::make_shared<StateNames>(std::move(probes), draft);
  draft.schedule.set_finder([names](std::string_view word) { return names->find(word); });
}

}  // namespace ls
