#include "base/nearest.h"

#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace ls::nearest_test {

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("density", "density"), 0);
  EXPECT_EQ(edit_distance("density", "densty"), 1);
  EXPECT_EQ(edit_distance("density", "densitty"), 1);
  EXPECT_EQ(edit_distance("density", "demsity"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(EditDistance, SwapOfNeighboursIsOneEdit) {
  EXPECT_EQ(edit_distance("young", "yuong"), 1);
  EXPECT_EQ(edit_distance("ab", "ba"), 1);
  EXPECT_EQ(edit_distance("abcd", "badc"), 2);
}

TEST(EditDistance, CaseDoesNotCount) {
  EXPECT_EQ(edit_distance("mpa", "MPa"), 0);
}

TEST(Nearest, FindsTypingErrors) {
  const std::vector<std::string> keys = {"young", "poisson", "shear", "density", "magnetisation"};
  EXPECT_EQ(nearest("densitiy", keys), "density");
  EXPECT_EQ(nearest("yuong", keys), "young");
  EXPECT_EQ(nearest("magnetization", keys), "magnetisation");
  EXPECT_EQ(nearest("Young", keys), "young");
}

TEST(Nearest, StaysSilentWhenNothingIsNear) {
  const std::array<std::string_view, 3> keys = {"young", "poisson", "t"};
  EXPECT_EQ(nearest("viscosity", keys), "");
  EXPECT_EQ(nearest("q", keys), "") << "a word without a letter in common is no typing error";
  EXPECT_EQ(nearest("", keys), "");
  EXPECT_EQ(nearest("young", std::vector<std::string>{}), "");
}

TEST(Nearest, TakesTheFirstOfEqualOnes) {
  EXPECT_EQ(nearest("mpa", {"MPa", "mPa"}), "MPa");
  EXPECT_EQ(nearest("bat", {"cat", "hat"}), "cat");
}

TEST(DidYouMean, IsTheTailOfAMessage) {
  const std::vector<std::string> keys = {"density"};
  EXPECT_EQ("unknown key" + did_you_mean("densty", keys), "unknown key; did you mean `density`?");
  EXPECT_EQ(did_you_mean("zzz", keys), "");
}

}  // namespace ls::nearest_test
