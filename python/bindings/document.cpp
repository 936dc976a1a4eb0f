#include "bindings/document.h"

#include "bindings/convert.h"
#include "run/estimates/estimate.h"
#include "scene/read/read_text.h"
#include "scene/toml_text.h"

#include <fmt/format.h>

namespace ls::python {

std::shared_ptr<Document> Document::from_file(const std::string& file) {
  auto d = std::make_shared<Document>();
  d->tree_ = parse_toml(scene_text(file), file);
  d->file_ = file;
  return d;
}

std::shared_ptr<Document> Document::from_data(const py::dict& data, const std::string& file) {
  auto d = std::make_shared<Document>();
  d->tree_ = tree_of(data, "");
  d->file_ = file;
  return d;
}

void Document::set(const std::string& path, const py::object& value) {
  assign(tree_, path, tree_of(value, path), "");
}

void Document::assign_text(const std::string& assignment) {
  assign(tree_, assignment);
}

void Document::append(const std::string& list, const py::dict& table) {
  if (!tree_.find(list)) {
    tree_.table()->push_back({list, 0, 0, {}});
    tree_.find(list)->value.value = TomlValue::List{};
  }
  TomlValue& at = tree_.find(list)->value;
  if (!at.list()) fail({file_, 0, 0, list}, "found one value, expected a list of tables");
  at.list()->push_back(tree_of(table, fmt::format("{}[{}]", list, at.list()->size())));
}

std::string Document::add_function(const py::object& sample) {
  std::string name = fmt::format("python-{}", functions_.size());
  functions_[name] = std::make_shared<PythonField>(sample);
  return name;
}

py::object Document::data() const {
  return object_of(tree_);
}

std::string Document::toml() const {
  return toml_text(tree_);
}

std::shared_ptr<const ReadPlan> Document::read() const {
  FieldFunctions functions;
  auto made = std::make_shared<ReadPlan>();
  for (const auto& [name, function] : functions_) {
    functions[name] = function;
    made->functions.push_back(function);
  }
  std::exception_ptr failed;
  {
    const py::gil_scoped_release unlocked;  // its threads may have to ask functions
    try {
      made->plan = read_tree(tree_, toml_text(tree_), file_, functions);
    } catch (...) {
      failed = std::current_exception();
    }
  }
  raise_failures(made->functions);
  if (failed) std::rethrow_exception(failed);
  return made;
}

namespace {

py::dict facts_of(const ReadPlan& read, int threads) {
  Estimate e;
  {
    const py::gil_scoped_release unlocked;
    e = estimate(read.plan, threads);
  }
  raise_failures(read.functions);
  py::dict facts;
  facts["nodes"] = e.nodes, facts["bonds"] = e.bonds, facts["steps"] = e.steps;
  facts["time"] = e.time, facts["dt"] = e.scales.dt, facts["critical_step"] = e.scales.critical;
  facts["memory_bytes"] = e.memory, facts["disk_bytes"] = e.disk, facts["wall_seconds"] = e.seconds;
  facts["warnings"] = read.plan.warnings;
  return facts;
}

}  // namespace

py::dict bodies_of(const ReadPlan& read) {
  py::dict bodies;
  for (const Body& body : read.plan.model.bodies)
    bodies[py::str(body.name)] = py::array_t<int>(static_cast<py::ssize_t>(body.nodes.size()), body.nodes.data());
  return bodies;
}

void bind_document(py::module_& m) {
  py::class_<ReadPlan, std::shared_ptr<ReadPlan>>(m, "Plan")
      .def_property_readonly("title", [](const ReadPlan& r) { return r.plan.title; })
      .def_property_readonly("warnings", [](const ReadPlan& r) { return r.plan.warnings; })
      .def_property_readonly("nodes", [](const ReadPlan& r) { return r.plan.model.nodes; })
      .def("bodies", &bodies_of)
      .def("check", &facts_of, py::arg("threads"));
  py::class_<Document, std::shared_ptr<Document>>(m, "Document")
      .def(py::init<>())
      .def_static("from_file", &Document::from_file)
      .def_static("from_data", &Document::from_data, py::arg("data"), py::arg("file") = "scene")
      .def("set", &Document::set)
      .def("assign", &Document::assign_text)
      .def("has_functions", &Document::has_functions)
      .def("append", &Document::append)
      .def("add_function", &Document::add_function)
      .def("data", &Document::data)
      .def("toml", &Document::toml)
      .def("copy", &Document::copy)
      .def("read", [](const Document& d) { return std::const_pointer_cast<ReadPlan>(d.read()); });
}

}  // namespace ls::python
