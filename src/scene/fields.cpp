#include "scene/fields.h"

#include "math/rotation.h"
#include "model/field_sampling.h"
#include "model/magnet_field.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

V at(const ThreeExpressions& e, std::span<const double> values) {
  return {e[0](values), e[1](values), e[2](values)};
}

Mat3<double> scaled(double s, const Mat3<double>& m) {
  return {s * m.c1, s * m.c2, s * m.c3};
}
void add_to(Mat3<double>& sum, const Mat3<double>& m) {
  sum.c1 += m.c1, sum.c2 += m.c2, sum.c3 += m.c3;
}

// The schedule's variables as constants of type T, with room for x, y, z; kept from call to call, one a thread.
std::vector<double> with_room(std::span<const double> values, int place) {
  std::vector<double> all(values.begin(), values.end());
  all.resize(std::max(all.size(), static_cast<std::size_t>(place) + 3));
  return all;
}
template <class T>
std::vector<T>& slots(const std::vector<double>& values) {
  thread_local std::vector<T> all;
  all.assign(values.begin(), values.end());
  return all;
}
template <class T>
std::span<const T> placed(std::vector<T>& all, int place, const Vec3<T>& x) {
  T* own = all.data() + place;
  own[0] = x.x, own[1] = x.y, own[2] = x.z;
  return all;
}

using D1 = Dual<double, 3>;

// Variable number i, of any order of Dual.
template <class T>
T variable(double value, int i) {
  if constexpr (std::is_same_v<T, D1>)
    return D1::variable(value, i);
  else
    return T::variable(variable<std::remove_cvref_t<decltype(T().val)>>(value, i), i);
}
template <class T>
T potential_at(const PotentialField& f, std::vector<T>& all, const V& x) {
  return f.potential.evaluate<T>(
      placed(all, f.place, Vec3<T>{variable<T>(x.x, 0), variable<T>(x.y, 1), variable<T>(x.z, 2)}));
}

V slopes(const D1& p) {
  return {p.d[0], p.d[1], p.d[2]};
}
Mat3<double> slopes(const Dual<D1, 3>& p) {
  return {slopes(p.d[0]), slopes(p.d[1]), slopes(p.d[2])};
}

// B = b + G x.
class LinearField final : public Field {
 public:
  LinearField(double scale, const V& b, const Mat3<double>& gradient)
      : b_(scale * b),
        gradient_(scaled(scale, gradient)),
        is_uniform_(norm(gradient.c1) == 0 && norm(gradient.c2) == 0 && norm(gradient.c3) == 0) {}
  void add(const V* x, int points, int order, FieldSample* out) const override {
    for (int i = 0; i < points; ++i) {
      out[i].b += b_ + gradient_ * x[i];
      if (order > 0) add_to(out[i].gradient, gradient_);
    }
  }
  bool is_uniform() const override { return is_uniform_; }

 private:
  V b_;                    // T
  Mat3<double> gradient_;  // T/m
  bool is_uniform_;
};

class FormulaField final : public Field {
 public:
  FormulaField(double scale, const ExpressionField& field, std::span<const double> values)
      : scale_(scale), field_(field), values_(with_room(values, field.place)) {}
  void add(const V* x, int points, int order, FieldSample* out) const override {
    const auto field = [&]<class T>(const Vec3<T>& where) {
      const auto all = placed(slots<T>(values_), field_.place, where);
      const auto value = [&](int k) { return field_.b[k].evaluate<T>(all); };
      return Vec3<T>{value(0), value(1), value(2)};
    };
    for (int i = 0; i < points; ++i) add_sample(field, x[i], order, scale_, out[i]);
  }

 private:
  double scale_;
  const ExpressionField& field_;
  std::vector<double> values_;  // [slot] the schedule's variables, with room for x, y, z
};

class SlopeField final : public Field {
 public:
  SlopeField(double scale, const PotentialField& field, std::span<const double> values)
      : scale_(scale), field_(field), values_(with_room(values, field.place)) {}
  void add(const V* x, int points, int order, FieldSample* out) const override {
    using D2 = Dual<D1, 3>;
    using D3 = Dual<D2, 3>;
    for (int i = 0; i < points; ++i) {
      FieldSample& f = out[i];
      if (order == 0) {
        f.b += -scale_ * slopes(potential_at(field_, slots<D1>(values_), x[i]));
      } else if (order == 1) {
        const D2 p = potential_at(field_, slots<D2>(values_), x[i]);
        f.b += -scale_ * slopes(p.val);
        add_to(f.gradient, scaled(-scale_, slopes(p)));
      } else {
        const D3 p = potential_at(field_, slots<D3>(values_), x[i]);
        f.b += -scale_ * slopes(p.val.val);
        add_to(f.gradient, scaled(-scale_, slopes(p.val)));
        for (std::size_t k = 0; k < 3; ++k) add_to(f.second[k], scaled(-scale_, slopes(p.d[k])));
      }
    }
  }

