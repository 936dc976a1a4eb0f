#pragma once
#include "language/expression.h"
#include "language/expression_builder.h"
#include "language/units.h"

#include <optional>
#include <string>
#include <vector>

namespace ls {

// Reads an expression by recursive descent: a function for each level of precedence, loosest first.
class ExpressionParser {
 public:
  ExpressionParser(const Source& source, const NameScope& scope)
      : source_(source), scope_(scope), tokens_(tokens_of(source)), builder_(source) {}

  bytecode::Program parse();

 private:
  class Level;  // counts how deep we are

  Operand disjunction();
  Operand conjunction();
  Operand inversion();
  Operand comparison();
  Operand sum();
  Operand product();
  Operand signed_factor();
  Operand power();
  Operand atom();
  Operand parenthesised();
  Operand literal();
  Operand word();
  Operand call(const Token& function);
  Operand found(const NameScope::Name& name, const Token& at);
  std::string call_with_names(const Token& name) const;
  void refuse_cycles_as_angles(const Token& function) const;

  // Units right after a number; see the rule in expression.h.
  Unit unit_phrase();
  Unit unit_factor();
  Unit unit_group();
  std::optional<Unit> next_divisor();
  std::optional<Unit> next_multiplier();
  bool is_unit(std::size_t ahead) const;
  bool is_unit_group(std::size_t ahead) const;
  double unit_exponent();
  Unit checked(const Unit& unit, const Token& at) const;

  const Token& peek(std::size_t ahead = 0) const;
  Token take();
  bool at(TokenKind kind) const { return peek().kind == kind; }
  bool is_tight() const;  // no space on either side of this token
  double value_of_literal(const Token& number, const Unit& unit) const;
  [[noreturn]] void fail_unknown(const Token& word) const;
  [[noreturn]] void fail_unit(const Token& word) const;
  [[noreturn]] void fail_unexpected(const std::string& expected) const;

  const Source& source_;
  const NameScope& scope_;
  std::vector<Token> tokens_;
  ExpressionBuilder builder_;
  std::size_t next_ = 0;
  int level_ = 0;
};

}  // namespace ls
