#pragma once

// Which values of a number are allowed.
namespace ls {

struct Range {
  double low, high;
  bool without_low = false, without_high = false;  // the bound itself is not allowed
  const char* words = "";                          // "a value above 0"

  bool holds(double value) const {
    return (without_low ? value > low : value >= low) && (without_high ? value < high : value <= high);
  }
  bool operator==(const Range& other) const {
    return low == other.low && high == other.high && without_low == other.without_low &&
           without_high == other.without_high;
  }
};

namespace range {
inline constexpr double huge = 1.7976931348623157e308;
inline constexpr Range any{-huge, huge, false, false, "a finite value"};
inline constexpr Range positive{0, huge, true, false, "a value above 0"};
inline constexpr Range not_negative{0, huge, false, false, "0 or more"};
inline constexpr Range share{0, 1, true, false, "a value above 0 and up to 1"};
}  // namespace range

}  // namespace ls
