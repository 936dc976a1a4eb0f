// What contact adds to an explicit step of many rods, a few of which touch: nanoseconds per node and step with and
// without it, in turns, so that whatever else the machine does meets both.
#include "base/isa.h"
#include "build/builder.h"
#include "step/explicit_step.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace ls;

namespace {

constexpr int bonds = 99, rods = 1000, side = 32;
constexpr double diameter = 3.1e-3, apart = 3 * diameter;  // m

// Parallel rods in layers, and four that lie across the top one and press on it a little.
Builder::Result bundle(bool contact) {
  Builder b;
  if (contact) b.set_contact({}, false);
  const int across = 4, layers = (rods - across) / side;
  for (int i = 0; i < rods; ++i) {
    const int column = i % side, layer = i / side;
    const double y = apart * column, z = apart * layer, top = apart * (layers - 1) + 0.99 * diameter;
    const double x = 0.05 * (rods - i);
    RodSpec r;
    r.name = "rod" + std::to_string(i);
    if (i >= rods - across)
      r.line = line({x, 0, top}, {x, 0.3, top}, bonds, {0, 0, 1});
    else
      r.line = line({0, y, i < side * layers ? z : -z}, {0.3, y, i < side * layers ? z : -z}, bonds, {0, 0, 1});
    const Elasticity e{1.3e6, 433e3};
    r.section = [e](double) { return circular_section(diameter, e.poisson()); };
    r.material = [e](double) { return e; };
    r.density = [](double) { return 1200.0; };
    r.random = {0.01, 0.1, true, true, true, 5};
    r.surface = {0.3, 0.7, 1.3e6, 0.49};
    b.add(r);
  }
  return b.finish();
}

class Trial {
 public:
  Trial(bool contact, int threads) : bundle_(bundle(contact)), work_(bundle_.model, threads) {
    in_.dt = 1e-7;
    if (contact) in_.contact = ContactLaw::hertz_mindlin;
    start_explicit(bundle_.model, in_, bundle_.state, work_);
    portion();
  }
  double portion() {  // ns per node and step
    constexpr int steps = 40;
    const auto t0 = std::chrono::steady_clock::now();
    for (int n = 0; n < steps; ++n)
      if (step_explicit(bundle_.model, in_, bundle_.state, work_) != Outcome::done) std::abort();
    const std::chrono::duration<double, std::nano> t = std::chrono::steady_clock::now() - t0;
    return t.count() / steps / bundle_.model.nodes;
  }
  int contacts() const { return contact_report(bundle_.model, work_.terms, bundle_.state, in_).contacts; }

 private:
  Builder::Result bundle_;
  Inputs in_;
  Work work_;
};

double median(std::vector<double> a) {
  std::nth_element(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2), a.end());
  return a[a.size() / 2];
}

}  // namespace

int main() {
  std::printf("isa,nodes,threads,contacts,ns_without,ns_with,ratio\n");
  for (const int threads : {1, 2}) {
    Trial without(false, threads), with(true, threads);
    std::vector<double> a(11), b(11), ratio(11);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = without.portion(), b[i] = with.portion(), ratio[i] = b[i] / a[i];
    std::printf("%s,%d,%d,%d,%.1f,%.1f,%.2f\n", name(chosen_isa()).c_str(), rods * (bonds + 1), threads,
                with.contacts(), median(a), median(b), median(ratio));
  }
}
