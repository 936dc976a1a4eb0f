#pragma once
#include "math/dual.h"
#include "model/inputs.h"
#include "scene/plan.h"

namespace ls {

// The plan as a clock sees it: how long the stages and their steps are, and what the schedule says at each step.
class Schedule {
 public:
  // dt: the step where neither stage nor solver gives one, s. With a fluid, its step is that of the schedule, and this
  // one the longest for the solids.
  Schedule(const Plan& plan, double dt);

  struct Span {
    double duration, dt;  // s
    long long steps;
    int substeps = 1;  // of explicit solids in a step of the fluid
  };
  const std::vector<Span>& spans() const { return spans_; }
  long long total_steps() const;
  double total_time() const;

  // Which degrees of freedom are held in a stage: [node] Hold bits.
  std::vector<std::uint8_t> held(int stage) const;

  // To be called when a stage begins: remembers where its held nodes are. On resume they come with the state.
  void begin_stage(State& s);
  void resume_stage(const State& s);

  // What holds at the end of the step that the clock is about to take (or, at the start of a stage, now).
  const Inputs& next(const Clock& clock);
  // The same at a share of that step: solvers may have to go there in smaller ones.
  const Inputs& within(const Clock& clock, double share);
  const Inputs& now(const Clock& clock);
  bool stage_is_over(const Clock& clock);

  // From now on all inputs have this flow around the markers.
  void set_flow(const MarkerFlow* flow) { inputs_.flow = flow; }

 private:
  template <class T>
  void set_variables(int stage, const T& t, const T& s, std::vector<T>& values) const;
  const Inputs& evaluate(int stage, double step);
  void set_held(int stage, double step);
  void set_magnets(int stage);
  void set_fluid();
  Frame<double> magnet_pose(int stage, int field) const;

  const Plan& plan_;
  std::vector<Span> spans_;
  Inputs inputs_;
  double stage_start_ = 0;                        // s
  std::vector<double> before_;                    // [variable] at the start of the stage
  std::vector<double> values_;                    // [variable] now: scratch
  std::vector<Dual<double, 1>> rates_;            // the same with their rates in time
  std::vector<Frame<double>> anchors_;            // [held node]
  std::vector<std::vector<int>> drives_of_held_;  // [held node] the stage's drives on it
  std::unique_ptr<SceneField> stream_;
  std::vector<std::unique_ptr<SceneField>> fields_;
  std::vector<SceneMagnet*> magnets_;          // [field] null: no magnet
  std::vector<Frame<double>> magnet_anchors_;  // [field] poses at the start of the stage
};

}  // namespace ls
