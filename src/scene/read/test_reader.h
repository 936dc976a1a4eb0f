#pragma once
#include "scene/read/reader.h"

#include <gtest/gtest.h>

// Parts of a scene with one rod, and how tests read what they make of them.
namespace ls::test {

inline const std::string rubber = R"(
[material.rubber]
young = "1.2 MPa"
poisson = 0.5
density = "1.1 g/cm^3"
magnetisation = "94 kA/m"
)";
inline const std::string beam = R"(
[[rod]]
name = "beam"
material = "rubber"
section = { diameter = "3 mm" }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
bonds = 10
)";
inline const std::string one_second = R"(
[solver]
duration = "1 s"
)";

// Tables of the scene first: keys of the rod may follow the last line.
inline Plan read(const std::string& text, const std::vector<std::string>& sets = {}) {
  return read_text(text, "scene.toml", sets);
}
inline Plan read_beam(const std::string& keys, const std::string& tables = "") {
  return read(one_second + rubber + beam + keys + tables);
}
inline std::string error_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    read(text, sets);
  } catch (const Error& e) {
    EXPECT_EQ(e.fault(), Fault::input);
    return e.what();
  }
  return "no error";
}

}  // namespace ls::test
