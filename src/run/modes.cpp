#include "run/modes.h"

#include "base/error.h"
#include "model/node_name.h"
#include "output/checkpoint.h"
#include "output/files.h"
#include "output/mode_files.h"
#include "output/take_snapshot.h"
#include "picture/picture.h"
#include "run/estimates/time_scales.h"
#include "scene/schedule.h"
#include "step/model_size.h"
#include "step/newton/rest.h"
#include "terms/dipoles/dipole_term.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls {

namespace fs = std::filesystem;

namespace {

constexpr int most_pictures = 6;

// What the schedule says where the run ended. Heat is left out: it has no equilibrium.
Inputs inputs_at_end(Schedule& schedule, const State& s) {
  schedule.resume_stage(s);
  Inputs in = schedule.now(s.clock);
  in.temperature = 0;
  return in;
}

std::string why_not(const Plan& plan, const RestResult& r) {
  if (r.stop == NewtonStop::not_finite)
    return fmt::format("the force on {} is not a finite number", node_name(plan.model, r.node));
  return fmt::format(
      "no equilibrium near where the run ended: Newton's method does not settle, and the largest corrections are at "
      "{}. Let the scene come to rest (damping, a longer last stage, kind = \"static\"), and hold what something pulls",
      node_name(plan.model, r.node));
}

std::string table(const std::vector<Vibration>& modes, double floor) {
  std::string text = "mode,frequency_Hz,omega_squared,stable\n";
  for (std::size_t k = 0; k < modes.size(); ++k)
    text += fmt::format("{},{:.17g},{:.17g},{}\n", k + 1, modes[k].frequency(), modes[k].omega_squared,
                        modes[k].omega_squared < -floor ? 0 : 1);
  return text;
}

// The first shapes, each a picture of its own in the plane where it is seen best.
std::string pictures(const Snapshot& state, const std::vector<Vibration>& modes, const Vec3<double>& gravity) {
  constexpr int across = 2, wide = 600, high = 400;  // pixels of 900 x 600
  PictureOptions options;
  options.first = &state;
  options.colour_by = "body";
  if (const double g = norm(gravity); g > 0) options.up = {-gravity.x / g, -gravity.y / g, -gravity.z / g};
  const int count = std::min(most_pictures, static_cast<int>(modes.size()));
  std::string body;
  for (int k = 0; k < count; ++k) {
    const Vibration& mode = modes[k];
    options.title = fmt::format("Mode {}: {:.4g} Hz", k + 1, mode.frequency());
    std::string one = picture_svg(moved_by(state, mode, visible_scale(state, mode)), options);
    one.erase(0, one.find("<svg"));  // the XML declaration may stand but once
    body += fmt::format("<g transform=\"translate({} {}) scale({:.6f})\">\n{}</g>\n", wide * (k % across),
                        high * (k / across), wide / 900.0, one);
  }
  const int columns = std::min(across, count), rows = (count + across - 1) / across;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n{2}</svg>\n",
      wide * columns, high * rows, body);
}

void write_files(const Plan& plan, const State& s, const Inputs& in, ModesReport& r) {
  const fs::path& folder = r.run.folder;
  const Snapshot state = take_snapshot(plan.model, s, plan.stages[s.clock.stage].name);
  // The run may have left modes of its own there, of what gave way: these get another name.
  for (std::size_t k = 0; k < r.modes.size(); ++k)
    write_mode(folder, static_cast<int>(k) + 1, state, r.modes[k], "vibration");
  r.table = folder / "modes.csv";
  write_atomically(r.table, table(r.modes, r.floor));
  if (!plan.output.picture || r.modes.empty()) return;
  r.picture = folder / "modes.svg";
  write_atomically(r.picture, pictures(state, r.modes, in.gravity));
}

// What the stiffness has only in part of magnets on each other; empty: it has all.
std::string left_out_of(const Model& m, const std::vector<HeldNode>& held) {
  if (!m.dipoles.interact) return "";
  if (m.dipoles.method == DipoleMethod::ewald)
    return "of a periodic box the stiffness between magnets is that of their nearest copies: frequencies that they set "
           "are estimates";
  std::vector<std::uint8_t> moves(static_cast<std::size_t>(m.nodes), 0);
  for (const Dipole& d : all_dipoles(m)) moves[d.node] = 1;
  for (const SoftCell& c : m.soft.cells) moves[c.node] = 1;
  for (const HeldNode& h : held)
    if (h.mask == hold_all) moves[h.node] = 0;
  if (std::ranges::count(moves, 1) <= most_vibrating && static_cast<int>(m.soft.cells.size()) <= most_vibrating)
    return "";
  return fmt::format(
      "of more than {} magnets or cells only those near each other are coupled: frequencies that far ones set are "
      "estimates",
      most_vibrating);
}

// Below this an omega^2 is nothing: rounding of the stiffest motion, but never so much that a slow vibration is lost.
double rounding(const Model& m, const Inputs& in, const State& s, NewtonWork& newton) {
  const double slow = vibration_scale(m, in, in.held, s, newton, 1),
               fast = vibration_scale(m, in, in.held, s, newton, 6 * m.nodes);
  return std::max(1e-9 * slow, std::min(2e-16 * fast, 1e-4 * slow));
}

}  // namespace

ModesReport find_modes(const Plan& given, const ModesOptions& o) {
  const Plan plan = started(given);
  ModesReport r;
  if (plan.fluid)
    throw Error(fmt::format("{}: fluid: vibrations are those of solids alone; leave out [fluid]", plan.file));
  const FolderLock lock(o.run.out);
  r.run = run(plan, o.run, lock);
  if (r.run.status != RunStatus::done && r.run.status != RunStatus::lost_stability) {
    r.message = r.run.message;
    return r;
  }
  State s = read_checkpoint(r.run.folder / "checkpoint.h5").state;
  Schedule schedule(plan, time_scales(plan).dt);
  Inputs in = inputs_at_end(schedule, s);
  Work work(plan.model, 1);
  NewtonWork newton(plan.model, work.terms);
  newton.size = model_size(plan.model, plan.start.nodes);
  if (plan.kind(s.clock.stage) != SolverKind::statics) {  // a static run ends in equilibrium
    NewtonSettings settings;
    settings.tolerance = plan.solver.tolerance;
    const RestResult rest = find_rest(plan.model, in, s, work, newton, settings);
    if (!rest.ok()) {
      r.message = why_not(plan, rest);
      return r;
    }
    r.moved = rest.moved;
  }
  newton.spinners.clear();
  in.of_vibrations = true;
  r.modes = natural_vibrations(plan.model, in, in.held, s, newton, o.count);
  if (r.modes.empty()) {
    r.message = "the stiffness of the last state can't be factored: is any degree of freedom free to move?";
    return r;
  }
  r.left_out = left_out_of(plan.model, in.held);
  r.floor = rounding(plan.model, in, s, newton);
  for (const auto& mode : r.modes)
    if (std::abs(mode.omega_squared) < r.floor)
      ++r.floating;
    else if (mode.omega_squared < 0)
      ++r.unstable;
  r.found = true;
  write_files(plan, s, in, r);
  return r;
}

}  // namespace ls
