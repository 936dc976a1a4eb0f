#pragma once
#include "math/dual.h"
#include "model/inputs.h"
#include "scene/plan.h"

namespace ls {

// The plan as a clock sees it: how long the stages and their steps are, and what the schedule says at each step.
// Between the beginning of one stage and the next it does not change, but for what expressions read of the state and
// what events set (take_note).
class Schedule {
 public:
  // dt: the step where neither stage nor solver gives one, s. With a fluid, its step is that of the schedule, and this
  // one the longest for the solids. The plan must outlive the schedule and the inputs.
  Schedule(const Plan& plan, double dt);

  struct Span {
    double duration, dt;  // s
    long long steps;
    int substeps = 1;  // of explicit solids in a step of the fluid
  };
  const std::vector<Span>& spans() const { return spans_; }
  // The stages of a run that goes on are as long as they were, and so are their steps; before a stage begins or is
  // resumed. kept: of the first stages
  void keep_spans(std::span<const Span> kept);
  long long total_steps() const;
  double total_time() const;

  // Which degrees of freedom are held in a stage: [node] Hold bits.
  std::vector<std::uint8_t> held(int stage) const;

  // When a stage begins: remembers where its held nodes are. On resume they come with the state.
  void begin_stage(State& s);
  void resume_stage(const State& s);
  // After a step, when variables in the memory have changed.
  void take_note(const Memory& memory);
  // When it is over, before the clock goes on to the next: that one finds variables and magnets as they are now.
  void end_stage(State& s) const;

  // What holds at a share of the step that the clock is about to take. Inputs that were set before in this stage are
  // cheaper to set again.
  void evaluate(const Clock& clock, double share, Inputs& in) const;
  Inputs within(const Clock& clock, double share) const;
  Inputs next(const Clock& clock) const { return within(clock, 1); }           // at its end
  Inputs now(const Clock& clock) const { return within(clock, clock.share); }  // where the clock stands
  // The clock after so many more steps of the stage.
  Clock after(Clock clock, int steps) const;
  bool stage_is_over(const Clock& clock) const;
  // [variable] where the clock stands.
  std::vector<double> values(const Clock& clock) const { return values_at(clock, clock.share); }

  // From now on these act beside the loads of every stage, as they are. Once more when the stage has begun or is
  // resumed.
  void set_more_loads(std::vector<LoadGroup> loads);

  // From now on all inputs have this flow around the markers.
  void set_flow(const MarkerFlow* flow) { flow_ = flow; }

 private:
  using Values = std::vector<double>;  // [variable]
  using Rate = Dual<double, 1>;        // a value and its rate
  std::vector<Rate> rates_at(int stage, const Inputs& in) const;
  void set_motors(int stage, Inputs& in) const;
  void set_reels(Inputs& in) const;
  template <class T>
  void set_variables(int stage, const T& t, const T& s, std::vector<T>& values) const;
  Values values_at(const Clock& clock, double share) const;
  double share_of_stage(const Clock& clock, double share) const;
  double time_at(const Clock& clock, double share) const;
  void set_held(int stage, Inputs& in) const;
  void set_loads(Inputs& in) const;
  void set_fluid(const Values& now, Inputs& in) const;
  Frame<double> magnet_pose(int stage, int field, const Values& now) const;

  const Plan& plan_;
  std::vector<Span> spans_;
  const MarkerFlow* flow_ = nullptr;
  std::vector<LoadGroup> more_loads_;  // of no stage
  // Of the stage under way:
  int stage_ = 0;
  Inputs base_;                                   // what does not change in it
  double stage_start_ = 0;                        // s
  Values before_;                                 // at its start, or since an event or the last step
  std::vector<std::uint8_t> set_by_event_;        // [variable] the stage no longer does; empty: none is
  bool ended_ = false;                            // by an event
  std::vector<Frame<double>> anchors_;            // [held node]
  std::vector<std::vector<int>> drives_of_held_;  // [held node] the stage's drives on it
  std::vector<Frame<double>> magnet_anchors_;     // [field] poses at its start
};

}  // namespace ls
