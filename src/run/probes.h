#pragma once
#include "scene/plan.h"
#include "step/work.h"

namespace ls {

// Whether something that happens so often is due at the end of a step of length dt.
bool is_due(const Every& every, const Clock& clock, double dt);

// The lines of probes.csv.
class ProbeTable {
 public:
  ProbeTable(const Plan& plan, Work& work);

  std::string header() const;
  bool any_due(const Clock& clock, double dt) const;
  // all: every probe is recorded, as at the start and at the end of a stage; else those that are due. bad: the first
  // column whose value is no number; such a row is not one to keep.
  std::string row(const State& s, const Inputs& in, double dt, bool all, const std::string& event, Work& work,
                  std::string& bad) const;

 private:
  struct Column {
    int probe;
    std::string name;
  };
  const Plan& plan_;
  std::vector<Column> columns_;
};

}  // namespace ls
