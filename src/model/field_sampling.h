#pragma once
#include "math/dual.h"
#include "model/field.h"

namespace ls {

// Adds scale times a field given as a template over number types, T -> Vec3<T> at x, and its exact derivatives: doubles
// give the value, Duals the gradient, Duals of Duals what Newton's method needs.
template <class F>
void add_sample(const F& field, const Vec3<double>& x, int order, double scale, FieldSample& out) {
  using D1 = Dual<double, 3>;
  using D2 = Dual<D1, 3>;
  const auto column = [](const Vec3<D1>& b, int j) { return Vec3<double>{b.x.d[j], b.y.d[j], b.z.d[j]}; };
  const auto add_gradient = [&](const Vec3<D1>& b, Mat3<double>& m) {
    m.c1 += scale * column(b, 0);
    m.c2 += scale * column(b, 1);
    m.c3 += scale * column(b, 2);
  };
  const auto value = [](const Vec3<D1>& b) { return Vec3<double>{b.x.val, b.y.val, b.z.val}; };
  if (order == 0) {
    out.b += scale * field(x);
  } else if (order == 1) {
    const Vec3<D1> b = field(Vec3<D1>{D1::variable(x.x, 0), D1::variable(x.y, 1), D1::variable(x.z, 2)});
    out.b += scale * value(b);
    add_gradient(b, out.gradient);
  } else {
    const auto variable = [](double v, int i) { return D2::variable(D1::variable(v, i), i); };
    const Vec3<D2> b = field(Vec3<D2>{variable(x.x, 0), variable(x.y, 1), variable(x.z, 2)});
    const Vec3<D1> low{b.x.val, b.y.val, b.z.val};
    out.b += scale * value(low);
    add_gradient(low, out.gradient);
    for (int k = 0; k < 3; ++k) add_gradient({b.x.d[k], b.y.d[k], b.z.d[k]}, out.second[k]);
  }
}

}  // namespace ls
