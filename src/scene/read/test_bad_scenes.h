#pragma once
#include "scene/read/reader.h"

#include <gtest/gtest.h>

// Scenes that must be refused, in groups by what they are about, and the check that each is told what is wrong with it.
namespace ls::test {

struct BadScene {
  std::string name;
  std::string text;
  std::string message;  // part of it
};

struct BadGroup {
  const char* name;
  std::vector<BadScene> (*scenes)();
};
inline void PrintTo(const BadGroup& group, std::ostream* out) {  // NOLINT: googletest looks for this name
  *out << group.name;
}

inline void expect_refused(const BadGroup& group) {
  for (const BadScene& bad : group.scenes()) {
    try {
      read_text(bad.text, "scene.toml");
      ADD_FAILURE() << bad.name << ": no error";
    } catch (const Error& e) {
      const std::string said = e.what();
      EXPECT_EQ(e.fault(), Fault::input) << bad.name;
      EXPECT_NE(said.find(bad.message), std::string::npos)
          << bad.name << ":\n  said     " << said << "\n  expected " << bad.message;
      EXPECT_TRUE(said.starts_with("scene.toml:")) << bad.name << ": " << said;
    }
  }
}

}  // namespace ls::test

// A good scene of one rod in parts, each of which a bad one may replace.
namespace ls::test::rod_parts {

inline const std::string solver = "[solver]\nduration = \"1 s\"\n";
inline const std::string rubber = "[material.rubber]\nyoung = \"1.2 MPa\"\npoisson = 0.5\ndensity = 1100\n";
inline const std::string head = "[[rod]]\nname = \"beam\"\nmaterial = \"rubber\"\n";
inline const std::string round_section = "section = { diameter = \"3 mm\" }\n";
inline const std::string straight = "line = { from = [0, 0, 0], to = [0.1, 0, 0] }\nbonds = 10\n";
inline const std::string beam = head + round_section + straight;
inline const std::string good = solver + rubber + beam;
inline const std::string steps = rubber + beam;  // for scenes with stages

inline std::string rod_with(const std::string& keys) {
  return good + keys + "\n";
}
inline std::string stage_with(const std::string& keys) {
  return steps + "[[stage]]\nduration = \"1 s\"\n" + keys + "\n";
}

}  // namespace ls::test::rod_parts
