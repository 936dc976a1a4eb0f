#include "scene/read/reader.h"

#include "physics/corotational_bond.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace ls {

namespace {

// Named by the scene format, but for later.
const std::vector<std::string> later_tables{"bond"};

void read_version(Table& root) {
  const auto version = root.find("version");
  if (version && version->integer(1, std::numeric_limits<int>::max()) != 1)
    version->fail_expected("1, the only version of scene files that this program knows");
}

// Mass and inertia must be numbers to divide by, and alike in all directions where the stepper counts on it.
void check_nodes(const SolverExtras& solver, const Draft& draft) {
  const Plan& plan = draft.plan;
  const Model& m = plan.model;
  for (int i = 0; i < m.nodes; ++i) {
    const auto body = static_cast<std::size_t>(m.body_of[i]);
    const double j[3] = {m.inertia[0][i], m.inertia[1][i], m.inertia[2][i]};
    for (const double value : {m.mass[i], j[0], j[1], j[2]})
      if (!(value > 0) || !std::isfinite(1 / value) || !std::isfinite(value))
        fail(draft.body_places[body],
             fmt::format("its nodes have a mass of {:.3g} kg and moments of inertia of {:.3g}, {:.3g}, {:.3g} "
                         "kg m^2, expected finite values above 0",
                         m.mass[i], j[0], j[1], j[2]));
    if (plan.solver.richardson && (std::abs(j[0] - j[2]) > 1e-9 * j[0] || std::abs(j[1] - j[2]) > 1e-9 * j[1]))
      fail(solver.rotation,
           m.bodies[body].kind == BodyKind::rod
               ? fmt::format("found \"richardson\", which is for spheres only; rod `{}` needs inertia = \"sphere\"",
                             m.bodies[body].name)
               : fmt::format("found \"richardson\", which is for spheres only; `{}` is none", m.bodies[body].name));
  }
}

// The motion of each rod's own nodes; a shared node moves as the rod that brought it.
void add_first_motions(Draft& draft) {
  const Model& m = draft.plan.model;
  for (const FirstMotion& motion : draft.first_motions) {
    const Body& body = m.bodies[motion.body];
    for (std::size_t k = 0; k < body.nodes.size(); ++k) {
      const int i = body.nodes[k];
      if (m.body_of[i] != motion.body) continue;
      const double u = body.arc[k] / body.arc.back();
      const auto at = [&](const std::array<Expression, 3>& e) {
        const std::span<const double> values(&u, 1);
        return Vec3<double>{e[0](values), e[1](values), e[2](values)};
      };
      Twist<double> twist = draft.plan.start.nodes.twist(i);
      twist.v += at(motion.velocity);
      twist.w += at(motion.spin);
      draft.plan.start.nodes.set(i, twist);
    }
  }
}

// `damping` of a body, in one table for all sorts of them.
Damping read_own_damping(Table& body) {
  const auto value = body.find("damping");
  if (!value) return {};
  Table table(*value, "rigid.damping");
  const Damping d = read_mass_damping(table);
  table.finish();
  if (d.rate == 0 && d.spin_rate == 0)
    table.fail("found nothing that damps: expected `time`, `per_mass` or `rotational`");
  return d;
}

// A shared node is damped as the body that brought it.
void add_own_damping(Draft& draft) {
  Model& m = draft.plan.model;
  for (int i = 0; i < m.nodes; ++i)
    if (const Damping& d = draft.damping_of[m.body_of[i]]; d.rate > 0 || d.spin_rate > 0)
      m.damping.push_back({i, d.rate, d.spin_rate});
  if (!m.damping.empty() && draft.plan.thermal.temperature > 0)
    draft.plan.warnings.emplace_back(
        "`damping` of a body takes heat out that [thermal] does not know of: it stays colder than its temperature");
}

struct BodyTables {
  std::vector<Table> shells, networks, rods, rigids, walls;
};

void read_bodies(BodyTables tables, const SolverExtras& solver, Draft& draft) {
  if (tables.shells.empty() && tables.networks.empty() && tables.rods.empty() && tables.rigids.empty() &&
      !draft.fluid.present)
    fail({draft.plan.file, 0, 0, "rod"},
         "nothing to simulate: add a [[rod]], [[shell]], [[network]] or [[rigid]], or a [fluid]");
  const auto read_all = [&](std::vector<Table>& all, void (*read)(Table&, Draft&)) {
    for (Table& table : all) {
      const auto in_fluid = table.find("fluid");
      const bool feels = !in_fluid || in_fluid->boolean();
      if (in_fluid && feels && !draft.fluid.present) in_fluid->fail("found true, but the scene has no [fluid]");
      const Damping damping = read == read_wall ? Damping() : read_own_damping(table);
      read(table, draft);
      draft.body_places.resize(draft.builder.bodies().size(), table.place());
      draft.fluid.without.resize(draft.builder.bodies().size(), !feels);
      draft.damping_of.resize(draft.builder.bodies().size(), damping);
    }
  };
  read_all(tables.shells, read_shell);
  read_all(tables.networks, read_network);
  read_all(tables.rods, read_rod);  // after what they may hang on
  read_all(tables.rigids, read_rigid);
  read_all(tables.walls, read_wall);
  auto built = draft.builder.finish();
  draft.plan.model = std::move(built.model);
  draft.plan.start = std::move(built.state);
  add_first_motions(draft);
  add_own_damping(draft);
  check_nodes(solver, draft);
  for (const auto& [name, material] : draft.materials)
    if (!draft.used_materials.contains(name))
      draft.plan.warnings.push_back(fmt::format("nothing is made of [material.{}]", name));
}

// What only some solvers can do.
void check_solvers(const SolverExtras& solver, Draft& draft) {
  Plan& plan = draft.plan;
  const bool newton = plan.uses_newton();
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    const Stage& stage = plan.stages[k];
    if (plan.kind(static_cast<int>(k)) == SolverKind::implicit_dynamics && stage.duration == 0 && stage.dt == 0 &&
        plan.solver.dt == 0 && !draft.fluid.present)
      fail(stage.length, fmt::format("stage {}: how long? An implicit solver needs a `duration` or a `dt` beside "
                                     "`steps`",
                                     stage.name));
  }
  if (plan.thermal.temperature > 0) plan.solver.accuracy = 0;  // noise has no error to control
  if (newton && draft.paper_rate)
    fail(*draft.paper_rate, "found \"paper\", which is for kind = \"explicit\" only; expected \"analytic\"");
  if (newton && plan.solver.richardson)
    fail(solver.rotation, "found \"richardson\", which is for kind = \"explicit\" only");
  for (std::size_t k = 0; k < plan.stages.size(); ++k)
    for (const auto& load : plan.stages[k].loads) {
      const bool turns = load.torque[0] || load.torque[1] || load.torque[2] || load.in_body_axes;
      if (plan.kind(static_cast<int>(k)) != SolverKind::statics || !turns) continue;
      plan.warnings.push_back(fmt::format(
          "stage {}: torques on nodes and loads that turn with them have no potential; equilibria are found, but their "
          "stability is not judged: try kind = \"implicit\" with damping",
          plan.stages[k].name));
      break;
    }
  if (plan.uses(SolverKind::statics))
    for (const BondTable& table : plan.model.bond_tables)
      if (table.kernel == CorotationalBond::name)
        plan.warnings.emplace_back(
            "static solver with model = \"corotational\": its forces are no gradient of an energy, so its stiffness is "
            "not symmetric and what is said of stability means little; use \"exact\"");
}

