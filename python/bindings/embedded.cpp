#include "apps/page_files.h"
#include "bindings/document.h"

#include <memory>

namespace ls::app {
extern const char* const scene_schema_text;  // made by tools/make_schema.cpp
}

// The schema of scenes, and the server of the page. That is for a process of its own: in a notebook's own one other
// threads have HDF5 files open.
namespace ls::python {

namespace py = pybind11;

namespace {

std::unique_ptr<PageServer> served(const std::string& folder, int port) {
  PageOptions options;
  options.port = port;
  options.files = app::page_files();
  return std::make_unique<PageServer>(folder, std::move(options));
}

}  // namespace

void bind_embedded(py::module_& m) {
  m.def("schema", [] { return app::scene_schema_text; });
  py::class_<PageServer>(m, "Page")
      .def(py::init(&served))
      .def("address", &PageServer::address)
      .def("seconds_alone", &PageServer::seconds_alone);
}

}  // namespace ls::python
