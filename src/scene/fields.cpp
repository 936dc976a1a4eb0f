#include "scene/fields.h"

#include "math/rotation.h"
#include "model/field_sampling.h"

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

// The schedule's variables as constants of type T, followed by x, y, z; kept from call to call, one a thread.
template <class T>
std::vector<T>& slots(const std::vector<double>& values) {
  thread_local std::vector<T> all;
  all.assign(values.begin(), values.end());
  all.resize(values.size() + 3);
  return all;
}
template <class T>
std::span<const T> placed(std::vector<T>& all, const Vec3<T>& x) {
  T* own = all.data() + all.size() - 3;
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
T potential_at(const Expression& e, std::vector<T>& all, const V& x) {
  return e.evaluate<T>(placed(all, Vec3<T>{variable<T>(x.x, 0), variable<T>(x.y, 1), variable<T>(x.z, 2)}));
}

V slopes(const D1& p) {
  return {p.d[0], p.d[1], p.d[2]};
}
Mat3<double> slopes(const Dual<D1, 3>& p) {
  return {slopes(p.d[0]), slopes(p.d[1]), slopes(p.d[2])};
}

}  // namespace

void SceneField::set(std::span<const double> values) {
  scale_ = factor ? (*factor)(values) : 1.0;
  set_values(values);
}

void LinearField::add(const V* x, int points, int order, FieldSample* out) const {
  const V b = scale() * b_;
  const Mat3<double> g = scaled(scale(), gradient_);
  for (int i = 0; i < points; ++i) {
    out[i].b += b + g * x[i];
    if (order > 0) add_to(out[i].gradient, g);
  }
}

bool LinearField::is_uniform() const {
  return norm(gradient_.c1) == 0 && norm(gradient_.c2) == 0 && norm(gradient_.c3) == 0;
}

void UniformField::set_values(std::span<const double> values) {
  b_ = at(expressions_, values);
}

void GradientField::set_values(std::span<const double> values) {
  const double g = value_(values);
  const V& n = axis_;
  gradient_ = {1.5 * g * n.x * n, 1.5 * g * n.y * n, 1.5 * g * n.z * n};
  gradient_.c1.x -= 0.5 * g, gradient_.c2.y -= 0.5 * g, gradient_.c3.z -= 0.5 * g;
  b_ = -(gradient_ * at(centre_, values));
}

RotatingField::RotatingField(Expression b, const V& axis, double rate, Expression phase)
    : amplitude_(std::move(b)), rate_(rate), phase_(std::move(phase)) {
  const double x = std::abs(axis.x), y = std::abs(axis.y), z = std::abs(axis.z);
  const V next = z >= x && z >= y ? V{1, 0, 0} : x >= y ? V{0, 1, 0} : V{0, 0, 1};
  e1_ = normalized(next - dot(next, axis) * axis);
  e2_ = cross(axis, e1_);
}

void RotatingField::set_values(std::span<const double> values) {
  const double angle = rate_ * values[0] + phase_(values);
  b_ = amplitude_(values) * (std::cos(angle) * e1_ + std::sin(angle) * e2_);
}

void ExpressionField::add(const V* x, int points, int order, FieldSample* out) const {
  const auto field = [&]<class T>(const Vec3<T>& where) {
    const auto all = placed(slots<T>(values_), where);
    const auto value = [&](int k) { return expressions_[k].evaluate<T>(all); };
    return Vec3<T>{value(0), value(1), value(2)};
  };
  for (int i = 0; i < points; ++i) add_sample(field, x[i], order, scale(), out[i]);
}

void PotentialField::add(const V* x, int points, int order, FieldSample* out) const {
  using D2 = Dual<D1, 3>;
  using D3 = Dual<D2, 3>;
  for (int i = 0; i < points; ++i) {
    FieldSample& f = out[i];
    if (order == 0) {
      f.b += -scale() * slopes(potential_at(potential_, slots<D1>(values_), x[i]));
    } else if (order == 1) {
      const D2 p = potential_at(potential_, slots<D2>(values_), x[i]);
      f.b += -scale() * slopes(p.val);
      add_to(f.gradient, scaled(-scale(), slopes(p)));
    } else {
      const D3 p = potential_at(potential_, slots<D3>(values_), x[i]);
      f.b += -scale() * slopes(p.val.val);
      add_to(f.gradient, scaled(-scale(), slopes(p.val)));
      for (std::size_t k = 0; k < 3; ++k) add_to(f.second[k], scaled(-scale(), slopes(p.d[k])));
    }
  }
}

SceneMagnet::SceneMagnet(const Magnet& magnet, ThreeExpressions position, ThreeExpressions orientation)
    : field_(magnet), position_(std::move(position)), orientation_(std::move(orientation)) {
  const auto is_constant = [](const Expression& e) { return e.is_constant(); };
  constant_ = std::ranges::all_of(position_, is_constant) && std::ranges::all_of(orientation_, is_constant);
  if (constant_) field_.pose = own_pose({});
}

Frame<double> SceneMagnet::own_pose(std::span<const double> values) const {
  return {at(position_, values), turn(at(orientation_, values))};
}

void SceneMagnet::set_values(std::span<const double> values) {
  if (!constant_) field_.pose = own_pose(values);
  field_.factor = scale();
}

void SceneMagnet::add(const V* x, int points, int order, FieldSample* out) const {
  field_.add(x, points, order, out);
}

}  // namespace ls
