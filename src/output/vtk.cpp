#include "output/vtk.h"

#include "output/files.h"
#include "output/vtk_appended.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace ls {

static_assert(sizeof(int) == 4 && sizeof(Snapshot::Triple) == 3 * sizeof(double));

FrameArrays::FrameArrays(const Snapshot& snapshot) : nodes_(snapshot.position.size()), bonds_(snapshot.bond.size()) {
  add_node("orientation", "1", snapshot.orientation, 1.0);
  add_node("velocity", "m/s", snapshot.velocity);
  add_node("spin", "rad/s", snapshot.spin);
  add_node("force", "N", snapshot.force);
  add_node("torque", "N m", snapshot.torque);
  add_node("contact_force", "N", snapshot.contact_force);
  add_node("contact_gap", "m", snapshot.contact_gap);
  add_node("contacts", "1", snapshot.contacts);
  add_node("moment", "A m^2", snapshot.moment);
  add_node("mass", "kg", snapshot.mass);
  add_node("radius", "m", snapshot.radius);
  assert(snapshot.body.empty() || snapshot.body.size() == nodes_);
  if (snapshot.body.size() != nodes_) no_body_.assign(nodes_, 0);
  const std::vector<int>& body = snapshot.body.size() == nodes_ ? snapshot.body : no_body_;
  node_.push_back({"body", "1", 1, std::span<const std::int32_t>(body)});

  add_modes({"strain_stretch", "strain_shear", "strain_bend", "strain_twist"}, {"1", "rad", "rad", "rad"},
            snapshot.strain);
  add_modes({"energy_stretch", "energy_shear", "energy_bend", "energy_twist"}, {"J", "J", "J", "J"}, snapshot.energy);
  assert(snapshot.broken.empty() || snapshot.broken.size() == bonds_);
  broken_.assign(snapshot.broken.begin(), snapshot.broken.end());
  broken_.resize(bonds_);
  bond_.push_back({"broken", "1", 1, std::span<const std::uint8_t>(broken_)});
}

std::span<const double> FrameArrays::owned(std::vector<double> values) {
  return copies_.emplace_back(std::move(values));  // a deque: what it holds stays in place
}

// first: the first component of each entry where the snapshot has none.
template <std::size_t N>
void FrameArrays::add_node(const char* name, const char* unit, const std::vector<std::array<double, N>>& values,
                           double first) {
  assert(values.empty() || values.size() == nodes_);
  if (values.size() == nodes_) {
    const double* data = nodes_ > 0 ? values[0].data() : nullptr;
    node_.push_back({name, unit, N, std::span<const double>(data, nodes_ * N)});
    return;
  }
  std::vector<double> blank(nodes_ * N);
  for (std::size_t i = 0; i < nodes_; ++i) blank[i * N] = first;
  node_.push_back({name, unit, N, owned(std::move(blank))});
}

void FrameArrays::add_node(const char* name, const char* unit, const std::vector<double>& values) {
  assert(values.empty() || values.size() == nodes_);
  const bool whole = values.size() == nodes_;
  node_.push_back({name, unit, 1, whole ? std::span<const double>(values) : owned(std::vector<double>(nodes_))});
}

// One column a mode: viewers colour by a whole column more readily than by a component of one.
void FrameArrays::add_modes(const char* const (&names)[4], const char* const (&units)[4],
                            const std::vector<std::array<double, 4>>& values) {
  assert(values.empty() || values.size() == bonds_);
  for (std::size_t mode = 0; mode < 4; ++mode) {
    std::vector<double> column(bonds_);
    if (values.size() == bonds_)
      for (std::size_t i = 0; i < bonds_; ++i) column[i] = values[i][mode];
    bond_.push_back({names[mode], units[mode], 1, owned(std::move(column))});
  }
}

