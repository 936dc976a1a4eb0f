// What markers cost in the cilia scene (validation/cilia): steps of it, in turns with steps of the same rods and the
// same fluid that do not know of each other, and with steps of the lattice alone. One thread: its own time; more: wall
// time.
#include "base/isa.h"
#include "bench/clock.h"
#include "run/estimates/time_scales.h"
#include "run/fluid/fluid_stepper.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace ls;
using bench::now;

// Times of the same work, again and again.
class Times {
 public:
  explicit Times(int threads) : threads_(threads) {}
  template <class F>
  void add(const F& work) {
    const double start = now(threads_);
    work();
    all_.push_back(now(threads_) - start);
  }
  double median() const { return 1e6 * middle_of(all_); }  // us
  // How much more this takes, of itself. Each time has another one right beside it: what slows the machine down for a
  // while slows both.
  double more_than(const Times& other) const {
    std::vector<double> parts;
    for (std::size_t k = 0; k < all_.size(); ++k) parts.push_back(1 - other.all_[k] / all_[k]);
    return middle_of(parts);
  }

 private:
  static double middle_of(std::vector<double> v) {
    const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
    std::nth_element(v.begin(), middle, v.end());
    return *middle;
  }

  int threads_;
  std::vector<double> all_;  // s
};

class Scene {
 public:
  Scene(const std::vector<std::string>& sets, int threads)
      : plan_(read_scene(std::string(LODESTONE_SOURCE_DIR) + "/validation/cilia/cilia.toml", sets)),
        work_(plan_.model, threads),
        schedule_(plan_, time_scales(plan_).dt),
        state_(plan_.start) {
    state_.fluid = first_fluid(plan_);
    schedule_.begin_stage(state_);
    stepper_ = make_fluid_stepper(false, plan_, schedule_, work_);
    if (stepper_->begin_stage(state_).outcome != Outcome::done) std::abort();
  }
  void step() {
    if (stepper_->step(state_).outcome != Outcome::done) std::abort();
  }
  void step_lattice() { plan_.fluid.box->lattice().step(state_.fluid, {}, nullptr, work_.team); }

 private:
  Plan plan_;
  Work work_;
  Schedule schedule_;
  State state_;
  std::unique_ptr<Stepper> stepper_;
};

void measure(int threads, int rounds) {
  constexpr int steps = 20, bent = 3000;  // a round; until the cilia follow the field
  Scene coupled({}, threads), apart({"rod.cilium.fluid=false", "damping.time=1 ms"}, threads), bare({}, threads);
  for (int i = 0; i < bent; ++i) coupled.step(), apart.step();
  Times with(threads), without(threads), alone(threads);
  for (int i = 0; i < rounds; ++i) {
    with.add([&] {
      for (int k = 0; k < steps; ++k) coupled.step();
    });
    without.add([&] {
      for (int k = 0; k < steps; ++k) apart.step();
    });
    alone.add([&] {
      for (int k = 0; k < steps; ++k) bare.step_lattice();
    });
  }
  std::printf("%s,%d,%.1f,%.1f,%.1f,%.1f\n", name(chosen_isa()).c_str(), threads, with.median() / steps,
              without.median() / steps, alone.median() / steps, 100 * with.more_than(without));
}

}  // namespace

int main(int count, char** words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : 100, most = count > 2 ? std::atoi(words[2]) : 2;
  std::printf("isa,threads,us_per_step,us_without_markers,us_lattice_alone,percent_markers\n");
  for (int threads = 1; threads <= most; ++threads) measure(threads, std::max(1, rounds));
}