 private:
  double scale_;
  const PotentialField& field_;
  std::vector<double> values_;  // [slot] the schedule's variables, with room for x, y, z
};

class FunctionAtOneTime final : public Field {
 public:
  FunctionAtOneTime(double scale, const FunctionField& field, double t) : scale_(scale), field_(field), t_(t) {}
  void add(const V* x, int points, int order, FieldSample* out) const override {
    std::vector<FieldSample> own(static_cast<std::size_t>(points));
    field_.function->add(t_, field_.length, x, points, order, own.data());
    for (int i = 0; i < points; ++i) {
      out[i].b += scale_ * own[i].b;
      if (order > 0) add_to(out[i].gradient, scaled(scale_, own[i].gradient));
      for (std::size_t k = 0; k < 3 && order > 1; ++k) add_to(out[i].second[k], scaled(scale_, own[i].second[k]));
    }
  }

 private:
  double scale_;
  const FunctionField& field_;
  double t_;  // s
};

// What each kind of field is when the schedule's variables have these values.
struct AtOneTime {
  using Made = std::shared_ptr<const Field>;
  double scale;
  std::span<const double> values;
  const Frame<double>& pose;

  Made operator()(const UniformField& f) const {
    return std::make_shared<LinearField>(scale, at(f.b, values), Mat3<double>{});
  }
  Made operator()(const GradientField& f) const {
    const double g = f.value(values);
    const V& n = f.axis;
    Mat3<double> gradient{1.5 * g * n.x * n, 1.5 * g * n.y * n, 1.5 * g * n.z * n};
    gradient.c1.x -= 0.5 * g, gradient.c2.y -= 0.5 * g, gradient.c3.z -= 0.5 * g;
    return std::make_shared<LinearField>(scale, -(gradient * at(f.centre, values)), gradient);
  }
  Made operator()(const RotatingField& f) const {
    const double angle = f.rate * values[0] + f.phase(values);
    const V b = f.amplitude(values) * (std::cos(angle) * f.e1 + std::sin(angle) * f.e2);
    return std::make_shared<LinearField>(scale, b, Mat3<double>{});
  }
  Made operator()(const ExpressionField& f) const { return std::make_shared<FormulaField>(scale, f, values); }
  Made operator()(const PotentialField& f) const { return std::make_shared<SlopeField>(scale, f, values); }
  Made operator()(const FunctionField& f) const { return std::make_shared<FunctionAtOneTime>(scale, f, values[0]); }
  Made operator()(const SceneMagnet& f) const {
    auto field = std::make_shared<MagnetField>(f.magnet);
    field->pose = pose;
    field->factor = scale;
    return field;
  }
};

}  // namespace

RotatingField::RotatingField(Expression b, const V& axis, double turning, Expression start)
    : amplitude(std::move(b)), rate(turning), phase(std::move(start)) {
  const double x = std::abs(axis.x), y = std::abs(axis.y), z = std::abs(axis.z);
  const V next = z >= x && z >= y ? V{1, 0, 0} : x >= y ? V{0, 1, 0} : V{0, 0, 1};
  e1 = normalized(next - dot(next, axis) * axis);
  e2 = cross(axis, e1);
}

SceneMagnet::SceneMagnet(const Magnet& body, ThreeExpressions where, ThreeExpressions turned)
    : magnet(body), position(std::move(where)), orientation(std::move(turned)) {
  const auto is_constant = [](const Expression& e) { return e.is_constant(); };
  can_be_driven = std::ranges::all_of(position, is_constant) && std::ranges::all_of(orientation, is_constant);
}

Frame<double> SceneMagnet::pose(std::span<const double> values) const {
  return {at(position, values), turn(at(orientation, values))};
}

std::shared_ptr<const Field> field_at(const SceneField& field, std::span<const double> values,
                                      const Frame<double>& pose) {
  const double scale = field.factor ? (*field.factor)(values) : 1.0;
  return std::visit(AtOneTime{scale, values, pose}, field.kind);
}

}  // namespace ls
