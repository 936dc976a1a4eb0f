#pragma once
#include "scene/read/reader.h"

#include <gtest/gtest.h>
#include <string>

// Pieces of scenes in which things touch.
namespace ls::test::touching_scenes {

inline const std::string steel = R"(
[material.steel]
young = "200 GPa"
poisson = 0.3
density = 8000
friction = 0.4
restitution = 0.9
)";
inline const std::string one_second = "[solver]\nduration = \"1 s\"\n";
inline const std::string implicit_second = "[solver]\nkind = \"implicit\"\nduration = \"1 s\"\n";
inline const std::string ball =
    "[[rigid]]\nname = \"ball\"\nmaterial = \"steel\"\nshape = \"sphere\"\nradius = \"5 mm\"\n";
inline const std::string beam = R"(
[[rod]]
name = "beam"
material = "steel"
section = { diameter = "2 mm" }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
bonds = 10
)";
inline const std::string floor_at_0 = "[[wall]]\nname = \"floor\"\nplane = { normal = [0, 0, 1] }\n";

inline Plan read(const std::string& text) {
  return read_text(text, "scene.toml");
}
inline std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const Error& e) {
    EXPECT_EQ(e.fault(), Fault::input);
    return e.what();
  }
  return "no error";
}

}  // namespace ls::test::touching_scenes
