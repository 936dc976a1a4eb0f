// Nanoseconds per node and step of the explicit stepper, everything included: bonds, gravity, global and per-mode
// damping, rotations, integration.
#include "base/isa.h"
#include "build/builder.h"
#include "build/drag_layout.h"
#include "step/explicit_step.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace ls;

namespace {

// drag: in a fluid at rest.
Builder::Result rod(const char* model, int bonds, bool damped, bool drag) {
  RodSpec r;
  r.name = "rod";
  r.model = model;
  r.line = line({0, 0, 0}, {0.3, 0, 0}, bonds, {0, 0, 1});
  const Elasticity e{1.3e6, 433e3};
  r.section = [e](double) { return circular_section(3.1e-3, e.poisson()); };
  r.material = [e](double) { return e; };
  r.density = [](double) { return 1200.0; };
  r.hold_start = hold_all;
  r.random = {0.01, 0.1, true, true, true, 5};
  if (damped)
    r.damping = [](const ElasticBond& b) {
      const double t = 1e-9;
      return BondDamping::Params<double>{t * b.kr, t * b.ks1, t * b.ks2, t * b.kb1, t * b.kb2, t * b.kt, b.l};
    };
  Builder b;
  b.add(r);
  Builder::Result made = b.finish();
  if (drag) made.model.drag = lay_drag(made.model, made.state.nodes, 1e-3);
  return made;
}

Inputs inputs(const Builder::Result& r) {
  Inputs in;
  const double coarse = 300.0 / r.model.nodes;
  in.dt = 1e-7 * coarse * coarse;  // the critical step goes with the square of the bond length
  in.gravity = {0, -9.81, 0};
  in.damping_rate = in.spin_damping_rate = 0.1;
  in.held = {{0, hold_all, r.state.nodes.frame(0), {}}};
  return in;
}

// One rod with its scratch, to be stepped in portions.
class Trial {
 public:
  Trial(const char* model, int bonds, bool damped, int threads, bool drag = false)
      : rod_(rod(model, bonds, damped, drag)),
        in_(inputs(rod_)),
        work_(rod_.model, threads),
        steps_(std::max(3, 3000000 / bonds)) {
    start_explicit(rod_.model, in_, rod_.state, work_);
    portion();  // warms the caches, and lets the threads settle
  }
  double portion() {  // ns per node and step
    const auto t0 = std::chrono::steady_clock::now();
    for (int n = 0; n < steps_; ++n)
      if (step_explicit(rod_.model, in_, rod_.state, work_) != Outcome::done) std::abort();
    const std::chrono::duration<double, std::nano> t = std::chrono::steady_clock::now() - t0;
    return t.count() / steps_ / rod_.model.nodes;
  }
  double bytes_per_node() const {
    const double state = 19.0 * sizeof(double) * padded(rod_.model.nodes);
    return (static_cast<double>(rod_.model.bytes() + work_.bytes()) + state) / rod_.model.nodes;
  }

 private:
  Builder::Result rod_;
  Inputs in_;
  Work work_;
  int steps_;
};

double median(std::vector<double> a) {
  std::nth_element(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2), a.end());
  return a[a.size() / 2];
}

void all_models(const std::string& isa) {
  std::printf("isa,model,bonds,bond_damping,ns_per_node_step,bytes_per_node\n");
  for (const char* model : {"exact", "corotational", "vector"})
    for (const int bonds : {300, 3000, 100000})
      for (const bool damped : {false, true}) {
        Trial t(model, bonds, damped, 1);
        std::vector<double> times(7);
        for (double& x : times) x = t.portion();
        std::printf("%s,%s,%d,%s,%.1f,%.0f\n", isa.c_str(), model, bonds, damped ? "yes" : "no", median(times),
                    t.bytes_per_node());
      }
}

// One thread and two take turns, so that whatever else the machine does meets both.
void threads(const std::string& isa) {
  std::printf("isa,model,bonds,ns_one_thread,ns_two_threads,ratio\n");
  for (const int bonds : {100, 300, 1000, 3000, 10000, 30000, 100000}) {
    Trial one("exact", bonds, true, 1), two("exact", bonds, true, 2);
    std::vector<double> a(11), b(11);
    for (int i = 0; i < 11; ++i) a[i] = one.portion(), b[i] = two.portion();
    std::printf("%s,exact,%d,%.1f,%.1f,%.2f\n", isa.c_str(), bonds, median(a), median(b), median(b) / median(a));
  }
}

void drag(const std::string& isa) {
  std::printf("isa,model,bonds,ns_without_drag,ns_with_drag,ratio\n");
  for (const int bonds : {3000, 100000}) {
    Trial without("exact", bonds, false, 1), with("exact", bonds, false, 1, true);
    std::vector<double> a(15), b(15), ratio(15);
    for (int i = 0; i < 15; ++i) a[i] = without.portion(), b[i] = with.portion(), ratio[i] = b[i] / a[i];
    std::printf("%s,exact,%d,%.1f,%.1f,%.2f\n", isa.c_str(), bonds, median(a), median(b), median(ratio));
  }
}

}  // namespace

int main() {
  all_models(name(chosen_isa()));
  threads(name(chosen_isa()));
  drag(name(chosen_isa()));
}
