#include "build/joints/join.h"
#include "build/joints/reel.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

// [[joint]]: what joins two bodies, or one and the world.
namespace ls {

namespace {

using V = Vec3<double>;

// One of the two that are joined.
struct JointSide {
  int node = -1;  // -1: the world
  int body = -1;
  bool is_point = false;  // of a rod, a shell or a network: the joint is at the node itself
  std::string shown = "the world";
};

JointSide read_side(const Value& value, const Model& m) {
  if (value.is_text("world")) {
    if (std::ranges::find(m.bodies, "world", &Body::name) != m.bodies.end())
      value.fail(
          "found \"world\", which is a body here as well as what stands still; expected another name of the body");
    return {};
  }
  const Target t = read_node(value, m.bodies);
  return {t.node, t.body, !is_single(m.bodies[t.body]), value.shown()};
}

JointKind read_joint_kind(Table& table) {
  const Value value = table.need("kind", "a kind of joint, for example \"hinge\"");
  const std::vector<std::string> kinds(joint_kinds.begin(), joint_kinds.end());
  const std::string word = value.choice(kinds);
  return static_cast<JointKind>(std::ranges::find(kinds, word) - kinds.begin());
}

bool has_length(JointKind kind) {
  return kind == JointKind::distance || kind == JointKind::spring;
}
bool has_axis(JointKind kind) {
  return kind == JointKind::hinge || kind == JointKind::slider || kind == JointKind::cylindrical ||
         kind == JointKind::universal || kind == JointKind::planar;
}

// m, of what there is and where it is joined: tolerances are beside it.
double size_of(const Model& m, const Nodes& nodes) {
  double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  bool any = false;
  for (int i = 0; i < m.nodes; ++i) {
    if (m.bodies[m.body_of[i]].kind == BodyKind::wall) continue;
    for (int c = 0; c < 3; ++c) {
      const double x = nodes.x[c][i], r = m.radius[i];
      low[c] = any ? std::min(low[c], x - r) : x - r, high[c] = any ? std::max(high[c], x + r) : x + r;
    }
    any = true;
  }
  return norm(V{high[0] - low[0], high[1] - low[1], high[2] - low[2]});
}

void check_meets(Table& table, const V& node, const V& at, double size, const std::string& shown) {
  const double gap = norm(node - at);
  if (gap <= 1e-6 * size) return;
  table.fail(
      fmt::format("the joint is {:.6g} m away from {}, the node that it joins; expected them in one place, or "
                  "snap = true, which puts a rigid arm between",
                  gap, shown));
}

// Where the joint is. Nodes of rods and the like are where they are; of two bodies it must be said.
struct JointPlace {
  V at[2];
};
JointPlace read_place(Table& table, JointKind kind, const JointSide (&side)[2], double size, const Draft& draft) {
  const Nodes& nodes = draft.plan.start.nodes;
  const auto at = table.find("at");
  const auto to = has_length(kind) ? table.find("to") : std::nullopt;
  const bool snap = table.boolean("snap", false);
  const auto own = [&](int n) { return nodes.frame(side[n].node).x; };
  JointPlace p;
  if (has_length(kind)) {
    for (int n = 0; n < 2; ++n) {
      const auto& given = n == 0 ? at : to;
      if (!given && side[n].node < 0)
        table.fail(fmt::format("where in the world? Expected `{}` = [x, y, z]", n == 0 ? "at" : "to"));
      p.at[n] = given ? given->vector(dim::length) : own(n);
    }
  } else {
    const int from = side[0].is_point ? 0 : 1;
    if (!at && !side[from].is_point) table.need("at", "[x, y, z], where the joint is");
    p.at[0] = p.at[1] = at ? at->vector(dim::length) : own(from);
  }
  for (int n = 0; n < 2 && !snap; ++n)
    if (side[n].is_point) check_meets(table, own(n), p.at[n], size, side[n].shown);
  return p;
}

void read_limits(Table& table, Joint& joint) {
  const auto limits = table.find("limits");
  if (!limits) return;
  const Dimension& unit = joint.is_hinged() ? dim::angle : dim::length;
  const auto items = limits->list("[least, most], of which one may be \"free\"");
  if (items.size() != 2) limits->fail_expected("[least, most], of which one may be \"free\"");
  if (!items[0].is_text("free")) joint.low = items[0].number(unit);
  if (!items[1].is_text("free")) joint.high = items[1].number(unit);
  if (!(joint.low <= 0 && joint.high >= 0))
    limits->fail(fmt::format("found {}, which leaves the start out: there it is 0", limits->shown()));
  if (!(joint.low < joint.high))
    limits->fail_expected("the least below the most; to join them for good, kind = \"fixed\"");
}

// What only some kinds have.
void read_kind_keys(Table& table, double drawn, JointSpec& spec) {
  Joint& joint = spec.settings;
  joint.kind = spec.kind;
  if (has_axis(spec.kind)) spec.axis = table.need("axis", "[x, y, z]").direction();
  if (spec.kind == JointKind::universal) {
    spec.cross = table.need("cross", "[x, y, z], its second axis").direction();
    if (std::abs(dot(*spec.cross, spec.axis)) > 1e-6)
      table.find("cross")->fail("found an axis that is not across `axis`, expected a right angle");
  }
  if (joint.is_hinged() || joint.is_sliding()) {
    read_limits(table, joint);
    joint.friction = table.number("friction", joint.is_hinged() ? dim::torque : dim::force, range::not_negative, 0);
  }
  if (has_length(spec.kind)) {
    spec.length = table.maybe_number("length", dim::length,
                                     spec.kind == JointKind::spring ? range::not_negative : range::positive);
    joint.one_sided = table.boolean("string", false);
  }
  if (const auto reel = table.find("reel")) reel->fail("found `reel`, which is a rope's; expected kind = \"rope\"");
  const bool snap = table.boolean("snap", false);
  if (spec.kind == JointKind::distance) {
    const double length = spec.length.value_or(drawn);
    if (!(length > 0)) table.fail("its two ends are in one place: expected a distance above 0, or kind = \"ball\"");
    const double off = joint.one_sided ? drawn - length : std::abs(drawn - length);
    if (off > 1e-6 * length && !snap)
      table.find("length")->fail(
          fmt::format("its ends are {:.6g} m apart, which is not the length of {:.6g} m; expected "
                      "that, or snap = true, which takes them as they are",
                      drawn, length));
    if (off > 1e-6 * length) spec.length = drawn;
  }
  if (spec.kind == JointKind::spring) {
    joint.stiffness = table.number("stiffness", dim::stiffness, range::positive);
    joint.damping = table.number("damping", dim::damping, range::not_negative, 0);
    return;
  }
  joint.stiffness = table.number("stiffness", dim::stiffness, range::positive, unbounded);
  if (spec.kind != JointKind::ball && spec.kind != JointKind::distance)
    joint.turn_stiffness = table.number("turn_stiffness", dim::torque, range::positive, unbounded);
}

// Nodes of the side that would touch what it is joined to, since they are so near.
std::vector<int> nodes_near(const JointSide& side, const V& at, const Model& m, const Nodes& nodes) {
  if (!side.is_point) return {side.node};
  std::vector<int> near{side.node};
  const Body& body = m.bodies[side.body];
  double nearest = std::numeric_limits<double>::infinity();
  for (const int i : body.nodes)
    if (i != side.node) nearest = std::min(nearest, norm(nodes.frame(i).x - nodes.frame(side.node).x));
  for (const int i : body.nodes)
    if (i != side.node && norm(nodes.frame(i).x - at) <= std::max(1.01 * nearest, 4 * m.radius[i])) near.push_back(i);
  return near;
}

void leave_out_contact(const JointSide (&side)[2], const JointPlace& place, Draft& draft) {
  Model& m = draft.plan.model;
  if (!m.shapes || side[0].node < 0 || side[1].node < 0) return;
  const Nodes& nodes = draft.plan.start.nodes;
  for (const int a : nodes_near(side[0], place.at[0], m, nodes))
    for (const int b : nodes_near(side[1], place.at[1], m, nodes)) m.shapes->joined.emplace_back(a, b);
}

std::string joint_name(Table& table, const JointTable& joints) {
  const auto given = table.find("name");
  std::string name = given ? given->name() : fmt::format("joint{}", joints.joints.size() + 1);
  for (const Joint& other : joints.joints)
    if (other.name == name) table.fail(fmt::format("there are two joints `{}`; expected names of their own", name));
  return name;
}

void check_sides(Table& table, const JointSide (&side)[2], const Model& m) {
  const auto held = [&](const JointSide& s) { return s.node < 0 || m.held[s.node] == hold_all; };
  if (side[0].node == side[1].node && side[0].node >= 0)
    table.fail(fmt::format("it joins {} to itself; expected two bodies, or \"world\"", side[0].shown));
  if (held(side[0]) && held(side[1]))
    table.fail(fmt::format("both {} and {} are held: nothing is left to join", side[0].shown, side[1].shown));
}

void add_joint(const JointSpec& spec, Draft& draft) {
  Builder::Result built{std::move(draft.plan.model), std::move(draft.plan.start)};
  join(spec, built);
  draft.plan.model = std::move(built.model), draft.plan.start = std::move(built.state);
}

void read_tolerances(Table& table, double size, Joint& joint) {
  const double share = table.number("tolerance", dim::number, {0, 1e-2, true, false, "above 0 and up to 0.01"}, 1e-6);
  joint.tolerance = share * size, joint.turn_tolerance = share;
}

// The rod that a rope is made of.
const Body& read_rope_rod(Table& table, const Model& m) {
  const Value of = table.need("rod", "the name of a [[rod]]");
  const Target t = read_target(of, m.bodies, "rod");
  const Body& body = m.bodies[t.body];
  if (body.kind != BodyKind::rod || !t.is_whole())
    of.fail(fmt::format("found {}, expected a whole [[rod]]: that is what a rope is made of", of.shown()));
  if (body.nodes.front() == body.nodes.back())
    of.fail(fmt::format("found {}, a rod that is closed and has no ends; expected an open one", of.shown()));
  if (is_reeled(body, m))
    of.fail(fmt::format("found {}, of which there is a rope already; expected a rod of its own", of.shown()));
  return body;
}

void check_way(Table& table, double length, double way) {
  if (length >= way * (1 - 1e-9)) return;
  const std::string message = fmt::format(
      "the rope is {:.6g} m long and its ends are {:.6g} m apart; expected a longer one, or ends that it "
      "reaches from one to the other",
      length, way);
  const auto given = table.find("length");
  given ? given->fail(message) : table.fail(message);
}

// Of the rope that was read last.
void add_reel_motor(const Value& position, Draft& draft) {
  JointTable& all = draft.plan.model.joints;
  const int number = static_cast<int>(all.motors.size());
  all.reels.back().motor = number;
  all.motors.push_back(
      {all.joints.back().name + ".reel", static_cast<int>(all.joints.size()) - 1, MotorKind::position});
  draft.plan.motors.emplace_back();
  draft.reels.push_back({number, position});
}

// A rope is a rod that hangs with its start on `b` and with its end on `a`, by a ball each: the joint itself is the
// second one, since forces are told of `a`.
void read_rope(Table& table, JointSpec spec, Draft& draft) {
  const Model& m = draft.plan.model;
  const Body& rod = read_rope_rod(table, m);
  const Nodes& nodes = draft.plan.start.nodes;
  const int node[2] = {rod.nodes.front(), rod.nodes.back()};
  const double size = size_of(m, nodes);
  const auto second = table.find("b"), at = table.find("at"), to = table.find("to");
  const JointSide side[2] = {second ? read_side(*second, m) : JointSide{},
                             read_side(table.need("a", "what hangs on its end"), m)};
  const bool is_hung = !second && (m.held[node[0]] & hold_position) == hold_position;
  const V own[2] = {nodes.frame(node[0]).x, nodes.frame(node[1]).x};
  const JointPlace place{{at ? at->vector(dim::length) : own[0], to ? to->vector(dim::length) : own[1]}};
  const double drawn = rest_length_of(rod, m);
  const double length = table.number("length", dim::length, range::positive, drawn);
  check_way(table, length, norm(place.at[1] - place.at[0]));
  if (length < least_reeled * drawn)
    table.find("length")->fail_expected(fmt::format("at least a tenth of the {:.6g} m that it is drawn with", drawn));
  const auto reel = table.find("reel");
  const bool snap = table.boolean("snap", false), touch = table.boolean("contact", false);
  read_tolerances(table, size, spec.settings);
  table.finish();
  const int body = static_cast<int>(&rod - m.bodies.data());
  for (int n = 0; n < 2; ++n) {
    const JointSide end{node[n], body, true, fmt::format("\"{}.{}\"", rod.name, n == 0 ? "start" : "end")};
    if (!snap) check_meets(table, own[n], place.at[n], size, end.shown);
    if (n == 0 && is_hung) continue;
    const JointSide pair[2] = {n == 0 ? side[0] : end, n == 0 ? end : side[1]};
    check_sides(table, pair, m);
    if (!touch) leave_out_contact(pair, {{place.at[n], place.at[n]}}, draft);
  }
  spec.settings.reel = add_reel(rod, length, draft.plan.model, draft.plan.start);
  spec.node[0] = node[1], spec.node[1] = side[1].node, spec.at = place.at[1];
  add_joint(spec, draft);
  if (reel) add_reel_motor(*reel, draft);
  if (is_hung) return;
  JointSpec upper = spec;
  upper.name += ".b", upper.kind = JointKind::ball, upper.settings.reel = -1;
  upper.node[0] = side[0].node, upper.node[1] = node[0], upper.at = place.at[0];
  add_joint(upper, draft);
}

void read_joint(Table& table, Draft& draft) {
  Model& m = draft.plan.model;
  JointSpec spec;
  spec.name = joint_name(table, m.joints);
  spec.kind = read_joint_kind(table);
  if (spec.kind == JointKind::rope) return read_rope(table, spec, draft);
  const Value first = table.need("a", "a body or a node, for example \"arm\" or \"beam.end\"");
  const auto second = table.find("b");
  const JointSide side[2] = {second ? read_side(*second, m) : JointSide{}, read_side(first, m)};
  check_sides(table, side, m);
  const double size = size_of(m, draft.plan.start.nodes);
  const JointPlace place = read_place(table, spec.kind, side, size, draft);
  for (int n = 0; n < 2; ++n) spec.node[n] = side[n].node;
  spec.at = place.at[0], spec.other = place.at[1];
  read_tolerances(table, size, spec.settings);
  read_kind_keys(table, norm(place.at[1] - place.at[0]), spec);
  const bool touch = table.boolean("contact", false);
  table.finish();
  if (!touch) leave_out_contact(side, place, draft);
  add_joint(spec, draft);
}

}  // namespace

void read_joints(std::vector<Table> joints, Draft& draft) {
  for (Table& joint : joints) read_joint(joint, draft);
}

}  // namespace ls
