#include "language/expression_parser.h"

#include "base/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls {

namespace {

bool is_comparison(TokenKind kind) {
  return kind >= TokenKind::less && kind <= TokenKind::not_equal;
}

}  // namespace

// Garbage like "((((((…" must end in a message, not in an overflow of the stack.
class ExpressionParser::Level {
 public:
  explicit Level(ExpressionParser& parser) : parser_(parser) {
    constexpr int deepest = 100;
    if (++parser_.level_ > deepest) {
      parser_.source_.fail(parser_.peek().begin,
                           fmt::format("the expression is nested deeper than {} levels", deepest));
    }
  }
  ~Level() { --parser_.level_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  ExpressionParser& parser_;
};

const Token& ExpressionParser::peek(std::size_t ahead) const {
  return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
}

Token ExpressionParser::take() {
  const Token token = peek();
  if (token.kind != TokenKind::end) ++next_;
  return token;
}

bytecode::Program ExpressionParser::parse() {
  if (at(TokenKind::end)) source_.fail(0, "found an empty text, expected a value such as \"25 mm\"");
  const Operand result = disjunction();
  const bool comma = at(TokenKind::comma) && peek(1).kind == TokenKind::number;
  if (comma) fail_unexpected("a point in a decimal number, as in 1.5");
  if (!at(TokenKind::end)) fail_unexpected("an operator such as * or the end");
  return builder_.finish(result);
}

Operand ExpressionParser::disjunction() {
  const Level level(*this);
  Operand a = conjunction();
  while (at(TokenKind::either)) {
    const Token op = take();
    a = builder_.logical(a, conjunction(), op);
  }
  return a;
}

Operand ExpressionParser::conjunction() {
  Operand a = inversion();
  while (at(TokenKind::both)) {
    const Token op = take();
    a = builder_.logical(a, inversion(), op);
  }
  return a;
}

Operand ExpressionParser::inversion() {
  if (!at(TokenKind::invert)) return comparison();
  const Level level(*this);
  const Token op = take();
  return builder_.inverted(inversion(), op);
}

Operand ExpressionParser::comparison() {
  const Operand a = sum();
  if (!is_comparison(peek().kind)) return a;
  const Token op = take();
  const Operand b = sum();
  if (is_comparison(peek().kind)) {
    source_.fail(peek().begin, "comparisons don't chain; write a < b and b < c");
  }
  return builder_.comparison(a, b, op);
}

Operand ExpressionParser::sum() {
  Operand a = product();
  while (at(TokenKind::plus) || at(TokenKind::minus)) {
    const Token op = take();
    a = builder_.sum(a, product(), op);
  }
  return a;
}

Operand ExpressionParser::product() {
  Operand a = signed_factor();
  while (at(TokenKind::times) || at(TokenKind::divide)) {
    const Token op = take();
    const bool both = op.kind == TokenKind::divide && at(TokenKind::word) && scope_.find(peek().text) && is_unit(0);
    if (both) builder_.note(peek().text, ExpressionBuilder::Reading::name_though_unit);
    const Operand b = signed_factor();
    a = op.kind == TokenKind::times ? builder_.product(a, b) : builder_.quotient(a, b, op);
  }
  return a;
}

Operand ExpressionParser::signed_factor() {
  if (!at(TokenKind::minus) && !at(TokenKind::plus)) return power();
  const Level level(*this);
  const Token sign = take();
  const Operand a = signed_factor();
  return sign.kind == TokenKind::minus ? builder_.negated(a, sign) : a;
}

Operand ExpressionParser::power() {
  const Operand base = atom();
  if (!at(TokenKind::power)) return base;
  const Level level(*this);
  take();
  const Operand exponent = signed_factor();
  return builder_.power(base, exponent, base.begin, exponent.end);
}

Operand ExpressionParser::atom() {
  switch (peek().kind) {
    case TokenKind::number:
      return literal();
    case TokenKind::word:
      return word();
    case TokenKind::open:
      return parenthesised();
    default:
      fail_unexpected("a value");
  }
}

Operand ExpressionParser::parenthesised() {
  const Token open = take();
  Operand inside = disjunction();
  if (!at(TokenKind::close)) fail_unexpected("an operator or )");
  inside.begin = open.begin;
  inside.end = take().end;
  return inside;
}

Operand ExpressionParser::word() {
  const Token name = take();
  if (at(TokenKind::open) && ExpressionBuilder::is_function(name.text)) return call(name);
  if (const NameScope::Name* known = scope_.find(name.text)) return found(*known, name);
  const std::string text = at(TokenKind::open) ? call_with_names(name) : std::string(name.text);
  const NameScope::Found sought = scope_.seek(text);
  if (!sought.refusal.empty()) source_.fail(name.begin, sought.refusal);
  if (sought.name) {
    if (at(TokenKind::open))
      while (take().kind != TokenKind::close) {
      }
    return found(*sought.name, name);
  }
  if (ExpressionBuilder::is_function(name.text) && !find_unit(name.text)) fail_unexpected("( after a function");
  const std::optional<Unit> unit = find_unit(name.text);
  if (!unit) fail_unknown(name);
  builder_.note(name.text, ExpressionBuilder::Reading::unit_for_want_of_name);
  return builder_.quantity(unit->quantity(), name.begin, name.end);
}

Operand ExpressionParser::found(const NameScope::Name& name, const Token& at) {
  if (name.slot < 0) return builder_.named_constant(name.value, at);
  return name.condition ? builder_.flag(name.slot, at) : builder_.variable(name.slot, name.value.dimension, at);
}

// "contact(ball,floor)", as it stands but for spaces, where there are nothing but names in the parentheses.
std::string ExpressionParser::call_with_names(const Token& name) const {
  std::string text(name.text);
  std::size_t ahead = 0;
  do {
    text += peek(ahead).text;
    if (peek(ahead + 1).kind != TokenKind::word) return "";
    text += peek(ahead + 1).text;
    ahead += 2;
  } while (peek(ahead).kind == TokenKind::comma);
  return peek(ahead).kind == TokenKind::close ? text + ")" : "";
}

// "cos(5 Hz*t)", with nothing that makes an angle of it: one who wrote that did not mean 5 rad/s.
void ExpressionParser::refuse_cycles_as_angles(const Token& function) const {
  if (function.text != "sin" && function.text != "cos" && function.text != "tan") return;
  int numbers = 0, cycles = 0;
  for (std::size_t ahead = 0; peek(ahead).kind != TokenKind::close && peek(ahead).kind != TokenKind::end; ++ahead) {
    const Token& token = peek(ahead);
    if (token.kind == TokenKind::number) ++numbers;
    if (token.kind != TokenKind::word) continue;
    if (token.text.ends_with("Hz"))
      ++cycles;
    else if (token.text != "t")
      return;
  }
  if (cycles == 1 && numbers == 1) {
    source_.fail(peek().begin,
                 "Hz counts cycles and says nothing of their angle: write 2*pi times as much, as in "
                 "cos(2*pi*5 Hz*t), or turn/s or rad/s instead of Hz");
  }
}

Operand ExpressionParser::call(const Token& function) {
  take();
  refuse_cycles_as_angles(function);
  std::vector<Operand> arguments;
  if (!at(TokenKind::close)) arguments.push_back(disjunction());
  while (at(TokenKind::comma)) {
    take();
    arguments.push_back(disjunction());
  }
  if (!at(TokenKind::close)) fail_unexpected("a comma or )");
  return builder_.call(function, arguments, take().end);
}

void ExpressionParser::fail_unknown(const Token& word) const {
  const std::vector<std::string> names = scope_.names();
  const std::string quoted = source_.quote(word.begin, word.end);
  if (at(TokenKind::open)) {
    source_.fail(word.begin,
                 "unknown function " + quoted + did_you_mean(word.text, ExpressionBuilder::function_names()));
  }
  std::string advice = did_you_mean(word.text, names);
  if (advice.empty()) advice = did_you_mean(word.text, unit_names());
  if (advice.empty()) advice = fmt::format("; names here are {}", fmt::join(names, ", "));
  source_.fail(word.begin, "unknown name " + quoted + advice);
}

void ExpressionParser::fail_unexpected(const std::string& expected) const {
  const Token& token = peek();
  const std::string found = token.kind == TokenKind::end ? "the end" : source_.quote(token.begin, token.end);
  source_.fail(token.begin, fmt::format("found {}, expected {}", found, expected));
}

}  // namespace ls
