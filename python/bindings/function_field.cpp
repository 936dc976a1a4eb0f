#include "bindings/function_field.h"

#include <fmt/format.h>
#include <limits>
#include <pybind11/numpy.h>

namespace ls::python {

namespace py = pybind11;

namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

const double* checked(const Numbers& a, int points, int dimensions, const char* what) {
  bool fits = a.ndim() == dimensions && a.shape(0) == points;
  for (int k = 1; k < dimensions && fits; ++k) fits = a.shape(k) == 3;
  if (!fits)
    throw py::value_error(
        fmt::format("{} of a function field has another shape than ({}{})", what, points,
                    std::string(", 3, 3, 3").substr(0, 3 * static_cast<std::size_t>(dimensions - 1))));
  return a.data();
}

// Row i has the derivatives of component i: columns are derivatives along an axis.
Mat3<double> matrix(const double* a) {
  return {{a[0], a[3], a[6]}, {a[1], a[4], a[7]}, {a[2], a[5], a[8]}};
}

}  // namespace

PythonField::~PythonField() {
  const py::gil_scoped_acquire lock;
  sample_ = py::object();
}

void PythonField::add(double t, double length, const Vec3<double>* x, int points, int order, FieldSample* out) const {
  call_back(failure_, [&] { ask(t, length, x, points, order, out); });
  if (!failure_.stops()) return;
  // Whoever asked sees that there is no such state; the reason is raised when it is done.
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < points; ++i) out[i].b = {none, none, none};
}

void PythonField::ask(double t, double length, const Vec3<double>* x, int points, int order, FieldSample* out) const {
  const py::array_t<double> places({static_cast<py::ssize_t>(points), py::ssize_t{3}}, &x->x);
  const py::tuple all = sample_(t, length, places, order);
  const Numbers b{py::object(all[0])};
  const double* value = checked(b, points, 2, "the value");
  for (int i = 0; i < points; ++i) out[i].b += Vec3<double>{value[3 * i], value[3 * i + 1], value[3 * i + 2]};
  if (order < 1) return;
  const Numbers gradient{py::object(all[1])};
  const double* slope = checked(gradient, points, 3, "the gradient");
  for (int i = 0; i < points; ++i) {
    const Mat3<double> m = matrix(slope + 9 * static_cast<std::ptrdiff_t>(i));
    out[i].gradient.c1 += m.c1, out[i].gradient.c2 += m.c2, out[i].gradient.c3 += m.c3;
  }
  if (order < 2) return;
  const Numbers second{py::object(all[2])};
  const double* curve = checked(second, points, 4, "the second derivative");
  for (int i = 0; i < points; ++i)
    for (int k = 0; k < 3; ++k) {  // along axis k: [point][component][axis j][axis k]
      double own[9];
      for (int j = 0; j < 9; ++j) own[j] = curve[27 * static_cast<std::ptrdiff_t>(i) + 3 * j + k];
      const Mat3<double> m = matrix(own);
      auto& to = out[i].second[static_cast<std::size_t>(k)];
      to.c1 += m.c1, to.c2 += m.c2, to.c3 += m.c3;
    }
}

void raise_failures(const PythonFields& fields) {
  for (const auto& f : fields) f->raise();
}

}  // namespace ls::python
