#include "language/expression_builder.h"

#include <algorithm>
#include <fmt/format.h>

namespace ls {

using bytecode::Op;

namespace {

// How the dimension of a function follows from those of its arguments.
enum class Rule {
  numbers,  // pure numbers give a pure number
  keeps,    // all arguments have one dimension, and so has the result
  forgets,  // likewise, but the result is a pure number
  root,     // the square root
  power,    // pow(x, c)
  choice,   // if(condition, a, b)
};

constexpr int any_number = 1000;

}  // namespace

struct ExpressionBuilder::Function {
  std::string_view name;
  Op op;
  Rule rule;
  int least, most;  // arguments

  static std::span<const Function> all();
};

std::span<const ExpressionBuilder::Function> ExpressionBuilder::Function::all() {
  static constexpr Function table[] = {
      {"sin", Op::sin, Rule::numbers, 1, 1},        {"cos", Op::cos, Rule::numbers, 1, 1},
      {"tan", Op::tan, Rule::numbers, 1, 1},        {"asin", Op::asin, Rule::numbers, 1, 1},
      {"acos", Op::acos, Rule::numbers, 1, 1},      {"atan", Op::atan, Rule::numbers, 1, 1},
      {"atan2", Op::atan2, Rule::forgets, 2, 2},    {"exp", Op::exp, Rule::numbers, 1, 1},
      {"log", Op::log, Rule::numbers, 1, 1},        {"sqrt", Op::sqrt, Rule::root, 1, 1},
      {"sinh", Op::sinh, Rule::numbers, 1, 1},      {"cosh", Op::cosh, Rule::numbers, 1, 1},
      {"tanh", Op::tanh, Rule::numbers, 1, 1},      {"abs", Op::abs, Rule::keeps, 1, 1},
      {"sign", Op::sign, Rule::forgets, 1, 1},      {"step", Op::step, Rule::forgets, 1, 1},
      {"floor", Op::floor, Rule::numbers, 1, 1},    {"min", Op::min, Rule::keeps, 2, any_number},
      {"max", Op::max, Rule::keeps, 2, any_number}, {"clamp", Op::clamp, Rule::keeps, 3, 3},
      {"mod", Op::mod, Rule::keeps, 2, 2},          {"pow", Op::power, Rule::power, 2, 2},
      {"if", Op::choose, Rule::choice, 3, 3},
  };
  return table;
}

const ExpressionBuilder::Function* ExpressionBuilder::find_function(std::string_view name) {
  const auto all = Function::all();
  const auto found = std::ranges::find(all, name, &Function::name);
  return found == all.end() ? nullptr : &*found;
}

bool ExpressionBuilder::is_function(std::string_view name) {
  return find_function(name) != nullptr;
}

std::vector<std::string> ExpressionBuilder::function_names() {
  std::vector<std::string> names;
  for (const Function& f : Function::all()) names.emplace_back(f.name);
  return names;
}

Operand ExpressionBuilder::call(const Token& function, std::span<const Operand> arguments, std::size_t end) {
  const Function& f = *find_function(function.text);
  const std::string name(f.name);
  const int count = static_cast<int>(arguments.size());
  if (count < f.least || count > f.most) {
    const std::string wanted = f.most == any_number ? fmt::format("at least {}", f.least) : std::to_string(f.least);
    source_.fail(function.begin,
                 fmt::format("{} takes {} argument{}, found {}", name, wanted, f.least > 1 ? "s" : "", count));
  }
  const auto zero = [](std::span<const Operand> all) { return std::ranges::all_of(all, &Operand::zero); };
  const std::string verb = "use " + name + " on";
  Operand r;
  r.begin = function.begin;
  r.end = end;
  switch (f.rule) {
    case Rule::numbers:
      need_number(arguments[0], name);
      break;
    case Rule::root:
      return raised(arguments[0], 0.5, r.begin, r.end);
    case Rule::power:
      return power(arguments[0], arguments[1], r.begin, r.end);
    case Rule::forgets:
      common(arguments, verb, function.begin);
      break;
    case Rule::keeps:
      r.dimension = common(arguments, verb, function.begin);
      r.zero = zero(arguments);
      break;
    case Rule::choice:
      need_condition(arguments[0], name);
      r.dimension = common(arguments.subspan(1), "choose between", function.begin);
      r.zero = zero(arguments.subspan(1));
      break;
  }
  // min and max of more than two: one instruction for each further argument.
  for (int i = bytecode::operand_count(f.op); i < count; ++i, --depth_) code_.push_back({f.op});
  return apply({f.op}, arguments, r);
}

}  // namespace ls
