#pragma once
#include "base/error.h"
#include "language/expression.h"
#include "math/frame.h"
#include "model/field.h"
#include "physics/magnets.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <variant>

// The fields of a scene, as they were written. What they are at one time is a Field (field_at).
namespace ls {

using ThreeExpressions = std::array<Expression, 3>;

// The same everywhere.
struct UniformField {
  ThreeExpressions b;  // T
};

// B = g (n (n.r) - (r - n (n.r))/2), r from the centre: the field grows by g along the axis n and is free of sources
// and currents.
struct GradientField {
  Expression value;  // T/m
  Vec3<double> axis;
  ThreeExpressions centre;  // m
};

// B = b (e1 cos a + e2 sin a), a = rate t + phase, where e1, e2 and the axis are right-handed: a positive rate turns
// the field about the axis by the right-hand rule. e1 is the part across the axis of the world direction that follows
// the one nearest to it: x for an axis along z, y for x, z for y.
struct RotatingField {
  RotatingField(Expression b, const Vec3<double>& axis, double rate, Expression phase);
  Expression amplitude;  // T
  Vec3<double> e1, e2;
  double rate;  // rad/s
  Expression phase;
};

// A field of x, y, z, beside the schedule's variables.
struct ExpressionField {
  ThreeExpressions b;  // T
  int place;           // the slot of x; y and z follow
};

// B = -grad of it.
struct PotentialField {
  Expression potential;  // T m
  int place;             // the slot of x; y and z follow
};

// A magnet or a coil. It stands where its expressions say or, where those are constant, where a drive puts it.
struct SceneMagnet {
  SceneMagnet(const Magnet& body, ThreeExpressions where, ThreeExpressions turned);
  Magnet magnet;
  ThreeExpressions position, orientation;  // m; rotation vector, rad
  bool can_be_driven;

  Frame<double> pose(std::span<const double> values) const;  // where its expressions put it
};

// A field that is worked out by whoever uses the library. It must give the same again for the same time and places:
// solvers ask as often as they like, from several threads.
class FieldFunction {
 public:
  virtual ~FieldFunction() = default;
  // Adds it and its derivatives up to `order` at some points, as Field::add does. t: s; length: m, the size of what the
  // scene simulates, which who differentiates by differences goes by.
  virtual void add(double t, double length, const Vec3<double>* x, int points, int order, FieldSample* out) const = 0;
};
using FieldFunctions = std::map<std::string, std::shared_ptr<const FieldFunction>>;  // by the name in the scene

struct FunctionField {
  std::shared_ptr<const FieldFunction> function;
  double length;  // m
};

struct SceneField {
  std::variant<UniformField, GradientField, RotatingField, ExpressionField, PotentialField, SceneMagnet, FunctionField>
      kind;
  std::string name{};                  // may be empty
  Place place{};                       // where it stands in the scene
  std::optional<Expression> factor{};  // of the schedule's variables

  const SceneMagnet* magnet() const { return std::get_if<SceneMagnet>(&kind); }
  // What a user wrote as a formula may be no magnetic field at all.
  bool is_formula() const {
    return std::holds_alternative<ExpressionField>(kind) || std::holds_alternative<PotentialField>(kind) ||
           std::holds_alternative<FunctionField>(kind);
  }
};

// The field at one time. values: [slot] the schedule's variables; pose: of a magnet. The scene's field must outlive it.
std::shared_ptr<const Field> field_at(const SceneField& field, std::span<const double> values,
                                      const Frame<double>& pose);

}  // namespace ls
