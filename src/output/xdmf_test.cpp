#include "output/xdmf.h"

#include "base/error.h"
#include "output/files.h"
#include "output/hdf5_file.h"
#include "output/test_snapshots.h"

namespace ls::xdmf_test {

std::vector<std::array<double, 2>> as_doubles(const std::vector<std::array<int, 2>>& bonds) {
  std::vector<std::array<double, 2>> out;
  for (const auto& [a, b] : bonds) out.push_back({static_cast<double>(a), static_cast<double>(b)});
  return out;
}

TEST(FrameH5, ReadsBackThroughH5py) {
  const samples::Folder folder;
  const Snapshot s = samples::full();
  write_frame_h5(folder / "a.h5", s);
  const samples::Readback back = samples::run_reader("read_h5.py", (folder / "a.h5").string());
  ASSERT_EQ(back.status, 0) << back.text << "(needs python3-h5py)";
  samples::expect_array(back, "node/position", s.position);
  samples::expect_array(back, "bond/nodes", as_doubles(s.bond));
  samples::expect_columns(back, s);
  EXPECT_EQ(back.texts.at("format"), "'lodestone frame'");
  EXPECT_EQ(back.texts.at("step"), "123456789012");
  EXPECT_EQ(back.texts.at("time"), "0.30000000000000004");
  EXPECT_EQ(back.texts.at("stage"), "'Stufe <1>'");
  EXPECT_EQ(back.texts.at("bodies"), "'beam\\nzweiter <Stab> & \"µ\"\\nmagnet'");
  EXPECT_EQ(back.texts.at("unit of velocity"), "m/s");
}

TEST(FrameH5, EmptyFramesReadBackToo) {
  const samples::Folder folder;
  write_frame_h5(folder / "none.h5", Snapshot{});
  const samples::Readback none = samples::run_reader("read_h5.py", (folder / "none.h5").string());
  ASSERT_EQ(none.status, 0) << none.text;
  samples::expect_array(none, "node/position", Snapshot{}.position);
  write_frame_h5(folder / "free.h5", samples::spheres(4));
  const samples::Readback free = samples::run_reader("read_h5.py", (folder / "free.h5").string());
  ASSERT_EQ(free.status, 0) << free.text;
  samples::expect_columns(free, samples::spheres(4));
}

TEST(FrameH5, SameSnapshotSameBytes) {
  const samples::Folder folder;
  write_frame_h5(folder / "a.h5", samples::full());
  write_frame_h5(folder / "b.h5", samples::full());
  EXPECT_EQ(read_file(folder / "a.h5"), read_file(folder / "b.h5"));
}

TEST(FrameH5, TellsWhatTheIndexNeeds) {
  const samples::Folder folder;
  const Snapshot s = samples::full();
  write_frame_h5(folder / "a.h5", s);
  const XdmfEntry entry = read_xdmf_entry(folder / "a.h5", "frames/a.h5");
  EXPECT_EQ(entry.time, s.time);
  EXPECT_EQ(entry.file, "frames/a.h5");
  EXPECT_EQ(entry.nodes, s.position.size());
  EXPECT_EQ(entry.bonds, s.bond.size());
  Hdf5File::create(folder / "other.h5").close();
  EXPECT_THROW(read_xdmf_entry(folder / "other.h5", ""), Error);
}

TEST(Xdmf, LeadsToEveryArrayOfEveryFrame) {
  const samples::Folder folder;
  make_folder(folder / "frames & more");
  const std::vector<Snapshot> frames{samples::full(), samples::spheres(5), Snapshot{}, samples::cantilever(9)};
  std::vector<XdmfEntry> entries;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::string file = "frames & more/" + std::to_string(i) + ".h5";
    write_frame_h5(folder / file, frames[i]);
    entries.push_back({0.1 * static_cast<double>(i), file, frames[i].position.size(), frames[i].bond.size()});
  }
  write_xdmf(folder / "states.xdmf", entries);
  const samples::Readback back = samples::run_reader("read_h5.py", "--index " + (folder / "states.xdmf").string());
  ASSERT_EQ(back.status, 0) << back.text;
  EXPECT_EQ(back.arrays.at("frames")[0], 3);  // the empty one is left out
  samples::expect_array(back, "0/points", frames[0].position);
  samples::expect_array(back, "0/bonds", as_doubles(frames[0].bond));
  samples::expect_columns(back, frames[0], "0/node/", "0/cell/");
  samples::expect_array(back, "1/points", frames[1].position);
  samples::expect_array(back, "1/node/moment", frames[1].moment);
  EXPECT_FALSE(back.arrays.contains("1/cell/broken"));
  EXPECT_EQ(back.arrays.at("1/time")[0], 0.1);
  samples::expect_columns(back, frames[3], "2/node/", "2/cell/");
}

TEST(Xdmf, AnIndexOfNothingIsStillXml) {
  const samples::Folder folder;
  write_xdmf(folder / "states.xdmf", {});
  const samples::Readback back = samples::run_reader("read_h5.py", "--index " + (folder / "states.xdmf").string());
  ASSERT_EQ(back.status, 0) << back.text;
  EXPECT_EQ(back.arrays.at("frames")[0], 0);
}

}  // namespace ls::xdmf_test
