#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ls {

// What kind of thing a value is: exponents of kg, m, s, A and K. Angles are pure numbers. Exponents are kept doubled,
// so that the square root of any product of units has a dimension too.
class Dimension {
 public:
  constexpr Dimension() = default;  // a pure number
  constexpr Dimension(int kg, int m, int s, int ampere = 0, int kelvin = 0)
      : doubled_{twice(kg), twice(m), twice(s), twice(ampere), twice(kelvin)} {}

  friend constexpr Dimension operator*(const Dimension& a, const Dimension& b) { return combined(a, b, 1); }
  friend constexpr Dimension operator/(const Dimension& a, const Dimension& b) { return combined(a, b, -1); }
  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;

  // Empty where an exponent would be no multiple of 1/2, or absurdly large.
  std::optional<Dimension> pow(double exponent) const;

  constexpr bool is_number() const { return *this == Dimension(); }
  // Exponents of 50 and more come from garbage only; refusing them keeps the arithmetic from overflowing.
  bool is_plausible() const;

  std::string name() const;     // for messages: "a length (m)", "a pure number", or "kg m^2/s^5"
  std::string symbol() const;   // for tables: "m", "Pa", "", or "kg m^2/s^5"
  std::string example() const;  // what a user could write: "25 mm", or "1 kg m^2/s^5"

 private:
  static constexpr std::int16_t twice(int exponent) { return static_cast<std::int16_t>(2 * exponent); }
  static constexpr Dimension combined(const Dimension& a, const Dimension& b, int sign) {
    Dimension r;
    for (std::size_t i = 0; i < a.doubled_.size(); ++i) {
      r.doubled_[i] = static_cast<std::int16_t>(a.doubled_[i] + sign * b.doubled_[i]);
    }
    return r;
  }
  std::string composed() const;

  std::array<std::int16_t, 5> doubled_{};  // kg, m, s, A, K
};

// A value in SI units.
struct Quantity {
  double value = 0;
  Dimension dimension = {};
};

// "0.0258 m": for messages.
std::string describe(const Quantity& quantity);

namespace dim {

inline constexpr Dimension number;
inline constexpr Dimension angle = number;
inline constexpr Dimension mass{1, 0, 0};
inline constexpr Dimension length{0, 1, 0};
inline constexpr Dimension time{0, 0, 1};
inline constexpr Dimension current{0, 0, 0, 1};
inline constexpr Dimension temperature{0, 0, 0, 0, 1};

inline constexpr Dimension area = length * length;
inline constexpr Dimension volume = area * length;
inline constexpr Dimension area_moment = area * area;  // m^4
inline constexpr Dimension curvature = number / length;
inline constexpr Dimension rate = number / time;
inline constexpr Dimension velocity = length / time;
inline constexpr Dimension acceleration = velocity / time;
inline constexpr Dimension angular_acceleration = rate / time;

inline constexpr Dimension force = mass * acceleration;
inline constexpr Dimension energy = force * length;
inline constexpr Dimension torque = energy;
inline constexpr Dimension power = energy / time;
inline constexpr Dimension momentum = mass * velocity;
inline constexpr Dimension inertia = mass * area;  // kg m^2
inline constexpr Dimension pressure = force / area;
inline constexpr Dimension density = mass / volume;
inline constexpr Dimension mass_per_length = mass / length;
inline constexpr Dimension stiffness = force / length;
inline constexpr Dimension force_per_length = stiffness;
inline constexpr Dimension force_per_volume = force / volume;
inline constexpr Dimension bending_stiffness = force * area;  // N m^2, of a section
inline constexpr Dimension damping = mass / time;
inline constexpr Dimension rotational_damping = torque * time;
inline constexpr Dimension viscosity = pressure * time;
inline constexpr Dimension kinematic_viscosity = area / time;

inline constexpr Dimension moment = current * area;  // of a dipole
inline constexpr Dimension magnetisation = moment / volume;
inline constexpr Dimension field = torque / moment;  // T
inline constexpr Dimension field_gradient = field / length;
inline constexpr Dimension field_potential = field * length;  // its gradient is a field
inline constexpr Dimension permeability = field / magnetisation;

}  // namespace dim
}  // namespace ls
