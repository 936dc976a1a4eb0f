#include "output/vtk.h"

#include "base/error.h"
#include "output/files.h"
#include "output/test_snapshots.h"

#include <chrono>
#include <cstring>

namespace ls::vtk_test {

// Reads what the VTK file format says of PolyData with raw appended values; knows nothing of the writer.
class Vtp {
 public:
  explicit Vtp(std::string bytes) : bytes_(std::move(bytes)) {
    const std::size_t tag = bytes_.find("<AppendedData encoding=\"raw\">");
    head_ = bytes_.substr(0, tag);
    data_ = bytes_.find('_', tag) + 1;
    EXPECT_TRUE(has("byte_order=\"LittleEndian\"") && has("header_type=\"UInt64\"") && has("type=\"PolyData\""));
  }

  bool has(const std::string& text) const { return head_.find(text) != std::string::npos; }

  // The value of an attribute of the first tag that contains the text.
  std::string attribute(const std::string& tag_text, const std::string& name) const {
    const std::size_t at = head_.find(tag_text);
    EXPECT_NE(at, std::string::npos) << tag_text;
    const std::size_t start = head_.rfind('<', at), end = head_.find('>', at);
    const std::string tag = head_.substr(start, end - start);
    const std::size_t value = tag.find(" " + name + "=\"");
    if (value == std::string::npos) return {};
    const std::size_t from = value + name.size() + 3;
    return tag.substr(from, tag.find('"', from) - from);
  }

  template <class T>
  std::vector<T> array(const std::string& name, const std::string& type, const std::string& width) const {
    const std::string text = "Name=\"" + name + "\"";
    EXPECT_EQ(attribute(text, "type"), type) << name;
    EXPECT_EQ(attribute(text, "NumberOfComponents"), width) << name;
    EXPECT_EQ(attribute(text, "format"), "appended") << name;
    const std::size_t at = data_ + std::stoull(attribute(text, "offset"));
    std::uint64_t size = 0;
    std::memcpy(&size, bytes_.data() + at, 8);
    EXPECT_LE(at + 8 + size, bytes_.size());
    std::vector<T> values(size / sizeof(T));
    if (size > 0) std::memcpy(values.data(), bytes_.data() + at + 8, size);
    return values;
  }

