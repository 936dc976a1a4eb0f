#include "scene/read/read_text.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <random>
#include <vector>

// A scene, read and built: all that `lodestone check` does before it looks at time. How many bonds there may be, and
// how much memory is thought to be there, are bounded in this build by LODESTONE_MOST_BONDS and LODESTONE_MOST_MEMORY.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ls;
  if (size > 16384) return 0;
  fuzz::read_or_refuse([&] { (void)read_text(fuzz::text_of(data, size), "scene.toml"); });
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) c == '\n' ? lines.emplace_back() : (lines.back() += c, lines.back());
  return lines;
}

// What a person may write by mistake, and what nobody would.
constexpr const char* values[] = {"0",
                                  "-1",
                                  "1",
                                  "2",
                                  "3",
                                  "1e-30",
                                  "1e30",
                                  "1e300",
                                  "9223372036854775807",
                                  "10000",
                                  "\"1 mm\"",
                                  "\"1 km\"",
                                  "\"1 nm\"",
                                  "\"-1 s\"",
                                  "\"1e9 Pa\"",
                                  "\"0 kg/m^3\"",
                                  "\"auto\"",
                                  "true",
                                  "[]",
                                  "{}",
                                  "[0, 0, 0]",
                                  "[1, 0, 0]",
                                  "[\"1 mm\", \"nan\", 0]",
                                  "\"u\"",
                                  "\"t/1 s\"",
                                  "\"sqrt(-1)\"",
                                  "\"1/0\"",
                                  "\"start\"",
                                  "\"rod\"",
                                  "nan",
                                  "inf",
                                  "[[0, 0, 0], [0, 0, 0]]",
                                  "\"1 mm * u\"",
                                  "\"log(u) * 1 mm\"",
                                  "\"x\""};

}  // namespace

// Bytes changed at random hardly ever make a scene: half of the time a line is moved, copied or dropped, or the value
// behind a sign of equality becomes another.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  if (below(2) == 0) return LLVMFuzzerMutate(data, size, most);
  std::vector<std::string> lines = lines_of(ls::fuzz::text_of(data, size));
  const std::size_t changes = 1 + below(3);
  for (std::size_t k = 0; k < changes; ++k) {
    const std::size_t at = below(lines.size()), other = below(lines.size());
    const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(6)) {
      case 0:
        std::swap(lines[at], lines[other]);
        break;
      case 1:
        lines.insert(place, std::string(lines[other]));
        break;
      case 2:
        if (lines.size() > 1) lines.erase(place);
        break;
      default:
        if (const std::size_t sign = lines[at].find('='); sign != std::string::npos)
          lines[at] = lines[at].substr(0, sign) + "= " + values[below(std::size(values))];
    }
  }
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  const std::size_t length = std::min(text.size() - 1, most);
  std::copy_n(text.begin(), length, data);
  return length;
}
