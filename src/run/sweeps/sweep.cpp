#include "run/sweeps/sweep.h"

#include "base/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

namespace ls {

namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? "" : std::string(text.substr(first, last - first + 1));
}

bool is_quoted(std::string_view text) {
  return text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
}

// The parts of a text between separators that stand outside quotes and brackets.
std::vector<std::string> parts_of(std::string_view text, char separator, const Place& place) {
  std::vector<std::string> parts;
  std::string closing;  // what must still be closed, the innermost last
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool in_quotes = !closing.empty() && (closing.back() == '"' || closing.back() == '\'');
    if (in_quotes && closing.back() == '"' && c == '\\') {
      ++i;  // an escaped quote closes nothing
    } else if (!closing.empty() && c == closing.back()) {
      closing.pop_back();
    } else if (in_quotes) {
      continue;
    } else if (const auto open = std::string_view("\"'([{").find(c); open != std::string_view::npos) {
      closing += "\"')]}"[open];
    } else if (c == ')' || c == ']' || c == '}') {
      fail(place, fmt::format("found `{}`, in which a {} closes nothing", text, c));
    } else if (closing.empty() && c == separator) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (!closing.empty()) fail(place, fmt::format("found `{}`, in which a {} is missing", text, closing.back()));
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

// One end of a range. In long double, so that the values between are those that a person would write: 0.3, where
// doubles would give 0.30000000000000004.
struct RangeEnd {
  long double value = 0;
  std::string unit;  // all that follows the number
};

RangeEnd range_end(const std::string& text, const Place& place) {
  std::string_view inner = text;
  if (is_quoted(inner)) inner = inner.substr(1, inner.size() - 2);
  const std::string plain = trimmed(inner);
  const char* begin = plain.data() + (plain.starts_with('+') ? 1 : 0);
  const char* end = plain.data() + plain.size();
  RangeEnd r;
  const auto read = std::from_chars(begin, end, r.value);
  // Beyond 1e300 the sums that give the values between could overflow.
  if (read.ec != std::errc() || !(std::abs(r.value) < 1e300L))
    fail(place, fmt::format("found `{}` as one end of a range, expected a number with or without a unit", text));
  r.unit = trimmed(std::string_view(read.ptr, static_cast<std::size_t>(end - read.ptr)));
  return r;
}

void add_range(const std::vector<std::string>& parts, const Place& place, std::vector<std::string>& values) {
  const RangeEnd from = range_end(parts[0], place), to = range_end(parts[1], place);
  if (from.unit != to.unit)
    fail(place, fmt::format("found `{}:{}`, expected both ends of a range in the same unit", parts[0], parts[1]));
  std::size_t count = 0;
  const char* end = parts[2].data() + parts[2].size();
  const auto read = std::from_chars(parts[2].data(), end, count);
  if (read.ec != std::errc() || read.ptr != end || count < 1 || count > most_runs)
    fail(place,
         fmt::format("found `{}` as the count of a range, expected a whole number from 1 to {}", parts[2], most_runs));
  const auto gaps = static_cast<long double>(std::max<std::size_t>(count - 1, 1));
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<long double>(i);
    const auto value = static_cast<double>((from.value * (gaps - k) + to.value * k) / gaps);
    values.push_back(fmt::format("{}{}{}", value, from.unit.empty() ? "" : " ", from.unit));
  }
}

std::string key_of(const std::string& assignment) {
  return trimmed(std::string_view(assignment).substr(0, assignment.find('=')));
}

}  // namespace

SweepAxis sweep_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  SweepAxis axis;
  axis.key = key_of(text);
  const Place place{"--over", 0, 0, axis.key};
  if (equals == std::string::npos || axis.key.empty())
    fail({"--over", 0, 0, ""},
         fmt::format("found `{}`, expected KEY=A,B,C or KEY=FROM:TO:COUNT, for example `rod.beam.bonds=32,64`", text));
  for (const std::string& item : parts_of(std::string_view(text).substr(equals + 1), ',', place)) {
    if (item.empty()) fail(place, fmt::format("found `{}`, in which a value is missing", text.substr(equals + 1)));
    const auto parts = parts_of(item, ':', place);
    if (parts.size() == 1)
      axis.values.push_back(item);
    else if (parts.size() == 3)
      add_range(parts, place, axis.values);
    else
      fail(place, fmt::format("found `{}`, expected FROM:TO:COUNT; a text with a colon needs quotes", item));
  }
  return axis;
}

ParameterSweep::ParameterSweep(const std::vector<std::string>& axes, std::vector<std::string> sets)
    : sets_(std::move(sets)) {
  if (axes.empty()) throw Error("nothing to sweep over: give at least one --over, for example rod.beam.bonds=32,64");
  for (const std::string& text : axes) {
    SweepAxis axis = sweep_axis(text);
    const Place place{"--over", 0, 0, axis.key};
    if (std::ranges::find(axes_, axis.key, &SweepAxis::key) != axes_.end()) fail(place, "the key is given twice");
    if (std::ranges::find(sets_, axis.key, key_of) != sets_.end()) fail(place, "the key is also given by --set");
    if (runs_ > most_runs / axis.values.size())
      fail(place, fmt::format("with its {} values there are more than {} combinations", axis.values.size(), most_runs));
    runs_ *= axis.values.size();
    axes_.push_back(std::move(axis));
  }
}

std::vector<std::string> ParameterSweep::values(std::size_t run) const {
  std::vector<std::string> values(axes_.size());
  for (std::size_t a = axes_.size(); a-- > 0;) {
    const auto& all = axes_[a].values;
    values[a] = all[run % all.size()];
    run /= all.size();
  }
  return values;
}

std::vector<std::string> ParameterSweep::sets(std::size_t run) const {
  std::vector<std::string> all = sets_;
  const auto chosen = values(run);
  for (std::size_t a = 0; a < axes_.size(); ++a) all.push_back(axes_[a].key + "=" + chosen[a]);
  return all;
}

std::string ParameterSweep::folder(std::size_t run) const {
  const std::size_t digits = std::max<std::size_t>(3, std::to_string(runs_ - 1).size());
  return fmt::format("{:0{}}", run, digits);
}

std::string ParameterSweep::label(std::size_t run) const {
  const auto all = sets(run);
  return fmt::format("{}", fmt::join(all.begin() + static_cast<std::ptrdiff_t>(sets_.size()), all.end(), ", "));
}

}  // namespace ls
