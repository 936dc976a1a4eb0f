#include "base/nearest.h"
#include "language/expression_parser.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

// The part of the parser that reads numbers and the units right after them.
namespace ls {

Operand ExpressionParser::literal() {
  const Token number = take();
  if (!at(TokenKind::word)) return builder_.number(value_of_literal(number, {}), number);
  const Unit unit = unit_phrase();
  const std::size_t end = tokens_[next_ - 1].end;
  if (at(TokenKind::power)) source_.fail(peek().begin, "a power of a power needs parentheses, as in \"(2 m^2)^3\"");
  return builder_.quantity({value_of_literal(number, unit), unit.dimension}, number.begin, end);
}

// The unit's power of ten goes into the decimal digits before they become a double: "25.8 mm" is exactly 0.0258.
double ExpressionParser::value_of_literal(const Token& number, const Unit& unit) const {
  const std::size_t e = number.text.find_first_of("eE");
  long exponent = 0;
  if (e != std::string_view::npos) {
    const std::size_t digits = e + (number.text[e + 1] == '+' ? 2 : 1);
    const char* end = number.text.data() + number.text.size();
    const auto read = std::from_chars(number.text.data() + digits, end, exponent);
    if (read.ec != std::errc()) exponent = number.text[digits] == '-' ? -1000000 : 1000000;
  }
  const std::string shifted = fmt::format("{}e{}", number.text.substr(0, e), exponent + unit.exponent);
  double value = 0;
  const auto read = std::from_chars(shifted.data(), shifted.data() + shifted.size(), value);
  value *= unit.factor;
  if (read.ec != std::errc() || !std::isfinite(value)) {
    source_.fail(number.begin, source_.quote(number.begin, number.end) + " is too large or too small a number");
  }
  return value;
}

Unit ExpressionParser::unit_phrase() {
  const Token first = peek();
  Unit unit = unit_factor();
  while (true) {
    if (at(TokenKind::word)) {
      unit = checked(unit * unit_factor(), first);
    } else if (const std::optional<Unit> divisor = next_divisor()) {
      unit = checked(unit / *divisor, first);
    } else if (const std::optional<Unit> multiplier = next_multiplier()) {
      unit = checked(unit * *multiplier, first);
    } else {
      return unit;
    }
  }
}

std::optional<Unit> ExpressionParser::next_divisor() {
  if (!at(TokenKind::divide) || !is_tight()) return std::nullopt;
  if (is_unit(1)) {
    take();
    if (scope_.find(peek().text)) builder_.note(peek().text, ExpressionBuilder::Reading::unit_though_name);
    return unit_factor();
  }
  if (!is_unit_group(1)) return std::nullopt;
  take();
  return unit_group();
}

std::optional<Unit> ExpressionParser::next_multiplier() {
  if (!at(TokenKind::times) || !is_tight() || !is_unit(1) || scope_.find(peek(1).text)) return std::nullopt;
  take();
  return unit_factor();
}

Unit ExpressionParser::unit_factor() {
  const Token name = take();
  const std::optional<Unit> unit = find_unit(name.text);
  if (!unit || at(TokenKind::open)) fail_unit(name);
  if (!at(TokenKind::power)) return *unit;
  take();
  const std::optional<Unit> raised = ls::power(*unit, unit_exponent());
  if (!raised) source_.fail(name.begin, "this power of a unit is too high, or no multiple of 1/2");
  return *raised;
}

double ExpressionParser::unit_exponent() {
  const bool negative = at(TokenKind::minus);
  if (negative) take();
  if (!at(TokenKind::number)) fail_unexpected("a number as the power of a unit");
  const double exponent = value_of_literal(take(), {});
  return negative ? -exponent : exponent;
}

// The parentheses hold units only: is_unit_group has looked.
Unit ExpressionParser::unit_group() {
  const Token open = take();
  Unit unit = unit_factor();
  while (!at(TokenKind::close)) {
    const bool divides = at(TokenKind::divide);
    if (divides || at(TokenKind::times)) take();
    unit = checked(divides ? unit / unit_factor() : unit * unit_factor(), open);
  }
  take();
  return unit;
}

bool ExpressionParser::is_tight() const {
  return !peek().space_before && !peek(1).space_before;
}

bool ExpressionParser::is_unit(std::size_t ahead) const {
  if (peek(ahead).kind != TokenKind::word || !find_unit(peek(ahead).text)) return false;
  // "min(" is the function.
  return peek(ahead + 1).kind != TokenKind::open || !ExpressionBuilder::is_function(peek(ahead).text);
}

// "(m K)": units, each with or without a power, side by side or with * or / between. At least one of them must be no
// name in scope, since "(s)" is more likely to be the name.
bool ExpressionParser::is_unit_group(std::size_t ahead) const {
  if (peek(ahead++).kind != TokenKind::open) return false;
  bool some_no_name = false;
  while (true) {
    if (!is_unit(ahead)) return false;
    some_no_name = some_no_name || !scope_.find(peek(ahead).text);
    ++ahead;
    if (peek(ahead).kind == TokenKind::power) {
      ++ahead;
      if (peek(ahead).kind == TokenKind::minus) ++ahead;
      if (peek(ahead++).kind != TokenKind::number) return false;
    }
    if (peek(ahead).kind == TokenKind::close) return some_no_name;
    if (peek(ahead).kind == TokenKind::times || peek(ahead).kind == TokenKind::divide) ++ahead;
  }
}

Unit ExpressionParser::checked(const Unit& unit, const Token& at) const {
  if (!unit.dimension.is_plausible()) source_.fail(at.begin, "this unit has too high a power");
  return unit;
}

void ExpressionParser::fail_unit(const Token& word) const {
  const std::string quoted = source_.quote(word.begin, word.end);
  const bool known = scope_.find(word.text) || ExpressionBuilder::is_function(word.text);
  if (known) source_.fail(word.begin, fmt::format("found {} right after a number or unit; write * before it", quoted));
  if (find_unit(word.text))
    source_.fail(word.begin, fmt::format("found ( after the unit {}, expected an operator", quoted));
  for (const std::string_view celsius : {"degC", "°C", "C", "celsius", "Celsius"})
    if (word.text == celsius)
      source_.fail(word.begin,
                   fmt::format("unknown unit {}; temperatures are in K, and 0 degrees Celsius are 273.15 K", quoted));
  source_.fail(word.begin, "unknown unit " + quoted + did_you_mean(word.text, unit_names()));
}

}  // namespace ls
