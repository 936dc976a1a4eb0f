#include "base/nearest.h"
#include "language/expression_tokens.h"
#include "language/units.h"
#include "scene/table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls {

namespace {

constexpr double largest_value = 1e100;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}
bool is_name(const std::string& text, bool spaces) {
  return !text.empty() && is_letter(text[0]) && text.back() != ' ' && std::ranges::all_of(text, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || (spaces && c == ' ');
  });
}

// "found 3, expected …" with the range in words; the value is repeated in SI where it was written otherwise.
[[noreturn]] void fail_range(const Value& value, const Quantity& found, const Range& range) {
  const std::string si = value.is_text() ? " (" + describe(found) + ")" : "";
  value.fail(fmt::format("found {}{}, expected {}", value.shown(), si, range.words));
}

}  // namespace

std::string Value::shown() const {
  const auto& v = toml_->value;
  if (const auto* b = std::get_if<bool>(&v)) return *b ? "true" : "false";
  if (const auto* i = std::get_if<long long>(&v)) return std::to_string(*i);
  if (const auto* d = std::get_if<double>(&v)) return fmt::format("{}", *d);
  if (const auto* s = std::get_if<std::string>(&v)) return Source(*s, place()).quote(0, s->size());
  if (is_list()) return fmt::format("a list of {}", toml_->list()->size());
  if (is_table()) return "a table";
  return "a date";
}

bool Value::is_text(std::string_view word) const {
  if (note_) note_->words.emplace(word);
  return is_text() && *toml_->text() == word;
}

void Value::fail_expected(const std::string& expected) const {
  fail("found " + shown() + ", expected " + expected);
}

bool Value::boolean() const {
  if (note_) note_->boolean = true;
  if (const auto* b = std::get_if<bool>(&toml_->value)) return *b;
  fail_expected("true or false");
}

std::string Value::text(const std::string& expected) const {
  if (note_) note_->text = true;
  if (!is_text()) fail_expected(expected);
  return *toml_->text();
}

std::string Value::name(bool spaces) const {
  const std::string expected = spaces ? "a name of letters, digits, spaces, _ and -, a letter first"
                                      : "a name of letters, digits, _ and -, a letter first";
  std::string word = text(expected);
  if (!is_name(word, spaces)) fail_expected(expected);
  return word;
}

std::string Value::choice(const std::vector<std::string>& options) const {
  const std::string expected = fmt::format("\"{}\"", fmt::join(options, "\" or \""));
  if (note_) note_->words.insert(options.begin(), options.end());
  if (!is_text()) fail_expected(expected);
  std::string word = *toml_->text();
  if (std::ranges::find(options, word) == options.end()) fail_expected(expected + did_you_mean(word, options));
  return word;
}

long long Value::integer(long long low, long long high) const {
  if (note_) note_->whole(low, high);
  const std::string expected = high == std::numeric_limits<long long>::max()
                                   ? fmt::format("a whole number of at least {}", low)
                                   : fmt::format("a whole number from {} to {}", low, high);
  if (const auto* i = std::get_if<long long>(&toml_->value)) {
    if (*i < low || *i > high) fail_expected(expected);
    return *i;
  }
  if (!is_text() && !std::holds_alternative<double>(toml_->value)) fail_expected(expected);
  const double v = checked(dim::number, range::any);
  // Beyond 2^53 a double skips whole numbers.
  if (v != std::floor(v) || std::abs(v) > 9007199254740992.0) fail_expected(expected);
  const auto i = static_cast<long long>(v);
  if (i < low || i > high) fail_expected(expected);
  return i;
}

Expression Value::expression(const NameScope& scope) const {
  if (note_) note_->any_dimension = true;
  return parsed(scope);
}

Expression Value::expression(const NameScope& scope, const Dimension& dimension) const {
  if (note_) note_->number(dimension, range::any);
  return parsed(scope, dimension);
}

Expression Value::parsed(const NameScope& scope) const {
  if (const auto* i = std::get_if<long long>(&toml_->value))
    return Expression::constant({static_cast<double>(*i), dim::number});
  if (const auto* d = std::get_if<double>(&toml_->value)) {
    if (!std::isfinite(*d)) fail_expected("a finite number");
    return Expression::constant({*d, dim::number});
  }
  if (!is_text()) fail_expected("a number or an expression in quotes");
  return Expression::parse(*toml_->text(), scope, place());
}

