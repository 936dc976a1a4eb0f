#include "run/estimates/time_scales.h"

#include "scene/read/reader.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ls::time_scales_test {

const std::string second = "[solver]\nkind = \"explicit\"\nduration = \"1 s\"\n";
const std::string rod =
    "[material.m]\nyoung = \"1 kPa\"\npoisson = 0.4\ndensity = \"1 g/cm^3\"\n"
    "[[rod]]\nname = \"r\"\nmaterial = \"m\"\nsection = { diameter = \"3 mm\" }\n"
    "line = { from = [0, 0, \"0.1 m\"], to = [\"60 mm\", 0, \"0.1 m\"] }\nbonds = 4\n";

// Two balls, so far from each other.
std::string balls(const std::string& apart) {
  const std::string ball =
      "[[rigid]]\nshape = \"sphere\"\nradius = \"1 mm\"\nmass = \"1 mg\"\nmoment = [0, 0, \"1 mA m^2\"]\n";
  return "[dipoles]\n" + ball + ball + "position = [\"" + apart + "\", 0, 0]\n";
}
TimeScales scales_of(const std::string& text) {
  return time_scales(read_text(text, "scene.toml"));
}

TEST(TimeScales, AreThoseOfAllThatIsStiffTogether) {
  const double bonds = scales_of(second + rod).critical, magnets = scales_of(second + balls("8 mm")).critical,
               both = scales_of(second + rod + balls("8 mm")).critical;
  EXPECT_GT(magnets, 0.1 * bonds);
  EXPECT_LT(magnets, 10 * bonds);
  EXPECT_NEAR(both, 1 / std::sqrt(1 / (bonds * bonds) + 1 / (magnets * magnets)), 1e-6 * both);
}

TEST(TimeScales, OfMagnetsFarApartAreAHundredthOfTheStage) {
  const TimeScales far = scales_of(second + balls("4 m"));
  EXPECT_GT(far.critical, 1.0);
  EXPECT_DOUBLE_EQ(far.dt, 0.01);
  const TimeScales near = scales_of(second + balls("4 mm"));
  EXPECT_DOUBLE_EQ(near.dt, 0.5 * near.critical);
}

// A needle across a field, which swings up to it and beyond: with twice its largest frequency it would be lost.
TEST(TimeScales, MagnetsFollowTheStrongestFieldOfTheirStages) {
  const std::string needle =
      "[[rigid]]\nshape = \"sphere\"\nradius = \"1 mm\"\nmass = \"1 mg\"\nmoment = [\"1 mA m^2\", 0, 0]\n";
  const TimeScales t = scales_of(second + needle + "[[field]]\nuniform = [0, \"20 mT * sin(pi*s)\", 0]\n");
  EXPECT_NEAR(t.critical, 2 / std::sqrt(20e-3 * 1e-3 / (0.4 * 1e-6 * 1e-6)), 1e-6 * t.critical);
  EXPECT_DOUBLE_EQ(t.dt, 0.5 * t.critical);
}

}  // namespace ls::time_scales_test
