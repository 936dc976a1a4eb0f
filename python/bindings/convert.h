#pragma once
#include "scene/toml_value.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace ls::python {

namespace py = pybind11;

// Dictionaries, lists, arrays, numbers, texts and paths as a tree of a scene, whose values know no line. key: where it
// stands, for the Error that anything else is.
TomlValue tree_of(py::handle object, const std::string& key);
py::object object_of(const TomlValue& value);

// Columns that lie at equal distances as one array (nodes, columns), without a copy. owner: keeps them alive.
py::array_t<double> view_of(double* first, int nodes, int columns, std::size_t distance, py::handle owner);

// A copy of rows, as an array (rows, width).
template <class Row>
py::array_t<double> array_of(const std::vector<Row>& rows, std::size_t width) {
  static_assert(sizeof(Row) % sizeof(double) == 0);
  const auto* first = reinterpret_cast<const double*>(rows.data());
  return py::array_t<double>({rows.size(), width}, first);
}

}  // namespace ls::python