void read_root(Table& root, Draft& draft) {
  for (const std::string& table : later_tables) root.refuse(table);
  read_version(root);
  if (const auto title = root.find("title")) draft.plan.title = title->text("a title in quotes");
  // All tables first, so that a misspelt one is the first thing to be told.
  auto define = root.table("define"), solver = root.table("solver"), materials = root.table("material");
  auto gravity = root.table("gravity"), damping = root.table("damping"), thermal = root.table("thermal");
  auto start = root.table("start"), output = root.table("output");
  auto contact = root.table("contact"), drag = root.table("drag"), fluid = root.table("fluid");
  auto dipoles = root.table("dipoles");
  draft.fluid.present = fluid.has_value();
  BodyTables bodies{root.tables("shell"), root.tables("network"), root.tables("rod"), root.tables("rigid"),
                    root.tables("wall")};
  auto stages = root.tables("stage"), probes = root.tables("probe"), fields = root.tables("field");
  auto events = root.tables("event"), pairs = root.tables("pair");
  auto joints = root.tables("joint"), motors = root.tables("motor");
  const Actions everywhere = actions_of(root);
  root.finish();
  if (drag && fluid) drag->fail("found [drag] beside [fluid], which has its own drag: expected one of them");

  std::vector<Value> sets;
  for (std::vector<Table>* tables : {&stages, &events})
    for (Table& table : *tables)
      if (const auto set = table.find("set")) sets.push_back(*set);
  read_define(std::move(define), sets, draft);
  const SolverExtras extras = read_solver(std::move(solver), draft);
  read_materials(std::move(materials), draft);
  read_damping(std::move(damping), draft);
  read_thermal(std::move(thermal), draft);
  read_start(std::move(start), draft);
  read_contact(std::move(contact), draft);
  read_bodies(std::move(bodies), extras, draft);
  read_joints(std::move(joints), draft);
  read_pairs(pairs, draft);
  read_dipoles(std::move(dipoles), draft);
  name_states(probes, draft);  // expressions that are read from here on may ask for the state
  read_motors(std::move(motors), draft);
  read_gravity(std::move(gravity), draft);
  read_moment_factors(draft);
  read_fields(std::move(fields), draft);
  read_drag(std::move(drag), draft);
  read_stages(std::move(stages), everywhere, extras, draft);
  read_events(std::move(events), draft);
  check_solvers(extras, draft);
  check_joints(draft);
  check_time(draft);
  settle_contact(extras, draft);
  check_overlaps(draft);
  check_fields(draft);
  read_fluid(std::move(fluid), draft);
  read_probes(std::move(probes), draft);
  read_output(std::move(output), draft);
}

}  // namespace

