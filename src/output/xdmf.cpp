#include "output/xdmf.h"

#include "base/error.h"
#include "output/files.h"
#include "output/hdf5_file.h"
#include "output/vtk.h"

#include <fmt/format.h>
#include <numeric>

namespace ls {
namespace {

constexpr const char* format_name = "lodestone frame";
constexpr int format_version = 1;

void write_arrays(Hdf5File& file, const std::string& group, std::span<const FrameArray> arrays, std::size_t count) {
  for (const FrameArray& array : arrays) {
    const std::string name = group + "/" + array.name;
    Hdf5File::Shape shape{count};
    if (array.width > 1) shape.push_back(array.width);
    std::visit([&](auto values) { file.write(name, values, shape); }, array.values);
    file.set_attribute(name, "unit", array.unit);
  }
}

template <class Entry>
std::span<const double> numbers(const std::vector<Entry>& list) {
  return {reinterpret_cast<const double*>(list.data()), list.size() * sizeof(Entry) / sizeof(double)};
}

// The nodes that are marked.
std::vector<std::int32_t> marked(const std::vector<char>& marks) {
  std::vector<std::int32_t> nodes;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i]) nodes.push_back(static_cast<std::int32_t>(i));
  return nodes;
}

// What viewers need and no node has: the magnets and coils of fields.
void write_magnets(Hdf5File& file, const Snapshot& shot) {
  const std::size_t lines = shot.magnet_line.size(), magnets = shot.magnet_centre.size();
  if (magnets == 0) return;
  file.write("magnet/lines", numbers(shot.magnet_line), {2 * lines, 3});
  file.write("magnet/centre", numbers(shot.magnet_centre), {magnets, 3});
  file.write("magnet/north", numbers(shot.magnet_north), {magnets, 3});
  for (const char* name : {"magnet/lines", "magnet/centre"}) file.set_attribute(name, "unit", "m");
  file.set_attribute("magnet/north", "unit", "1");
}

std::string joined(std::span<const std::string> lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

}  // namespace

void write_frame_h5(const std::filesystem::path& path, const Snapshot& snapshot) {
  const FrameArrays arrays(snapshot);
  const std::size_t nodes = snapshot.position.size(), bonds = snapshot.bond.size();
  AtomicPath atomic(path);
  Hdf5File file = Hdf5File::create(atomic.temporary());
  file.set_attribute("", "format", format_name);
  file.set_attribute("", "version", format_version);
  file.set_attribute("", "step", snapshot.step);
  file.set_attribute("", "time", snapshot.time);
  file.set_attribute("", "stage", snapshot.stage);
  file.set_attribute("", "bodies", joined(snapshot.bodies));

  const double* const points = nodes > 0 ? snapshot.position[0].data() : nullptr;
  file.write("node/position", std::span<const double>(points, 3 * nodes), {nodes, 3});
  file.set_attribute("node/position", "unit", "m");
  write_arrays(file, "node", arrays.node(), nodes);
  const std::int32_t* const ends = bonds > 0 ? snapshot.bond[0].data() : nullptr;
  file.write("bond/nodes", std::span<const std::int32_t>(ends, 2 * bonds), {bonds, 2});
  write_arrays(file, "bond", arrays.bond(), bonds);
  if (bonds == 0) {  // cells of the XDMF index, which has no way to say "each node by itself" that all readers know
    std::vector<std::int32_t> each(nodes);
    std::iota(each.begin(), each.end(), 0);
    file.write("node/index", each);
  }
  if (!snapshot.skin.empty()) {
    const std::size_t corners = snapshot.skin.size(), triangles = snapshot.triangle.size();
    const std::size_t lines = snapshot.outline.size();
    const auto first = [](const auto& list) { return list.empty() ? nullptr : list[0].data(); };
    file.write("surface/position", std::span<const double>(first(snapshot.skin), 3 * corners), {corners, 3});
    file.set_attribute("surface/position", "unit", "m");
    file.write("surface/node", std::span<const std::int32_t>(snapshot.skin_node));
    file.write("surface/triangles", std::span<const std::int32_t>(first(snapshot.triangle), 3 * triangles),
               {triangles, 3});
    file.write("surface/lines", std::span<const std::int32_t>(first(snapshot.outline), 2 * lines), {lines, 2});
    file.write("surface/walls", marked(snapshot.is_wall));
    file.write("surface/balls", marked(snapshot.is_ball));
  }
  write_magnets(file, snapshot);
  if (const std::size_t count = snapshot.tracer.size(); count > 0) {
    file.write("tracer/position", std::span<const double>(snapshot.tracer[0].data(), 3 * count), {count, 3});
    file.set_attribute("tracer/position", "unit", "m");
    file.write("tracer/velocity", std::span<const double>(snapshot.tracer_velocity[0].data(), 3 * count), {count, 3});
    file.set_attribute("tracer/velocity", "unit", "m/s");
  }
  file.close();
  atomic.commit();
}

