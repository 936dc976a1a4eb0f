#include "output/checkpoint.h"
#include "tests/fuzz/fuzz.h"

#include <cstdlib>
#include <fstream>
#include <unistd.h>

// With LODESTONE_SEED set, a small checkpoint that can be read is written there first: what is to be mutated.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* const seed = std::getenv("LODESTONE_SEED");
  if (!seed) return 0;
  ls::Checkpoint c;
  c.state.nodes = ls::Nodes(2);
  c.state.memory.anchors = {1, 2, 3};
  c.scene = "a scene";
  c.frame_times = {0, 1};
  ls::write_checkpoint(seed, c);
  return 0;
}

// The bytes of a checkpoint, through a file in memory where there is one: HDF5 opens names, not bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ls;
  static const std::string path = std::string(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") +
                                  "/lodestone_fuzz_" + std::to_string(getpid()) + ".h5";
  static const int leave = std::atexit([] { std::remove(path.c_str()); });
  (void)leave;
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  fuzz::read_or_refuse([&] { (void)read_checkpoint(path); });
  return 0;
}