std::string scene_text(const std::string& file) {
  namespace fs = std::filesystem;
  constexpr std::uintmax_t largest = 1ULL << 30;
  const Place place{file, 0, 0, ""};
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) fail(place, "there is no such file");
  if (fs::is_directory(status)) fail(place, "this is a folder, expected a scene file");
  if (fs::is_regular_file(status) && fs::file_size(file, error) > largest)
    fail(place, "the file is too large for a scene");
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(place, "the file can't be read");
  std::string text;
  char part[65536];
  while (in.read(part, sizeof part) || in.gcount() > 0) {
    text.append(part, static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest) fail(place, "the file is too large for a scene");
  }
  if (in.bad()) fail(place, "the file can't be read");
  return text;
}

Plan read_tree(const TomlValue& tree, const std::string& text, const std::string& file, const FieldFunctions& functions,
               SceneNotes* notes) {
  Draft draft;
  draft.context.notes = notes;
  if (notes) ++notes->files;
  draft.context.file = file;
  draft.functions = functions;
  draft.plan.file = file;
  draft.plan.text = text;
  Table root(Value(tree, "", draft.context), "");
  read_root(root, draft);
  return std::move(draft.plan);
}

Plan read_text(const std::string& text, const std::string& file, const std::vector<std::string>& sets,
               SceneNotes* notes) {
  TomlValue tree = parse_toml(text, file);
  for (const std::string& assignment : sets) assign(tree, assignment);
  Plan plan = read_tree(tree, text, file, {}, notes);
  plan.sets = sets;
  return plan;
}

Plan read_scene(const std::string& file, const std::vector<std::string>& sets) {
  return read_text(scene_text(file), file, sets);
}

}  // namespace ls
