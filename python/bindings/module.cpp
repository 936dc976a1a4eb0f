#include "base/error.h"
#include "bindings/document.h"

#include <pybind11/pybind11.h>

// lodestone._core: what the package in Python is made of. It is that which people use; what is here may change any day.
namespace ls::python {

namespace py = pybind11;

namespace {

// As lodestone/errors.py has them.
void raise(const Error& e) {
  const py::module_ errors = py::module_::import("lodestone.errors");
  const char* kind = e.fault() == Fault::numerics ? "Diverged" : e.fault() == Fault::io ? "FileError" : "Error";
  const Place& place = e.place();
  const py::object type = errors.attr(kind);
  PyErr_SetObject(type.ptr(), type(e.what(), place.file, place.line, place.column, place.key).ptr());
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  py::register_exception_translator([](std::exception_ptr thrown) {  // NOLINT(performance-unnecessary-value-param)
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& e) {
      raise(e);
    }
  });
  bind_document(m);
  bind_embedded(m);
  bind_runs(m);
  bind_simulation(m);
  bind_validation(m);
}

}  // namespace ls::python
