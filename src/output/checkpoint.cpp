#include "output/checkpoint.h"

#include "base/error.h"
#include "output/files.h"
#include "output/hdf5_file.h"

#include <cstring>
#include <fmt/format.h>

namespace ls {

namespace {

constexpr int format_version = 4;

// Every column of the nodes under its name in the file.
template <class NodesType, class F>
void for_each_column(NodesType& n, F&& visit) {
  for (int k = 0; k < 3; ++k) {
    const std::string axis(1, "xyz"[k]);
    visit("position_" + axis, n.x[k]);
    visit("velocity_" + axis, n.v[k]);
    visit("spin_" + axis, n.w[k]);
    visit("force_" + axis, n.f[k]);
    visit("torque_" + axis, n.t[k]);
  }
  for (int k = 0; k < 4; ++k) visit("orientation_" + std::string(1, "wxyz"[k]), n.q[k]);
}

using V = Vec3<double>;

void put(std::vector<double>& out, const V& a) {
  out.insert(out.end(), {a.x, a.y, a.z});
}
V take(const double*& in) {
  in += 3;
  return {in[-3], in[-2], in[-1]};
}

// Every sum of an impulse, in the order of the file.
template <class Impulse, class F>
void for_each_sum(Impulse& impulse, F&& visit) {
  for (auto& pair : impulse.faces)
    for (auto& face : pair) visit(face);
  visit(impulse.body);
  visit(impulse.markers);
  visit(impulse.images);
}
constexpr std::size_t sums = 9;  // vectors

void write_vectors(Hdf5File& file, const std::string& name, const std::vector<V>& values) {
  std::vector<double> numbers;
  numbers.reserve(3 * values.size());
  for (const V& v : values) put(numbers, v);
  file.write(name, numbers, {values.size(), 3});
}
std::vector<V> read_vectors(const Hdf5File& file, const std::string& name) {
  const std::vector<double> numbers = file.read<double>(name);
  std::vector<V> values(numbers.size() / 3);
  const double* next = numbers.data();
  for (V& v : values) v = take(next);
  return values;
}

void write_fluid(Hdf5File& file, const Checkpoint& c) {
  std::vector<double> wrenches;
  for (const auto& w : c.state.memory.marker_impulse) put(wrenches, w.force), put(wrenches, w.torque);
  file.write("memory/marker_impulse", wrenches);
  std::vector<double> drives;
  put(drives, c.state.memory.drive_impulse);
  file.write("memory/drive_impulse", drives);
  const FluidState& s = c.state.fluid;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(s.populations.data());
  file.write("fluid/populations", std::span<const std::uint8_t>(bytes, s.populations.size()));
  file.set_attribute("fluid", "odd", s.odd ? 1 : 0);
  file.set_attribute("fluid", "steps", s.steps);
  file.set_attribute("fluid", "spacing", c.fluid_spacing);
  file.set_attribute("fluid", "dt", c.fluid_dt);
  std::vector<double> impulses;
  for (const FluidImpulse* i : {&s.impulse, &s.before}) for_each_sum(*i, [&](const V& v) { put(impulses, v); });
  file.write("fluid/impulses", impulses);
  write_vectors(file, "tracer/position", s.tracers.x);
  write_vectors(file, "tracer/velocity", s.tracers.velocity);
  write_vectors(file, "tracer/mark", s.tracers.mark);
  file.set_attribute("tracer", "moved", s.tracers.moved);
  file.set_attribute("tracer", "stride", s.tracers.stride);
}

void read_fluid(const std::filesystem::path& path, const Hdf5File& file, Checkpoint& c) {
  const std::vector<double> wrenches = file.read<double>("memory/marker_impulse");
  const double* next = wrenches.data();
  c.state.memory.marker_impulse.resize(wrenches.size() / 6);
  for (auto& w : c.state.memory.marker_impulse) w.force = take(next), w.torque = take(next);
  const std::vector<double> drives = file.read<double>("memory/drive_impulse");
  const std::vector<double> impulses = file.read<double>("fluid/impulses");
  if (drives.size() != 3 || impulses.size() != 2 * 3 * sums)
    throw Error(fmt::format("{}: damaged checkpoint", path.string()), Fault::io);
  next = drives.data();
  c.state.memory.drive_impulse = take(next);
  FluidState& s = c.state.fluid;
  const std::vector<std::uint8_t> bytes = file.read<std::uint8_t>("fluid/populations");
  s.populations = HugeBytes(bytes.size());
  if (!bytes.empty()) std::memcpy(s.populations.data(), bytes.data(), bytes.size());
  s.odd = file.int_attribute("fluid", "odd") != 0;
  s.steps = file.int_attribute("fluid", "steps");
  c.fluid_spacing = file.double_attribute("fluid", "spacing");
  c.fluid_dt = file.double_attribute("fluid", "dt");
  next = impulses.data();
  for (FluidImpulse* i : {&s.impulse, &s.before}) for_each_sum(*i, [&](V& v) { v = take(next); });
  s.tracers.x = read_vectors(file, "tracer/position");
  s.tracers.velocity = read_vectors(file, "tracer/velocity");
  s.tracers.mark = read_vectors(file, "tracer/mark");
  s.tracers.moved = file.int_attribute("tracer", "moved");
  s.tracers.stride = static_cast<int>(file.int_attribute("tracer", "stride"));
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& c) {
  AtomicPath atomic(path);
  auto file = Hdf5File::create(atomic.temporary());
  file.set_attribute("", "format", "lodestone checkpoint");
  file.set_attribute("", "version", format_version);
  file.set_attribute("", "scene", c.scene);
  file.set_attribute("", "isa", c.isa);
  const auto& clock = c.state.clock;
  file.set_attribute("", "stage", clock.stage);
  file.set_attribute("", "step_in_stage", clock.step_in_stage);
  file.set_attribute("", "step", clock.step);
  file.set_attribute("", "time", clock.time);
  file.set_attribute("", "stage_start", clock.stage_start);
  file.set_attribute("", "share", clock.share);
  file.set_attribute("", "finished", c.finished ? 1 : 0);
  file.set_attribute("", "first_energy", c.first_energy);
  file.set_attribute("", "nodes", c.state.nodes.count);
  const auto count = static_cast<std::size_t>(c.state.nodes.count);
  for_each_column(c.state.nodes, [&](const std::string& name, const Column& column) {
    file.write("node/" + name, std::span<const double>(column.data(), count));
  });
  file.write("memory/broken", c.state.memory.broken);
  file.write("memory/angles", c.state.memory.angles);
  file.set_attribute("memory", "angle_step", c.state.memory.angle_step);
  file.write("memory/anchors", c.state.memory.anchors);
  file.write("memory/variables", c.state.memory.variables);
  file.write("memory/field_anchors", c.state.memory.field_anchors);
  const Ledger& ledger = c.state.memory.ledger;
  file.write("memory/ledger",
             std::vector<double>{ledger.start, ledger.drives, ledger.loads, ledger.fields, ledger.dissipated});
  file.write("memory/touching",
             std::vector<std::int64_t>(c.state.memory.touching.begin(), c.state.memory.touching.end()));
  file.write("memory/slip", c.state.memory.slip);
  file.set_attribute("memory", "barrier_stiffness", c.state.memory.barrier_stiffness);
  file.set_attribute("memory", "barrier_doublings", c.state.memory.barrier_doublings);
  file.write("memory/path", c.state.memory.path);
  file.set_attribute("memory", "halvings", c.state.memory.halvings);
  file.set_attribute("memory", "iterations", c.state.memory.iterations);
  file.set_attribute("memory", "negative_pivots", c.state.memory.negative_pivots);
  write_fluid(file, c);
  file.write("files/lengths", std::vector<std::int64_t>{c.probes_length, c.log_length, c.dump_length, c.tracers_length,
                                                        c.cycles_length});
  file.write("files/frame_times", c.frame_times);
  file.write("files/fluid_times", c.fluid_times);
  file.write("files/wall_seconds", std::vector<double>{c.wall_seconds});
  file.close();
  atomic.commit_durably();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const auto file = Hdf5File::open(path);
  if (!file.has_attribute("", "format") || file.string_attribute("", "format") != "lodestone checkpoint")
    throw Error(fmt::format("{}: not a lodestone checkpoint", path.string()), Fault::io);
  if (const auto v = file.int_attribute("", "version"); v != format_version)
    throw Error(fmt::format("{}: checkpoint of version {}, this program reads {}", path.string(), v, format_version),
                Fault::io);
  Checkpoint c;
  c.scene = file.string_attribute("", "scene");
  c.isa = file.string_attribute("", "isa");
  auto& clock = c.state.clock;
  clock.stage = static_cast<int>(file.int_attribute("", "stage"));
  clock.step_in_stage = file.int_attribute("", "step_in_stage");
  clock.step = file.int_attribute("", "step");
  clock.time = file.double_attribute("", "time");
  clock.stage_start = file.double_attribute("", "stage_start");
  clock.share = file.double_attribute("", "share");
  c.finished = file.int_attribute("", "finished") != 0;
  c.first_energy = file.double_attribute("", "first_energy");
  const auto count = static_cast<int>(file.int_attribute("", "nodes"));
  c.state.nodes = Nodes(count);
  for_each_column(c.state.nodes, [&](const std::string& name, Column& column) {
    const auto values = file.read<double>("node/" + name);
    if (values.size() != static_cast<std::size_t>(count))
      throw Error(fmt::format("{}: node/{} has {} values for {} nodes", path.string(), name, values.size(), count),
                  Fault::io);
    std::copy(values.begin(), values.end(), column.begin());
  });
  c.state.memory.broken = file.read<std::uint8_t>("memory/broken");
  c.state.memory.angles = file.read<double>("memory/angles");
  c.state.memory.angle_step = file.double_attribute("memory", "angle_step");
  c.state.memory.anchors = file.read<double>("memory/anchors");
  c.state.memory.variables = file.read<double>("memory/variables");
  c.state.memory.field_anchors = file.read<double>("memory/field_anchors");
  const auto ledger = file.read<double>("memory/ledger");
  if (ledger.size() != 5) throw Error(fmt::format("{}: damaged checkpoint", path.string()), Fault::io);
  c.state.memory.ledger = {ledger[0], ledger[1], ledger[2], ledger[3], ledger[4]};
  const auto touching = file.read<std::int64_t>("memory/touching");
  c.state.memory.touching.assign(touching.begin(), touching.end());
  c.state.memory.slip = file.read<double>("memory/slip");
  c.state.memory.barrier_stiffness = file.double_attribute("memory", "barrier_stiffness");
  c.state.memory.barrier_doublings = static_cast<int>(file.int_attribute("memory", "barrier_doublings"));
  c.state.memory.path = file.read<double>("memory/path");
  c.state.memory.halvings = static_cast<int>(file.int_attribute("memory", "halvings"));
  c.state.memory.iterations = file.int_attribute("memory", "iterations");
  c.state.memory.negative_pivots = static_cast<int>(file.int_attribute("memory", "negative_pivots"));
  read_fluid(path, file, c);
  const auto lengths = file.read<std::int64_t>("files/lengths");
  if (lengths.size() != 5) throw Error(fmt::format("{}: damaged checkpoint", path.string()), Fault::io);
  c.probes_length = lengths[0], c.log_length = lengths[1], c.dump_length = lengths[2];
  c.tracers_length = lengths[3], c.cycles_length = lengths[4];
  c.frame_times = file.read<double>("files/frame_times");
  c.fluid_times = file.read<double>("files/fluid_times");
  c.wall_seconds = file.read<double>("files/wall_seconds").at(0);
  return c;
}

}  // namespace ls
