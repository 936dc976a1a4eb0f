#pragma once
#include "run/estimates/time_scales.h"
#include "scene/schedule.h"
#include "step/work.h"

// Energy that nothing brought in gives a solver away that has become unstable, long before its numbers overflow; where
// the model gives way at large motions, they may never do.
namespace ls {

// Whether nothing from outside does work in a stage: its energy can only fall.
bool is_closed(const Plan& plan, int stage);

// Explicit steps longer than the largest stable one. The start tells that one: tension or contact may make it shorter.
bool is_beyond_critical(const Plan& plan, const Schedule& schedule, const TimeScales& scales, int stage);
// For who starts such a run; empty: there is nothing to say.
std::string step_warning(const Plan& plan, const TimeScales& scales);

// Holds the energy of a run against what went into it.
class EnergyWatch {
 public:
  EnergyWatch(const Plan& plan, const Schedule& schedule, const TimeScales& scales, Work& work);

  // Of the stage that a state stands in, as it begins or is resumed.
  void begin(const State& s);
  // False where more energy has come from nothing than a stable scheme can explain, for the second time in a row.
  bool approves(const State& s);
  bool is_suspicious() const { return is_suspicious_; }  // after the first time
  // What it saw when it last did not approve.
  std::string complaint(const State& s) const;
  // Of a solver whose balance is told rather than judged: static steps go along straight lines, and a barrier may have
  // to become stiffer. Empty: it is fine.
  std::string warning() const;
  // How far midpoint steps, which should keep energy, were off where nothing from outside did work: of the largest
  // energy of what moved and strained.
  double drift() const { return drift_; }

 private:
  // By the ledger; by the total energy, which nothing may raise; or not at all.
  enum class Books : std::uint8_t { none, closed, ledger };
  Books books_of(int stage) const;
  double balance(const State& s, double total) const;
  double most_explained(int stage) const;

  const Plan& plan_;
  const Schedule& schedule_;
  const TimeScales& scales_;
  Work& work_;
  Books books_ = Books::none;
  bool judges_ = true;    // false: it only warns
  bool keeps_ = false;    // energy should stay what it is
  double reference_ = 0;  // J, the balance when the stage began
  double most_ = 0;       // J, the largest energy of what moves and strains
  double gain_ = 0;       // J, when it last looked
  double rounding_ = 0;   // J
  double drift_ = 0;      // the largest share of most_ that a stage which keeps energy was off by
  // The largest gain of a stage that is told, beside the largest energy that it had: what is much at first, while next
  // to nothing moves or strains, need not be much of it.
  struct Told {
    double gain = 0, scale = 0;  // J
    std::string stage;
    double share() const { return gain > 0 ? gain / scale : 0; }
  };
  Told now_, worst_;  // of this stage, of those before
  bool is_suspicious_ = false;
};

}  // namespace ls
