#pragma once
#include "language/expression_math.h"
#include "language/quantity.h"

#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

// What an expression is compiled to: instructions for a machine with a small stack, in the order of reverse Polish
// notation. Both branches of an `if` are computed and one is kept, so there are no jumps; conditions are 0 or 1.
namespace ls::bytecode {

enum class Op : std::uint8_t {
  constant,
  variable,
  // of one operand
  negate,
  invert,  // logical
  whole_power,
  real_power,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  exp,
  log,
  sqrt,
  sinh,
  cosh,
  tanh,
  abs,
  sign,
  step,
  floor,
  // of two
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  min,
  max,
  mod,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  both,
  either,
  // of three
  clamp,
  choose,
};

constexpr int operand_count(Op op) {
  if (op < Op::negate) return 0;
  if (op < Op::add) return 1;
  return op < Op::clamp ? 2 : 3;
}

struct Instruction {
  Op op = Op::constant;
  int index = 0;     // slot of a variable, exponent of a whole power
  double value = 0;  // of a constant, exponent of a real power
};

inline constexpr int stack_size = 64;

struct Program {
  std::vector<Instruction> code;
  Dimension dimension;
  bool bare = false;       // constant, and written without any unit: may stand for an SI value
  bool zero = false;       // a plain 0: fits every dimension
  bool condition = false;  // true or false
  Dimension compared;      // of both sides of the last comparison
  std::string text;        // as written
  std::string hint;        // for a message about a wrong dimension: words that may have been meant otherwise
};

template <class T>
T one_operand(const Instruction& in, const T& a) {
  switch (in.op) {
    case Op::negate:
      return -a;
    case Op::invert:
      return T(value_of(a) == 0 ? 1.0 : 0.0);
    case Op::whole_power:
      return whole_power(a, in.index);
    case Op::real_power:
      return real_power(a, in.value);
    case Op::sin:
      return sine(a);
    case Op::cos:
      return cosine(a);
    case Op::tan:
      return tangent(a);
    case Op::asin:
      return arc_sine(a);
    case Op::acos:
      return arc_cosine(a);
    case Op::atan:
      return arc_tangent(a);
    case Op::exp:
      return exponential(a);
    case Op::log:
      return logarithm(a);
    case Op::sqrt:
      return square_root(a);
    case Op::sinh:
      return hyperbolic_sine(a);
    case Op::cosh:
      return hyperbolic_cosine(a);
    case Op::tanh:
      return hyperbolic_tangent(a);
    case Op::abs:
      return value_of(a) < 0 ? -a : a;
    case Op::sign:
      return T(value_of(a) > 0 ? 1.0 : value_of(a) < 0 ? -1.0 : 0.0);
    case Op::step:
      return T(value_of(a) < 0 ? 0.0 : 1.0);
    case Op::floor:
      return T(std::floor(value_of(a)));
    default:
      assert(false);
      return a;
  }
}

template <class T>
T two_operands(Op op, const T& a, const T& b) {
  const auto truth = [](bool holds) { return T(holds ? 1.0 : 0.0); };
  switch (op) {
    case Op::power:
      return general_power(a, b);
    case Op::atan2:
      return angle(a, b);
    case Op::min:
      return value_of(b) < value_of(a) ? b : a;
    case Op::max:
      return value_of(a) < value_of(b) ? b : a;
    case Op::mod:
      return modulo(a, b);
    case Op::less:
      return truth(value_of(a) < value_of(b));
    case Op::less_equal:
      return truth(value_of(a) <= value_of(b));
    case Op::greater:
      return truth(value_of(a) > value_of(b));
    case Op::greater_equal:
      return truth(value_of(a) >= value_of(b));
    case Op::equal:
      return truth(value_of(a) == value_of(b));
    case Op::not_equal:
      return truth(value_of(a) != value_of(b));
    case Op::both:
      return truth(value_of(a) != 0 && value_of(b) != 0);
    case Op::either:
      return truth(value_of(a) != 0 || value_of(b) != 0);
    default:
      assert(false);
      return a;
  }
}

template <class T>
T three_operands(Op op, const T& a, const T& b, const T& c) {
  if (op == Op::choose) return value_of(a) != 0 ? b : c;
  assert(op == Op::clamp);
  if (value_of(a) < value_of(b)) return b;
  return value_of(c) < value_of(a) ? c : a;
}

// Duals clear themselves when made; for a whole stack of them that would cost more than the expression.
template <class T>
union Slot {
  Slot() {}  // NOLINT(modernize-use-equals-default): or it would be zeroed
  T value;
};

// The result of code, which leaves one value on the stack. Allocates nothing.
template <class T>
T run(std::span<const Instruction> code, std::span<const T> variables) {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  // The topmost value is kept out of the stack, in a register. The first one pushes a 0 below it that no one asks for.
  T top(0.0);
  Slot<T> stack[stack_size];
  int depth = 0;
  for (const Instruction& in : code) {
    switch (in.op) {
      case Op::constant:
        assert(depth < stack_size);
        std::construct_at(&stack[depth++].value, top);
        top = T(in.value);
        break;
      case Op::variable:
        assert(depth < stack_size && static_cast<std::size_t>(in.index) < variables.size());
        std::construct_at(&stack[depth++].value, top);
        top = variables[in.index];
        break;
      case Op::add:
        top = stack[--depth].value + top;
        break;
      case Op::subtract:
        top = stack[--depth].value - top;
        break;
      case Op::multiply:
        top = stack[--depth].value * top;
        break;
      case Op::divide:
        top = stack[--depth].value / top;
        break;
      case Op::clamp:
      case Op::choose:
        depth -= 2;
        top = three_operands(in.op, stack[depth].value, stack[depth + 1].value, top);
        break;
      default:
        top = in.op < Op::add ? one_operand(in, top) : two_operands(in.op, stack[--depth].value, top);
    }
  }
  assert(depth == 1);
  return top;
}

}  // namespace ls::bytecode
