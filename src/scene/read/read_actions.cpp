#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

// [[stage.drive]], [[stage.load]], [[stage.hold]], and the same without a stage for all of them.
namespace ls {

namespace {

const std::vector<std::string> axis_names{"x", "y", "z", "rx", "ry", "rz"};  // in the order of the Hold bits

// Which degrees of freedom of a stage are spoken for, to find two that want the same one.
class Taken {
 public:
  void take(const Table& table, const std::string& on, int node, std::uint8_t mask, bool holds) {
    auto& claims = claims_[node];
    for (const Claim& c : claims) {
      const int both = c.mask & mask;
      if (!both || (holds && c.holds)) continue;  // held twice is held
      std::size_t k = 0;
      while (!(both & (1 << k))) ++k;
      table.fail(fmt::format("{} of {} is already {} by the {} in line {}", axis_names[k], on,
                             c.holds ? "held" : "driven", c.holds ? "hold" : "drive", c.line));
    }
    claims.push_back({mask, holds, table.place().line});
  }

 private:
  struct Claim {
    std::uint8_t mask;
    bool holds;
    int line;
  };
  std::unordered_map<int, std::vector<Claim>> claims_;  // [node]
};

std::array<std::optional<Expression>, 3> read_move(const Value& value, const Draft& draft) {
  std::array<std::optional<Expression>, 3> move;
  const auto items = value.three("[x, y, z], each a length or \"free\"");
  for (std::size_t k = 0; k < 3; ++k)
    if (!items[k].is_text("free")) move[k] = items[k].expression(draft.schedule, dim::length);
  if (!move[0] && !move[1] && !move[2]) value.fail("all three are \"free\": nothing is driven");
  return move;
}

void read_turn(Table turn, const Draft& draft, Drive& drive) {
  drive.axis = turn.need("axis", "[x, y, z]").direction();
  drive.angle = turn.need("angle", "an angle, for example \"90 deg * s\"").angular(draft.schedule, dim::angle);
  if (const auto about = turn.find("about")) drive.about = about->vector(dim::length);
  turn.finish();
}

void check_affine(Table& table, const Target& target, const Draft& draft, Drive& drive) {
  const auto& body = draft.plan.model.bodies[target.body];
  drive.body = target.body;
  drive.is_end = target.index + 1 == static_cast<int>(body.nodes.size());
  drive.affine = table.boolean("affine", false);
  if (!drive.affine) return;
  const Value affine = *table.find("affine");
  if (body.kind != BodyKind::rod) affine.fail("it is for the ends of rods");
  if (target.index != 0 && !drive.is_end) affine.fail("only the start or the end of a rod can strain it as a whole");
  if (!table.has("move")) affine.fail("it needs a `move`");
}

std::uint8_t driven(const Drive& d) {
  int mask = d.angle ? hold_turn : 0;
  if (d.about) mask |= hold_position;
  for (std::size_t k = 0; k < 3; ++k)
    if (d.move[k]) mask |= 1 << k;
  return static_cast<std::uint8_t>(mask);
}

// Of a magnet, which has no degrees of freedom that could be free or held.
void read_magnet_drive(Table& table, const Value& on, int field, const Draft& draft, Stage& stage) {
  if (!draft.plan.fields[field].magnet()->can_be_driven)
    on.fail(fmt::format("found {}, whose `position` or `orientation` says by itself how it moves", on.shown()));
  for (const Drive& other : stage.magnet_drives)
    if (other.field == field) table.fail(fmt::format("{} has a drive already; expected one in a stage", on.shown()));
  Drive drive;
  drive.node = -1;
  drive.field = field;
  const auto move = table.find("move");
  auto turn = table.table("turn");
  if (!move && !turn) table.one_of({"move", "turn"});
  if (move) {
    const auto e = move->expressions(draft.schedule, dim::length);
    drive.move = {e[0], e[1], e[2]};
  }
  if (turn) read_turn(*turn, draft, drive);
  if (const auto affine = table.find("affine")) affine->fail("it is for the ends of rods");
  table.finish();
  stage.magnet_drives.push_back(std::move(drive));
}

void read_drive(Table table, const Draft& draft, Stage& stage, Taken& taken) {
  Drive drive;
  const Value on = table.need("on", "a node, for example \"beam.end\"");
  if (const int field = on.is_text() ? magnet_called(*on.toml().text(), draft.plan) : -1; field >= 0)
    return read_magnet_drive(table, on, field, draft, stage);
  const Target target = read_target(on, draft.plan.model.bodies);
  if (target.is_whole()) read_node(on, draft.plan.model.bodies);  // says what is wrong
  const auto move = table.find("move");
  auto turn = table.table("turn");
  if (!move && !turn) table.one_of({"move", "turn"});
  if (move) drive.move = read_move(*move, draft);
  if (turn) read_turn(*turn, draft, drive);
  if (drive.about && move && !(drive.move[0] && drive.move[1] && drive.move[2]))
    move->fail("a turn about a point drives the whole position: no direction is \"free\"");
  if (turn && target.is_part() && !drive.about)
    turn->fail(fmt::format("several nodes turn with {}: say `about` which point", on.shown()));
  check_affine(table, target, draft, drive);
  table.finish();
  for (const int node : target.nodes) {
    drive.node = node;
    taken.take(table, on.shown(), node, driven(drive), false);
    stage.drives.push_back(drive);
  }
}

std::array<std::optional<Expression>, 3> read_vector(const Value& value, const Dimension& dimension,
                                                     const Draft& draft) {
  const auto e = value.expressions(draft.schedule, dimension);
  return {e[0], e[1], e[2]};
}

void read_load(Table table, const Draft& draft, Stage& stage) {
  const auto& bodies = draft.plan.model.bodies;
  Load load;
  const Value on = table.need("on", "a node or a body, for example \"beam.end\" or \"beam\"");
  const auto force = table.find("force"), torque = table.find("torque"), per_length = table.find("per_length");
  if (!force && !torque && !per_length) table.one_of({"force", "torque", "per_length"});
  if (per_length && (force || torque))
    per_length->fail("found a load per length beside `force` or `torque`, expected two loads");
  load.in_body_axes = table.choice("frame", {"world", "body"}) == "body";
  for (const Value& item : on.list_or_one()) {
    const Target target = read_target(item, bodies);
    const Body& body = bodies[target.body];
    if (per_length && body.kind != BodyKind::rod)
      item.fail(fmt::format("found {}, which is no rod; a load per length is for rods", item.shown()));
    if (body.kind == BodyKind::wall) item.fail(fmt::format("found {}, a wall: no load can move it", item.shown()));
    if (per_length && !target.is_whole())
      item.fail_expected(fmt::format("a whole rod, \"{}\": the load is per length", body.name));
    if (!per_length && target.is_whole())
      item.fail_expected(body.kind == BodyKind::rod
                             ? fmt::format("one node, for example \"{}.end\", or a load `per_length`", body.name)
                             : fmt::format("a node or a part, for example \"{}[0]\"", body.name));
    // A part of several nodes shares the load.
    const std::vector<double> shares(target.nodes.size(), 1.0 / static_cast<double>(target.nodes.size()));
    const std::vector<double>& weights = per_length ? body.weight : shares;
    load.node.insert(load.node.end(), target.nodes.begin(), target.nodes.end());
    load.weight.insert(load.weight.end(), weights.begin(), weights.end());
  }
  const auto is_shared = [&](int node) { return draft.shared_nodes.contains(node); };
  if (load.in_body_axes && std::ranges::any_of(load.node, is_shared))
    table.find("frame")->fail("a node that rods share has the axes of neither; expected \"world\"");
  if (force) load.force = read_vector(*force, dim::force, draft);
  if (torque) load.torque = read_vector(*torque, dim::torque, draft);
  if (per_length) load.force = read_vector(*per_length, dim::force_per_length, draft);
  table.finish();
  stage.loads.push_back(std::move(load));
}

void read_hold(Table table, const Draft& draft, Stage& stage, Taken& taken) {
  const auto& bodies = draft.plan.model.bodies;
  const Value on = table.need("on", "a node or a body, for example \"beam.end\" or \"beam\"");
  std::uint8_t mask = hold_all;
  if (const auto axes = table.find("axes")) {
    mask = 0;
    for (const Value& axis : axes->list_or_one()) {
      const auto at = std::ranges::find(axis_names, axis.choice(axis_names)) - axis_names.begin();
      mask = static_cast<std::uint8_t>(mask | (1 << at));
    }
    if (!mask) axes->fail_expected("at least one of \"x\", \"y\", \"z\", \"rx\", \"ry\", \"rz\"");
  }
  table.finish();
  for (const Value& item : on.list_or_one()) {
    const Target target = read_target(item, bodies);
    for (const int node : target.nodes) {
      taken.take(table, item.shown(), node, mask, true);
      stage.holds.push_back({node, mask});
    }
  }
}

}  // namespace

Actions actions_of(Table& table) {
  return {table.tables("drive", "stage.drive"), table.tables("load", "stage.load"), table.tables("hold", "stage.hold")};
}

void read_actions(const Actions& everywhere, const Actions& own, Stage& stage, const Draft& draft) {
  Taken taken;
  for (const Actions* actions : {&everywhere, &own}) {
    for (const Table& hold : actions->holds) read_hold(hold, draft, stage, taken);
    for (const Table& drive : actions->drives) read_drive(drive, draft, stage, taken);
    for (const Table& load : actions->loads) read_load(load, draft, stage);
  }
}

}  // namespace ls
