#include "run/resume/resume.h"

#include "base/error.h"
#include "run/estimates/time_scales.h"
#include "run/resume/leavings.h"
#include "run/resume/scene_changes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls {

namespace fs = std::filesystem;

bool has_checkpoint(const fs::path& folder) {
  std::error_code e;
  return fs::exists(folder / checkpoint_file, e) || fs::exists(folder / checkpoint_before_file, e);
}

LastCheckpoint last_checkpoint(const fs::path& folder) {
  std::error_code e;
  try {
    return {read_checkpoint(folder / checkpoint_file), "", false};
  } catch (const Error& last) {
    if (!fs::exists(folder / checkpoint_before_file, e)) throw;
    try {
      LastCheckpoint before{read_checkpoint(folder / checkpoint_before_file), "", true};
      before.warning = fmt::format("{}; the checkpoint before it is used, of step {}", last.what(),
                                   before.checkpoint.state.clock.step);
      return before;
    } catch (const Error& other) {
      throw Error(fmt::format("{}; nor can the checkpoint before it be used: {}", last.what(), other.what()),
                  Fault::io);
    }
  }
}

namespace {

constexpr std::size_t most_told = 5;  // changes

std::string told(const std::vector<std::string>& all) {
  const std::size_t count = std::min(all.size(), most_told);
  std::string text = fmt::format("{}", fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), "; "));
  return all.size() > count ? text + fmt::format("; and {} more", all.size() - count) : text;
}

[[noreturn]] void refuse_change(const fs::path& folder, const std::vector<std::string>& why) {
  throw Error(fmt::format("{}: the scene has changed since that run began: {}. Undo the change, or give another --out",
                          folder.string(), told(why)));
}

// The explicit solver keeps the ledger only where a probe asks: from the middle of a run it would be wrong.
bool asks_for_ledger(const TomlValue& scene) {
  const TomlEntry* probes = scene.find("probe");
  if (!probes || !probes->value.list()) return false;
  const auto is_ledger = [](const TomlValue& v) { return v.text() && *v.text() == "ledger"; };
  for (const TomlValue& probe : *probes->value.list())
    if (const TomlEntry* record = probe.find("record")) {
      if (is_ledger(record->value)) return true;
      if (const auto* list = record->value.list(); list && std::ranges::any_of(*list, is_ledger)) return true;
    }
  return false;
}

struct Changes {
  std::vector<SceneChange> all, lengths;
};

// What has changed, all of which may.
Changes changes_of(const Checkpoint& c, const Plan& plan, const fs::path& folder) {
  Changes found;
  if (c.scene == plan.text && c.sets == plan.sets) return found;
  const TomlValue before = scene_tree(c.scene, c.sets), now = scene_tree(plan.text, plan.sets);
  std::vector<std::string> bad;
  for (const SceneChange& change : scene_changes(before, now)) {
    if (!may_change(change)) bad.push_back(complaint(change));
    if (is_length(change)) found.lengths.push_back(change);
    found.all.push_back(change);
  }
  if (plan.uses(SolverKind::explicit_dynamics) && asks_for_ledger(now) && !asks_for_ledger(before))
    bad.emplace_back("a probe records the ledger, which was not kept so far");
  if (!bad.empty()) refuse_change(folder, bad);
  return found;
}

void expect_same_files(const Checkpoint& c, const Plan& plan, const fs::path& folder) {
  const auto same = [](const UsedFile& a, const UsedFile& b) { return a.name == b.name && a.hash == b.hash; };
  for (std::size_t i = 0; i < std::min(c.files.size(), plan.files.size()); ++i)
    if (!same(c.files[i], plan.files[i]))
      throw Error(fmt::format("{}: {} has changed since that run began; put it back, or give another --out",
                              folder.string(), plan.files[i].name),
                  Fault::io);
  if (c.files.size() != plan.files.size())
    throw Error(fmt::format("{}: that run used {} files besides its scene, this one {}; give another --out",
                            folder.string(), c.files.size(), plan.files.size()),
                Fault::io);
}

