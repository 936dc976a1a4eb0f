#pragma once
#include "base/error.h"
#include "language/expression_code.h"
#include "language/quantity.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Values as a user writes them: "1.16 MPa", "80 mT * cos(omega*t)", "if(t < 1 s, 2 N, 0)". Dimensions are checked when
// the text is read. All values are SI.
//
// From loose to tight: or ||, and &&, not !, < <= > >= == != (which do not chain), + -, * /, unary -, ^ (from the
// right). Functions: sin cos tan asin acos atan atan2 sinh cosh tanh exp log (natural) sqrt pow abs sign step floor min
// max clamp mod if. Constants: pi, mu0. A condition used in arithmetic is 0 or 1. A plain 0 fits every dimension: "L >
// 0".
//
// Units and names may share a word (s is the second and the progress of a stage, t the tonne and the time). The rule:
//
//   1. A word right after a number is a unit:                    "80 mm", "3 s", "25.8mm", "5 %".
//      So is a word right after a unit:                          "5 N m", "2 kg m^2".
//   2. A word after a unit and a / without spaces is a unit:     "30 deg/s", "9.81 m/s^2", "2 W/(m K)".
//      After a * without spaces a name wins over a unit:         "5 N*m", but "-80 mm*s" uses the name s if there is
//      one.
//   3. Elsewhere a word is a name; it is a unit only where there is no such name: "80 mm * s", "3 m / s", "1/s",
//   "L/mm".
//
// 1 and 2 bind tighter than any operator: "1 / 2 mm/s" is 1 / (2 mm/s), and "2 J/kg K" is (2 J/kg) K. In 3 a unit is
// an ordinary factor. Where a wrong dimension may come from a word read the other way, the message says so.
namespace ls {

// The names an expression may use. A later declaration of a name hides an earlier one.
class NameScope {
 public:
  struct Name {
    std::string name;
    int slot = -1;           // of a variable; -1 for a constant
    Quantity value;          // of a variable only the dimension counts
    bool condition = false;  // a variable that is 0 or 1
  };
  // Names that are too many to be declared one by one: what is behind a name with dots, "ball.position.x", or a call
  // with names, "contact(ball,floor)". Where there is nothing, refusal says why.
  struct Found {
    std::optional<Name> name;
    std::string refusal;
  };
  using Finder = std::function<Found(std::string_view name)>;

  void constant(std::string name, const Quantity& value);
  int variable(std::string name, const Dimension& dimension);  // its slot: 0, 1, … in order of declaration

  void set_finder(Finder finder) { finder_ = std::move(finder); }

  const Name* find(std::string_view name) const;  // also pi and mu0
  // What the finder knows of a name that find() does not.
  Found seek(std::string_view name) const { return finder_ ? finder_(name) : Found{}; }
  std::vector<std::string> names() const;
  int variable_count() const { return variables_; }

  // Throws where an expression could never use `name`: "2L", "and", "sin", "pi".
  static void check_name(std::string_view name, const Place& place);

 private:
  std::vector<Name> names_;
  int variables_ = 0;
  Finder finder_;
};

class Expression {
 public:
  Expression() : Expression(constant({})) {}
  // A bare number may be given as a quantity without dimension; expect() then takes it as SI.
  static Expression constant(const Quantity& value);
  // place is that of the opening quote; an Error names the column of the offending character.
  static Expression parse(std::string_view text, const NameScope& scope, const Place& place);

  const Dimension& dimension() const { return program_.dimension; }
  const std::string& text() const { return program_.text; }
  bool is_constant() const { return program_.code.size() == 1 && program_.code[0].op == bytecode::Op::constant; }
  bool is_condition() const { return program_.condition; }
  bool uses(int variable_slot) const;
  Quantity quantity() const;  // of a constant

  // This expression where its dimension is `wanted`, else an Error that says what was found. A constant written without
  // any unit ("0.3", "2*pi/3") is taken as SI; "45*s" is not, since it says nothing about its unit.
  Expression expect(const Dimension& wanted, const Place& place) const;
  // Likewise for something that is true or false: "t > 3 s and x < L".
  Expression expect_condition(const Place& place) const;

  // Of a single comparison, a > b: by how much it holds, a - b, in the dimension of both; below 0 it does not. Nothing
  // for any other condition.
  std::optional<Expression> margin() const;

  // variables[slot], at least up to the highest slot used.
  double operator()(std::span<const double> variables) const;
  // T is double or a dual number: see expression_math.h for what it must offer.
  template <class T>
  T evaluate(std::span<const T> variables) const {
    return bytecode::run<T>(program_.code, variables);
  }

 private:
  explicit Expression(bytecode::Program program) : program_(std::move(program)) {}

  bytecode::Program program_;
};

}  // namespace ls
