#include "run/simulation/simulation.h"

#include "base/error.h"
#include "base/pulse.h"
#include "bindings/convert.h"
#include "bindings/document.h"
#include "bindings/interruption.h"
#include "math/block_matrix.h"

#include <fmt/format.h>

namespace ls::python {

namespace {

// A simulation without the interpreter's lock: for one thread at a time.
class Held {
 public:
  Held(std::shared_ptr<ReadPlan> read, int threads) : read_(std::move(read)) {
    compute([&] {
      simulation_ = std::make_unique<Simulation>(
          read_->plan, threads, [this] { return !any_has_raised(read_->functions) && !interruption_.asks(); });
    });
  }

  Simulation& simulation() {
    if (is_busy_) throw Error("this simulation is at work in another thread: wait for it, or make one for each thread");
    return *simulation_;
  }
  // What stopped it, and what its functions raised, is raised here.
  template <class Act>
  void compute(const Act& act) {
    if (is_busy_.exchange(true))
      throw Error("this simulation is at work in another thread: wait for it, or make one for each thread");
    std::exception_ptr failed;
    {
      const py::gil_scoped_release released;
      try {
        act();
      } catch (const Interrupted&) {
      } catch (...) {
        failed = std::current_exception();
      }
    }
    is_busy_ = false;
    raise_failures(read_->functions);
    interruption_.raise();
    if (failed) std::rethrow_exception(failed);
  }

  long long step(long long steps) {
    long long taken = 0;
    compute([&] { taken = simulation_->step(steps); });
    return taken;
  }
  long long advance_to(double time) {
    long long taken = 0;
    compute([&] { taken = simulation_->advance_to(time); });
    return taken;
  }
  py::dict solve() {
    Simulation::Solved solved;
    compute([&] { solved = simulation_->solve(); });
    py::dict d;
    d["jumped"] = solved.jumped, d["iterations"] = solved.iterations;
    return d;
  }
  void set(const std::string& name, double value) {
    compute([&] { simulation_->set(name, value); });
  }
  py::dict energy() {
    std::vector<EnergyPart> parts;
    compute([&] { parts = simulation_->energy(); });
    py::dict d;
    for (const EnergyPart& part : parts) d[py::str(part.name)] = part.value;
    return d;
  }
  // The lower blocks: rows, columns, and 36 numbers each.
  py::tuple stiffness() {
    const BlockMatrix* k = nullptr;
    compute([&] { k = &simulation_->stiffness(); });
    const BlockPattern& pattern = k->pattern();
    const auto blocks = pattern.row.size();
    std::vector<int> columns(blocks);
    for (int c = 0; c < pattern.size; ++c)
      for (auto b = pattern.first[static_cast<std::size_t>(c)]; b < pattern.first[static_cast<std::size_t>(c) + 1]; ++b)
        columns[static_cast<std::size_t>(b)] = c;
    const auto count = static_cast<py::ssize_t>(blocks);
    return py::make_tuple(py::array_t<int>(count, pattern.row.data()), py::array_t<int>(count, columns.data()),
                          py::array_t<double>({count, py::ssize_t{6}, py::ssize_t{6}}, k->values()));
  }
  py::tuple modes(int count) {
    std::vector<Vibration> modes;
    compute([&] { modes = simulation_->modes(count); });
    const int nodes = simulation_->plan().model.nodes;
    std::vector<double> squared, shapes;
    for (const Vibration& v : modes) {
      squared.push_back(v.omega_squared);
      for (const Twist<double>& d : v.shape) shapes.insert(shapes.end(), {d.v.x, d.v.y, d.v.z, d.w.x, d.w.y, d.w.z});
    }
    const auto found = static_cast<py::ssize_t>(modes.size());
    return py::make_tuple(py::array_t<double>(found, squared.data()),
                          py::array_t<double>({found, static_cast<py::ssize_t>(nodes), py::ssize_t{6}}, shapes.data()));
  }
  void save(const std::string& path) {
    compute([&] { simulation_->save(path); });
  }
  void load(const std::string& path) {
    compute([&] { simulation_->load(path); });
  }
  const ReadPlan& read() const { return *read_; }

 private:
  std::shared_ptr<ReadPlan> read_;
  Interruption interruption_;
  std::unique_ptr<Simulation> simulation_;
  std::atomic<bool> is_busy_{false};
};

template <class Part>
auto view(Part part, int columns, bool writable) {
  return [=](py::object self) {
    Simulation& s = self.cast<Held&>().simulation();
    Nodes& nodes = s.lend();
    py::array_t<double> a = view_of((nodes.*part)[0].data(), nodes.count, columns, s.distance(), self);
    if (!writable) py::detail::array_proxy(a.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return a;
  };
}

py::list happenings_of(Held& held) {
  py::list all;
  for (const Simulation::Happening& h : held.simulation().happenings()) {
    py::dict d;
    d["time"] = h.time, d["step"] = h.step, d["event"] = h.name, d["text"] = h.text;
    all.append(d);
  }
  return all;
}

void apply(Held& held, int node, const std::array<double, 3>& f, const std::array<double, 3>& t) {
  held.simulation().apply(node, {{f[0], f[1], f[2]}, {t[0], t[1], t[2]}});
}

}  // namespace

void bind_simulation(py::module_& m) {
  py::class_<Held>(m, "Simulation")
      .def(py::init<std::shared_ptr<ReadPlan>, int>())
      .def("step", &Held::step)
      .def("advance_to", &Held::advance_to)
      .def("solve", &Held::solve)
      .def("set", &Held::set)
      .def("value", [](Held& h, const std::string& name) { return h.simulation().value(name); })
      .def("names", [](Held& h) { return h.simulation().names(); })
      .def("apply", &apply)
      .def("energy", &Held::energy)
      .def("stiffness", &Held::stiffness)
      .def("modes", &Held::modes)
      .def("save", &Held::save)
      .def("load", &Held::load)
      .def("events", &happenings_of)
      .def("bodies", [](const Held& h) { return bodies_of(h.read()); })
      .def("held",
           [](Held& h) {
             const auto& held = h.simulation().plan().model.held;
             return py::array_t<std::uint8_t>(static_cast<py::ssize_t>(held.size()), held.data());
           })
      .def_property_readonly("x", view(&Nodes::x, 3, true))
      .def_property_readonly("q", view(&Nodes::q, 4, true))
      .def_property_readonly("v", view(&Nodes::v, 3, true))
      .def_property_readonly("w", view(&Nodes::w, 3, true))
      .def_property_readonly("force", view(&Nodes::f, 3, false))
      .def_property_readonly("torque", view(&Nodes::t, 3, false))
      .def_property_readonly("time", [](Held& h) { return h.simulation().state().clock.time; })
      .def_property_readonly("steps", [](Held& h) { return h.simulation().state().clock.step; })
      .def_property_readonly("stage",
                             [](Held& h) {
                               const Simulation& s = h.simulation();
                               return s.plan().stages[static_cast<std::size_t>(s.state().clock.stage)].name;
                             })
      .def_property_readonly("is_over", [](Held& h) { return h.simulation().is_over(); });
}

}  // namespace ls::python
