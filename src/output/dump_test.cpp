#include "output/dump.h"

#include "output/test_snapshots.h"

#include <limits>

namespace ls::dump_test {

struct Frame {
  double time = 0;
  long long step = 0;
  std::array<double, 6> box{};  // low and high of x, y, z
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  double at(std::size_t row, const std::string& column) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i] == column) return rows.at(row).at(i);
    ADD_FAILURE() << "no column " << column;
    return 0;
  }
};

std::vector<double> numbers(const std::string& line) {
  std::istringstream words(line);
  std::vector<double> values;
  for (std::string word; words >> word;) values.push_back(std::strtod(word.c_str(), nullptr));
  return values;
}

// Reads frames by the LAMMPS manual's description of text dumps.
std::vector<Frame> parse(const std::string& text) {
  std::vector<Frame> frames;
  std::istringstream lines(text);
  std::string line;
  const auto next = [&] {
    std::getline(lines, line);
    return line;
  };
  while (std::getline(lines, line)) {
    Frame frame;
    EXPECT_EQ(line, "ITEM: TIME");
    frame.time = std::strtod(next().c_str(), nullptr);
    EXPECT_EQ(next(), "ITEM: TIMESTEP");
    frame.step = std::strtoll(next().c_str(), nullptr, 10);
    EXPECT_EQ(next(), "ITEM: NUMBER OF ATOMS");
    const int count = std::stoi(next());
    EXPECT_EQ(next(), "ITEM: BOX BOUNDS ff ff ff");
    for (int k = 0; k < 3; ++k) {
      const std::vector<double> bounds = numbers(next());
      EXPECT_EQ(bounds.size(), 2u);
      frame.box[2 * k] = bounds.at(0), frame.box[2 * k + 1] = bounds.at(1);
    }
    EXPECT_EQ(next().substr(0, 12), "ITEM: ATOMS ");
    std::istringstream names(line.substr(12));
    for (std::string name; names >> name;) frame.columns.push_back(name);
    for (int i = 0; i < count; ++i) frame.rows.push_back(numbers(next()));
    frames.push_back(frame);
  }
  return frames;
}

void expect_triple(const Frame& frame, std::size_t i, const std::array<const char*, 3>& names,
                   const Snapshot::Triple& expected) {
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(samples::same_bits(frame.at(i, names[k]), expected[k])) << names[k] << i;
}

TEST(Dump, HoldsEveryBit) {
  const Snapshot s = samples::full();
  const std::vector<Frame> frames = parse(dump_frame(s) + dump_frame(samples::cantilever()));
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[1].rows.size(), 101u);
  const Frame& f = frames[0];
  EXPECT_EQ(f.step, s.step);
  EXPECT_EQ(f.time, s.time);
  ASSERT_EQ(f.rows.size(), s.position.size());
  for (std::size_t i = 0; i < f.rows.size(); ++i) {
    ASSERT_EQ(f.rows[i].size(), f.columns.size());
    EXPECT_EQ(f.at(i, "id"), static_cast<double>(i + 1));
    EXPECT_EQ(f.at(i, "mol"), s.body[i] + 1);
    EXPECT_EQ(f.at(i, "type"), i + 1 < f.rows.size() ? 1 : 2);  // the magnet stands last
    expect_triple(f, i, {"x", "y", "z"}, s.position[i]);
    expect_triple(f, i, {"vx", "vy", "vz"}, s.velocity[i]);
    expect_triple(f, i, {"omegax", "omegay", "omegaz"}, s.spin[i]);
    expect_triple(f, i, {"mux", "muy", "muz"}, s.moment[i]);
    expect_triple(f, i, {"fx", "fy", "fz"}, s.force[i]);
    expect_triple(f, i, {"tqx", "tqy", "tqz"}, s.torque[i]);
    expect_triple(f, i, {"quati", "quatj", "quatk"}, {s.orientation[i][1], s.orientation[i][2], s.orientation[i][3]});
    EXPECT_TRUE(samples::same_bits(f.at(i, "quatw"), s.orientation[i][0]));
    EXPECT_TRUE(samples::same_bits(f.at(i, "mass"), s.mass[i]));
    EXPECT_TRUE(samples::same_bits(f.at(i, "radius"), s.radius[i]));
  }
}

void expect_good_box(const Snapshot& s) {
  const std::vector<Frame> frames = parse(dump_frame(s));
  ASSERT_EQ(frames.size(), 1u);
  const auto& box = frames[0].box;
  double longest = 0;
  for (int k = 0; k < 3; ++k) longest = std::max(longest, box[2 * k + 1] - box[2 * k]);
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(std::isfinite(box[2 * k]) && std::isfinite(box[2 * k + 1]));
    EXPECT_GE(box[2 * k + 1] - box[2 * k], 0.0099 * longest);
    EXPECT_GT(box[2 * k + 1], box[2 * k]);
    for (const auto& p : s.position)
      EXPECT_TRUE(!std::isfinite(p[k]) || (box[2 * k] <= p[k] && p[k] <= box[2 * k + 1]));
  }
}

TEST(Dump, TheBoxHoldsTheNodesAndIsNeverFlat) {
  expect_good_box(samples::straight_rod());
  expect_good_box(samples::helix());
  expect_good_box(Snapshot{});
  Snapshot point;
  point.position = {{1, 2, 3}, {1, 2, 3}};
  expect_good_box(point);
  Snapshot lost = samples::straight_rod();
  lost.position[3][1] = std::numeric_limits<double>::quiet_NaN();
  expect_good_box(lost);
}

TEST(Dump, WritesZerosForWhatASnapshotLeavesOut) {
  Snapshot s;
  s.position = {{1, 2, 3}};
  const Frame frame = parse(dump_frame(s)).at(0);
  EXPECT_EQ(frame.at(0, "quatw"), 1);
  EXPECT_EQ(frame.at(0, "tqz"), 0);
  EXPECT_EQ(frame.at(0, "mol"), 1);
}

}  // namespace ls::dump_test