namespace {

// Text in VTK's XML is a list of character codes, each string ended by a zero.
std::string text_array(const char* name, std::span<const std::string> texts) {
  std::string out =
      fmt::format("<Array type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\" format=\"ascii\">\n", name, texts.size());
  for (const std::string& text : texts) {
    for (const char c : text)
      if (c != '\0') out += fmt::format("{} ", static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += "0\n";
  }
  return out + "</Array>\n";
}

std::string field_data(const Snapshot& snapshot) {
  std::string out = "<FieldData>\n";
  out += fmt::format(
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
      snapshot.time);
  out += fmt::format("<DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
                     snapshot.step);
  if (!snapshot.stage.empty()) out += text_array("stage", {&snapshot.stage, 1});
  if (!snapshot.bodies.empty()) out += text_array("bodies", snapshot.bodies);
  return out + "</FieldData>\n";
}

}  // namespace

void write_vtp(const std::filesystem::path& path, const Snapshot& snapshot) {
  const FrameArrays arrays(snapshot);
  const std::size_t nodes = snapshot.position.size(), bonds = snapshot.bond.size();
  std::vector<std::int64_t> ends, offsets;  // [bond][2], [bond] where its nodes end in ends
  ends.reserve(2 * bonds);
  offsets.reserve(bonds);
  for (const auto& [a, b] : snapshot.bond) {
    assert(a >= 0 && b >= 0 && static_cast<std::size_t>(std::max(a, b)) < nodes);
    ends.insert(ends.end(), {a, b});
    offsets.push_back(static_cast<std::int64_t>(ends.size()));
  }
  const double* const points = nodes > 0 ? snapshot.position[0].data() : nullptr;

  std::string head =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";
  head += field_data(snapshot);
  head += fmt::format(
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"0\">\n",
      nodes, bonds);
  Appended appended;
  head += "<Points>\n";
  appended.add(head, "Points", 3, std::span<const double>(points, 3 * nodes));
  head += "</Points>\n<Lines>\n";
  appended.add(head, "connectivity", 1, std::span<const std::int64_t>(ends));
  appended.add(head, "offsets", 1, std::span<const std::int64_t>(offsets));
  head += "</Lines>\n<PointData>\n";
  for (const FrameArray& array : arrays.node()) appended.add(head, array);
  head += "</PointData>\n<CellData>\n";
  for (const FrameArray& array : arrays.bond()) appended.add(head, array);
  head += "</CellData>\n</Piece>\n</PolyData>\n";
  appended.write(path, std::move(head));
}

void write_surfaces_vtp(const std::filesystem::path& path, const Snapshot& s) {
  const auto corners = [](const auto& cells, std::vector<std::int64_t>& ends, std::vector<std::int64_t>& offsets) {
    for (const auto& cell : cells) {
      ends.insert(ends.end(), cell.begin(), cell.end());
      offsets.push_back(static_cast<std::int64_t>(ends.size()));
    }
  };
  std::vector<std::int64_t> line_ends, line_offsets, ends, offsets;
  corners(s.outline, line_ends, line_offsets);
  corners(s.triangle, ends, offsets);
  std::vector<std::int32_t> body;  // [skin point]
  for (const int node : s.skin_node) body.push_back(s.body[node]);
  std::string head =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";
  head += field_data(s);
  head += fmt::format(
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      s.skin.size(), s.outline.size(), s.triangle.size());
  Appended appended;
  head += "<Points>\n";
  appended.add(head, "Points", 3,
               std::span<const double>(s.skin.empty() ? nullptr : s.skin[0].data(), 3 * s.skin.size()));
  head += "</Points>\n<Lines>\n";
  appended.add(head, "connectivity", 1, std::span<const std::int64_t>(line_ends));
  appended.add(head, "offsets", 1, std::span<const std::int64_t>(line_offsets));
  head += "</Lines>\n<Polys>\n";
  appended.add(head, "connectivity", 1, std::span<const std::int64_t>(ends));
  appended.add(head, "offsets", 1, std::span<const std::int64_t>(offsets));
  head += "</Polys>\n<PointData>\n";
  appended.add(head, "body", 1, std::span<const std::int32_t>(body));
  head += "</PointData>\n</Piece>\n</PolyData>\n";
  appended.write(path, std::move(head));
}

void write_tracers_vtp(const std::filesystem::path& path, const Snapshot& s) {
  const std::size_t count = s.tracer.size();
  std::vector<std::int64_t> points(count), offsets(count);
  std::vector<std::int32_t> number(count);
  for (std::size_t i = 0; i < count; ++i) {
    points[i] = number[i] = static_cast<std::int32_t>(i);
    offsets[i] = static_cast<std::int64_t>(i) + 1;
  }
  const auto first = [](const auto& list) { return list.empty() ? nullptr : list[0].data(); };
  std::string head =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";
  head += field_data(s);
  head += fmt::format(
      "<Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"0\">\n",
      count);
  Appended appended;
  head += "<Points>\n";
  appended.add(head, "Points", 3, std::span<const double>(first(s.tracer), 3 * count));
  head += "</Points>\n<Verts>\n";
  appended.add(head, "connectivity", 1, std::span<const std::int64_t>(points));
  appended.add(head, "offsets", 1, std::span<const std::int64_t>(offsets));
  head += "</Verts>\n<PointData>\n";
  appended.add(head, "velocity", 3, std::span<const double>(first(s.tracer_velocity), 3 * count));
  appended.add(head, "tracer", 1, std::span<const std::int32_t>(number));
  head += "</PointData>\n</Piece>\n</PolyData>\n";
  appended.write(path, std::move(head));
}

namespace {

constexpr const char* pvd_end = "</Collection>\n</VTKFile>\n";

std::string pvd_line(const PvdEntry& entry) {
  return fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time, xml_text(entry.file));
}

}  // namespace

