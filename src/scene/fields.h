#pragma once
#include "base/error.h"
#include "language/expression.h"
#include "math/frame.h"
#include "model/field.h"
#include "terms/magnet_field.h"

#include <array>
#include <memory>
#include <optional>

// The fields of a scene: a Field that follows the variables of the schedule. Those in the plan are patterns, which a
// Schedule copies and sets to the time it is asked for.
namespace ls {

class SceneField : public Field {
 public:
  std::string name;                  // may be empty
  Place place;                       // where it stands in the scene
  std::optional<Expression> factor;  // of the schedule's variables

  virtual std::unique_ptr<SceneField> copy() const = 0;
  void set(std::span<const double> values);  // [slot] the schedule's variables
  // What a user wrote as a formula may be no magnetic field at all.
  virtual bool is_formula() const { return false; }

 protected:
  double scale() const { return scale_; }

 private:
  virtual void set_values(std::span<const double> values) = 0;
  double scale_ = 1;
};

using ThreeExpressions = std::array<Expression, 3>;

// B = b + G x, of the schedule's variables alone.
class LinearField : public SceneField {
 public:
  void add(const Vec3<double>* x, int points, int order, FieldSample* out) const final;
  bool is_uniform() const final;

 protected:
  Vec3<double> b_{};
  Mat3<double> gradient_{};
};

class UniformField final : public LinearField {
 public:
  explicit UniformField(ThreeExpressions b) : expressions_(std::move(b)) {}
  std::unique_ptr<SceneField> copy() const override { return std::make_unique<UniformField>(*this); }

 private:
  void set_values(std::span<const double> values) override;
  ThreeExpressions expressions_;  // T
};

// B = g (n (n.r) - (r - n (n.r))/2), r from the centre: the field grows by g along the axis n and is free of sources
// and currents.
class GradientField final : public LinearField {
 public:
  GradientField(Expression value, const Vec3<double>& axis, ThreeExpressions centre)
      : value_(std::move(value)), axis_(axis), centre_(std::move(centre)) {}
  std::unique_ptr<SceneField> copy() const override { return std::make_unique<GradientField>(*this); }

 private:
  void set_values(std::span<const double> values) override;
  Expression value_;  // T/m
  Vec3<double> axis_;
  ThreeExpressions centre_;  // m
};

// B = b (e1 cos a + e2 sin a), a = rate t + phase, where e1, e2 and the axis are right-handed: a positive rate turns
// the field about the axis by the right-hand rule. e1 is the part across the axis of the world direction that follows
// the one nearest to it: x for an axis along z, y for x, z for y.
class RotatingField final : public LinearField {
 public:
  RotatingField(Expression b, const Vec3<double>& axis, double rate, Expression phase);
  std::unique_ptr<SceneField> copy() const override { return std::make_unique<RotatingField>(*this); }

 private:
  void set_values(std::span<const double> values) override;
  Expression amplitude_;  // T
  Vec3<double> e1_, e2_;
  double rate_;  // rad/s
  Expression phase_;
};

// A field of x, y, z, whose slots follow those of the schedule's variables.
class FormulaField : public SceneField {
 public:
  bool is_formula() const override { return true; }

 protected:
  std::vector<double> values_;  // [slot] the schedule's variables

 private:
  void set_values(std::span<const double> values) override { values_.assign(values.begin(), values.end()); }
};

class ExpressionField final : public FormulaField {
 public:
  explicit ExpressionField(ThreeExpressions b) : expressions_(std::move(b)) {}
  std::unique_ptr<SceneField> copy() const override { return std::make_unique<ExpressionField>(*this); }
  void add(const Vec3<double>* x, int points, int order, FieldSample* out) const override;

 private:
  ThreeExpressions expressions_;  // T
};

// B = -grad of it.
class PotentialField final : public FormulaField {
 public:
  explicit PotentialField(Expression potential) : potential_(std::move(potential)) {}
  std::unique_ptr<SceneField> copy() const override { return std::make_unique<PotentialField>(*this); }
  void add(const Vec3<double>* x, int points, int order, FieldSample* out) const override;

 private:
  Expression potential_;  // T m
};

// A magnet or a coil. It stands where its expressions say or, where those are constant, where a drive puts it.
class SceneMagnet final : public SceneField {
 public:
  SceneMagnet(const Magnet& magnet, ThreeExpressions position, ThreeExpressions orientation);
  std::unique_ptr<SceneField> copy() const override { return std::make_unique<SceneMagnet>(*this); }
  void add(const Vec3<double>* x, int points, int order, FieldSample* out) const override;

  bool can_be_driven() const { return constant_; }
  const Frame<double>& pose() const { return field_.pose; }
  void put(const Frame<double>& pose) { field_.pose = pose; }

 private:
  void set_values(std::span<const double> values) override;
  Frame<double> own_pose(std::span<const double> values) const;
  MagnetField field_;
  ThreeExpressions position_, orientation_;  // m; rotation vector, rad
  bool constant_;
};

}  // namespace ls
