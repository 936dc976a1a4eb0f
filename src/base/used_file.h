#pragma once
#include <cstdint>
#include <string>

namespace ls {

// A file that a scene refers to, as it was when the scene was read.
struct UsedFile {
  std::string name;        // as the scene has it
  std::uint64_t hash = 0;  // of its bytes
};

}  // namespace ls