Expression Value::parsed(const NameScope& scope, const Dimension& dimension) const {
  if (!is_text() && !is_integer() && !std::holds_alternative<double>(toml_->value))
    fail_expected(fmt::format("{}, for example \"{}\"", dimension.name(), dimension.example()));
  return parsed(scope).expect(dimension, place());
}

double Value::number(const Dimension& dimension, const Range& range) const {
  if (note_) note_->number(dimension, range);
  return checked(dimension, range);
}

double Value::checked(const Dimension& dimension, const Range& range) const {
  const Expression e = parsed(context_->constants, dimension);
  if (!e.is_constant())
    fail(fmt::format("found {}, which a stage changes; expected a value that stays the same", shown()));
  const Quantity q = e.quantity();
  if (!range.holds(q.value)) fail_range(*this, q, range);
  if (std::abs(q.value) > largest_value)
    fail_range(*this, q, {0, 0, false, false, "less than 1e100: its square is too large for a number"});
  return q.value;
}

bool Value::counts_cycles() const {
  if (!is_text()) return false;
  bool cycles = false;
  for (const Token& token : tokens_of(Source(*toml_->text(), place()))) {
    const std::string word(token.text);
    if (token.kind == TokenKind::number && (word.starts_with("6.28") || word.starts_with("3.14"))) return false;
    if (token.kind != TokenKind::word) continue;
    for (const char* angle : {"pi", "turn", "rad", "mrad", "deg", "°", "rpm"})
      if (word == angle) return false;
    cycles = cycles || context_->cycles.contains(word) || (word.ends_with("Hz") && find_unit(word));
  }
  return cycles;
}

Expression Value::angular(const NameScope& scope, const Dimension& dimension) const {
  if (note_) note_->number(dimension, range::any);
  Expression e = parsed(scope, dimension);
  if (!counts_cycles()) return e;
  const std::string instead = e.is_constant() && dimension == dim::rate
                                  ? fmt::format("\"{:.6g} turn/s\", or \"{:.6g} rad/s\" if that is meant",
                                                e.quantity().value, e.quantity().value)
                                  : std::string("turn/s for Hz, or a factor of 2*pi");
  fail(fmt::format("found {}: Hz counts cycles and is no angle per time; expected {}", shown(), instead));
}

double Value::angular_rate(const Range& range) const {
  const double rate = number(dim::rate, range);
  (void)Value(*toml_, key_, *context_).angular(context_->constants, dim::rate);  // whose range is not the note
  return rate;
}

Vec3<double> Value::angular_rates() const {
  const auto [x, y, z] = three(fmt::format("[x, y, z], each {}", dim::rate.name()));
  return {x.angular_rate(), y.angular_rate(), z.angular_rate()};
}

std::vector<Value> Value::list(const std::string& expected) const {
  if (note_) note_->any_length = true;
  return items(expected, note_ ? &note_->item() : nullptr);
}

std::vector<Value> Value::items(const std::string& expected, KeyNote* note) const {
  if (!is_list()) fail_expected(expected);
  std::vector<Value> all;
  all.reserve(toml_->list()->size());
  for (const auto& item : *toml_->list())
    all.emplace_back(item, fmt::format("{}[{}]", key_, all.size()), *context_, note);
  return all;
}

std::vector<Value> Value::list_or_one() const {
  if (note_) note_->one_or_list = true;
  return is_list() ? items("", note_) : std::vector<Value>{*this};
}

std::array<Value, 3> Value::three(const std::string& expected) const {
  const auto all = items(expected, note_ ? &note_->item() : nullptr);
  if (all.size() != 3) fail_expected(expected);
  return {all[0], all[1], all[2]};
}

Vec3<double> Value::vector(const Dimension& dimension) const {
  const auto [x, y, z] = three(fmt::format("[x, y, z], each {}", dimension.name()));
  return {x.number(dimension), y.number(dimension), z.number(dimension)};
}

Vec3<double> Value::direction() const {
  const Vec3<double> v = vector(dim::number);
  const double length = norm(v);
  if (!(length > 0) || !std::isfinite(length)) fail("found a vector of no length, expected a direction");
  return (1 / length) * v;
}

std::array<Expression, 3> Value::expressions(const NameScope& scope, const Dimension& dimension) const {
  const auto [x, y, z] = three(fmt::format("[x, y, z], each {}", dimension.name()));
  return {x.expression(scope, dimension), y.expression(scope, dimension), z.expression(scope, dimension)};
}

}  // namespace ls
