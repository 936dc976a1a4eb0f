#include "language/quantity.h"

#include "language/expression.h"
#include "language/units.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace ls::quantity_test {

constexpr double pi = std::numbers::pi;

Quantity read(const std::string& text) {
  return Expression::parse(text, {}, {"scene.toml", 3, 9, "key"}).quantity();
}

TEST(Dimension, MultipliesAndDivides) {
  EXPECT_EQ(dim::force * dim::length, dim::energy);
  EXPECT_EQ(dim::energy, dim::torque);
  EXPECT_EQ(dim::moment * dim::field, dim::torque);
  EXPECT_EQ(dim::magnetisation * dim::volume, dim::moment);
  EXPECT_EQ(dim::field * dim::magnetisation, dim::pressure);
  EXPECT_EQ(dim::length / dim::length, dim::number);
  EXPECT_EQ(dim::field, Dimension(1, 0, -2, -1));
  EXPECT_NE(dim::length, dim::time);
}

TEST(Dimension, HasHalfPowers) {
  const Dimension root = dim::length.pow(0.5).value();
  EXPECT_EQ(root * root, dim::length);
  EXPECT_EQ(dim::area.pow(0.5).value(), dim::length);
  EXPECT_EQ(dim::length.pow(-2).value(), dim::number / dim::area);
  EXPECT_EQ(dim::number.pow(0.123).value(), dim::number);
  EXPECT_FALSE(root.pow(0.5).has_value());
  EXPECT_FALSE(dim::length.pow(0.3).has_value());
  EXPECT_FALSE(dim::length.pow(1e9).has_value());
  EXPECT_FALSE(dim::length.pow(NAN).has_value());
}

TEST(Dimension, HasANameForPeople) {
  EXPECT_EQ(dim::length.name(), "a length (m)");
  EXPECT_EQ(dim::pressure.name(), "a pressure (Pa)");
  EXPECT_EQ(dim::field.name(), "a magnetic field (T)");
  EXPECT_EQ(dim::time.name(), "a time (s)");
  EXPECT_EQ(dim::number.name(), "a pure number");
  EXPECT_EQ(dim::magnetisation.name(), "a magnetisation (A/m)");
  EXPECT_EQ(dim::rate.name(), "an angular rate (1/s)");
  EXPECT_EQ((dim::power / dim::current).name(), "kg m^2/(s^3 A)");
  EXPECT_EQ((dim::energy / dim::temperature * dim::time).name(), "kg m^2/(s K)");
  EXPECT_EQ((dim::power * dim::rate).name(), "kg m^2/s^4");
  EXPECT_EQ(dim::length.pow(0.5).value().name(), "m^0.5");
  EXPECT_EQ((dim::number / dim::volume).name(), "1/m^3");
}

TEST(Dimension, ExamplesAndSymbolsCanBeRead) {
  for (const Dimension& d : {dim::number,
                             dim::mass,
                             dim::length,
                             dim::time,
                             dim::current,
                             dim::temperature,
                             dim::area,
                             dim::volume,
                             dim::area_moment,
                             dim::curvature,
                             dim::rate,
                             dim::velocity,
                             dim::acceleration,
                             dim::angular_acceleration,
                             dim::force,
                             dim::energy,
                             dim::power,
                             dim::momentum,
                             dim::inertia,
                             dim::pressure,
                             dim::density,
                             dim::mass_per_length,
                             dim::stiffness,
                             dim::force_per_volume,
                             dim::bending_stiffness,
                             dim::damping,
                             dim::rotational_damping,
                             dim::viscosity,
                             dim::kinematic_viscosity,
                             dim::moment,
                             dim::magnetisation,
                             dim::field,
                             dim::field_gradient,
                             dim::field_potential,
                             dim::permeability,
                             dim::number / dim::volume,
                             dim::power / dim::current,
                             dim::length.pow(1.5).value()}) {
    EXPECT_EQ(read(d.example()).dimension, d) << d.example();
    EXPECT_EQ(read(describe(Quantity{2.5, d})).dimension, d) << describe(Quantity{2.5, d});
    EXPECT_DOUBLE_EQ(read(describe(Quantity{2.5, d})).value, 2.5);
  }
}

struct Case {
  const char* text;
  double value;
  Dimension dimension;
};

