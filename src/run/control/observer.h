#pragma once
#include "scene/schedule.h"
#include "step/work.h"

namespace ls {

// Bits of Memory::events.
enum EventMark : std::uint8_t { event_holds = 1, event_happened = 2 };

// Looks at the state after each step for the schedule: what expressions read of it, and which events happen. All it
// keeps is in the Memory.
class Observer {
 public:
  // The plan, the schedule and the work outlive it.
  Observer(const Plan& plan, Schedule& schedule, Work& work);

  bool is_idle() const { return plan_.watches.empty() && plan_.events.empty(); }
  // The values that expressions read, from now on.
  void read(State& s);
  // Likewise, and the events that happen now, by their numbers. What they set is set from now on. ledger: whether the
  // work of fields that are switched by all this is to be noted.
  std::vector<int> look(State& s, bool ledger);

 private:
  struct Group {
    Probe probe;  // with all that is asked of one body, node or place
  };
  struct Column {
    int group;
    std::array<std::size_t, 3> at;  // where they were last found
  };
  void add(const Watch& watch);
  bool holds(int event, std::span<const double> values, std::uint8_t& mark) const;
  std::vector<int> happening(State& s);
  bool moves_fields() const;

  const Plan& plan_;
  Schedule& schedule_;
  Work& work_;
  std::vector<Group> groups_;
  std::vector<Column> columns_;  // [watch]; group -1: of contact
  bool watches_contact_ = false;
  bool moves_fields_ = false;  // fields, gravity or moments go by what is read or set here
};

}  // namespace ls
