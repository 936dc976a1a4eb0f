#include "bindings/document.h"
#include "output/files.h"
#include "run/sweeps/sweep.h"
#include "validation/report.h"

#include <pybind11/stl.h>

// What the commands `validate` and `sweep` of the program do, in parts.
namespace ls::python {

namespace py = pybind11;

namespace {

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& c : validation::cases()) names.push_back(c.name);
  return names;
}

// Of one case, which there must be. folder: where the pages and references are.
py::dict validated(const std::string& name, const std::string& folder, const std::string& out, bool fast, int threads) {
  const auto all = validation::cases();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.name == name; });
  validation::Manner manner;
  manner.fast = fast, manner.threads = threads;
  std::optional<validation::Checked> checked;
  {
    const py::gil_scoped_release unlocked;
    make_folder(out);
    checked = validation::checked(*found, folder, out, manner);
  }
  py::list rows;
  for (const auto& r : checked->result.rows) {
    py::dict row;
    row["quantity"] = r.quantity, row["error"] = r.error, row["limit"] = r.limit, row["unit"] = r.unit;
    row["pass"] = r.pass();
    rows.append(row);
  }
  py::dict d;
  d["name"] = name, d["passed"] = checked->pass(), d["seconds"] = checked->seconds, d["rows"] = rows;
  return d;
}

}  // namespace

void bind_validation(py::module_& m) {
  m.def("validation_cases", &case_names);
  m.def("validate", &validated);
  py::class_<ParameterSweep>(m, "Sweep")
      .def(py::init<std::vector<std::string>, std::vector<std::string>>())
      .def("runs", &ParameterSweep::runs)
      .def("keys",
           [](const ParameterSweep& s) {
             std::vector<std::string> keys;
             for (const SweepAxis& axis : s.axes()) keys.push_back(axis.key);
             return keys;
           })
      .def("values", &ParameterSweep::values)
      .def("folder", &ParameterSweep::folder)
      .def("label", &ParameterSweep::label)
      .def("table", [](const ParameterSweep& s, const std::vector<std::string>& folders) {
        std::vector<SweepRow> rows;
        for (const std::string& folder : folders) rows.push_back(sweep_row(folder));
        return sweep_table(s, rows);
      });
}

}  // namespace ls::python