 private:
  std::string bytes_, head_;
  std::size_t data_ = 0;
};

template <std::size_t N>
void expect_same(const std::vector<double>& found, const std::vector<std::array<double, N>>& expected,
                 const char* name) {
  ASSERT_EQ(found.size(), N * expected.size()) << name;
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(samples::same_bits(found[i], expected[i / N][i % N])) << name << " " << i;
}

TEST(Vtp, HoldsEveryBit) {
  const samples::Folder folder;
  const Snapshot s = samples::full();
  write_vtp(folder / "a.vtp", s);
  const Vtp file(read_file(folder / "a.vtp"));
  EXPECT_EQ(file.attribute("<Piece", "NumberOfPoints"), std::to_string(s.position.size()));
  EXPECT_EQ(file.attribute("<Piece", "NumberOfLines"), std::to_string(s.bond.size()));
  const auto triples = [&](const char* name, const auto& expected) {
    expect_same(file.array<double>(name, "Float64", "3"), expected, name);
  };
  triples("Points", s.position);
  triples("velocity", s.velocity);
  triples("spin", s.spin);
  triples("force", s.force);
  triples("torque", s.torque);
  triples("moment", s.moment);
  expect_same(file.array<double>("orientation", "Float64", "4"), s.orientation, "orientation");
  EXPECT_EQ(file.attribute("Name=\"orientation\"", "ComponentName0"), "w");
  EXPECT_EQ(file.attribute("Name=\"orientation\"", "ComponentName3"), "z");
  EXPECT_EQ(file.array<double>("mass", "Float64", ""), s.mass);
  EXPECT_EQ(file.array<double>("radius", "Float64", ""), s.radius);
  EXPECT_EQ(file.array<int>("body", "Int32", ""), s.body);
  const char* const modes[] = {"stretch", "shear", "bend", "twist"};
  for (int m = 0; m < 4; ++m) {
    EXPECT_EQ(file.array<double>(std::string("strain_") + modes[m], "Float64", ""), samples::mode(s.strain, m));
    EXPECT_EQ(file.array<double>(std::string("energy_") + modes[m], "Float64", ""), samples::mode(s.energy, m));
  }
  EXPECT_EQ(file.array<char>("broken", "UInt8", ""), s.broken);

  const auto ends = file.array<std::int64_t>("connectivity", "Int64", "");
  const auto offsets = file.array<std::int64_t>("offsets", "Int64", "");
  ASSERT_EQ(ends.size(), 2 * s.bond.size());
  ASSERT_EQ(offsets.size(), s.bond.size());
  for (std::size_t i = 0; i < s.bond.size(); ++i) {
    EXPECT_EQ(ends[2 * i], s.bond[i][0]);
    EXPECT_EQ(ends[2 * i + 1], s.bond[i][1]);
    EXPECT_EQ(offsets[i], static_cast<std::int64_t>(2 * i + 2));
  }
  EXPECT_TRUE(file.has("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.30000000000000004<"));
  EXPECT_TRUE(file.has("109 97 103 110 101 116 0"));  // "magnet"
}

TEST(Vtp, SameSnapshotSameBytes) {
  const samples::Folder folder;
  write_vtp(folder / "a.vtp", samples::full());
  write_vtp(folder / "b.vtp", samples::full());
  EXPECT_EQ(read_file(folder / "a.vtp"), read_file(folder / "b.vtp"));
}

TEST(Vtp, WritesNothingAndNoBonds) {
  const samples::Folder folder;
  write_vtp(folder / "none.vtp", Snapshot{});
  const Vtp none(read_file(folder / "none.vtp"));
  EXPECT_TRUE(none.array<double>("Points", "Float64", "3").empty());
  write_vtp(folder / "free.vtp", samples::spheres(3));
  const Vtp free(read_file(folder / "free.vtp"));
  EXPECT_EQ(free.array<double>("mass", "Float64", "").size(), 3u);
  EXPECT_TRUE(free.array<std::int64_t>("offsets", "Int64", "").empty());
}

TEST(Vtp, WritesZerosForWhatASnapshotLeavesOut) {
  const samples::Folder folder;
  Snapshot s;
  s.position = {{1, 2, 3}, {4, 5, 6}};
  s.bond = {{0, 1}};
  write_vtp(folder / "a.vtp", s);
  const Vtp file(read_file(folder / "a.vtp"));
  EXPECT_EQ(file.array<double>("orientation", "Float64", "4"), (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(file.array<double>("spin", "Float64", "3"), std::vector<double>(6, 0));
  EXPECT_EQ(file.array<double>("mass", "Float64", ""), std::vector<double>(2, 0));
  EXPECT_EQ(file.array<int>("body", "Int32", ""), std::vector<int>(2, 0));
  EXPECT_EQ(file.array<double>("energy_bend", "Float64", ""), std::vector<double>(1, 0));
  EXPECT_EQ(file.array<char>("broken", "UInt8", ""), std::vector<char>(1, 0));
}

TEST(Vtp, IsFast) {
  const samples::Folder folder;
  const Snapshot s = samples::helix(100000);
  const auto start = std::chrono::steady_clock::now();
  write_vtp(folder / "a.vtp", s);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  RecordProperty("milliseconds", static_cast<int>(1000 * took.count()));
  EXPECT_LT(took.count(), 5.0);  // about 0.05 s; the bound only tells a mistake from a busy machine
}

TEST(Vtp, ReportsWhatItCannotWrite) {
  const samples::Folder folder;
  EXPECT_THROW(write_vtp(folder / "no/such/a.vtp", samples::full()), Error);
}

TEST(Pvd, ListsFramesInOrder) {
  const samples::Folder folder;
  const std::vector<PvdEntry> entries{{0, "frames/0.vtp"}, {0.1 + 0.2, "frames/a & b.vtp"}};
  write_pvd(folder / "states.pvd", entries);
  const std::string text = read_file(folder / "states.pvd");
  EXPECT_NE(text.find("<VTKFile type=\"Collection\""), std::string::npos);
  const std::size_t first = text.find("timestep=\"0\" part=\"0\" file=\"frames/0.vtp\"");
  const std::size_t second = text.find("timestep=\"0.30000000000000004\" part=\"0\" file=\"frames/a &amp; b.vtp\"");
  EXPECT_LT(first, second);
  EXPECT_NE(second, std::string::npos);
  write_pvd(folder / "states.pvd", {});
  EXPECT_EQ(read_file(folder / "states.pvd").find("DataSet"), std::string::npos);
}

}  // namespace ls::vtk_test
