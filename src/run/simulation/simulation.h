#pragma once
#include "base/column_block.h"
#include "run/safety/watchdog.h"
#include "run/simulation/course.h"

#include <map>

namespace ls {

// A plan in the hands of a program: it takes steps as it is told to, and between them its state is the caller's, to
// read and to change. Nothing is written. A call that fails throws an Error and leaves the state as it was before,
// unless there is a fluid: then is_lost. One that is stopped throws Interrupted, after the last step that was whole.
class Simulation {
 public:
  // threads: 0: as the scene says. may_go_on: asked now and then, also in the midst of a step; false stops it.
  explicit Simulation(const Plan& plan, int threads = 0, std::function<bool()> may_go_on = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Both give how many steps were taken: fewer than asked for where the schedule, or stability, came to its end. They
  // throw Error where it was there already.
  long long step(long long steps);
  long long advance_to(double time);
  bool is_over() const { return !end_.empty() || course_.is_finished(state_); }
  bool is_lost() const { return is_lost_; }

  // Goes to the equilibrium at the present loads; what moves stops. The ledger begins anew there.
  struct Solved {
    bool jumped = false;       // the state was unstable, and slid to the next stable one
    long long iterations = 0;  // of Newton's method
  };
  Solved solve();

  const Plan& plan() const { return plan_; }
  const State& state() const { return state_; }
  struct Happening {
    double time = 0;  // s
    long long step = 0;
    std::string name, text;
  };
  const std::vector<Happening>& happenings() const { return happenings_; }  // events, jumps, folds

  // For who may write into it, in all calls to come: they go on from the positions, orientations, velocities and spins
  // that they find. Its columns stay where they are, `distance` numbers apart.
  Nodes& lend() { return is_lent_ = true, state_.nodes; }
  std::size_t distance() const { return block_.distance(); }

  // A name that stages or events set: it has this value until a stage or an event sets it again.
  void set(const std::string& name, double value);
  double value(const std::string& name) const;
  std::vector<std::string> names() const;  // of those that can be set

  // On a node, in world axes, beside all that the scene says, from now on until it is said again. Not in checkpoints.
  void apply(int node, const Wrench<double>& wrench);

  std::vector<EnergyPart> energy();
  // The exact stiffness of the state, whatever is held: [node] moves along x, y, z and turns about them. Until the next
  // call.
  const BlockMatrix& stiffness();
  std::vector<Vibration> modes(int count);

  void save(const std::filesystem::path& path);
  void load(const std::filesystem::path& path);

 private:
  void begin();
  void take_over_changes();
  void resume();
  void keep_place();
  void note(const StepReport& r);
  void check() const;
  void one_step();
  template <class Action>
  void guarded(const Action& act);
  long long steps_while(const std::function<bool(long long taken)>& wanted);
  Inputs inputs_at_rest() const;
  void refuse_unsuited_contact(const Inputs& in) const;
  std::size_t slot(const std::string& name) const;

  const Plan plan_;
  const TimeScales scales_;
  std::function<bool()> may_go_on_;
  ColumnBlock block_;  // before the state, whose columns lie there
  State state_, good_, begun_;
  Course course_;
  Watchdog watchdog_;
  NewtonWork newton_;  // of what is asked for beside the steps
  std::map<int, Wrench<double>> applied_;
  std::vector<Happening> happenings_;
  std::string end_;  // why no further step is taken, before the schedule is at its end
  bool is_lent_ = false, is_lost_ = false;
};

}  // namespace ls
