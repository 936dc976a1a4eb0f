#include "apps/page_files.h"
#include "bindings/document.h"

#include <memory>

// The server of the page, for a process of its own: that of a notebook has HDF5 files open in other threads.
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

void bind_page(py::module_& m) {
  py::class_<PageServer>(m, "Page")
      .def(py::init(&served))
      .def("address", &PageServer::address)
      .def("seconds_alone", &PageServer::seconds_alone);
}

}  // namespace ls::python
