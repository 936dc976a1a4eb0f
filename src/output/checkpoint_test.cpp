#include "output/checkpoint.h"

#include "base/error.h"
#include "output/files.h"
#include "output/hdf5_file.h"

#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

namespace ls {
namespace {

namespace fs = std::filesystem;

class CheckpointFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lodestone_checkpoint_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string message() const {
    try {
      read_checkpoint(folder_ / "c.h5");
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::io);
      return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
  }

  fs::path folder_;
};

// Nothing in it has the value that it has by itself.
Checkpoint sample() {
  Checkpoint c;
  c.scene = "[solver]\n";
  c.isa = "avx2";
  c.lengths = {{"probes.csv", 12}, {"log.jsonl", 0}, {"states.lammpstrj", 1LL << 40}};
  c.frame_times = {0, 0.5};
  c.fluid_times = {0.25};
  c.fluid_spacing = 1e-3, c.fluid_dt = 1e-5, c.first_energy = -2.5, c.wall_seconds = 1.5;
  c.finished = true;
  c.state.clock = {2, 30, 1LL << 33, 0.3, 0.1, 0.75};
  c.state.nodes = Nodes(3);
  double next = 1;
  Nodes& n = c.state.nodes;
  for (Column* triple : {n.x, n.v, n.w, n.f, n.t})
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < n.count; ++i) triple[k][i] = next++;
  for (Column& q : n.q)
    for (int i = 0; i < n.count; ++i) q[i] = next++;
  Memory& m = c.state.memory;
  m.broken = {0, 1}, m.angles = {1, 2, 3}, m.anchors = {4}, m.variables = {5, 6}, m.field_anchors = {7};
  m.angle_step = 1e-6, m.ledger = {1, 2, 3, 4, 5};
  m.halvings = 3, m.negative_pivots = 1, m.iterations = 1LL << 34;
  m.touching = {7, ~std::uint64_t{0}}, m.slip = {1, 2, 3, 4, 5, 6};
  m.barrier_stiffness = 8, m.barrier_doublings = 2;
  m.marker_impulse = {{{1, 2, 3}, {4, 5, 6}}}, m.drive_impulse = {7, 8, 9}, m.path = {1, -1};
  FluidState& f = c.state.fluid;
  f.populations = HugeBytes(5);
  std::memcpy(f.populations.data(), "abcde", 5);
  f.odd = true, f.steps = 77;
  f.impulse.faces[2][1] = {1, 2, 3}, f.impulse.images = {4, 5, 6}, f.before.body = {7, 8, 9};
  f.tracers.x = {{1, 2, 3}, {4, 5, 6}}, f.tracers.velocity = {{7, 8, 9}, {1, 1, 1}};
  f.tracers.mark = {{2, 2, 2}, {3, 3, 3}}, f.tracers.moved = 70, f.tracers.stride = 4;
  return c;
}

TEST_F(CheckpointFile, GivesBackWhatWasWritten) {
  const Checkpoint a = sample();
  write_checkpoint(folder_ / "c.h5", a);
  const Checkpoint b = read_checkpoint(folder_ / "c.h5");
  EXPECT_EQ(a.scene, b.scene);
  EXPECT_EQ(a.lengths, b.lengths);
  EXPECT_EQ(a.frame_times, b.frame_times);
  EXPECT_EQ(a.fluid_times, b.fluid_times);
  EXPECT_EQ(a.wall_seconds, b.wall_seconds);
  EXPECT_TRUE(b.finished);
  EXPECT_EQ(a.state.clock.step, b.state.clock.step);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(a.state.nodes.t[k], b.state.nodes.t[k]);
  EXPECT_EQ(a.state.memory.touching, b.state.memory.touching);
  EXPECT_EQ(a.state.memory.ledger.dissipated, b.state.memory.ledger.dissipated);
  EXPECT_EQ(b.state.memory.marker_impulse.at(0).torque.z, 6);
  EXPECT_EQ(b.state.fluid.impulse.faces[2][1].y, 2);
  EXPECT_EQ(b.state.fluid.tracers.mark.at(1).x, 3);
  ASSERT_EQ(b.state.fluid.populations.size(), 5u);
  EXPECT_EQ(std::memcmp(b.state.fluid.populations.data(), "abcde", 5), 0);
  // Whatever is written is read: else it would be missing from what is written again.
  write_checkpoint(folder_ / "again.h5", b);
  EXPECT_EQ(read_file(folder_ / "c.h5"), read_file(folder_ / "again.h5"));
}

TEST_F(CheckpointFile, AnEmptyOneGivesNothingBack) {
  write_checkpoint(folder_ / "c.h5", Checkpoint());
  const Checkpoint c = read_checkpoint(folder_ / "c.h5");
  EXPECT_TRUE(c.lengths.empty() && c.frame_times.empty() && c.state.fluid.populations.empty());
  EXPECT_EQ(c.state.nodes.count, 0);
}

TEST_F(CheckpointFile, SaysWhatItCannotRead) {
  {
    Hdf5File file = Hdf5File::create(folder_ / "c.h5");
    file.set_attribute("", "format", "lodestone checkpoint");
    file.set_attribute("", "version", 4);
    file.close();
  }
  EXPECT_NE(message().find("c.h5: checkpoint of version 4, this program reads 5"), std::string::npos) << message();
  Hdf5File file = Hdf5File::create(folder_ / "c.h5");
  file.set_attribute("", "format", "lodestone frame");
  file.close();
  EXPECT_NE(message().find("c.h5: not a lodestone checkpoint"), std::string::npos) << message();
}

}  // namespace
}  // namespace ls
