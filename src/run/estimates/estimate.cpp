#include "run/estimates/estimate.h"

#include "base/work_clock.h"
#include "run/fields/field_files.h"
#include "run/fluid/fluid_files.h"
#include "run/fluid/fluid_stepper.h"
#include "run/frame_formats.h"
#include "run/probes.h"
#include "run/stepper.h"
#include "step/newton/newton_work.h"
#include "terms/dipoles/dipole_term.h"

#include <algorithm>
#include <chrono>

namespace ls {

namespace {

using Wall = std::chrono::steady_clock;

// The most that is spent on trying steps: `check` is asked for before a long run, not instead of it.
constexpr double longest_try = 2;  // s

// A step that was given up at longest_try goes mostly into factorisations. How many products of blocks they have is
// known, and the beats of the try tell how many were done; that Newton's method takes four of them is a guess.
double seconds_of_unfinished(const Plan& plan, const Work& work, long long beats) {
  if (!plan.uses_newton() || beats == 0) return longest_try;
  constexpr double iterations = 4;
  const double done = static_cast<double>(beats) * BlockLdlt::products_a_beat;
  const double all = NewtonWork(plan.model, work.terms).ldlt.products();
  return longest_try * std::max(1.0, iterations * all / done);
}

// Where bodies may meet, later steps cost more than the first: it goes on for a while, and the dearer of the whole and
// of its last third counts.
double seconds_a_step(const Plan& plan, Schedule& schedule, Work& work, int threads) {
  State s = plan.start;
  s.fluid = first_fluid(plan);
  schedule.begin_stage(s);
  auto start = Wall::now();
  const auto waited = [&start] { return std::chrono::duration<double>(Wall::now() - start).count(); };
  long long beats = 0;
  work.pulse = Pulse([&] { return ++beats, waited() < longest_try; });
  const auto stepper = make_stepper(plan.kind(0), plan, schedule, work);
  start = Wall::now();
  const WorkClock clock(threads);
  const double enough = plan.model.shapes && plan.stages[0].touching ? 1 : 0.05;  // s
  constexpr double long_enough = 1;                                               // s: one step of a large model may do
  std::vector<double> spent{0.0};                                                 // [step] s
  const long long most = schedule.spans()[0].steps;
  try {
    if (stepper->begin_stage(s).outcome == Outcome::diverged) return 0;
    while (static_cast<long long>(spent.size()) <= most && (spent.size() == 1 || waited() < longest_try) &&
           ((spent.size() < 4 && spent.back() < long_enough) || spent.back() < enough)) {
      const auto r = stepper->step(s);
      if (r.outcome == Outcome::diverged || r.lost_stability) break;
      spent.push_back(clock.seconds());
    }
  } catch (const Interrupted&) {
    if (spent.size() == 1) return seconds_of_unfinished(plan, work, beats);
    spent.push_back(clock.seconds());  // it takes that long at least
  }
  const std::size_t steps = spent.size() - 1, last = std::max<std::size_t>(1, steps / 3);
  if (steps == 0) return 0;
  const double mean = spent.back() / static_cast<double>(steps);
  return std::max(mean, (spent.back() - spent[steps - last]) / static_cast<double>(last));
}

double happenings(const Every& every, long long steps, double time) {
  if (every.steps > 0) return static_cast<double>(steps) / static_cast<double>(every.steps);
  return every.time > 0 ? time / every.time : 0;
}

double disk_bytes(const Plan& plan, long long steps, double time, Work& work) {
  const auto& o = plan.output;
  const double frames =
      2 + (o.frames.steps == 0 && o.frames.time == 0 && !o.frames_given ? 50 : happenings(o.frames, steps, time));
  double sum = 0;
  for (const FrameFormat& format : frame_formats(plan))
    if (format.is_wanted) sum += frames * format.writer->bytes_per_frame();
  const ProbeTable probes(plan, work);
  double rows = static_cast<double>(plan.stages.size()) + 1;
  for (const auto& p : plan.probes) rows = std::max(rows, happenings(p.every, steps, time));
  const std::string header = probes.header();
  sum += rows * 20 * static_cast<double>(1 + std::count(header.begin(), header.end(), ','));
  sum += ((o.field.is_repeated ? 2 : 1) + happenings(o.field.every, steps, time)) * FieldFiles::bytes_per_frame(plan);
  if (plan.fluid) {
    const FluidFiles::Bytes bytes = FluidFiles::bytes(plan);
    sum += (1 + happenings(o.fluid.every, steps, time)) * bytes.frame + frames * bytes.tracks;
    sum += happenings({.time = plan.fluid.tracers.cycle}, steps, time) * bytes.cycle;
    sum += 3 * static_cast<double>(plan.fluid.box->lattice().bytes());
  }
  return sum + 3 * 160.0 * plan.model.nodes;  // two checkpoints, and the next one beside them while it is written
}

Estimate::Dipoles count_dipoles(const Model& m) {
  Estimate::Dipoles d;
  if (!m.dipoles.interact) return d;
  d.method = m.dipoles.method;
  int last = -1, own = 0;
  for (const Dipole& one : all_dipoles(m)) {
    if (one.node != last) last = one.node, own = 0, ++d.nodes;
    d.pairs += d.count++ - own++;  // with all before it that are not its node's
  }
  std::vector<int> on(static_cast<std::size_t>(m.nodes), 0);
  for (const Dipole& one : all_dipoles(m)) ++on[one.node];
  for (const auto& [a, b] : joined_nodes(m, m.dipoles.exclude_bonds)) d.pairs -= static_cast<long long>(on[a]) * on[b];
  return d;
}

}  // namespace

Estimate estimate(const Plan& plan, int threads) {
  Estimate e;
  e.nodes = plan.model.nodes;
  e.bonds = plan.model.bonds();
  for (const BondTable& t : plan.model.bond_tables) e.terms.push_back({t.kernel, t.count()});
  e.dipoles = count_dipoles(plan.model);
  e.scales = time_scales(plan);
  Schedule schedule(plan, e.scales.dt);
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    const auto& p = schedule.spans()[k];
    e.stages.push_back({plan.stages[k].name, p.duration, p.dt, p.steps});
  }
  e.steps = schedule.total_steps();
  e.time = schedule.total_time();
  const int used = threads > 0 ? threads : plan.solver.threads;
  Work work(plan.model, used);  // one for all: of a large model it takes a while to make
  e.memory = memory_bytes(plan, work);
  e.disk = disk_bytes(plan, e.steps, e.time, work);
  e.seconds = seconds_a_step(plan, schedule, work, used) * static_cast<double>(e.steps);  // last: the pulse is its own
  return e;
}

}  // namespace ls
