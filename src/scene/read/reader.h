#pragma once
#include "scene/plan.h"
#include "scene/read/read_text.h"
#include "scene/table.h"

#include <map>
#include <set>

// The parts of the scene reader, in the order in which they are called: a function a table.
namespace ls {

struct Material {
  std::optional<double> young, shear;    // Pa
  std::optional<double> density;         // kg/m^3
  double magnetisation = 0;              // A/m
  double friction = 0, restitution = 1;  // 1
  SoftMatter soft;
};

// How a mode of the bonds is damped: by a time, or by a coefficient in the unit of the mode.
struct BondViscosity {
  double value = 0;
  bool is_time = true;  // s; else kg/s or N m s
  double coefficient(double stiffness) const { return is_time ? value * stiffness : value; }
};

// The motion that a rod starts with; it is added when the nodes are there.
struct FirstMotion {
  int body = 0;
  std::array<Expression, 3> velocity, spin;  // of u
};

// `moment_factor` of a rigid body; it is read when all bodies are there, since it may ask for what they do.
struct MomentFactor {
  int first_body = 0, last_body = 0;  // [first, last)
  Value value;
};

// `reel` of a rope, likewise: a motor in the plan.
struct ReelFormula {
  int motor = 0;
  Value value;
};

// [contact], as far as it says something of bodies and stages.
struct ContactReading {
  bool present = false;
  std::optional<Value> law;                     // none: by the solver of each stage
  std::optional<double> friction, restitution;  // of all bodies, whatever they are made of
  bool resolve_overlaps = false;
};

// [fluid], as far as other tables must know of it before it is read.
struct FluidReading {
  bool present = false;
  std::vector<bool> without;  // [body] does not feel it
};

// A scene that is being read.
struct Draft {
  ReadingContext context;
  FieldFunctions functions;
  NameScope schedule;  // t, s, the names that stages set, constants
  NameScope graded;    // u, the names that stages set (to refuse them), constants
  Plan plan;
  std::map<std::string, Material> materials;
  std::set<std::string> used_materials;
  Modes<BondViscosity> bond_damping;
  std::optional<Place> paper_rate;  // where rate = "paper" stands
  ContactReading contact;
  FluidReading fluid;
  Builder builder;
  std::vector<Place> body_places;  // [body] where it stands in the file
  std::set<int> shared_nodes;
  std::set<int> walls_around;  // bodies: walls that hold what is inside them, though nobody said so
  std::vector<FirstMotion> first_motions;
  std::vector<Damping> damping_of;  // [body] its own
  std::vector<MomentFactor> moment_factors;
  std::vector<ReelFormula> reels;

  // A file that the scene refers to was read: a run that is resumed asks whether it is still the same.
  void note_file(const std::string& name, const std::string& path);
};

// Names come first, since all other values may use them.
void read_define(std::optional<Table> define, const std::vector<Value>& sets_of_stages, Draft& draft);

// Numbers of the whole scene. The length of a scene without stages, and where rotation = "richardson" stands, are used
// later on.
struct SolverExtras {
  std::optional<Stage> only_stage;
  Place rotation;
  std::optional<Value> scheme;
};
SolverExtras read_solver(std::optional<Table> solver, Draft& draft);
void read_gravity(std::optional<Table> gravity, Draft& draft);
void read_damping(std::optional<Table> damping, Draft& draft);
Damping read_mass_damping(Table& table);  // `time`, `per_mass`, `rotational`: of everything or of one body
void read_thermal(std::optional<Table> thermal, Draft& draft);
void read_start(std::optional<Table> start, Draft& draft);
// `duration` and `steps` of [solver] or a stage. dt: the step that holds there, 0 where it is chosen later.
void read_length(Table& table, double dt, Stage& stage);
double read_step(Table& table);  // `dt`; 0: auto
std::optional<SolverKind> read_kind(Table& table);

void read_materials(std::optional<Table> materials, Draft& draft);

// [contact] before the bodies; which law acts in which stage when the stages are known.
void read_contact(std::optional<Table> contact, Draft& draft);
void settle_contact(const SolverExtras& solver, Draft& draft);
void check_overlaps(Draft& draft);
// How a body behaves where it is touched; null: a body of no material.
Surface surface_of(const Material* material, const Draft& draft);

// `name` of a body: its own, and no other body's. sort: "rod", which is also what those without a name are called.
std::string read_body_name(Table& body, const std::string& sort, const Draft& draft);
const Material& read_material_of(Table& body, Draft& draft);

void read_wall(Table& table, Draft& draft);
void read_rigid(Table& rigid, Draft& draft);

// What the bonds of rods, shells and networks have in common. `stiffness`: instead of what section and material give.
struct GivenStiffness {
  std::optional<double> stretch, shear, bend, twist;  // N/m, N/m, N m, N m
  std::optional<double> b1, b2, b3, b4;               // N/m, N m, N m, N m: constants of the vector bond

