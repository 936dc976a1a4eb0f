#pragma once
#include "base/used_file.h"
#include "build/builder.h"
#include "language/expression.h"
#include "model/field_grid.h"
#include "scene/fields.h"
#include "scene/fluid_plan.h"

#include <algorithm>
#include <memory>
#include <optional>

// A scene, read and checked: what to simulate, in which order, and what to record. Nothing below this layer knows it.
namespace ls {

enum class SolverKind : std::uint8_t { explicit_dynamics, implicit_dynamics, statics };
inline constexpr std::array<const char*, 3> solver_kinds{"explicit", "implicit", "static"};  // [SolverKind] as written
// touching: of models that touch, unless said otherwise; the midpoint of rigid bodies in free flight.
enum class ImplicitRule : std::uint8_t { midpoint, backward_euler, touching };
inline constexpr std::array<const char*, 2> implicit_rules{"midpoint", "backward-euler"};  // that can be asked for

constexpr const char* name(SolverKind kind) {
  return solver_kinds[static_cast<std::size_t>(kind)];
}

// Slots of the variables that expressions of the schedule may use; the names that stages and events set follow, then x,
// y and z, for expressions of a place, and what is read of the state.
enum Variable { variable_t = 0, variable_s = 1, first_stage_variable = 2 };

// A degree of freedom that follows an expression, relative to the pose of its node, or of a magnet, at the start of the
// stage.
struct Drive {
  int node = 0;                                   // -1: of a magnet
  int field = -1;                                 // the magnet, by its number among the fields
  std::array<std::optional<Expression>, 3> move;  // m; none: that direction is not driven
  std::optional<Expression> angle;                // rad, about `axis` through `about`
  Vec3<double> axis{};
  std::optional<Vec3<double>> about;  // none: the node itself
  bool affine = false;                // strains the whole rod with its end
  int body = -1;                      // the rod, and whether its end (not its start) is driven
  bool is_end = false;
};

struct Load {
  std::vector<int> node;
  std::vector<double> weight;  // 1, or metres for a load per length
  std::array<std::optional<Expression>, 3> force, torque;
  bool in_body_axes = false;
};

// Degrees of freedom held where they are during a stage.
struct StageHold {
  int node = 0;
  std::uint8_t mask = 0;  // Hold bits
};

struct Stage {
  std::string name;
  Place length;                                 // where its duration or steps stand
  double duration = 0;                          // s
  long long steps = 0;                          // 0: from duration and dt
  double dt = 0;                                // s; 0: the solver's
  std::optional<SolverKind> kind;               // of its solver; none: that of the plan
  bool touching = true;                         // false: bodies pass through each other
  ContactLaw contact = ContactLaw::none;        // how they touch
  std::vector<std::pair<int, Expression>> set;  // variable slot and its value
  std::vector<Drive> drives;                    // of nodes
  std::vector<Drive> magnet_drives;             // one a magnet
  std::vector<Load> loads;
  std::vector<StageHold> holds;
  std::optional<Expression> until;  // ends the stage when it is not zero
};

// How often something happens: every so many steps, or so much time; both 0: never but at the end of each stage or of
// the run.
struct Every {
  long long steps = 0;
  double time = 0;          // s
  bool ends_stage = false;  // at the end of each stage, where that does not go without saying
};

enum class ProbeOf { node, part, body, system, fluid, place, field, joint };

struct Probe {
  std::string name;
  ProbeOf of = ProbeOf::system;
  int index = 0;                    // of the node, the body or the joint
  int single = -1;                  // the body whose only node it is; else -1
  bool has_angle = false;           // of a joint: that is what it leaves free
  bool is_rope = false;             // of a joint
  std::vector<int> nodes;           // of a part
  Vec3<double> at{};                // m, of a place in the fluid or in the field
  std::vector<std::string> record;  // "displacement", "max_abs", "energy", ...
  Every every;
};

// A quantity of the state that expressions read, as it was after the last step: "ball.position.x".
struct Watch {
  std::string name;                  // as expressions call it
  Probe probe;                       // that would record it
  std::vector<std::string> columns;  // among what that records: "position.x", or three of a vector whose length it is
  std::vector<int> touch[2];         // of contact(a, b) instead: bodies, ascending; 1 where one of a pushes one of b
  bool is_contact() const { return !touch[0].empty(); }
};

// Something that happens as soon as a condition holds.
struct PlannedEvent {
  std::string name;
  Expression when;
  std::optional<Expression> margin;             // by how much it holds; where there is a hysteresis
  double hysteresis = 0;                        // in SI: it can happen again when the margin has been below minus this
  bool once = false;                            // never again
  bool ends_stage = false;                      // and the next begins
  std::vector<std::pair<int, Expression>> set;  // variable slot and the value that it gets
};

// Of the fluid: at the end of the run always, and every so often where that is said.
struct FluidOutput {
  bool is_given = false;  // else one volume at the end, unless it is too large
  Every every;
  bool volume = true;
  std::vector<SlicePlan> slices;
};

// Of the magnetic field: at the end of the run always; at its start too and every so often where that is said.
struct FieldOutput {
  bool is_repeated = false;
  Every every;
  std::vector<FieldGrid> lines, planes;
  bool is_given() const { return !lines.empty() || !planes.empty(); }
};

struct Output {
  Every frames;  // default: 50 frames a run
  bool frames_given = false;
  bool vtk = true, hdf5 = true, dump = false, picture = true;
  double checkpoint = 10;  // s of wall time
  FluidOutput fluid;
  FieldOutput field;
  int field_lines = 0;  // in the picture, about so many
};

struct Solver {
  SolverKind kind = SolverKind::explicit_dynamics;
  double dt = 0;        // s; 0: auto
  double safety = 0.5;  // share of the critical step that auto takes
  int threads = 1;
  std::uint64_t seed = 1;
  bool richardson = false;
  ImplicitRule scheme = ImplicitRule::midpoint;
  double tolerance = 1e-9;  // of Newton's method: what is left of the error, beside the size of the model
  double accuracy = 0;      // of implicit steps, beside the size of the model; 0: steps are what dt says
  bool arc_length = false;  // a static solver follows the branch through folds
  bool jump = false;        // a static solver goes on to the next stable state; else it stops
};

struct Damping {
  double rate = 0;       // 1/s, of velocities
  double spin_rate = 0;  // 1/s
};

struct Thermal {
  double temperature = 0;  // K
  double time = 0;         // s; adds to the damping
};

// All that a scene says, with its values resolved: the model and the state it starts from, the schedule (stages,
// gravity, fields, a fluid), the solver, and what is recorded and written. A run needs nothing else.
struct Plan {
  std::string file, title;
  std::string text;               // the scene file as it was read
  std::vector<std::string> sets;  // --set assignments
  std::vector<UsedFile> files;    // what it was read from besides
  std::string start_from;         // a run folder, or empty
  Solver solver;
  Damping damping;
  Thermal thermal;
  std::array<Expression, 3> gravity;  // m/s^2, of t and s
  bool has_gravity = false;
  std::optional<SceneField> stream;  // m/s, of the fluid of [drag]; none: it rests
  std::vector<SceneField> fields;
  FluidPlan fluid;
  std::vector<Expression> motors;      // [motor] what it is to do
  std::vector<std::string> variables;  // [slot] "t", "s", then the names that stages set
  std::vector<Watch> watches;          // what expressions read of the state
  std::vector<double> first_values;    // [slot] before any stage; of watches and places too, where there are watches
  Model model;
  State start;
  std::vector<Stage> stages;
  std::vector<PlannedEvent> events;
  std::vector<std::pair<int, Expression>> moment_factors;  // node, and what its moments are multiplied by
  std::vector<Probe> probes;
  Output output;
  std::vector<std::string> warnings;

  int first_place() const { return static_cast<int>(variables.size()); }
  int first_watch() const { return first_place() + 3; }
  SolverKind kind(int stage) const { return stages[stage].kind.value_or(solver.kind); }
  bool uses(SolverKind wanted) const {
    for (std::size_t k = 0; k < stages.size(); ++k)
      if (kind(static_cast<int>(k)) == wanted) return true;
    return false;
  }
  bool uses_newton() const { return uses(SolverKind::implicit_dynamics) || uses(SolverKind::statics); }
  // What goes in and out is followed by Newton's solvers always, by the explicit one where a probe asks: it costs
  // there.
  bool keeps_ledger() const {
    if (!uses(SolverKind::explicit_dynamics)) return true;
    const auto asks = [](const Probe& p) { return std::ranges::find(p.record, "ledger") != p.record.end(); };
    return std::ranges::any_of(probes, asks) || std::ranges::any_of(watches, asks, &Watch::probe);
  }
};

// Reads and checks a scene; throws Error with file, line, column and key. sets: "rod.beam.bonds=64".
Plan read_scene(const std::string& file, const std::vector<std::string>& sets = {});

}  // namespace ls
