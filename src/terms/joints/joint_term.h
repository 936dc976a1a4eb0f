#pragma once
#include "math/box_problem.h"
#include "physics/joint_stiffness.h"
#include "terms/joints/joint_view.h"
#include "terms/term.h"

#include <optional>

namespace ls {

// A row of a joint as it stands.
struct RowNow {
  double c = 0;              // m or rad: to be zero
  Wrench<double> slope[2];   // J, over the nodes of the joint: what its force acts along
  Wrench<double> change[2];  // how c goes with a move of the state; J, but in a midpoint step, of which it is the end's
  double k = 0;              // N/m or N m: how hard c pulls while a solve looks for the multiplier
  double stiffness = 0;      // of that, with what the row itself gives way by; 0: it is slack or at its bound
  double force = 0;          // the multiplier that the row asks for where it stands
};

// A row whose force has bounds, as the linear model has it at the end of a move.
struct BoundedRow {
  std::size_t row = 0;
  double force = 0;
  double error = 0, before = 0;  // m or rad, the latter where the move sets out
  double k = 0;                  // N/m or N m
  Side side = Side::between;     // of its bounds
};

// How far a joint is from closed, beside its tolerance.
struct JointError {
  double share = 0;
  int joint = -1;
};

// What passed through joints in a part of a step, J.
struct JointWork {
  double motors = 0;    // brought in
  double friction = 0;  // taken
  double stops = 0;     // taken by stops and strings that came taut
};

// What a joint does, for probes.
struct JointReport {
  double travel = 0, rate = 0;  // m or rad, of what it leaves free; of a distance or spring its length
  Vec3<double> force, torque;   // N, N m: on the second half, world axes
  double motor = 0;             // N or N m
  double error = 0;             // m
};

// Joints: constraints with multipliers, which are in the Memory. The wrench of a row is -J^T multiplier. A solve finds
// them by an augmented Lagrangian: its matrix has k J^T J, k being some thousand times what the rest of the matrix
// resists a row with, its right side pulls by k c, and each move takes the multiplier along to what the linear model
// foresees, k (c + J move) more. That is Newton's method on poses and multipliers together with a 1/k on the diagonal,
// without rows of its own in the matrix and without its indefinite signs; redundant joints share the load.
class Joints final : public Term {
 public:
  explicit Joints(const Model& model);

  std::string_view name() const override { return "joints"; }
  Scope scope(const Inputs&) const override { return Scope::all; }
  void add_wrenches(const State&, const Inputs&, const Blocks&, Wrenches&) override;
  void add_energy(const State&, const Inputs&, Energies&, Team&) override;
  void add_pattern(const State&, const Inputs&, NodePairs&) override;
  // Last of all terms, and after inertia: k comes from what is in the matrix.
  void add_stiffness(const State&, const Inputs&, const StiffnessRequest&, BlockMatrix&) override;
  void add_product(const State&, const Inputs&, const std::vector<Twist<double>>&,
                   std::vector<Wrench<double>>&) override;
  Limits limits(const State&, const Inputs&) override;
  void advance(const State&, const Inputs&, Memory&) override;
  std::size_t bytes() const override;

  // Before a solve: which degrees of freedom it leaves out, [node] Hold bits, and the size of the model, m.
  void set_held(const std::vector<std::uint8_t>& held, double size);
  // Adds what the errors of the rows pull with, beyond the multipliers, over [node][6]; at new poses by the k of the
  // last matrix.
  void add_pull(const State&, const Inputs&, std::vector<double>& out);
  // Adds what the matrix leaves out of the slopes of the pull, to keep its symmetry, times a move: J^T k (change - J).
  // Where nodes turn far in a step that is much.
  void add_asymmetry(const std::vector<double>& move, std::vector<double>& out) const;
  bool is_symmetric() const { return is_symmetric_; }
  double largest_turn() const { return largest_turn_; }  // rad, of nodes in a midpoint step, to its middle
  // For a solve to close the rows by the linear model. Over the rows that pull: their errors times the root of how hard
  // they pull, and forces over it; of rows that give way 0. What is left of the errors after a move from where it set
  // out, returns the size of those before; how they go with a move; J^T of forces; takes the multipliers along with
  // forces.
  double errors_after(const std::vector<double>& move, std::vector<double>& errors) const;
  void errors_by(const std::vector<double>& move, std::vector<double>& errors) const;
  void add_row_forces(const std::vector<double>& forces, std::vector<double>& out) const;
  void add_to_forces(const std::vector<double>& forces);
  // Rows whose forces have bounds, after a move from where it set out; whether their sides go with what they come to.
  std::vector<BoundedRow> bounded(const std::vector<double>& move) const;
  bool agrees(const BoundedRow& b) const;
  double least_of(const BoundedRow& b) const { return rows_[b.row].least; }
  double most_of(const BoundedRow& b) const { return rows_[b.row].most; }
  // J^T of a force along a row; how a move takes its error along.
  void add_row_force(std::size_t row, double force, std::vector<double>& out) const;
  double error_by(std::size_t row, const std::vector<double>& move) const;
  // Gives rows their sides, until the next matrix; this one gets what they pull with by that.
  void choose(const std::vector<BoundedRow>& rows, BlockMatrix& out);
  // Takes them out of a matrix, in which closed rows pull harder by a factor.
  void leave_closed_alone(const std::vector<BoundedRow>& rows, double factor, BlockMatrix& out) const;

