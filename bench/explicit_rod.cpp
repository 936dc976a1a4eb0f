// Nanoseconds per node and step of the explicit stepper, everything included: bonds, gravity, global and per-mode
// damping, rotations, integration. Of one thread they are its own time.
//
//   explicit_rod                               every table
//   explicit_rod MODEL BONDS yes|no [RODS]     one line: bonds of a rod, with damping of its own or not
#include "base/isa.h"
#include "bench/clock.h"
#include "build/builder.h"
#include "build/drag_layout.h"
#include "step/explicit_step.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace ls;

namespace {

struct Rods {
  const char* model;
  int bonds;  // of each
  bool damped;
  int count = 1;
  bool drag = false;  // in a fluid at rest
};

RodSpec spec(const Rods& rods, int number) {
  RodSpec r;
  r.name = "rod" + std::to_string(number);
  r.model = rods.model;
  const double y = 0.02 * number;
  r.line = line({0, y, 0}, {0.3, y, 0}, rods.bonds, {0, 0, 1});
  const Elasticity e{1.3e6, 433e3};
  r.section = [e](double) { return circular_section(3.1e-3, e.poisson()); };
  r.material = [e](double) { return e; };
  r.density = [](double) { return 1200.0; };
  r.hold_start = hold_all;
  r.random = {0.01, 0.1, true, true, true, 5};
  if (rods.damped)
    r.damping = [](const ElasticBond& b) {
      const double t = 1e-9;
      return BondDamping::Params<double>{t * b.kr, t * b.ks1, t * b.ks2, t * b.kb1, t * b.kb2, t * b.kt, b.l};
    };
  return r;
}

Builder::Result build(const Rods& rods) {
  Builder b;
  for (int k = 0; k < rods.count; ++k) b.add(spec(rods, k));
  Builder::Result made = b.finish();
  if (rods.drag) made.model.drag = lay_drag(made.model, made.state.nodes, 1e-3);
  return made;
}

Inputs inputs(const Builder::Result& r, const Rods& rods) {
  Inputs in;
  const double coarse = 300.0 / rods.bonds;
  in.dt = 1e-7 * coarse * coarse;  // the critical step goes with the square of the bond length
  in.gravity = {0, -9.81, 0};
  in.damping_rate = in.spin_damping_rate = 0.1;
  for (int node = 0; node < r.model.nodes; node += rods.bonds + 1)
    in.held.push_back({node, hold_all, r.state.nodes.frame(node), {}});
  return in;
}

// Rods with their scratch, to be stepped in portions.
class Trial {
 public:
  Trial(const Rods& rods, int threads)
      : rods_(build(rods)),
        in_(together, inputs(rods_, rods)),
        work_(rods_.model, threads),
        threads_(threads),
        steps_((3000000 / rods_.model.nodes / together + 1) * together) {
    start_explicit(rods_.model, in_[0], rods_.state, work_);
    portion();  // warms the caches, and lets the threads settle
  }
  double portion() {  // ns per node and step
    const double before = bench::now(threads_);
    for (int n = 0; n < steps_; n += together)
      if (steps_explicit(rods_.model, in_, rods_.state, work_) != Outcome::done) std::abort();
    return 1e9 * (bench::now(threads_) - before) / steps_ / rods_.model.nodes;
  }
  double bytes_per_node() const {
    const double state = 19.0 * sizeof(double) * padded(rods_.model.nodes);
    return (static_cast<double>(rods_.model.bytes() + work_.bytes()) + state) / rods_.model.nodes;
  }

 private:
  static constexpr int together = 8;  // steps, as a run takes them where nothing is due
  Builder::Result rods_;
  std::vector<Inputs> in_;
  Work work_;
  int threads_, steps_;
};

double median(std::vector<double> a) {
  std::nth_element(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2), a.end());
  return a[a.size() / 2];
}

void one_line(const std::string& isa, const Rods& rods) {
  Trial t(rods, 1);
  std::vector<double> times(7);
  for (double& x : times) x = t.portion();
  std::printf("%s,%s,%d,%d,%s,%.1f,%.0f\n", isa.c_str(), rods.model, rods.count, rods.bonds, rods.damped ? "yes" : "no",
              median(times), t.bytes_per_node());
  std::fflush(stdout);
}

void head() {
  std::printf("isa,model,rods,bonds,bond_damping,ns_per_node_step,bytes_per_node\n");
}

void all_models(const std::string& isa) {
  head();
  for (const char* model : {"exact", "corotational", "vector"})
    for (const int bonds : {300, 3000, 100000})
      for (const bool damped : {false, true}) one_line(isa, {model, bonds, damped});
  one_line(isa, {"exact", 1000000, false});
  for (const char* model : {"exact", "corotational"})
    for (const bool damped : {false, true}) one_line(isa, {model, 10, damped, 64});
}

// One thread and two take turns, so that whatever else the machine does meets both.
void threads(const std::string& isa) {
  std::printf("isa,model,bonds,ns_one_thread,ns_two_threads,ratio\n");
  for (const int bonds : {100, 300, 1000, 3000, 10000, 30000, 100000}) {
    Trial one({"exact", bonds, true}, 1), two({"exact", bonds, true}, 2);
    std::vector<double> a(11), b(11);
    for (int i = 0; i < 11; ++i) a[i] = one.portion(), b[i] = two.portion();
    std::printf("%s,exact,%d,%.1f,%.1f,%.2f\n", isa.c_str(), bonds, median(a), median(b), median(b) / median(a));
  }
}

void drag(const std::string& isa) {
  std::printf("isa,model,bonds,ns_without_drag,ns_with_drag,ratio\n");
  for (const int bonds : {3000, 100000}) {
    Trial without({"exact", bonds, false}, 1), with({"exact", bonds, false, 1, true}, 1);
    std::vector<double> a(15), b(15), ratio(15);
    for (int i = 0; i < 15; ++i) a[i] = without.portion(), b[i] = with.portion(), ratio[i] = b[i] / a[i];
    std::printf("%s,exact,%d,%.1f,%.1f,%.2f\n", isa.c_str(), bonds, median(a), median(b), median(ratio));
  }
}

}  // namespace

int main(int count, char** words) {
  const std::string isa = name(chosen_isa());
  if (count > 3) {
    head();
    one_line(isa, {words[1], std::atoi(words[2]), std::string(words[3]) == "yes", count > 4 ? std::atoi(words[4]) : 1});
    return 0;
  }
  all_models(isa);
  threads(isa);
  drag(isa);
}