XdmfEntry read_xdmf_entry(const std::filesystem::path& frame, std::string relative_file) {
  const Hdf5File file = Hdf5File::open(frame);
  if (!file.has_attribute("", "format") || file.string_attribute("", "format") != format_name)
    throw Error(frame.string() + ": is not a frame", Fault::io);
  return {file.double_attribute("", "time"), std::move(relative_file), file.shape("node/position")[0],
          file.shape("bond/nodes")[0]};
}

namespace {

constexpr const char* real_type = "NumberType=\"Float\" Precision=\"8\"";
constexpr const char* int_type = "NumberType=\"Int\" Precision=\"4\"";
constexpr const char* byte_type = "NumberType=\"UChar\" Precision=\"1\"";

const char* number_type(const FrameArray& array) {
  const char* const types[] = {real_type, int_type, byte_type};
  return types[array.values.index()];
}

std::string data_item(const XdmfEntry& entry, const std::string& dataset, const char* type, std::size_t count,
                      std::size_t width) {
  const std::string extents = width > 1 ? fmt::format("{} {}", count, width) : fmt::format("{}", count);
  return fmt::format("<DataItem Format=\"HDF\" {} Dimensions=\"{}\">{}:/{}</DataItem>", type, extents,
                     xml_text(entry.file), dataset);
}

void add_attributes(std::string& out, const XdmfEntry& entry, bool of_nodes, std::span<const FrameArray> arrays) {
  for (const FrameArray& array : arrays) {
    const std::string dataset = std::string(of_nodes ? "node/" : "bond/") + array.name;
    out +=
        fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">{}</Attribute>\n", array.name,
                    array.width == 1   ? "Scalar"
                    : array.width == 3 ? "Vector"
                                       : "Matrix",
                    of_nodes ? "Node" : "Cell",
                    data_item(entry, dataset, number_type(array), of_nodes ? entry.nodes : entry.bonds, array.width));
  }
}

void add_frame(std::string& out, const XdmfEntry& entry, const FrameArrays& columns) {
  out += fmt::format("<Grid Name=\"rods\" GridType=\"Uniform\"><Time Value=\"{}\"/>\n", entry.time);
  const bool lines = entry.bonds > 0;
  out += fmt::format("<Topology TopologyType=\"{}\" NodesPerElement=\"{}\" NumberOfElements=\"{}\">{}</Topology>\n",
                     lines ? "Polyline" : "Polyvertex", lines ? 2 : 1, lines ? entry.bonds : entry.nodes,
                     lines ? data_item(entry, "bond/nodes", int_type, entry.bonds, 2)
                           : data_item(entry, "node/index", int_type, entry.nodes, 1));
  out += fmt::format("<Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
                     data_item(entry, "node/position", real_type, entry.nodes, 3));
  add_attributes(out, entry, true, columns.node());
  if (lines) add_attributes(out, entry, false, columns.bond());
  out += "</Grid>\n";
}

}  // namespace

namespace {

constexpr const char* xdmf_end = "</Grid>\n</Domain>\n</Xdmf>\n";

std::string xdmf_frames(std::span<const XdmfEntry> entries) {
  const Snapshot nothing;
  const FrameArrays columns(nothing);  // every frame has the same columns; only their names and types are used here
  std::string out;
  for (const XdmfEntry& entry : entries)
    if (entry.nodes > 0) add_frame(out, entry, columns);
  return out;
}

}  // namespace

// Version 3.0 is the one that meshio takes; what is used here is the same in both.
void write_xdmf(const std::filesystem::path& path, std::span<const XdmfEntry> entries) {
  const std::string head =
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
      "<Grid Name=\"states\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  write_atomically(path, head + xdmf_frames(entries) + xdmf_end);
}

namespace {

class Hdf5Frames : public FrameWriter {
 public:
  explicit Hdf5Frames(const FrameContents& contents) : contents_(contents) {}

  FrameFiles files() const override { return {{"h5"}, {"states.xdmf"}, {}}; }
  void write_frame(RunFolder& folder, std::size_t number, const Snapshot& shot) const override {
    make_folder(folder / frames_place);
    write_frame_h5(folder / frame_name(frames_place, number, "h5"), shot);
  }
  void write_index(const RunFolder& folder, std::span<const double> times) const override {
    if (contents_.nodes == 0) return;
    std::vector<XdmfEntry> entries;
    for (std::size_t n = 0; n < times.size(); ++n) entries.push_back(entry(n, times[n]));
    write_xdmf(folder / "states.xdmf", entries);
  }
  void grow_index(const RunFolder& folder, std::span<const double> times) const override {
    const XdmfEntry last = entry(times.size() - 1, times.back());
    if (contents_.nodes > 0 && !insert_before_end(folder / "states.xdmf", xdmf_frames({&last, 1}), xdmf_end))
      write_index(folder, times);
  }
  double bytes_per_frame() const override {
    return bytes_of_solids(contents_) + 48.0 * static_cast<double>(contents_.tracers);
  }

 private:
  XdmfEntry entry(std::size_t number, double time) const {
    return {time, frame_name(frames_place, number, "h5"), contents_.nodes, contents_.bonds};
  }

  FrameContents contents_;
};

}  // namespace

std::unique_ptr<const FrameWriter> hdf5_frames(const FrameContents& contents) {
  return std::make_unique<Hdf5Frames>(contents);
}

}  // namespace ls
