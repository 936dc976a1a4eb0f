#pragma once
#include "run/estimates/time_scales.h"

namespace ls {

// What a run of a plan would take.
struct Estimate {
  struct TermCount {
    std::string name;
    int count;
  };
  struct StageSpan {
    std::string name;
    double duration, dt;  // s
    long long steps;
  };
  struct Dipoles {  // that act on each other
    int count = 0, nodes = 0;
    long long pairs = 0;
    DipoleMethod method = DipoleMethod::direct;
  };
  int nodes = 0, bonds = 0;
  Dipoles dipoles;
  std::vector<TermCount> terms;
  std::vector<StageSpan> stages;
  TimeScales scales;
  long long steps = 0;
  double time = 0;         // s, simulated
  std::size_t memory = 0;  // bytes
  double disk = 0;         // bytes
  double seconds = 0;      // of wall time, from a few steps timed on a copy of the state
};

Estimate estimate(const Plan& plan, int threads);

}  // namespace ls