TEST(Units, ReadsTheUnitsOfScenes) {
  const Case cases[] = {
      {"1.16 MPa", 1.16e6, dim::pressure},
      {"25.8 mm", 0.0258, dim::length},
      {"25.8mm", 0.0258, dim::length},
      {"2.01 g/cm^3", 2010, dim::density},
      {"2.01 g/cm³", 2010, dim::density},
      {"94.1 kA/m", 94100, dim::magnetisation},
      {"80 mT", 0.08, dim::field},
      {"800 G", 0.08, dim::field},
      {"30 deg/s", 30 * (pi / 180), dim::rate},
      {"3 rad/s", 3, dim::rate},
      {"9.81 m/s^2", 9.81, dim::acceleration},
      {"-9.81 m/s²", -9.81, dim::acceleration},
      {"5 N m", 5, dim::torque},
      {"5 N*m", 5, dim::torque},
      {"5 N * m", 5, dim::torque},
      {"5 N·m", 5, dim::torque},
      {"5 mNm", 5e-3, dim::torque},
      {"7 kg m^2/s^2", 7, dim::energy},
      {"0.2 A m^2", 0.2, dim::moment},
      {"3 emu", 3e-3, dim::moment},
      {"3 emu/cm^3", 3e3, dim::magnetisation},
      {"10/s", 10, dim::rate},
      {"10 s^-1", 10, dim::rate},
      {"2 kHz", 2000, dim::rate},
      {"60 rpm", 2 * pi, dim::rate},
      {"0.5 turn", pi, dim::angle},
      {"90 deg", pi / 2, dim::angle},
      {"90°", pi / 2, dim::angle},
      {"5 %", 0.05, dim::number},
      {"5%", 0.05, dim::number},
      {"12 um", 12e-6, dim::length},
      {"12 µm", 12e-6, dim::length},  // micro sign
      {"12 μm", 12e-6, dim::length},  // Greek letter
      {"12 µN", 12e-6, dim::force},
      {"3 µs", 3e-6, dim::time},
      {"3 min", 180, dim::time},
      {"2 h", 7200, dim::time},
      {"2 t", 2000, dim::mass},
      {"2 µg", 2e-9, dim::mass},
      {"1 mPa s", 1e-3, dim::viscosity},
      {"3 mL", 3e-6, dim::volume},
      {"3 µL", 3e-9, dim::volume},
      {"1 cP", 1e-3, dim::viscosity},
      {"300 K", 300, dim::temperature},
      {"3 kg/(m s^2)", 3, dim::pressure},
      {"2 T/m", 2, dim::field_gradient},
      {"1 V s", 1, dim::field * dim::area},
      {"2 N/m", 2, dim::stiffness},
      {"4 m^0.5", 4, dim::length.pow(0.5).value()},
      {"2.5e-3 m", 0.0025, dim::length},
      {"2.5E+3mm", 2.5, dim::length},
      {"1e-3", 1e-3, dim::number},
      {".5 m", 0.5, dim::length},
      {"5. m", 5, dim::length},
  };
  for (const Case& c : cases) {
    const Quantity q = read(c.text);
    EXPECT_DOUBLE_EQ(q.value, c.value) << c.text;
    EXPECT_EQ(q.dimension, c.dimension) << c.text << " is " << q.dimension.name();
  }
}

TEST(Units, DecimalPrefixesDoNotRound) {
  // Bit for bit what the same number in SI gives, whatever the digits.
  for (int i = 1; i < 2000; ++i) {
    const std::string digits = std::to_string(i) + ".7";
    EXPECT_EQ(read(digits + " mm").value, read(digits + "e-3").value);
    EXPECT_EQ(read(digits + " g/cm^3").value, read(digits + "e3").value);
    EXPECT_EQ(read(digits + " nN").value, read(digits + "e-9").value);
  }
  EXPECT_EQ(read("25.8 mm").value, 0.0258);
  EXPECT_EQ(read("0.49 mm").value, 0.00049);
}

TEST(Units, PrefixesStandWhereTheyAreInUse) {
  EXPECT_TRUE(find_unit("GPa"));
  EXPECT_TRUE(find_unit("hPa"));
  EXPECT_TRUE(find_unit("kOe"));
  for (const char* name :
       {"", "k", "µ", "mmin", "kmin", "mdeg", "cd", "dT", "hm", "kkg", "mmm", "M%", "ft", "Pas", "L", "d"}) {
    EXPECT_FALSE(find_unit(name)) << name;
  }
}

TEST(Units, EverySuggestionIsAUnit) {
  EXPECT_GT(unit_names().size(), 100u);
  for (const std::string& name : unit_names()) EXPECT_TRUE(find_unit(name)) << name;
}

TEST(Units, PowersOfUnits) {
  const Unit mm = *find_unit("mm");
  EXPECT_EQ(power(mm, 3)->exponent, -9);
  EXPECT_DOUBLE_EQ(power(mm, 0.5)->quantity().value, std::sqrt(1e-3));
  EXPECT_FALSE(power(mm, 0.3));
  EXPECT_FALSE(power(mm, 1e6));
  EXPECT_DOUBLE_EQ(power(*find_unit("deg"), 2)->quantity().value, std::pow(pi / 180, 2));
}

}  // namespace ls::quantity_test
