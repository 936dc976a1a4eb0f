#include "base/nearest.h"
#include "scene/probe_kinds.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

// [[probe]] and [output]: what is recorded, and how often.
namespace ls {

namespace {

constexpr double rows_a_run = 200;

Every read_every(const Value& value) {
  Every every;
  if (value.is_text("stage"))
    every.ends_stage = true;
  else if (value.is_integer())
    every.steps = value.integer(1, std::numeric_limits<long long>::max());
  else if (value.is_text() || std::holds_alternative<double>(value.toml().value))
    every.time = value.number(dim::time, range::positive);
  else
    value.fail_expected("a time (\"10 ms\"), a number of steps (100) or \"stage\"");
  return every;
}

// As a share of the run where its length is known: by its time, else by its steps.
Every usual_every(const Plan& plan) {
  double time = 0;
  long long steps = 0;
  bool all_timed = true, all_counted = true;
  for (const Stage& stage : plan.stages) {
    const double own = stage.dt > 0 ? stage.dt : plan.solver.dt;
    const double dt = plan.fluid ? plan.fluid.box->settings().dt : own;
    const double length = stage.duration > 0 ? stage.duration : dt * static_cast<double>(stage.steps);
    time += length;
    steps += stage.steps;
    all_timed = all_timed && length > 0;
    all_counted = all_counted && stage.steps > 0;
  }
  if (!all_timed && all_counted)
    return {.steps = std::max(1LL, static_cast<long long>(static_cast<double>(steps) / rows_a_run))};
  return {.time = time / rows_a_run};
}

void read_record(const Value& value, Probe& probe) {
  std::vector<std::string> known;
  for (const ProbeKind& kind : probe_kinds())
    if (can_record(probe, kind)) known.push_back(kind.name);
  const auto items = value.list_or_one();
  if (items.empty()) value.fail_expected("at least one quantity");
  for (const Value& item : items) {
    const char* sort = probe.of == ProbeOf::node    ? "a node"
                       : probe.of == ProbeOf::part  ? "a part of several nodes"
                       : probe.of == ProbeOf::body  ? "a body"
                       : probe.of == ProbeOf::fluid ? "the fluid"
                       : probe.of == ProbeOf::place ? "a place in the fluid"
                       : probe.of == ProbeOf::field ? "the field"
                       : probe.of == ProbeOf::joint ? "a joint"
                                                    : "the system";
    const std::string word = item.text(fmt::format("a quantity of {}: {}", sort, fmt::join(known, ", ")));
    if (!find_probe_kind(word, probe)) {
      std::string hint = did_you_mean(word, known);
      if (hint.empty()) hint = fmt::format("; there are {}", fmt::join(known, ", "));
      item.fail(fmt::format("found {}, expected a quantity of {}{}", item.shown(), sort, hint));
    }
    if (std::ranges::find(probe.record, word) != probe.record.end())
      item.fail(fmt::format("found {} twice", item.shown()));
    probe.record.push_back(word);
  }
}

// "beam[17]" as part of a header: "beam_17".
std::string name_of(const std::string& of) {
  std::string name;
  for (const char c : of)
    if (c != ']') name += c == '.' || c == '[' || c == ' ' ? '_' : c;
  return name;
}

// A place in the fluid lies in its box.
void check_place(Table& table, const Plan& plan, const Probe& probe) {
  if (probe.of != ProbeOf::place) return;
  const Vec3<double> cell = plan.fluid.box->to_cells(probe.at);
  const auto& n = plan.fluid.box->settings().cells;
  if (!(cell.x >= 0 && cell.y >= 0 && cell.z >= 0 && cell.x <= n[0] && cell.y <= n[1] && cell.z <= n[2]))
    table.find("at")->fail(fmt::format("found ({:.4g}, {:.4g}, {:.4g}) m, expected a place within the box of the fluid",
                                       probe.at.x, probe.at.y, probe.at.z));
}

void read_probe(Table& table, Draft& draft) {
  Probe probe = read_probe_target(table, draft);
  check_place(table, draft.plan, probe);
  for (const Probe& other : draft.plan.probes)
    if (other.name == probe.name)
      table.fail(fmt::format("there are two probes `{}`; expected names of their own", probe.name));
  const Value record = table.need("record", "what to record, for example [\"displacement\"]");
  read_record(record, probe);
  const BodyKind kind = probe.of == ProbeOf::body ? draft.plan.model.bodies[probe.index].kind : BodyKind::rod;
  if ((kind == BodyKind::shell || kind == BodyKind::network) &&
      std::ranges::find(probe.record, "length") != probe.record.end())
    record.fail("found \"length\", which is for rods: this body has no first node and no last");
  if (draft.plan.fluid && draft.plan.uses(SolverKind::explicit_dynamics) &&
      std::ranges::find(probe.record, "ledger") != probe.record.end())
    record.fail("found \"ledger\", which explicit solids in a fluid do not keep; expected kind = \"implicit\"");
  const auto every = table.find("every");
  probe.every = every ? read_every(*every) : usual_every(draft.plan);
  table.finish();
  draft.plan.probes.push_back(std::move(probe));
}

}  // namespace

void set_probe_target(const Value& of, const Draft& draft, Probe& probe) {
  const Target target = read_target(of, draft.plan.model.bodies);
  probe.of = target.is_whole() ? ProbeOf::body : target.is_part() ? ProbeOf::part : ProbeOf::node;
  probe.index = target.is_whole() ? target.body : target.node;
  if (target.is_part()) probe.nodes = target.nodes;
  if (target.node >= 0 && is_single(draft.plan.model.bodies[target.body])) probe.single = target.body;
}

Probe read_probe_target(Table& table, const Draft& draft) {
  Probe probe;
  const Value of = table.need("of", "\"system\", \"fluid\", \"field\", a body or a node, for example \"beam.end\"");
  if (of.is_text("fluid")) {
    if (!draft.fluid.present) of.fail("found \"fluid\", but the scene has no [fluid]");
    const auto at = table.find("at");
    probe.of = at ? ProbeOf::place : ProbeOf::fluid;
    if (at) probe.at = at->vector(dim::length);
  } else if (of.is_text("field")) {
    probe.of = ProbeOf::field;
    probe.at = table.need("at", "[x, y, z], where").vector(dim::length);
  } else if (of.is_text() && of.toml().text()->starts_with("joint ")) {
    probe.of = ProbeOf::joint;
    probe.index = joint_called(of, of.toml().text()->substr(6), draft.plan);
    const Joint& joint = draft.plan.model.joints.joints[probe.index];
    probe.has_angle = joint.is_hinged(), probe.is_rope = joint.kind == JointKind::rope;
  } else if (!of.is_text("system")) {
    set_probe_target(of, draft, probe);
  }
  probe.name = probe_name(table);
  return probe;
}

std::string probe_name(Table& table) {
  if (const auto name = table.find("name")) return name->name();
  const auto of = table.find("of");
  return of && of->is_text() ? name_of(of->text("")) : "";
}

void read_probes(std::vector<Table> probes, Draft& draft) {
  for (Table& probe : probes) read_probe(probe, draft);
}

namespace {

// { axis = "z", at = "1 mm" }: the layer of cells that this plane is nearest to.
SlicePlan read_slice(Table slice, const Fluid& fluid) {
  SlicePlan plan;
  const std::string axis = slice.need("axis", "\"x\", \"y\" or \"z\"").choice({"x", "y", "z"});
  plan.axis = axis[0] - 'x';
  const Value at = slice.need("at", "a length, where the plane crosses the axis");
  const double x = at.number(dim::length);
  const Vec3<double> cells = fluid.to_cells({x, x, x});
  const double place = plan.axis == 0 ? cells.x : plan.axis == 1 ? cells.y : cells.z;
  const int n = fluid.settings().cells[plan.axis];
  if (!(place >= 0 && place <= n)) at.fail(fmt::format("found {}, which is outside the box of the fluid", at.shown()));
  plan.cell = std::min(n - 1, static_cast<int>(place));
  slice.finish();
  return plan;
}

void read_fluid_output(Table& output, Plan& plan) {
  auto table = output.table("fluid");
  if (!table) return;
  if (!plan.fluid) table->fail("the scene has no [fluid]");
  FluidOutput& o = plan.output.fluid;
  o.is_given = true;
  if (const auto every = table->find("every")) o.every = read_every(*every);
  for (Table& slice : table->tables("slices")) o.slices.push_back(read_slice(slice, *plan.fluid.box));
  o.volume = table->boolean("volume", o.slices.empty());
  table->finish();
}

constexpr long long most_field_points = 10'000'000;  // of one grid
constexpr int usual_field_points = 101;              // along a side

int read_point_count(const Value& value, int along_other = 1) {
  return static_cast<int>(value.integer(2, most_field_points / along_other));
}

// { from = […], to = […], points = 201 }
FieldGrid read_field_line(Table line) {
  FieldGrid grid;
  grid.corner = line.need("from", "[x, y, z], where it begins").vector(dim::length);
  const Value to = line.need("to", "[x, y, z], where it ends");
  grid.side[0] = to.vector(dim::length) - grid.corner;
  if (!(norm(grid.side[0]) > 0)) to.fail("found the place where the line begins, expected another one");
  const auto points = line.find("points");
  grid.points[0] = points ? read_point_count(*points) : usual_field_points;
  line.finish();
  return grid;
}

// { corner = […], sides = [[…], […]], points = [101, 51] }
FieldGrid read_field_plane(Table plane) {
  FieldGrid grid;
  grid.corner = plane.need("corner", "[x, y, z], from where its sides go").vector(dim::length);
  const Value sides = plane.need("sides", "two vectors, from the corner along its sides");
  const std::vector<Value> both = sides.list("two vectors, from the corner along its sides");
  if (both.size() != 2) sides.fail_expected("two vectors, from the corner along its sides");
  for (std::size_t k = 0; k < 2; ++k) grid.side[k] = both[k].vector(dim::length);
  if (!(norm(cross(grid.side[0], grid.side[1])) > 1e-9 * norm(grid.side[0]) * norm(grid.side[1])))
    sides.fail("the two sides are along one line, or one of them has no length; expected two that span a plane");
  grid.points = {usual_field_points, usual_field_points};
  if (const auto points = plane.find("points")) {
    const std::vector<Value> counts = points->list("two whole numbers, the points along each side");
    if (counts.size() != 2) points->fail_expected("two whole numbers, the points along each side");
    grid.points[0] = read_point_count(counts[0]);
    grid.points[1] = read_point_count(counts[1], grid.points[0]);
  }
  plane.finish();
  return grid;
}

void read_field_output(Table& output, Plan& plan) {
  FieldOutput& o = plan.output.field;
  auto table = output.table("field");
  if (!table) return;
  if (const auto every = table->find("every")) {
    o.every = read_every(*every);
    o.is_repeated = true;
  }
  for (Table& line : table->tables("lines")) o.lines.push_back(read_field_line(line));
  for (Table& plane : table->tables("planes")) o.planes.push_back(read_field_plane(plane));
  if (!o.is_given()) table->fail("there is nothing to write; expected `lines` or `planes`");
  table->finish();
}

}  // namespace

void read_output(std::optional<Table> output, Draft& draft) {
  if (!output) return;
  Output& o = draft.plan.output;
  if (const auto every = output->find("every")) {
    o.frames = read_every(*every);
    o.frames_given = true;
  }
  o.vtk = output->boolean("vtk", o.vtk);
  o.hdf5 = output->boolean("hdf5", o.hdf5);
  o.dump = output->boolean("dump", o.dump);
  o.picture = output->boolean("picture", o.picture);
  if (const auto lines = output->find("field_lines")) {
    constexpr int most = 1000;
    o.field_lines = static_cast<int>(lines->integer(0, most));
    const DipoleTable& t = draft.plan.model.dipoles;
    if (o.field_lines > 0 && t.interact && t.method == DipoleMethod::ewald)
      lines->fail("lines of the field of a periodic box are not drawn; leave them out");
  }
  o.checkpoint = output->number("checkpoint", dim::time, range::positive, o.checkpoint);
  read_fluid_output(*output, draft.plan);
  read_field_output(*output, draft.plan);
  output->finish();
}

}  // namespace ls