void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries) {
  std::string out =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<Collection>\n";
  for (const PvdEntry& entry : entries) out += pvd_line(entry);
  write_atomically(path, out + pvd_end);
}

void write_pvd(const RunFolder& folder, const std::string& index, const std::string& place, const std::string& ending,
               std::span<const double> times) {
  std::vector<PvdEntry> entries;
  for (std::size_t n = 0; n < times.size(); ++n) entries.push_back({times[n], frame_name(place, n, ending)});
  write_pvd(folder / index, entries);
}

void grow_pvd(const RunFolder& folder, const std::string& index, const std::string& place, const std::string& ending,
              std::span<const double> times) {
  const std::string last = pvd_line({times.back(), frame_name(place, times.size() - 1, ending)});
  if (!insert_before_end(folder / index, last, pvd_end)) write_pvd(folder, index, place, ending, times);
}

double bytes_of_solids(const FrameContents& c) {
  return 250.0 * static_cast<double>(c.nodes) + 100.0 * static_cast<double>(c.bonds) +
         28.0 * static_cast<double>(c.skin_points) + 32.0 * static_cast<double>(c.skin_cells) + 4000;
}

namespace {

class VtkFrames : public FrameWriter {
 public:
  explicit VtkFrames(const FrameContents& contents) : contents_(contents) {}

  FrameFiles files() const override {
    return {{"vtp", "surfaces.vtp", "tracers.vtp"}, {"states.pvd", "surfaces.pvd", "tracers.pvd"}, {}};
  }
  void write_frame(RunFolder& folder, std::size_t number, const Snapshot& shot) const override {
    const auto path = [&](const char* ending) { return folder / frame_name(frames_place, number, ending); };
    make_folder(folder / frames_place);
    if (!shot.position.empty()) write_vtp(path("vtp"), shot);
    if (!shot.skin.empty()) write_surfaces_vtp(path("surfaces.vtp"), shot);
    if (!shot.tracer.empty()) write_tracers_vtp(path("tracers.vtp"), shot);
  }
  void write_index(const RunFolder& folder, std::span<const double> times) const override {
    for (const auto& [index, ending] : indices()) write_pvd(folder, index, frames_place, ending, times);
  }
  void grow_index(const RunFolder& folder, std::span<const double> times) const override {
    for (const auto& [index, ending] : indices()) grow_pvd(folder, index, frames_place, ending, times);
  }
  double bytes_per_frame() const override {
    return bytes_of_solids(contents_) + 76.0 * static_cast<double>(contents_.tracers);
  }

 private:
  // Those that there are, and the endings of what they list.
  std::vector<std::pair<std::string, std::string>> indices() const {
    std::vector<std::pair<std::string, std::string>> found;
    if (contents_.nodes > 0) found.emplace_back("states.pvd", "vtp");
    if (contents_.skin_points > 0) found.emplace_back("surfaces.pvd", "surfaces.vtp");
    if (contents_.tracers > 0) found.emplace_back("tracers.pvd", "tracers.vtp");
    return found;
  }

  FrameContents contents_;
};

}  // namespace

std::unique_ptr<const FrameWriter> vtk_frames(const FrameContents& contents) {
  return std::make_unique<VtkFrames>(contents);
}

}  // namespace ls
