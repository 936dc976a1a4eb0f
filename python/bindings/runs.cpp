#include "base/error.h"
#include "bindings/convert.h"
#include "bindings/document.h"
#include "bindings/interruption.h"
#include "output/folder/folder_lock.h"
#include "output/hdf5_file.h"
#include "run/modes.h"
#include "run/resume/leavings.h"
#include "run/run.h"
#include "run/summary.h"

#include <fmt/format.h>
#include <pybind11/functional.h>

namespace ls::python {

namespace {

namespace fs = std::filesystem;

struct Asked {
  std::string out;
  int threads = 0;
  bool resume = false, force = false;
  double max_wall = 0;
  py::object show, frame, tell;  // functions, or None
};

py::dict progress_of(const Progress& p) {
  py::dict d;
  d["done"] = p.done, d["step"] = p.step, d["steps"] = p.steps, d["time"] = p.time, d["stage"] = p.stage;
  d["seconds_left"] = p.seconds_left, d["energy"] = p.energy, d["energy_start"] = p.energy_start;
  return d;
}

// Rows of copies: a run goes on while the caller keeps them.
py::dict frame_of(const State& s) {
  const Nodes& n = s.nodes;
  const auto rows = [&](const Column* columns, int width) {
    py::array_t<double> a({static_cast<py::ssize_t>(n.count), static_cast<py::ssize_t>(width)});
    auto at = a.mutable_unchecked<2>();
    for (int k = 0; k < width; ++k)
      for (int i = 0; i < n.count; ++i) at(i, k) = columns[k][static_cast<std::size_t>(i)];
    return a;
  };
  py::dict d;
  d["step"] = s.clock.step, d["time"] = s.clock.time;
  d["x"] = rows(n.x, 3), d["q"] = rows(n.q, 4), d["v"] = rows(n.v, 3), d["w"] = rows(n.w, 3);
  return d;
}

RunOptions options_of(const Asked& asked, const ReadPlan& read, Interruption& interruption) {
  RunOptions o;
  o.out = asked.out;
  o.threads = asked.threads;
  o.resume = asked.resume, o.force = asked.force, o.max_wall = asked.max_wall;
  o.asks_to_stop = [&] { return any_has_raised(read.functions) || interruption.asks(); };
  if (!asked.show.is_none())
    o.show = [&](const Progress& p) { call_back(interruption, [&] { asked.show(progress_of(p)); }); };
  if (!asked.frame.is_none())
    o.frame = [&](const State& s) { call_back(interruption, [&] { asked.frame(frame_of(s)); }); };
  if (!asked.tell.is_none())
    o.tell = [&](const char* kind, const std::string& text) {
      call_back(interruption, [&] { asked.tell(kind, text); });
    };
  return o;
}

py::dict dict_of(const RunReport& r) {
  py::dict d;
  d["status"] = name(r.status), d["message"] = r.message, d["warnings"] = r.warnings;
  d["folder"] = r.folder.string(), d["steps"] = r.steps, d["wall_seconds"] = r.wall_seconds;
  d["resumed"] = r.resumed, d["nothing_to_do"] = r.nothing_to_do;
  return d;
}

// Computes without the interpreter's lock; then what stopped it is raised, and functions that raised come first, since
// what they did not answer is the reason of all else.
template <class Compute>
auto unlocked(const PythonFields& functions, Interruption& interruption, const Compute& compute) {
  std::optional<decltype(compute())> result;
  std::exception_ptr failed;
  {
    const py::gil_scoped_release released;
    try {
      result.emplace(compute());
    } catch (...) {
      failed = std::current_exception();
    }
  }
  raise_failures(functions);
  interruption.raise();
  if (failed) std::rethrow_exception(failed);
  return std::move(*result);
}

py::dict run_plan(const ReadPlan& read, const Asked& asked) {
  Interruption interruption;
  const RunOptions options = options_of(asked, read, interruption);
  return dict_of(unlocked(read.functions, interruption, [&] { return run(read.plan, options); }));
}

py::dict modes_of(const ReadPlan& read, const Asked& asked, int count) {
  Interruption interruption;
  ModesOptions options;
  options.run = options_of(asked, read, interruption);
  options.count = count;
  const ModesReport r = unlocked(read.functions, interruption, [&] { return find_modes(read.plan, options); });
  if (!r.found) throw Error(r.message, Fault::numerics);
  py::dict d;
  std::vector<double> frequency;
  for (const Vibration& v : r.modes) frequency.push_back(v.frequency());
  d["frequency"] = frequency, d["unstable"] = r.unstable, d["floating"] = r.floating;
  d["folder"] = r.run.folder.string();
  return d;
}

template <class T>
py::array numbers_of(const Hdf5File& file, const std::string& name) {
  const auto shape = file.shape(name);
  const std::vector<T> values = file.read<T>(name);
  return py::array_t<T>(std::vector<py::ssize_t>(shape.begin(), shape.end()), values.data());
}

// What an HDF5 frame holds: its time, its bodies, and its arrays by their names ("node/position").
py::dict read_frame(const std::string& path) {
  const Hdf5File file = Hdf5File::open(path);
  if (!file.has_attribute("", "format") || file.string_attribute("", "format") != "lodestone frame")
    throw Error(path + ": is not a frame", Fault::io);
  py::dict d;
  d["step"] = file.int_attribute("", "step"), d["time"] = file.double_attribute("", "time");
  d["stage"] = file.string_attribute("", "stage"), d["bodies"] = file.string_attribute("", "bodies");
  for (const char* group : {"node", "bond"}) {
    if (!file.has(group)) continue;
    for (const std::string& member : file.names(group)) {
      const std::string name = std::string(group) + "/" + member;
      const bool whole = name == "bond/nodes" || name == "node/index" || name == "node/body";
      const bool byte = name == "bond/broken";
      d[py::str(name)] = whole  ? numbers_of<std::int32_t>(file, name)
                         : byte ? numbers_of<std::uint8_t>(file, name)
                                : numbers_of<double>(file, name);
    }
  }
  return d;
}

}  // namespace

void bind_runs(py::module_& m) {
  py::class_<Asked>(m, "Asked")
      .def(py::init<>())
      .def_readwrite("out", &Asked::out)
      .def_readwrite("threads", &Asked::threads)
      .def_readwrite("resume", &Asked::resume)
      .def_readwrite("force", &Asked::force)
      .def_readwrite("max_wall", &Asked::max_wall)
      .def_readwrite("show", &Asked::show)
      .def_readwrite("frame", &Asked::frame)
      .def_readwrite("tell", &Asked::tell);
  m.def("run", &run_plan);
  m.def("modes", &modes_of);
  m.def("read_frame", &read_frame);
  m.def("is_run_folder", [](const std::string& folder) { return is_run_folder(folder); });
  m.def("last_probes_file", [](const std::string& folder) { return last_probes_file(folder); });
  m.def("holder_of", [](const std::string& folder) { return holder_of(folder); });
  m.attr("version") = version;
}

}  // namespace ls::python
