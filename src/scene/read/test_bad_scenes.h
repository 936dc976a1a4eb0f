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
