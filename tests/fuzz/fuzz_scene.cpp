#include "scene/read/read_text.h"
#include "tests/fuzz/fuzz.h"

// A scene, read and built: all that `lodestone check` does before it looks at time. How many nodes there may be is
// bounded by LODESTONE_MOST_BONDS in this build.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ls;
  if (size > 16384) return 0;
  fuzz::read_or_refuse([&] { (void)read_text(fuzz::text_of(data, size), "scene.toml"); });
  return 0;
}
