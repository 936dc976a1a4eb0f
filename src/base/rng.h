#pragma once
#include <cmath>
#include <cstdint>

namespace ls {

// Random numbers by counter: a pure function of (seed, step, node, which), so that they depend neither on the number of
// threads nor on where a run was resumed. Mixing: two rounds of the 64-bit finaliser of Stafford's variant 13.
inline std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t step, std::uint64_t node, std::uint64_t which) {
  std::uint64_t h = mixed(seed + 0x9e3779b97f4a7c15ULL);
  h = mixed(h ^ (step + 0x9e3779b97f4a7c15ULL));
  h = mixed(h ^ (node * 64 + which + 0xd1b54a32d192ed03ULL));
  return mixed(h + 0x9e3779b97f4a7c15ULL);
}

// Uniform in (0, 1).
inline double uniform(std::uint64_t seed, std::uint64_t step, std::uint64_t node, std::uint64_t which) {
  return (static_cast<double>(random_bits(seed, step, node, which) >> 11) + 0.5) * 0x1.0p-53;
}

// Two independent standard normal numbers (Box and Muller), made of numbers which and which + 1.
struct NormalPair {
  double a, b;
};
inline NormalPair normal_pair(std::uint64_t seed, std::uint64_t step, std::uint64_t node, std::uint64_t which) {
  const double r = std::sqrt(-2.0 * std::log(uniform(seed, step, node, which)));
  const double phi = 6.283185307179586 * uniform(seed, step, node, which + 1);
  return {r * std::cos(phi), r * std::sin(phi)};
}

}  // namespace ls
