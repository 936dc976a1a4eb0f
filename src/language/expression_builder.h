#pragma once
#include "language/expression_code.h"
#include "language/expression_tokens.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ls {

// What the parser knows of a part of an expression whose code has been written.
struct Operand {
  Dimension dimension;
  std::size_t code = 0;            // where its instructions start; they end where the next operand's start
  std::size_t begin = 0, end = 0;  // its text
  bool constant = false;           // then its code is the one instruction that loads its value
  bool bare = false;
  bool zero = false;
  bool condition = false;
};

// Writes code from the leaves up and checks dimensions on the way. What is constant is computed at once. Operands are
// handed back in the order in which they were made.
class ExpressionBuilder {
 public:
  explicit ExpressionBuilder(const Source& source) : source_(source) {}

  Operand number(double value, const Token& at);                                // written without a unit
  Operand quantity(const Quantity& value, std::size_t begin, std::size_t end);  // written with one
  Operand named_constant(const Quantity& value, const Token& at);
  Operand variable(int slot, const Dimension& dimension, const Token& at);
  Operand flag(int slot, const Token& at);  // a variable that is 0 or 1

  Operand negated(Operand a, const Token& minus);
  Operand sum(const Operand& a, const Operand& b, const Token& op);  // and difference
  Operand product(const Operand& a, const Operand& b);
  Operand quotient(const Operand& a, const Operand& b, const Token& op);
  Operand power(const Operand& base, const Operand& exponent, std::size_t begin, std::size_t end);
  Operand comparison(const Operand& a, const Operand& b, const Token& op);
  Operand logical(const Operand& a, const Operand& b, const Token& op);  // and, or
  Operand inverted(const Operand& a, const Token& op);
  // end is past the closing parenthesis.
  Operand call(const Token& function, std::span<const Operand> arguments, std::size_t end);

  static bool is_function(std::string_view name);
  static std::vector<std::string> function_names();

  // Remembers a word that could have been meant otherwise, for messages about dimensions.
  enum class Reading { unit_though_name, name_though_unit, unit_for_want_of_name };
  void note(std::string_view word, Reading reading);

  bytecode::Program finish(const Operand& result);

 private:
  struct Function;
  static const Function* find_function(std::string_view name);

  Operand load(const bytecode::Instruction& in, const Dimension& dimension, std::size_t begin, std::size_t end);
  Operand apply(const bytecode::Instruction& in, std::span<const Operand> operands, Operand result);
  Operand raised(const Operand& base, double exponent, std::size_t begin, std::size_t end);
  Dimension common(std::span<const Operand> operands, const std::string& verb, std::size_t at) const;
  void need_number(const Operand& a, const std::string& who) const;
  void need_condition(const Operand& a, const std::string& who) const;
  [[noreturn]] void fail_dimension(std::size_t at, const std::string& message) const;
  std::string quote(const Operand& a) const { return source_.quote(a.begin, a.end); }
  std::string hint() const;

  const Source& source_;
  std::vector<bytecode::Instruction> code_;
  int depth_ = 0;  // values on the stack
  Dimension compared_;
  std::vector<std::string> readings_[3];
};

}  // namespace ls
