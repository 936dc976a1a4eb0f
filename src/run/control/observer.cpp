#include "run/control/observer.h"

#include "math/component.h"
#include "run/probe_values.h"
#include "step/ledger.h"
#include "terms/make_terms.h"

#include <algorithm>

namespace ls {

namespace {

bool same_target(const Probe& a, const Probe& b) {
  const bool same_place = a.at.x == b.at.x && a.at.y == b.at.y && a.at.z == b.at.z;
  return a.of == b.of && a.index == b.index && a.single == b.single && a.nodes == b.nodes && same_place;
}

bool is_touching(const Watch& w, const std::vector<std::pair<int, int>>& pushing) {
  const auto has = [&](int side, int body) { return std::ranges::binary_search(w.touch[side], body); };
  return std::ranges::any_of(pushing, [&](const auto& pair) {
    return (has(0, pair.first) && has(1, pair.second)) || (has(1, pair.first) && has(0, pair.second));
  });
}

double value_in(const std::vector<ProbeValue>& values, const std::string& column, std::size_t& at) {
  if (at >= values.size() || values[at].column != column)
    at = static_cast<std::size_t>(std::ranges::find(values, column, &ProbeValue::column) - values.begin());
  return at < values.size() ? values[at].value : 0;
}

// Of one column, or the length of the vector that three of them are.
double value_in(const std::vector<ProbeValue>& values, const Watch& w, std::array<std::size_t, 3>& at) {
  if (w.columns.size() == 1) return value_in(values, w.columns[0], at[0]);
  Vec3<double> v;
  for (std::size_t k = 0; k < 3; ++k) component(v, static_cast<int>(k)) = value_in(values, w.columns[k], at[k]);
  return norm(v);
}

}  // namespace

Observer::Observer(const Plan& plan, Schedule& schedule, Work& work) : plan_(plan), schedule_(schedule), work_(work) {
  for (const Watch& watch : plan.watches) add(watch);
  moves_fields_ = moves_fields();
}

// Of one body or place all at once: what contact or magnets do to it is worked out once.
void Observer::add(const Watch& watch) {
  watches_contact_ = watches_contact_ || watch.is_contact();
  if (watch.is_contact()) return columns_.push_back({-1, {}});
  const auto same = [&](const Group& g) { return same_target(g.probe, watch.probe); };
  auto group = std::ranges::find_if(groups_, same);
  if (group == groups_.end()) group = groups_.insert(groups_.end(), {watch.probe});
  auto& record = group->probe.record;
  const std::string& what = watch.probe.record[0];
  if (std::ranges::find(record, what) == record.end()) record.push_back(what);
  columns_.push_back({static_cast<int>(group - groups_.begin()), {}});
}

// Whether the energies of fields change when what is read or set here does.
bool Observer::moves_fields() const {
  const bool has_any = plan_.has_gravity || !plan_.fields.empty() || !plan_.moment_factors.empty();
  return has_any && (!plan_.watches.empty() || !plan_.events.empty());
}

void Observer::read(State& s) {
  if (plan_.watches.empty()) return;
  const Inputs in = schedule_.now(s.clock);
  std::vector<std::vector<ProbeValue>> values;
  for (const Group& g : groups_) values.push_back(probe_values(plan_, g.probe, s, in, work_));
  std::vector<std::pair<int, int>> pushing;
  if (watches_contact_) pushing = contact_report(plan_.model, work_.terms, s, in).bodies;
  double* out = s.memory.variables.data() + plan_.first_watch();
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Watch& w = plan_.watches[k];
    Column& c = columns_[k];
    out[k] = c.group < 0 ? (is_touching(w, pushing) ? 1.0 : 0.0) : value_in(values[c.group], w, c.at);
  }
  schedule_.take_note(s.memory);
}

// Whether it happens: it begins to hold, and has not held since it could last happen again.
bool Observer::holds(int event, std::span<const double> values, std::uint8_t& mark) const {
  const PlannedEvent& e = plan_.events[event];
  const bool now = e.when(values) != 0;
  const bool before = (mark & event_holds) != 0;
  const bool rests = e.margin ? (*e.margin)(values) < -e.hysteresis : !now;
  if (before && rests) mark = static_cast<std::uint8_t>(mark & ~event_holds);
  if (before || !now || (e.once && (mark & event_happened))) return false;
  mark = event_holds | event_happened;
  return true;
}

// All look at the same values; of two that set the same, the later one in the scene counts.
std::vector<int> Observer::happening(State& s) {
  std::vector<int> events;
  if (plan_.events.empty()) return events;
  const std::vector<double> values = schedule_.values(s.clock);
  Memory& m = s.memory;
  for (std::size_t k = 0; k < plan_.events.size(); ++k) {
    if (!holds(static_cast<int>(k), values, m.events[k])) continue;
    events.push_back(static_cast<int>(k));
    if (plan_.events[k].ends_stage) m.stage_ended = 1;
    for (const auto& [slot, value] : plan_.events[k].set) {
      m.set_by_event.resize(m.variables.size(), 0);
      m.set_by_event[slot] = 1;
      m.variables[slot] = value(values);
    }
  }
  if (!events.empty()) schedule_.take_note(m);
  return events;
}

std::vector<int> Observer::look(State& s, bool ledger) {
  if (is_idle()) return {};
  const bool notes = ledger && moves_fields_;
  const std::vector<double> before = notes ? s.memory.variables : std::vector<double>();
  const Inputs was = notes ? schedule_.now(s.clock) : Inputs();
  read(s);
  std::vector<int> events = happening(s);
  if (notes && before != s.memory.variables)
    s.memory.ledger.fields += work_of_switching(plan_.model, was, schedule_.now(s.clock), s, work_);
  return events;
}

}  // namespace ls
