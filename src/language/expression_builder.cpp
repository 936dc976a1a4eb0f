#include "language/expression_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls {

using bytecode::Instruction;
using bytecode::Op;

namespace {

Op operation(TokenKind kind) {
  switch (kind) {
    case TokenKind::plus:
      return Op::add;
    case TokenKind::minus:
      return Op::subtract;
    case TokenKind::less:
      return Op::less;
    case TokenKind::less_equal:
      return Op::less_equal;
    case TokenKind::greater:
      return Op::greater;
    case TokenKind::greater_equal:
      return Op::greater_equal;
    case TokenKind::equal:
      return Op::equal;
    case TokenKind::not_equal:
      return Op::not_equal;
    case TokenKind::both:
      return Op::both;
    default:
      return Op::either;
  }
}

}  // namespace

Operand ExpressionBuilder::load(const Instruction& in, const Dimension& dimension, std::size_t begin, std::size_t end) {
  if (++depth_ > bytecode::stack_size)
    source_.fail(begin, "the expression is nested too deeply; split it with [define]");
  if (in.op == Op::constant && !std::isfinite(in.value)) {
    source_.fail(begin, source_.quote(begin, end) + " is not a finite number");
  }
  Operand r;
  r.dimension = dimension;
  r.code = code_.size();
  r.begin = begin;
  r.end = end;
  r.constant = in.op == Op::constant;
  code_.push_back(in);
  return r;
}

// result carries what the caller knows: its dimension and its text.
Operand ExpressionBuilder::apply(const Instruction& in, std::span<const Operand> operands, Operand result) {
  const auto all = [&](auto member) { return std::ranges::all_of(operands, member); };
  result.code = operands.front().code;
  result.constant = all(&Operand::constant);
  result.bare = all(&Operand::bare);
  code_.push_back(in);
  depth_ -= bytecode::operand_count(in.op) - 1;
  if (!result.dimension.is_plausible()) {
    source_.fail(result.begin, "the unit of " + quote(result) + " has too high a power");
  }
  if (!result.constant) return result;

  const std::span<const Instruction> part(code_.begin() + static_cast<std::ptrdiff_t>(result.code), code_.end());
  const double value = bytecode::run<double>(part, {});
  if (!std::isfinite(value)) source_.fail(result.begin, quote(result) + " is not a finite number");
  code_.resize(result.code);
  code_.push_back({Op::constant, 0, value});
  return result;
}

Operand ExpressionBuilder::number(double value, const Token& at) {
  Operand r = load({Op::constant, 0, value}, dim::number, at.begin, at.end);
  r.bare = true;
  r.zero = value == 0;
  return r;
}

Operand ExpressionBuilder::quantity(const Quantity& value, std::size_t begin, std::size_t end) {
  return load({Op::constant, 0, value.value}, value.dimension, begin, end);
}

Operand ExpressionBuilder::named_constant(const Quantity& value, const Token& at) {
  Operand r = quantity(value, at.begin, at.end);
  r.bare = value.dimension.is_number();
  return r;
}

Operand ExpressionBuilder::variable(int slot, const Dimension& dimension, const Token& at) {
  return load({Op::variable, slot, 0}, dimension, at.begin, at.end);
}

Operand ExpressionBuilder::flag(int slot, const Token& at) {
  Operand r = variable(slot, dim::number, at);
  r.condition = true;
  return r;
}

Operand ExpressionBuilder::negated(Operand a, const Token& minus) {
  const std::array operands = {a};
  a.begin = minus.begin;
  a.condition = false;
  return apply({Op::negate}, operands, a);
}

Operand ExpressionBuilder::sum(const Operand& a, const Operand& b, const Token& op) {
  const std::array operands = {a, b};
  Operand r;
  r.begin = a.begin;
  r.end = b.end;
  r.dimension = common(operands, op.kind == TokenKind::plus ? "add" : "subtract", op.begin);
  r.zero = a.zero && b.zero;
  return apply({operation(op.kind)}, operands, r);
}

Operand ExpressionBuilder::product(const Operand& a, const Operand& b) {
  const std::array operands = {a, b};
  Operand r;
  r.begin = a.begin;
  r.end = b.end;
  r.dimension = a.dimension * b.dimension;
  return apply({Op::multiply}, operands, r);
}

Operand ExpressionBuilder::quotient(const Operand& a, const Operand& b, const Token& op) {
  const std::array operands = {a, b};
  Operand r;
  r.begin = a.begin;
  r.end = b.end;
  r.dimension = a.dimension / b.dimension;
  if (b.constant && code_.back().value == 0) {
    source_.fail(op.begin, quote(r) + " is not a finite number: it divides by zero");
  }
  return apply({Op::divide}, operands, r);
}

Operand ExpressionBuilder::power(const Operand& base, const Operand& exponent, std::size_t begin, std::size_t end) {
  if (!exponent.dimension.is_number()) {
    fail_dimension(exponent.begin, fmt::format("found {} in {}, expected a pure number as exponent",
                                               exponent.dimension.name(), quote(exponent)));
  }
  if (exponent.constant) {
    const double value = code_.back().value;
    code_.pop_back();
    --depth_;
    Operand kept = base;
    kept.bare = base.bare && exponent.bare;
    return raised(kept, value, begin, end);
  }
  if (!base.dimension.is_number()) {
    fail_dimension(exponent.begin, fmt::format("the exponent of {} must be constant, {} is not", base.dimension.name(),
                                               quote(exponent)));
  }
  const std::array operands = {base, exponent};
  Operand r;
  r.begin = begin;
  r.end = end;
  return apply({Op::power}, operands, r);
}

