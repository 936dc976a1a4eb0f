#include "model/node_name.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numbers>

// [[field]]: fields by formulas, and magnets; [dipoles]: how magnets of bodies act on each other.
namespace ls {

namespace {

using V = Vec3<double>;

const std::vector<std::string> kinds{"uniform",   "gradient", "rotating", "expression",
                                     "potential", "magnet",   "function"};

SceneField read_gradient(Table table, const Draft& draft) {
  const Expression value = table.need("value", "a field gradient (T/m), for example \"0.1 T/m\"")
                               .expression(draft.schedule, dim::field_gradient);
  const V axis = table.need("axis", "[x, y, z]").direction();
  ThreeExpressions centre{};
  if (const auto given = table.find("centre")) centre = given->expressions(draft.schedule, dim::length);
  table.finish();
  return {.kind = GradientField{value, axis, centre}};
}

SceneField read_rotating(Table table, const Draft& draft) {
  const Expression b =
      table.need("B", "a magnetic field (T), for example \"80 mT\"").expression(draft.schedule, dim::field);
  const V axis = table.need("axis", "[x, y, z]").direction();
  const double rate = table.need("rate", "an angular rate (1/s), for example \"5 turn/s\"").angular_rate();
  Expression phase;
  if (const auto given = table.find("phase")) phase = given->angular(draft.schedule, dim::angle);
  table.finish();
  return {.kind = RotatingField(b, axis, rate, phase)};
}

SceneField read_expression(const Value& value, const Draft& draft) {
  const ThreeExpressions b = value.expressions(space(draft), dim::field);
  const int first = draft.schedule.variable_count();
  const bool varies = std::ranges::any_of(
      b, [&](const Expression& e) { return e.uses(first) || e.uses(first + 1) || e.uses(first + 2); });
  if (varies) return {.kind = ExpressionField{b, first}};
  return {.kind = UniformField{b}};
}

double read_radius(Table& table) {
  if (table.one_of({"diameter", "radius"}) == "radius") return table.number("radius", dim::length, range::positive);
  return 0.5 * table.number("diameter", dim::length, range::positive);
}
double read_half_length(Table& table) {
  return 0.5 * table.number("length", dim::length, range::positive);
}
double read_current(Table& table) {
  const double current = table.number("current", dim::current, range::any);
  return current * table.number("turns", dim::number, range::positive, 1.0);
}

V read_strong(Table& table, const std::string& key, const Dimension& dimension) {
  const Value value = *table.find(key);
  const V v = value.vector(dimension);
  if (!(norm(v) > 0)) value.fail("found a vector of no length: it would be no magnet");
  return v;
}
// From `magnetisation`, or from the moment of the whole body.
V read_magnetisation_of(Table& table, double volume) {
  if (table.one_of({"magnetisation", "moment"}) == "magnetisation")
    return read_strong(table, "magnetisation", dim::magnetisation);
  return (1 / volume) * read_strong(table, "moment", dim::moment);
}

Magnet read_body(Table& table) {
  constexpr double pi = std::numbers::pi;
  const std::string shape =
      table.need("shape", "\"cuboid\", \"cylinder\", \"sphere\", \"dipole\", \"loop\" or \"coil\"")
          .choice({"cuboid", "cylinder", "sphere", "dipole", "loop", "coil"});
  if (shape == "cuboid") {
    const auto sides = table.need("size", "[a, b, c], lengths").three("[a, b, c], each a length (m)");
    V half;
    half.x = 0.5 * sides[0].number(dim::length, range::positive);
    half.y = 0.5 * sides[1].number(dim::length, range::positive);
    half.z = 0.5 * sides[2].number(dim::length, range::positive);
    return CuboidMagnet{{half}, read_magnetisation_of(table, 8 * half.x * half.y * half.z)};
  }
  if (shape == "cylinder") {
    const double radius = read_radius(table), half = read_half_length(table);
    return CylinderMagnet{{radius, half}, read_magnetisation_of(table, 2 * pi * radius * radius * half)};
  }
  if (shape == "sphere") {
    const double radius = read_radius(table);
    return SphereMagnet{radius, read_magnetisation_of(table, 4 * pi / 3 * radius * radius * radius)};
  }
  if (shape == "dipole") {
    table.need("moment", "[x, y, z], each a magnetic moment (A m^2)");
    return PointDipole{read_strong(table, "moment", dim::moment)};
  }
  const double radius = read_radius(table);
  if (shape == "loop") return CurrentLoop{radius, read_current(table)};
  const double half = read_half_length(table);
  return Coil{{radius, half}, read_current(table)};
}

SceneField read_magnet(Table table, const Draft& draft) {
  const Magnet body = read_body(table);
  ThreeExpressions position{}, orientation{};
  if (const auto given = table.find("position")) position = given->expressions(draft.schedule, dim::length);
  if (const auto given = table.find("orientation")) orientation = given->expressions(draft.schedule, dim::angle);
  table.finish();
  return {.kind = SceneMagnet(body, position, orientation)};
}

// From one end of all bodies to the other, as drawn.
double length_of(const Draft& draft) {
  const Nodes& nodes = draft.plan.start.nodes;
  V low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (int i = 0; i < nodes.count; ++i) {
    const V x = nodes.frame(i).x;
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
  return nodes.count > 0 ? norm(high - low) : 0;
}

SceneField read_function(const Value& value, const Draft& draft) {
  const std::string name = value.text("the name of a function");
  const auto found = draft.functions.find(name);
  if (found == draft.functions.end())
    value.fail(
        fmt::format("found \"{}\", a function that the program which made this scene works out (in Python: "
                    "scene.field(function=…)): run or resume the scene from there; a text knows `expression` and "
                    "`potential`",
                    name));
  return {.kind = FunctionField{found->second, length_of(draft)}};
}

SceneField read_its_kind(Table& field, const Draft& draft) {
  const std::string kind = field.one_of(kinds);
  const Value value = *field.find(kind);
  if (kind == "uniform") return {.kind = UniformField{value.expressions(draft.schedule, dim::field)}};
  if (kind == "gradient") return read_gradient(Table(value, "field.gradient"), draft);
  if (kind == "rotating") return read_rotating(Table(value, "field.rotating"), draft);
  if (kind == "expression") return read_expression(value, draft);
  if (kind == "potential")
    return {.kind =
                PotentialField{value.expression(space(draft), dim::field_potential), draft.schedule.variable_count()}};
  if (kind == "function") return read_function(value, draft);
  return read_magnet(Table(value, "field.magnet"), draft);
}

void read_name(Table& field, SceneField& made, const Plan& plan) {
  const auto name = field.find("name");
  if (!name) return;
  made.name = name->name();
  for (const auto& other : plan.fields)
    if (other.name == made.name) name->fail(fmt::format("there are two fields `{}`", made.name));
  for (const Body& body : plan.model.bodies)
    if (body.name == made.name) name->fail(fmt::format("there is a rod `{}`; expected another name", made.name));
}

// Few are summed one by one: exact, and not slower. The tree has pairs of one body as a list.
DipoleMethod choose_method(const std::string& method, Table& table, const Model& m) {
  constexpr std::size_t few = 20'000;
  constexpr long long most_listed = 20'000'000;
  if (method == "direct") return DipoleMethod::direct;
  std::map<int, long long> on;  // [node] dipoles, permanent and induced
  std::size_t all = m.soft.cells.size();
  for (const Dipole& d : all_dipoles(m)) ++on[d.node], ++all;
  for (const SoftCell& c : m.soft.cells) ++on[c.node];
  long long listed = 0;
  for (const auto& [node, count] : on) listed += count * (count - 1) / 2;
  if (method == "auto") return all <= few || listed > most_listed ? DipoleMethod::direct : DipoleMethod::tree;
  if (listed > most_listed)
    table.find("method")->fail(
        fmt::format("found \"tree\", but bodies have {:.3g} pairs of dipoles of their own, which it "
                    "must leave out one by one: expected \"direct\", or a coarser `sampling`",
                    static_cast<double>(listed)));
  return DipoleMethod::tree;
}

// Induced moments are found by some ten sums for each state.
void check_soft_cells(Table& table, const DipoleTable& t, const Model& m) {
  const std::size_t most = t.method == DipoleMethod::direct ? 50'000 : 1'000'000;
  if (m.soft.cells.size() > most)
    table.fail(fmt::format("found {} pieces with a `susceptibility` that act on each other{}, expected no more than {}",
                           m.soft.cells.size(), t.method == DipoleMethod::direct ? " pair by pair" : "", most));
}

// `box` and `surround`, which go with the method "ewald" alone.
void read_periodic_box(Table& table, const std::string& method, DipoleTable& t) {
  const auto box = table.find("box"), surround = table.find("surround");
  const bool is_periodic = method == "ewald" || (method == "auto" && box);
  if (!is_periodic) {
    const auto& odd = box ? box : surround;
    if (odd) odd->fail("found without `method = \"ewald\"`, which alone sums over the copies of a periodic box");
    return;
  }
  if (!box)
    table.find("method")->fail(
        "found \"ewald\", which sums over the copies of a periodic box: expected `box = [x, y, z]` beside it, its "
        "lengths");
  const V length = box->vector(dim::length);
  t.box = {length.x, length.y, length.z};
  if (!(std::min({length.x, length.y, length.z}) > 0)) box->fail("expected three lengths above 0");
  t.method = DipoleMethod::ewald;
  t.in_vacuum = surround && surround->choice({"tin-foil", "vacuum"}) == "vacuum";
}

// In sums over copies a pair that is left out is the nearest one.
void check_box(const Value& box, const Draft& draft) {
  const Model& m = draft.plan.model;
  const DipoleTable& t = m.dipoles;
  const double half = 0.5 * *std::ranges::min_element(t.box);
  for (const Body& body : m.bodies)
    if (body.kind == BodyKind::wall)
      box.fail(
          fmt::format("found a periodic box beside the wall `{}`: walls do not repeat, so the copies of what is "
                      "between them would be behind them; expected a scene without walls",
                      body.name));
  const auto refuse = [&](int node, const char* what, double reach) {
    box.fail(
        fmt::format("{} of `{}` are {:.4g} m apart, so that they reach round to their own copies: expected a box "
                    "whose sides are all longer than {:.4g} m",
                    what, node_name(m, node), reach, 2 * reach));
  };
  std::map<int, std::pair<V, V>> extent;  // [node] of all its dipoles and soft cells
  const auto note = [&](int node, const V& x) {
    auto& [low, high] = extent.try_emplace(node, x, x).first->second;
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  };
  for (const Dipole& d : t.samples) note(d.node, d.position);
  for (const SoftCell& c : m.soft.cells) note(c.node, c.position);
  for (const auto& [node, ends] : extent)
    if (const double reach = norm(ends.second - ends.first); reach >= half) refuse(node, "dipoles", reach);
  for (const BondTable& bonds : m.bond_tables)
    for (const BondEntry& b : bonds.bonds) {
      const Nodes& at = draft.plan.start.nodes;
      const double reach = t.exclude_bonds * norm(at.frame(b.node2).x - at.frame(b.node1).x);
      if (reach >= half) refuse(b.node1, "neighbours", reach);
    }
}

struct PlacedDipole {
  V x;
  int node;
  bool is_soft = false;
  // Along a direction in which no two places of a grid are beside each other: what is sampled has whole planes of them.
  double order() const { return dot(V{1 / std::numbers::sqrt2, 1 / std::numbers::sqrt3, 0.4}, x); }
};

// Into a periodic box; just below its end is its beginning, as far as rounding can tell.
V wrapped(const V& x, const std::array<double, 3>& box) {
  const auto into = [](double a, double length) { return a - length * std::floor(a / length + 1e-12); };
  return {into(x.x, box[0]), into(x.y, box[1]), into(x.z, box[2])};
}

// Between two in one place the force has no number; of one body they are one.
void refuse_one_place(const Draft& draft) {
  const Plan& plan = draft.plan;
  std::vector<PlacedDipole> all;
  double size = 0;
  const auto note = [&](int node, const V& position) {
    const Frame<double> f = plan.start.nodes.frame(node);
    const V x = f.x + rotate(f.q, position);
    all.push_back({plan.model.dipoles.method == DipoleMethod::ewald ? wrapped(x, plan.model.dipoles.box) : x, node});
    size = std::max(size, norm(all.back().x));
  };
  for (const Dipole& d : all_dipoles(plan.model)) note(d.node, d.position);
  const std::size_t permanent = all.size();
  for (const SoftCell& c : plan.model.soft.cells) note(c.node, c.position);
  for (std::size_t i = permanent; i < all.size(); ++i) all[i].is_soft = true;
  const double near = 1e-12 * size;
  std::ranges::sort(all, {}, &PlacedDipole::order);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size() && all[j].order() - all[i].order() <= near; ++j) {
      if (norm(all[j].x - all[i].x) > near) continue;
      if (all[i].node == all[j].node && (all[i].is_soft || all[j].is_soft)) continue;  // a magnet of soft matter
      const int a = std::min(all[i].node, all[j].node), b = std::max(all[i].node, all[j].node);
      const V& x = all[i].x;
      const auto place = draft.body_places[static_cast<std::size_t>(plan.model.body_of[b])];
      if (a == b)
        fail(place, fmt::format("two of its dipoles are in one place, ({:.4g}, {:.4g}, {:.4g}) m: add their moments up",
                                x.x, x.y, x.z));
      fail(place, fmt::format("a dipole of {} and one of {} are in one place, ({:.4g}, {:.4g}, {:.4g}) m: move one of "
                              "the bodies",
                              node_name(plan.model, a), node_name(plan.model, b), x.x, x.y, x.z));
    }
}

}  // namespace

NameScope space(const Draft& draft) {
  NameScope scope = draft.schedule;
  for (const char* name : {"x", "y", "z"}) scope.variable(name, dim::length);
  return scope;
}

void read_dipoles(std::optional<Table> dipoles, Draft& draft) {
  if (!dipoles) return;
  DipoleTable& t = draft.plan.model.dipoles;
  t.interact = dipoles->boolean("interact", true);
  const std::string method = dipoles->choice("method", {"auto", "direct", "tree", "ewald"});
  read_periodic_box(*dipoles, method, t);
  const bool is_periodic = t.method == DipoleMethod::ewald;
  t.accuracy = dipoles->number("accuracy", dim::number,
                               is_periodic ? Range{1e-12, 1, false, false, "a value from 1e-12 to 1"}
                                           : Range{1e-7, 1, false, false, "a value from 1e-7 to 1"},
                               1e-5);
  if (!is_periodic) t.method = choose_method(method, *dipoles, draft.plan.model);
  check_soft_cells(*dipoles, t, draft.plan.model);
  t.exclude_bonds = static_cast<int>(dipoles->integer("exclude_bonds", 0, 1'000'000, 1));
  if (const auto distance = dipoles->find("implicit_distance"); distance && !distance->is_text("auto"))
    t.implicit_distance = distance->number(dim::length, range::not_negative);
  t.far_is_lagged = dipoles->choice("far", {"present", "lagged"}) == "lagged";
  if (t.far_is_lagged && !draft.plan.model.soft.cells.empty())
    dipoles->find("far")->fail("found \"lagged\" beside a `susceptibility`, whose moments go with the present fields");
  const auto box = dipoles->find("box");
  dipoles->finish();
  if (!t.interact) return;
  if (!is_magnetic(draft.plan.model))
    draft.plan.warnings.emplace_back("there is a table [dipoles], but nothing is magnetised");
  if (is_periodic) check_box(*box, draft);
  refuse_one_place(draft);
}

void read_fields(std::vector<Table> fields, Draft& draft) {
  for (Table& field : fields) {
    auto made = read_its_kind(field, draft);
    made.place = field.place();
    read_name(field, made, draft.plan);
    if (const auto factor = field.find("factor")) made.factor = factor->expression(draft.schedule, dim::number);
    field.finish();
    draft.plan.fields.push_back(std::move(made));
  }
}

int magnet_called(const std::string& name, const Plan& plan) {
  for (std::size_t i = 0; i < plan.fields.size(); ++i)
    if (!name.empty() && plan.fields[i].name == name && plan.fields[i].magnet()) return static_cast<int>(i);
  return -1;
}

}  // namespace ls
