#include "physics/magnetisation_curve.h"

#include <gtest/gtest.h>

namespace {

using namespace ls;

using Curve = CurvePoint (*)(double, double, double);

TEST(MagnetisationCurve, BeginsWithTheSusceptibilityAndEndsSaturated) {
  for (const Curve curve : {on_froehlich, on_langevin}) {
    EXPECT_NEAR(curve(50, 1e5, 1e-6).ratio, 50, 1e-9 * 50);
    EXPECT_NEAR(curve(50, 1e5, 1e-6).slope, 50, 1e-8 * 50);
    EXPECT_NEAR(curve(50, 1e5, 0).ratio, 50, 1e-12);
    const double h = 1e12;
    EXPECT_NEAR(curve(50, 1e5, h).ratio * h, 1e5, 1);
  }
}

// Slope and stored energy against differences and sums of the magnetisation, where the formulas change as well.
TEST(MagnetisationCurve, SlopesAndEnergiesAreThoseOfTheCurve) {
  constexpr double chi = 20, ms = 3e4;
  for (const Curve curve : {on_froehlich, on_langevin}) {
    const auto m = [&](double h) { return curve(chi, ms, h).ratio * h; };
    for (const double h : {1.0, 100.0, 150.0, 166.0, 167.0, 499.0, 501.0, 2e3, 5e4, 1e6}) {
      const double d = 1e-4 * h;
      const double slope = (8 * (m(h + d) - m(h - d)) - (m(h + 2 * d) - m(h - 2 * d))) / (12 * d);
      EXPECT_NEAR(curve(chi, ms, h).slope, slope, 1e-9 * slope + 1e-15 * chi) << h;
      // d(stored)/dh = h dM/dh
      const auto e = [&](double at) { return curve(chi, ms, at).stored; };
      const double rise = (8 * (e(h + d) - e(h - d)) - (e(h + 2 * d) - e(h - 2 * d))) / (12 * d);
      EXPECT_NEAR(rise, h * slope, 1e-8 * h * slope + 1e-11 * e(h) / d) << h;
    }
    EXPECT_NEAR(curve(chi, ms, 1e-3).stored, 0.5 * chi * 1e-6, 1e-6 * chi * 1e-6);
  }
}

// Beyond any saturation: what is stored is Ms^2/chi (log y - 1), and (log 2x - 1)/3, of y = chi H/Ms and x = 3 y.
TEST(MagnetisationCurve, StoresANumberHoweverStrongTheField) {
  for (const double y : {1e6, 1e12, 1e20, 1e60}) {
    const double chi = 1000, ms = 1e-12, h = y * ms / chi, unit = ms * ms / chi;
    EXPECT_NEAR(on_froehlich(chi, ms, h).stored / unit, std::log(y) - 1, 1e-5) << y;
    EXPECT_NEAR(on_langevin(chi, ms, h).stored / unit, (std::log(6 * y) - 1) / 3, 1e-12 * std::log(y)) << y;
  }
}

}  // namespace