Operand ExpressionBuilder::raised(const Operand& base, double exponent, std::size_t begin, std::size_t end) {
  const std::optional<Dimension> dimension = base.dimension.pow(exponent);
  if (!dimension) {
    fail_dimension(base.begin, fmt::format("{} to the power {} has no unit", base.dimension.name(), exponent));
  }
  const std::array operands = {base};
  Operand r;
  r.begin = begin;
  r.end = end;
  r.dimension = *dimension;
  constexpr double largest_whole = 64;  // beyond, repeated multiplication loses to the library
  if (exponent == std::round(exponent) && std::abs(exponent) <= largest_whole) {
    return apply({Op::whole_power, static_cast<int>(exponent), 0}, operands, r);
  }
  if (exponent == 0.5) return apply({Op::sqrt}, operands, r);
  return apply({Op::real_power, 0, exponent}, operands, r);
}

Operand ExpressionBuilder::comparison(const Operand& a, const Operand& b, const Token& op) {
  const std::array operands = {a, b};
  Operand r;
  r.begin = a.begin;
  r.end = b.end;
  r.condition = true;
  compared_ = common(operands, "compare", op.begin);
  return apply({operation(op.kind)}, operands, r);
}

Operand ExpressionBuilder::logical(const Operand& a, const Operand& b, const Token& op) {
  const std::array operands = {a, b};
  for (const Operand& operand : operands) need_condition(operand, std::string(op.text));
  Operand r;
  r.begin = a.begin;
  r.end = b.end;
  r.condition = true;
  return apply({operation(op.kind)}, operands, r);
}

Operand ExpressionBuilder::inverted(const Operand& a, const Token& op) {
  need_condition(a, std::string(op.text));
  const std::array operands = {a};
  Operand r = a;
  r.begin = op.begin;
  return apply({Op::invert}, operands, r);
}

Dimension ExpressionBuilder::common(std::span<const Operand> operands, const std::string& verb, std::size_t at) const {
  const Operand* first = nullptr;
  for (const Operand& operand : operands) {
    if (operand.zero) continue;
    if (!first) first = &operand;
    if (operand.dimension == first->dimension) continue;
    std::string message = fmt::format("can't {} {}, {}, and {}, {}", verb, quote(*first), first->dimension.name(),
                                      quote(operand), operand.dimension.name());
    const Operand& plain = operand.bare ? operand : *first;
    if (plain.bare) message += fmt::format("; give {} a unit", quote(plain));
    fail_dimension(at, message);
  }
  return first ? first->dimension : dim::number;
}

void ExpressionBuilder::need_number(const Operand& a, const std::string& who) const {
  if (a.dimension.is_number()) return;
  fail_dimension(a.begin, fmt::format("found {} in {}, expected a pure number (or an angle) for {}", a.dimension.name(),
                                      quote(a), who));
}

void ExpressionBuilder::need_condition(const Operand& a, const std::string& who) const {
  if (a.condition) return;
  source_.fail(a.begin, fmt::format("found {} in {}, expected a condition such as t < 1 s for {}", a.dimension.name(),
                                    quote(a), who));
}

void ExpressionBuilder::fail_dimension(std::size_t at, const std::string& message) const {
  source_.fail(at, message + hint());
}

void ExpressionBuilder::note(std::string_view word, Reading reading) {
  std::vector<std::string>& words = readings_[static_cast<int>(reading)];
  if (std::ranges::find(words, word) == words.end()) words.emplace_back(word);
}

std::string ExpressionBuilder::hint() const {
  const auto& as_unit = readings_[static_cast<int>(Reading::unit_though_name)];
  const auto& as_name = readings_[static_cast<int>(Reading::name_though_unit)];
  const auto& undefined = readings_[static_cast<int>(Reading::unit_for_want_of_name)];
  std::string text;
  if (!as_unit.empty()) {
    text += fmt::format(" (read as a unit: {}; for the name of that spelling put spaces around the /)",
                        fmt::join(as_unit, ", "));
  }
  if (!as_name.empty()) {
    text += fmt::format(" (read as a name: {}; a unit stands right after a number, as in \"1 {}\")",
                        fmt::join(as_name, ", "), as_name.front());
  }
  if (!undefined.empty()) {
    text += fmt::format(" (read as a unit, there being no such name: {})", fmt::join(undefined, ", "));
  }
  return text;
}

bytecode::Program ExpressionBuilder::finish(const Operand& result) {
  bytecode::Program program;
  program.code = std::move(code_);
  program.dimension = result.dimension;
  program.bare = result.bare;
  program.zero = result.zero;
  program.condition = result.condition;
  program.compared = compared_;
  program.text = source_.text();
  program.hint = hint();
  return program;
}

}  // namespace ls