// Lengths of all that has one; what a solver keeps for itself (a path, angles of bonds) may be empty.
void expect_fit(const Checkpoint& c, const Plan& plan, const Schedule& schedule, const fs::path& folder) {
  const auto expect = [&](const char* what, std::size_t found, std::size_t wanted) {
    if (found != wanted)
      throw Error(fmt::format("{}: the checkpoint does not fit this scene: {} {} where the scene has {}",
                              folder.string(), found, what, wanted),
                  Fault::io);
  };
  const auto size = [](auto count) { return static_cast<std::size_t>(count); };
  const State& s = c.state;
  const Memory& m = s.memory;
  expect("nodes", size(s.nodes.count), size(plan.model.nodes));
  expect("numbers of stages", c.spans.size(), 3 * plan.stages.size());
  if (s.clock.stage < 0 || size(s.clock.stage) >= plan.stages.size() || s.clock.step_in_stage < 0)
    throw Error(fmt::format("{}: the checkpoint does not fit this scene: it stands in stage {} of {}", folder.string(),
                            s.clock.stage + 1, plan.stages.size()),
                Fault::io);
  expect("bonds that may break", m.broken.size(), plan.start.memory.broken.size());
  if (!m.angles.empty()) expect("angles of bonds", m.angles.size(), 3 * size(plan.model.bonds()));
  const auto masks = schedule.held(s.clock.stage);
  expect("numbers of held nodes", m.anchors.size(),
         7 * size(std::ranges::count_if(masks, [](auto a) { return a != 0; })));
  expect("variables", m.variables.size(), plan.first_values.size());
  if (!m.set_by_event.empty()) expect("variables that events set", m.set_by_event.size(), plan.first_values.size());
  expect("events", m.events.size(), plan.events.size());
  const auto magnets = std::ranges::count_if(plan.fields, [](const SceneField& f) { return f.magnet() != nullptr; });
  expect("lengths of ropes", m.reels.size(), plan.model.joints.reels.size());
  expect("numbers of magnets", m.field_anchors.size(), 7 * size(magnets));
  expect("numbers of slip", m.slip.size(), 3 * m.touching.size());
  if (!m.marker_impulse.empty()) expect("markers", m.marker_impulse.size(), plan.model.markers.markers.size());
  expect("bytes of the fluid", s.fluid.populations.size(), plan.fluid ? plan.fluid.box->lattice().bytes() : 0);
  if (s.fluid.steps > 0)  // before the first step they have none
    expect("velocities of tracers", s.fluid.tracers.velocity.size(), s.fluid.tracers.x.size());
  expect("marks of tracers", s.fluid.tracers.mark.size(), s.fluid.tracers.x.size());
}

std::vector<Schedule::Span> stored_spans(const Checkpoint& c) {
  std::vector<Schedule::Span> spans;
  for (std::size_t k = 0; k + 2 < c.spans.size(); k += 3)
    spans.push_back({c.spans[k], c.spans[k + 1], static_cast<long long>(c.spans[k + 2])});
  return spans;
}

// The stage under way at another length: steps as long as before, more or fewer of them.
Schedule::Span lengthened(const Schedule::Span& was, const Schedule::Span& wanted) {
  Schedule::Span span = was;
  span.steps = std::max(1LL, static_cast<long long>(std::ceil(wanted.duration / was.dt * (1 - 1e-12))));
  const double whole = was.dt * static_cast<double>(span.steps);
  span.duration = std::abs(whole - wanted.duration) > 1e-9 * wanted.duration ? whole : wanted.duration;
  return span;
}

bool is_same(const Schedule::Span& a, const Schedule::Span& b) {
  return a.steps == b.steps && std::abs(a.duration - b.duration) <= 1e-9 * std::abs(a.duration);
}

