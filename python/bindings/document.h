#pragma once
#include "bindings/function_field.h"
#include "scene/plan.h"
#include "scene/toml_value.h"

#include <memory>
#include <pybind11/pybind11.h>

namespace ls::python {

// A scene as it was read and checked, with the functions that it asks.
struct ReadPlan {
  Plan plan;
  PythonFields functions;
};

// A scene that is being put together: the tree that the reader reads, whether it came from a file or from Python.
class Document {
 public:
  Document() { tree_.value = TomlValue::Entries{}; }
  static std::shared_ptr<Document> from_file(const std::string& file);
  static std::shared_ptr<Document> from_data(const pybind11::dict& data, const std::string& file);

  void set(const std::string& path, const pybind11::object& value);
  void assign_text(const std::string& assignment);  // "rod.beam.bonds=80", as --set takes it
  // Another table of a list, as [[rod]].
  void append(const std::string& list, const pybind11::dict& table);
  // The names under which [[field]]s ask for a function.
  std::string add_function(const pybind11::object& sample);
  bool has_functions() const { return !functions_.empty(); }
  pybind11::object data() const;
  std::string toml() const;
  std::shared_ptr<const ReadPlan> read() const;
  std::shared_ptr<Document> copy() const { return std::make_shared<Document>(*this); }

 private:
  TomlValue tree_;
  std::string file_ = "scene";  // in messages; files that the scene names lie beside it
  std::map<std::string, std::shared_ptr<const PythonField>> functions_;
};

// By name: all nodes of each body, in order along a rod.
pybind11::dict bodies_of(const ReadPlan& read);

void bind_document(pybind11::module_& m);
void bind_embedded(pybind11::module_& m);
void bind_runs(pybind11::module_& m);
void bind_simulation(pybind11::module_& m);
void bind_validation(pybind11::module_& m);

}  // namespace ls::python
