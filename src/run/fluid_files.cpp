#include "run/fluid_files.h"

#include "fluid/tracers.h"
#include "output/files.h"
#include "output/fluid_field.h"
#include "output/hdf5_file.h"
#include "output/vtk_appended.h"

#include <cmath>

namespace ls {

namespace fs = std::filesystem;

namespace {

constexpr long long most_cells = 10'000'000;  // of a volume that nobody asked for
constexpr std::size_t most_tracks = 20'000;   // as lines of text; frames have them all

template <class T>
std::span<const float> floats(const std::vector<T>& values) {
  return {reinterpret_cast<const float*>(values.data()), values.size() * sizeof(T) / sizeof(float)};
}

Vec3<double> corner(const Fluid& fluid, const FluidBlock& b) {
  const FluidSettings& s = fluid.settings();
  return s.origin + s.spacing * Vec3<double>{static_cast<double>(b.first[0]), static_cast<double>(b.first[1]),
                                             static_cast<double>(b.first[2])};
}

void write_h5(const fs::path& path, const Fluid& fluid, const FluidBlock& b, const Clock& clock) {
  AtomicPath atomic(path);
  Hdf5File file = Hdf5File::create(atomic.temporary());
  file.set_attribute("", "format", "lodestone fluid");
  file.set_attribute("", "version", 1);
  file.set_attribute("", "step", clock.step);
  file.set_attribute("", "time", clock.time);
  file.set_attribute("", "spacing", fluid.settings().spacing);
  const Vec3<double> low = corner(fluid, b);
  file.write("grid/origin", std::vector<double>{low.x, low.y, low.z});
  file.write("grid/cells", std::vector<std::int32_t>{b.count[0], b.count[1], b.count[2]});
  const std::size_t cells = b.pressure.size();
  file.write("cell/velocity", floats(b.velocity), {cells, 3});
  file.set_attribute("cell/velocity", "unit", "m/s");
  file.write("cell/pressure", floats(b.pressure), {cells});
  file.set_attribute("cell/pressure", "unit", "Pa");
  file.write("cell/vorticity", floats(b.vorticity), {cells, 3});
  file.set_attribute("cell/vorticity", "unit", "1/s");
  file.close();
  atomic.commit();
}

}  // namespace

void write_vti(const fs::path& path, const Fluid& fluid, const FluidBlock& b, const Clock& clock) {
  const Vec3<double> low = corner(fluid, b);
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", b.count[0], b.count[1], b.count[2]);
  std::string head = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "<ImageData WholeExtent=\"{0}\" Origin=\"{1} {2} {3}\" Spacing=\"{4} {4} {4}\">\n"
      "<FieldData>\n"
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{5}</DataArray>\n"
      "<DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">{6}</DataArray>\n"
      "</FieldData>\n<Piece Extent=\"{0}\">\n<CellData>\n",
      extent, low.x, low.y, low.z, fluid.settings().spacing, clock.time, clock.step);
  Appended appended;
  appended.add(head, "velocity", 3, floats(b.velocity));
  appended.add(head, "pressure", 1, floats(b.pressure));
  appended.add(head, "vorticity", 3, floats(b.vorticity));
  head += "</CellData>\n</Piece>\n</ImageData>\n";
  appended.write(path, std::move(head));
}

bool FluidFiles::writes_volume(const Plan& plan) {
  if (!plan.fluid) return false;
  const FluidOutput& o = plan.output.fluid;
  return o.is_given ? o.volume : plan.fluid.box->lattice().cells() <= most_cells;
}

FluidFiles::FluidFiles(const Plan& plan, fs::path folder, const Checkpoint& c)
    : plan_(plan),
      folder_(std::move(folder)),
      tracks_length_(c.tracers_length),
      cycles_length_(c.cycles_length),
      times_(c.fluid_times) {
  if (!plan.fluid) return;
  std::error_code e;
  const std::pair<const char*, std::int64_t> texts[] = {{"tracers.csv", tracks_length_},
                                                        {"tracer_cycles.csv", cycles_length_}};
  for (const auto& [file, length] : texts)
    if (fs::exists(folder_ / file, e)) cut_file(folder_ / file, static_cast<std::uintmax_t>(length));
  // Whatever the later frames were called.
  std::vector<fs::path> later;
  for (const auto& entry : fs::directory_iterator(folder_ / "fluid", e)) {
    const std::string file = entry.path().filename().string();
    if (std::strtoull(file.c_str(), nullptr, 10) >= times_.size()) later.push_back(entry.path());
  }
  for (const fs::path& path : later) fs::remove(path, e);
  write_indices();
}