// Stages that are over stay as they were, the one under way gets more steps or fewer, later ones are as the plan has
// them now.
std::vector<Schedule::Span> new_spans(const Checkpoint& c, const Plan& plan, const Schedule& schedule,
                                      const std::vector<SceneChange>& lengths, const fs::path& folder) {
  std::vector<Schedule::Span> spans = stored_spans(c);
  const auto stage = static_cast<std::size_t>(c.state.clock.stage);
  const auto refuse = [&](const SceneChange& change, const std::string& why) {
    refuse_change(folder, {complaint(change) + why});
  };
  for (const SceneChange& change : lengths) {
    const std::size_t of = change.item < 0 ? 0 : static_cast<std::size_t>(change.item);
    if (of < stage && !is_same(spans[of], schedule.spans()[of])) refuse(change, ", but that stage is over");
    if (of != stage) continue;
    const Schedule::Span& wanted = schedule.spans()[of];
    const bool is_steps = change.pattern.ends_with(".steps");
    if (is_steps && std::abs(wanted.dt / spans[of].dt - 1) > 1e-9) refuse(change, ", which makes other steps");
    if (!(spans[of].dt > 0)) refuse(change, ", and its steps have no length in time");
    const Schedule::Span longer = lengthened(spans[of], wanted);
    if (longer.steps != spans[of].steps && uses_share(plan, static_cast<int>(of)))
      refuse(change, ", and what the stage does depends on s, the share of it that is over");
    if (longer.steps < c.state.clock.step_in_stage)
      refuse(change, fmt::format(", but the run is at {:.6g} s of that stage already",
                                 static_cast<double>(c.state.clock.step_in_stage) * spans[of].dt));
    spans[of] = longer;
  }
  for (std::size_t k = stage + 1; k < spans.size(); ++k) spans[k] = schedule.spans()[k];
  return spans;
}

}  // namespace

Resumption resumption(const Checkpoint& c, const Plan& plan, const fs::path& folder) {
  const Changes changes = changes_of(c, plan, folder);
  expect_same_files(c, plan, folder);
  Resumption r;
  // Where no length has changed, nothing but what is held is asked of the schedule, and the step may be any.
  const Schedule schedule(plan, changes.lengths.empty() ? 1 : time_scales(plan).dt);
  expect_fit(c, plan, schedule, folder);
  for (const SceneChange& change : changes.all)
    if (change.was != "a table" && change.is != "a table") r.notes.push_back("resumed with " + account(change));
  if (r.notes.size() > most_told) {
    const std::size_t more = r.notes.size() - most_told;
    r.notes.resize(most_told);
    r.notes.push_back(fmt::format("and {} more changes of the scene", more));
  }
  r.spans = stored_spans(c);
  r.finished = c.finished;
  if (changes.lengths.empty()) return r;
  const Clock& clock = c.state.clock;
  // Where a run ended because stability was lost, more time does not help.
  const bool came_to_its_end =
      static_cast<std::size_t>(clock.stage) + 1 == r.spans.size() && clock.step_in_stage >= r.spans.back().steps;
  r.spans = new_spans(c, plan, schedule, changes.lengths, folder);
  if (c.finished && came_to_its_end) r.finished = clock.step_in_stage >= r.spans.back().steps;
  return r;
}

namespace {

struct ShareFinder {
  bool found = false;

  void look(const Expression& e) { found = found || e.uses(variable_s); }
  template <class T>
  void look(const std::optional<T>& e) {
    if (e) look(*e);
  }
  template <class T, std::size_t N>
  void look(const std::array<T, N>& all) {
    for (const auto& e : all) look(e);
  }
  void look(const FacePlan& face) { look(face.velocity), look(face.pressure); }
  void look(const UniformField& f) { look(f.b); }
  void look(const GradientField& f) { look(f.value), look(f.centre); }
  void look(const RotatingField& f) { look(f.amplitude), look(f.phase); }
  void look(const ExpressionField& f) { look(f.b); }
  void look(const PotentialField& f) { look(f.potential); }
  void look(const SceneMagnet& f) { look(f.position), look(f.orientation); }
  void look(const FunctionField&) {}  // of the time
  void look(const SceneField& f) {
    std::visit([this](const auto& kind) { look(kind); }, f.kind);
    look(f.factor);
  }
  void look(const Drive& d) { look(d.move), look(d.angle); }
  void look(const Load& l) { look(l.force), look(l.torque); }
};

}  // namespace

bool uses_share(const Plan& plan, int stage) {
  ShareFinder f;
  const Stage& now = plan.stages[stage];
  for (const auto& [slot, value] : now.set) f.look(value);
  for (const Drive& d : now.drives) f.look(d);
  for (const Drive& d : now.magnet_drives) f.look(d);
  for (const Load& l : now.loads) f.look(l);
  f.look(now.until);
  if (plan.has_gravity) f.look(plan.gravity);
  for (const SceneField& field : plan.fields) f.look(field);
  f.look(plan.stream);
  f.look(plan.fluid.body_force);
  f.look(plan.fluid.faces);
  return f.found;
}

}  // namespace ls
