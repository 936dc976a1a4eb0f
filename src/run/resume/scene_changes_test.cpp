#include "run/resume/scene_changes.h"

#include <gtest/gtest.h>

namespace ls::scene_changes_test {

const std::string first = R"(title = "one"
[solver]
duration = "1 s"
[material.m]
young = "1 MPa"
[[rod]]
name = "a"
bonds = 10
clamp = ["start", "end"]
[[rod]]
bonds = 5
[[stage]]
name = "fall"
duration = "1 s"
[[probe]]
of = "a.end"
)";

std::string with(const std::string& what, const std::string& instead) {
  std::string text = first;
  text.replace(text.find(what), what.size(), instead);
  return text;
}

std::vector<SceneChange> changes(const std::string& now, const std::vector<std::string>& sets = {}) {
  return scene_changes(scene_tree(first, {}), scene_tree(now, sets));
}

TEST(SceneChanges, CommentsSpacesAndTheOrderOfKeysAreNone) {
  EXPECT_TRUE(changes(first).empty());
  EXPECT_TRUE(changes("# a word\n" + with("young = ", "young    = ")).empty());
  EXPECT_TRUE(changes(with("name = \"a\"\nbonds = 10", "bonds = 10\nname = \"a\"")).empty());
  EXPECT_TRUE(changes(first, {"rod.a.bonds=10"}).empty());
}

TEST(SceneChanges, AreNamedWithWhatWas) {
  auto found = changes(with("1 MPa", "2 MPa"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(complaint(found[0]), "material.m.young was 1 MPa, and is 2 MPa now");
  EXPECT_FALSE(may_change(found[0]));
  found = changes(first, {"rod.1.bonds=6"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(complaint(found[0]), "rod.1.bonds was 5, and is 6 now");
  found = changes(with(", \"end\"", ""));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(complaint(found[0]), "rod.a.clamp was [start, end], and is [start] now");
  found = changes(with("bonds = 5", ""));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(complaint(found[0]), "rod.1.bonds was 5, and is not there now");
  found = changes(with("bonds = 5", "bonds = \"5\""));  // a text is no number
  ASSERT_EQ(found.size(), 1u);
  found = changes(first + "[gravity]\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(complaint(found[0]), "gravity was not there");
}

// Nodes are numbered in the order of the bodies.
TEST(SceneChanges, TheOrderOfBodiesCounts) {
  const std::string a = "[[rod]]\nname = \"a\"\nbonds = 1\n", b = "[[rod]]\nname = \"b\"\nbonds = 1\n";
  EXPECT_FALSE(scene_changes(scene_tree(a + b, {}), scene_tree(b + a, {})).empty());
}

TEST(SceneChanges, WhatMayChange) {
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"title = \"one\"", "title = \"two\""},
           {"[[probe]]\nof = \"a.end\"", ""},
           {"of = \"a.end\"", "of = \"a.start\"\nevery = 5"},
           {"[solver]", "[output]\nevery = \"1 ms\"\ncheckpoint = \"1 s\"\n[solver]\nthreads = 4"}})
    for (const SceneChange& c : changes(with(from, to))) EXPECT_TRUE(may_change(c)) << c.key;
  const auto found = changes(with("name = \"fall\"\nduration = \"1 s\"", "name = \"fall\"\nduration = \"2 s\""));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(is_length(found[0]) && may_change(found[0]));
  EXPECT_EQ(found[0].item, 0);
  EXPECT_EQ(account(found[0]), "stage.fall.duration 2 s instead of 1 s");
  for (const char* more : {"[output]\nvtk = false\n", "[[stage]]\nduration = \"1 s\"\n", "[thermal]\n"}) {
    bool refused = false;
    for (const SceneChange& c : changes(first + more)) refused = refused || !may_change(c);
    EXPECT_TRUE(refused) << more;
  }
}

}  // namespace ls::scene_changes_test