std::string FluidFiles::name(std::size_t number, const std::string& ending) const {
  return fmt::format("fluid/{:06}.{}", number, ending);
}

void FluidFiles::append(const char* file, const std::string& lines, std::int64_t& length) const {
  append_to_file(folder_ / file, lines);
  length += static_cast<std::int64_t>(lines.size());
}

// what: "" of the volume, else "slice0."
void FluidFiles::write(const std::string& what, const FluidBlock& b, const Clock& clock, std::size_t number) const {
  const Output& o = plan_.output;
  const Fluid& fluid = *plan_.fluid.box;
  if (o.vtk) write_vti(folder_ / name(number, what + "vti"), fluid, b, clock);
  if (o.hdf5 && (o.fluid.is_given || !o.vtk)) write_h5(folder_ / name(number, what + "h5"), fluid, b, clock);
}

void FluidFiles::add_frame(const State& s, const Inputs& in, Team& team) {
  const Output& o = plan_.output;
  const bool volume = writes_volume(plan_);
  if ((!o.vtk && !o.hdf5) || (!volume && o.fluid.slices.empty())) return;
  make_folder(folder_ / "fluid");
  const Fluid& fluid = *plan_.fluid.box;
  const std::array<int, 3>& all = fluid.settings().cells;
  const std::size_t number = times_.size();
  if (volume) write("", read_block(fluid, s.fluid, in, {}, all, team), s.clock, number);
  for (std::size_t k = 0; k < o.fluid.slices.size(); ++k) {
    const auto axis = static_cast<std::size_t>(o.fluid.slices[k].axis);
    std::array<int, 3> first{}, count = all;
    first[axis] = o.fluid.slices[k].cell;
    count[axis] = 1;
    write(fmt::format("slice{}.", k), read_block(fluid, s.fluid, in, first, count, team), s.clock, number);
  }
  times_.push_back(s.clock.time);
  write_indices();
}

void FluidFiles::write_indices() const {
  if (!plan_.output.vtk || times_.empty()) return;
  const auto index = [&](const std::string& file, const std::string& ending) {
    std::vector<PvdEntry> entries;
    for (std::size_t n = 0; n < times_.size(); ++n) entries.push_back({times_[n], name(n, ending)});
    write_pvd(folder_ / file, entries);
  };
  if (writes_volume(plan_)) index("fluid.pvd", "vti");
  for (std::size_t k = 0; k < plan_.output.fluid.slices.size(); ++k)
    index(fmt::format("fluid_slice{}.pvd", k), fmt::format("slice{}.vti", k));
}

void FluidFiles::add_tracks(const State& s) {
  const std::vector<Vec3<double>>& x = s.fluid.tracers.x;
  if (x.empty() || x.size() > most_tracks) return;
  std::string lines = tracks_length_ == 0 ? "time,tracer,x,y,z\n" : "";
  const auto places = tracer_places(*plan_.fluid.box, s.fluid);
  for (std::size_t i = 0; i < places.size(); ++i)
    lines +=
        fmt::format("{:.17g},{},{:.17g},{:.17g},{:.17g}\n", s.clock.time, i, places[i].x, places[i].y, places[i].z);
  append("tracers.csv", lines, tracks_length_);
}

void FluidFiles::end_cycle(State& s) {
  Tracers& t = s.fluid.tracers;
  if (t.x.empty()) return;
  const auto cycle = std::llround(s.clock.time / plan_.fluid.tracers.cycle);
  std::string lines = cycles_length_ == 0 ? "cycle,tracer,x,y,z,dx,dy,dz\n" : "";
  const auto places = tracer_places(*plan_.fluid.box, s.fluid);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3<double> from = t.mark[i], gone = places[i] - from;
    lines += fmt::format("{},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", cycle, i, from.x, from.y, from.z,
                         gone.x, gone.y, gone.z);
  }
  append("tracer_cycles.csv", lines, cycles_length_);
  t.mark = places;
}

void FluidFiles::save(Checkpoint& c) const {
  c.tracers_length = tracks_length_;
  c.cycles_length = cycles_length_;
  c.fluid_times = times_;
  if (!plan_.fluid) return;
  c.fluid_spacing = plan_.fluid.box->settings().spacing;
  c.fluid_dt = plan_.fluid.box->settings().dt;
}

}  // namespace ls
