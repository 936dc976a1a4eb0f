// The fluid lattice: node updates a second, and how near they come to what memory allows. Each line measures both in
// turns: steps of the lattice, and reading and writing back as many bytes in place as its populations have.
#include "fluid/lattice/lattice.h"

#include "base/isa.h"
#include "bench/clock.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace ls;
using bench::now;

#if defined(__x86_64__) && defined(LODESTONE_WIDE)
[[gnu::target_clones("default", "avx2", "arch=skylake-avx512")]]
#endif
void read_and_write_back(float* p, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) p[i] = p[i] * 0.999F + 0.001F;
}

struct Case {
  std::array<int, 3> cells;
  bool is_double;
  bool has_walls;   // in all directions; else walls across y, and periodic
  int at_once = 1;  // steps that nobody looks in between of
};

struct Speeds {
  double updates = 0, bytes = 0;  // a second, best
};

Speeds measure(const Case& c, int threads, double seconds) {
  LatticeSpec spec{c.cells, 0.1, {}, true, c.is_double};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (c.has_walls || axis == 1) spec.faces[axis] = {FaceKind::wall, FaceKind::wall};
  const Lattice lattice(spec);
  Team team(threads);
  FluidState s = lattice.at_rest();
  HugeBytes other(lattice.bytes());
  std::vector<LatticeDrive> drives(static_cast<std::size_t>(c.at_once));
  for (LatticeDrive& drive : drives) drive.body.x = 1e-6;
  Speeds best;
  const double end = now(2) + seconds;
  for (int round = 0; round < 6 || now(2) < end; ++round) {
    double start = now(threads);
    const int times = std::max(1, 2 / c.at_once);
    for (int k = 0; k < times; ++k) lattice.steps(s, drives, team);
    best.updates =
        std::max(best.updates, times * c.at_once * static_cast<double>(lattice.cells()) / (now(threads) - start));
    auto* const p = reinterpret_cast<float*>(other.data());
    constexpr int parts = 64;
    const std::size_t part = other.size() / sizeof(float) / parts;
    start = now(threads);
    team.run(parts, 2, [&](int from, int to) {
      read_and_write_back(p + static_cast<std::size_t>(from) * part, static_cast<std::size_t>(to - from) * part);
    });
    best.bytes = std::max(best.bytes, 2 * static_cast<double>(parts * part * sizeof(float)) / (now(threads) - start));
  }
  return best;
}

void report(const Case& c, int threads, double seconds) {
  const Speeds speeds = measure(c, threads, seconds);
  const double bytes = 2 * 19 * (c.is_double ? 8 : 4);
  const Lattice lattice({c.cells, 0.1, {}, true, c.is_double});
  std::printf("%s,%s,%dx%dx%d,%s%s,%d,%.1f,%.1f,%.0f,%.1f\n", name(chosen_isa()).c_str(),
              c.is_double ? "double" : "single", c.cells[0], c.cells[1], c.cells[2],
              c.has_walls ? "six walls" : "two walls", c.at_once > 1 ? " in sweeps" : "", threads,
              1e-6 * speeds.updates, 1e-9 * speeds.bytes, 100 * speeds.updates * bytes / speeds.bytes,
              static_cast<double>(lattice.bytes()) / static_cast<double>(lattice.cells()));
  std::fflush(stdout);
}

}  // namespace

// lattice [seconds a line] [most threads]
int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 2;
  const int most = argc > 2 ? std::atoi(argv[2]) : 2;
  std::printf(
      "isa,precision,cells,faces,threads,million_updates_per_s,read_and_write_GB_per_s,percent_of_that,bytes_per_"
      "node\n");
  // The last of them only to see that the speed of the one they are near is no stroke of luck.
  constexpr std::array neighbours{std::array{158, 96, 80}, std::array{160, 98, 80}, std::array{160, 96, 84}};
  for (int threads = 1; threads <= most; threads *= 2) {
    for (const auto& cells : {std::array{90, 36, 45}, std::array{160, 96, 80}, std::array{256, 256, 128}})
      for (const bool is_double : {false, true})
        for (const bool has_walls : {false, true})
          if (!has_walls || cells[0] < 200) report({cells, is_double, has_walls}, threads, seconds);
    for (const bool is_double : {false, true})
      for (const bool has_walls : {false, true}) report({{160, 96, 80}, is_double, has_walls, 8}, threads, seconds);
    for (const auto& cells : neighbours) report({cells, false, false}, threads, seconds);
  }
}