  bool is_complete() const { return b1 || (stretch && shear && bend && twist); }
  void apply(ElasticBond& bond) const;
};
GivenStiffness read_stiffness(Table& body, const std::string& model);
std::function<void(ElasticBond&)> adjusting(const GivenStiffness& stiffness);
std::function<BondDamping::Params<double>(const ElasticBond&)> damping_of_bonds(const Draft& draft);
// Whether their damping is that of the paper; fails for models that can't. who: "rod beam".
bool has_paper_rate(const std::string& who, const std::string& model, const Draft& draft);
Fracture read_fracture(Table& body);
// `random_velocity`
RandomMotion read_random_motion(Table& body, const Draft& draft);

// Bodies of nodes and bonds in any arrangement.
void read_shell(Table& shell, Draft& draft);
void read_network(Table& network, Draft& draft);
// What the two have in common: where they stand, how they start, which of their parts are held.
struct Placing {
  Vec3<double> turn{}, origin{};
};
Placing read_placing(Table& body);
// Bonds, material, motion and surface. sort: "shell". Returns the stiffness that the body gives its bonds itself.
GivenStiffness read_bonded(Table& body, const std::string& sort, const Material& material, bool has_node_mass,
                           Draft& draft, BondedSpec& spec);
std::vector<std::pair<std::string, std::uint8_t>> read_held_parts(Table& body, const std::vector<BodyPart>& parts);
// A/m, as drawn; 0 where it is no magnet.
Vec3<double> read_constant_magnetisation(Table& body, const Material& material, const std::string& name, Draft& draft);
// Elasticity and density, which may be missing where the body itself gives what follows from them.
Elasticity elasticity_for(Table& body, const Material& material, const GivenStiffness& stiffness);
double density_for(Table& body, const Material& material, bool has_node_mass);

// `grid` of rods and rigid bodies: so many of them, beside the first.
struct BodyGrid {
  std::array<long long, 3> n{1, 1, 1};
  Vec3<double> spacing{};  // m
};
BodyGrid read_grid(Table& grid);

// Rods, and what they are made of.
void read_rod(Table& rod, Draft& draft);
struct SectionReading {
  Place place;
  std::function<Section(double u)> section;
  std::optional<double> diameter;  // m, of a round one that is the same all along
  bool is_graded = false;
  Vec3<double> width{0, 0, 1};  // world direction of its x axis at the start of the rod
  bool width_matters = false;   // it was given, or the section is not round
};
SectionReading read_section(Table& rod, double poisson, const Draft& draft);
CentreLine read_centre_line(Table& rod, const SectionReading& section);
void read_motion(Table& rod, int body, RodSpec& spec, Draft& draft);
void read_magnetisation(Table& rod, const Material& material, RodSpec& spec, Draft& draft);
// An expression of u as a function; fails where a stage changes it.
std::function<double(double u)> graded(const Value& value, const Dimension& dimension, const Draft& draft);
// Of all rods together. Who throws random scenes at the reader wants them small.
#ifdef LODESTONE_MOST_BONDS
constexpr long long most_bonds = LODESTONE_MOST_BONDS;
#else
constexpr long long most_bonds = 50'000'000;
#endif
// Fails where so many more nodes or bonds than there are would not fit into memory, before any of it is taken.
void check_room(const Value& where, double more_nodes, double more_bonds, const Draft& draft);

// "beam.end", "beam[17]", a part of several nodes: "dome.rim", or a whole body: "beam", "beam.all".
struct Target {
  int body = -1;
  int index = -1;          // of the node in the body; -1: several
  int node = -1;           // its number in the model
  std::string part;        // the name of a part of several nodes
  std::vector<int> nodes;  // all of them, by their numbers in the model
  bool is_part() const { return !part.empty(); }
  bool is_whole() const { return index < 0 && !is_part(); }
};
Target read_target(const Value& value, const std::vector<Body>& bodies, const std::string& sort = "body");
// Fails for several nodes.
Target read_node(const Value& value, const std::vector<Body>& bodies, const std::string& sort = "body");

// From now on expressions of the schedule may use what a probe can record of the state: control/state_names.cpp.
void name_states(std::vector<Table> probes, Draft& draft);
void read_moment_factors(Draft& draft);
// [[event]] and [[pair]]
void read_events(std::vector<Table> events, Draft& draft);
void read_pairs(const std::vector<Table>& tables, Draft& draft);
// "cube[*]": bodies whose name it is, * being anything; and all of `cube[0]`, `cube[1]`, ... where it is "cube".
std::vector<int> bodies_called(const std::string& name, const std::vector<Body>& bodies);
// Where there are none: what there is.
std::string no_body_called(const std::string& name, const std::vector<Body>& bodies);
// [[joint]] and [[motor]], when the bodies are there; what solvers can't do of them, when the stages are known.
void read_joints(std::vector<Table> joints, Draft& draft);
void read_motors(std::vector<Table> motors, Draft& draft);
void check_joints(const Draft& draft);
// Its number; fails where there is none of that name.
int joint_called(const Value& value, const std::string& name, const Plan& plan);

// [drag], when the bodies are there.
void read_drag(std::optional<Table> drag, Draft& draft);
// The schedule's names, then x, y, z.
NameScope space(const Draft& draft);

// What a stage does to nodes. Those of the scene itself act in every stage.
struct Actions {
  std::vector<Table> drives, loads, holds;
};
Actions actions_of(Table& table);
// `set` of a stage or an event. who: "stage".
std::vector<std::pair<int, Expression>> read_set(Table set, const Draft& draft, const std::string& who);
void read_actions(const Actions& everywhere, const Actions& own, Stage& stage, const Draft& draft);
void read_stages(std::vector<Table> stages, const Actions& everywhere, const SolverExtras& solver, Draft& draft);

// Whether time passes where something goes by it.
void check_time(Draft& draft);

// [dipoles], when the bodies are there.
void read_dipoles(std::optional<Table> dipoles, Draft& draft);
// [[field]]; then, when the stages are known, whether what was given can be a magnetic field where the rods are.
void read_fields(std::vector<Table> fields, Draft& draft);
void check_fields(Draft& draft);
// The number of the magnet that is called so; -1 for none.
int magnet_called(const std::string& name, const Plan& plan);

// [fluid], when bodies and stages are known: its step may depend on both.
void read_fluid(std::optional<Table> fluid, Draft& draft);
// The step that suits all stages, and what must be refused; given: all but the step. dt: as given, s; 0: auto.
void settle_fluid(const Table& table, const FluidSettings& given, double dt, Draft& draft);

void read_probes(std::vector<Table> probes, Draft& draft);
std::string probe_name(Table& table);
// Its name and what it is of; and of a node or a body alone.
Probe read_probe_target(Table& table, const Draft& draft);
void set_probe_target(const Value& of, const Draft& draft, Probe& probe);
void read_output(std::optional<Table> output, Draft& draft);

}  // namespace ls