  // Keeps the rows as add_pull left them: it is asked again on the way, where a move is cut short.
  void set_out() { from_ = now_, pack(); }
  // Takes the multipliers along with a share of a move of [node][6], from where it set out.
  void follow(const std::vector<double>& solution, double share, Memory&) const;
  JointError error(const State&, const Inputs&);

  // After each part of a step that was solved, and after each equilibrium: the forces that reports show. blows: [row]
  // what was taken up at its end, as a mean force of the part; empty: nothing.
  void note_forces(bool midpoint, const std::vector<double>& blows, Memory&) const;

  // The rows at a state, by their order in joint_rows.
  const std::vector<RowNow>& look(const State&, const Inputs&);
  const std::vector<JointRowEntry>& rows() const { return rows_; }
  bool has_blows() const { return has_blows_; }  // some may be struck: stops, strings, motors that give a position
  bool is_position(const JointRowEntry& row) const {
    return row.use == RowUse::motor && model_.joints.motors[row.motor].kind == MotorKind::position;
  }
  // Takes away what closed rows hold a move back with, both over [node][6]: J^T k J move, by the last matrix.
  void subtract_pull(const double* move, double* out) const;
  const Joint& joint(int k) const { return model_.joints.joints[k]; }
  // Of a part of a step that ended at a state; its wrenches acted at `pose`.
  JointWork work(const State& pose, const Inputs&, double dt) const;
  // Of motors, between two equilibria.
  double motor_work(const State& from, const Inputs& before, const State& to, const Inputs& after) const;
  // What explicit steps exert on a node by impulses, as a mean over the last one: its own wrench does not have that.
  Wrench<double> by_impulses(int node, const State&, const Inputs&) const;
  JointReport report(int number, const State&, const Inputs&) const;

 private:
  bool is_torque(const JointRowEntry&) const;
  bool is_idle(const JointRowEntry&, const Inputs&) const;
  void renew_view(std::size_t joint, const State&, const Inputs&);
  void pack();
  bool may_choose(std::size_t row) const;
  void settle(std::size_t row, const State&, const Inputs&);
  void add_row(std::size_t row, double stiffness, BlockMatrix& out) const;
  double gone(const RowNow& now, const Joint& joint, const std::vector<double>& move) const;
  double root(std::size_t row) const;
  double multiplier(std::size_t row, const Memory&, const Inputs&) const;
  // The same before it is kept within its bounds, as the last linear solution has it.
  double foreseen(std::size_t row, const Memory&, const Inputs&) const;
  double value_of(const JointRowEntry&, const Joint&, const JointView&, const State&, const Inputs&) const;
  double way_at_rate(const Joint&, const JointRowEntry&, const JointView&, const Inputs&, double rate) const;
  double error_of(std::size_t row, const JointView&, const State&, const Inputs&) const;
  double tolerance(const JointRowEntry&, const Joint&, const JointView&, const Inputs&) const;  // m or rad
  JointView view(const JointRowEntry& row, const State& s, const Inputs& in) const {
    return view_of(joint(row.joint), s, in, bonded_);
  }
  void choose_strength(const BlockMatrix&);
  void add_rows(const State&, const Inputs&, const StiffnessRequest&, int number, BlockMatrix&);
  void add_spring(const Joint&, const JointView&, const State&, const StiffnessRequest&, PairMatrix&) const;

  const Model& model_;
  std::vector<JointRowEntry> rows_;
  std::vector<int> first_row_;  // [joint], and the end
  std::vector<std::uint8_t> bonded_;
  bool has_blows_ = false;
  bool is_symmetric_ = true;  // of the last look: no node goes by the midpoint rule
  double largest_turn_ = 0;
  // Of the solve under way:
  std::vector<std::uint8_t> held_;
  double size_ = 1;  // m
  std::vector<RowNow> now_, from_;
  std::vector<std::uint8_t> is_given_;        // [row] its force is no unknown
  std::vector<std::optional<Side>> chosen_;   // [row] by the linear model; none: by its error
  std::vector<JointView> views_;              // [joint] of the last state that was looked at
  std::vector<std::optional<ViewKey>> keys_;  // [joint]
  std::vector<std::uint8_t> has_slopes_;      // [joint] those of its rows are of that state
  // Of rows that pull, by nodes: what their forces act along, and how they go with a move.
  struct PackedRow {
    std::size_t row;
    int node[2];
    double root;                                  // of the stiffness; 0: it need not be closed
    double along[12], change[12], symmetric[12];  // the latter of the matrix
  };
  std::vector<PackedRow> packed_;
};

}  // namespace ls
