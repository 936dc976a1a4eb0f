#include "language/expression.h"

#include "language/expression_parser.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <numbers>

namespace ls {

using bytecode::Op;

namespace {

const std::array<NameScope::Name, 2>& built_in() {
  static const std::array<NameScope::Name, 2> names = {
      NameScope::Name{"pi", -1, {std::numbers::pi, dim::number}},
      NameScope::Name{"mu0", -1, {4e-7 * std::numbers::pi, dim::permeability}},
  };
  return names;
}

}  // namespace

void NameScope::constant(std::string name, const Quantity& value) {
  names_.push_back({std::move(name), -1, value});
}

int NameScope::variable(std::string name, const Dimension& dimension) {
  names_.push_back({std::move(name), variables_, {0, dimension}});
  return variables_++;
}

const NameScope::Name* NameScope::find(std::string_view name) const {
  const auto found = std::find_if(names_.rbegin(), names_.rend(), [&](const Name& n) { return n.name == name; });
  if (found != names_.rend()) return &*found;
  const auto fixed = std::ranges::find(built_in(), name, &Name::name);
  return fixed == built_in().end() ? nullptr : &*fixed;
}

std::vector<std::string> NameScope::names() const {
  std::vector<std::string> all;
  for (const Name& n : names_) all.push_back(n.name);
  for (const Name& n : built_in()) all.push_back(n.name);
  return all;
}

void NameScope::check_name(std::string_view name, const Place& place) {
  const Source source(name, place);
  const std::string quoted = source.quote(0, name.size());
  if (ExpressionBuilder::is_function(name)) fail(place, quoted + " is the name of a function; choose another name");
  const bool taken = std::ranges::find(built_in(), name, &Name::name) != built_in().end();
  if (taken) fail(place, quoted + " is a constant of its own; choose another name");
  const bool letters = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
  });
  const auto is_word = [&] {
    const std::vector<Token> tokens = tokens_of(source);
    return tokens.size() == 2 && tokens[0].kind == TokenKind::word;
  };
  if (!letters || name.empty() || !is_word()) {
    fail(place, "found the name " + quoted + ", expected letters, digits and _, a letter first, and not and, or, not");
  }
}

Expression Expression::constant(const Quantity& value) {
  bytecode::Program program;
  program.code.push_back({Op::constant, 0, value.value});
  program.dimension = value.dimension;
  program.bare = value.dimension.is_number();
  program.zero = program.bare && value.value == 0;
  program.text = describe(value);
  return Expression(std::move(program));
}

Expression Expression::parse(std::string_view text, const NameScope& scope, const Place& place) {
  const Source source(text, place);
  return Expression(ExpressionParser(source, scope).parse());
}

bool Expression::uses(int variable_slot) const {
  return std::ranges::any_of(program_.code,
                             [&](const auto& in) { return in.op == Op::variable && in.index == variable_slot; });
}

Quantity Expression::quantity() const {
  assert(is_constant());
  return {program_.code[0].value, program_.dimension};
}

double Expression::operator()(std::span<const double> variables) const {
  return evaluate<double>(variables);
}

Expression Expression::expect(const Dimension& wanted, const Place& place) const {
  const bool si = program_.zero || program_.bare;
  const bool odd_condition = program_.condition && !wanted.is_number();
  if (odd_condition || (program_.dimension != wanted && !si)) {
    const std::string found = program_.condition ? "a condition" : program_.dimension.name();
    const Source source(program_.text, place);
    fail(place, fmt::format("found {} in {}, expected {}, for example \"{}\"{}", found,
                            source.quote(0, program_.text.size()), wanted.name(), wanted.example(), program_.hint));
  }
  Expression r = *this;
  r.program_.dimension = wanted;
  r.program_.bare = r.program_.zero = false;  // it has its unit now
  return r;
}

std::optional<Expression> Expression::margin() const {
  if (!program_.condition || program_.code.size() < 3) return std::nullopt;
  const Op op = program_.code.back().op;
  const bool is_less = op == Op::less || op == Op::less_equal;
  if (!is_less && op != Op::greater && op != Op::greater_equal) return std::nullopt;
  Expression r = *this;
  r.program_.code.back().op = Op::subtract;
  if (is_less) r.program_.code.push_back({Op::negate, 0, 0});
  r.program_.condition = false;
  r.program_.dimension = program_.compared;
  return r;
}

Expression Expression::expect_condition(const Place& place) const {
  if (!program_.condition) {
    const Source source(program_.text, place);
    fail(place, fmt::format("found {} in {}, expected a condition, for example \"t > 1 s\"", program_.dimension.name(),
                            source.quote(0, program_.text.size())));
  }
  return *this;
}

}  // namespace ls
