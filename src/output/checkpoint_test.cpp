#include "output/checkpoint.h"

#include "base/error.h"
#include "output/files.h"
#include "output/hdf5_file.h"

#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

namespace ls::checkpoint_test {

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
  c.sets = {"solver.dt=\"1 us\"", "", "a=1\nb"};
  c.files = {{"box.obj", ~std::uint64_t{0}}, {"../b c.stl", 5}};
  c.hashes = {{"probes.csv", 77}};
  c.spans = {1, 1e-6, 1e6};
  c.modes = 4;
  c.isa = "avx2";
  c.lengths = {{"probes.csv", 12}, {"log.jsonl", 0}, {"states.lammpstrj", 1LL << 40}};
  c.frame_times = {0, 0.5};
  c.fluid_times = {0.25};
  c.field_times = {0.125, 0.5};
  c.near_samples = {3, 5, 3, 6};
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
  m.events = {1, 3}, m.set_by_event = {0, 1}, m.stage_ended = 1;
  m.angle_step = 1e-6, m.ledger = {1, 2, 3, 4, 5, 6, 7, 8};
  m.halvings = 3, m.negative_pivots = 1, m.iterations = 1LL << 34, m.parts = {70, 0.3, 1e-4};
  m.touching = {7, ~std::uint64_t{0}}, m.slip = {1, 2, 3, 4, 5, 6};
  m.near_bodies = {3, 1ULL << 40}, m.near_strength = {1, 2}, m.near_reach = {3, 4}, m.near_step = 12;
  m.stuck = {5, 1ULL << 61}, m.stretch = {1, 2, 3, 4, 5, 6};
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
  EXPECT_EQ(a.sets, b.sets);
  ASSERT_EQ(b.files.size(), 2u);
  EXPECT_EQ(b.files[0].hash, ~std::uint64_t{0});
  EXPECT_EQ(b.files[1].name, "../b c.stl");
  EXPECT_EQ(b.hashes.at(0).hash, 77u);
  EXPECT_EQ(a.spans, b.spans);
  EXPECT_EQ(b.modes, 4);
  EXPECT_EQ(a.lengths, b.lengths);
  EXPECT_EQ(a.frame_times, b.frame_times);
  EXPECT_EQ(a.fluid_times, b.fluid_times);
  EXPECT_EQ(a.field_times, b.field_times);
  EXPECT_EQ(a.near_samples, b.near_samples);
  EXPECT_EQ(a.wall_seconds, b.wall_seconds);
  EXPECT_TRUE(b.finished);
  EXPECT_EQ(a.state.clock.step, b.state.clock.step);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(a.state.nodes.t[k], b.state.nodes.t[k]);
  EXPECT_EQ(a.state.memory.touching, b.state.memory.touching);
  EXPECT_EQ(a.state.memory.ledger.dissipated, b.state.memory.ledger.dissipated);
  EXPECT_EQ(a.state.memory.ledger.numerical, b.state.memory.ledger.numerical);
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
  EXPECT_NE(message().find("c.h5: cannot read: No such file"), std::string::npos) << message();
  write_checkpoint(folder_ / "c.h5", sample());
  const std::string whole = read_file(folder_ / "c.h5");
  std::string other = whole;
  other.replace(other.find("checkpoint 9"), 12, "checkpoint 8");
  write_atomically(folder_ / "c.h5", other);
  EXPECT_NE(message().find("c.h5: checkpoint of version 8, this program reads 9"), std::string::npos) << message();
  write_atomically(folder_ / "c.h5", whole.substr(0, whole.size() / 2));
  EXPECT_NE(message().find("c.h5: damaged: it has"), std::string::npos) << message();
  write_atomically(folder_ / "c.h5", "");
  EXPECT_NE(message().find("c.h5: not a lodestone checkpoint, or damaged"), std::string::npos) << message();
  Hdf5File file = Hdf5File::create(folder_ / "c.h5");
  file.close();
  EXPECT_NE(message().find("or that of an earlier version"), std::string::npos) << message();
}

// Each bit of the first bytes, which the hash does not cover itself, and many of the others.
TEST_F(CheckpointFile, AnyFlippedBitIsFoundBeforeItIsOpened) {
  write_checkpoint(folder_ / "c.h5", sample());
  std::string bytes = read_file(folder_ / "c.h5");
  const std::size_t bits = 8 * bytes.size();
  for (std::size_t bit = 0; bit < bits; bit += bit < 4096 ? 1 : 97) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    write_atomically(folder_ / "c.h5", bytes);
    EXPECT_EQ(message().find("HDF5"), std::string::npos) << bit;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
  }
  write_atomically(folder_ / "c.h5", bytes);
  EXPECT_EQ(read_checkpoint(folder_ / "c.h5").modes, 4);
}

// A kill between two steps of the exchange leaves one name or both for the same file: neither may stop the next one.
TEST_F(CheckpointFile, TheOneBeforeIsKept) {
  Checkpoint c = sample();
  for (c.modes = 1; c.modes <= 3; ++c.modes) {
    write_checkpoint(folder_ / "c.h5", c, folder_ / "before.h5");
    EXPECT_EQ(read_checkpoint(folder_ / "c.h5").modes, c.modes);
    EXPECT_EQ(fs::exists(folder_ / "before.h5"), c.modes > 1);
    if (c.modes > 1) {
      EXPECT_EQ(read_checkpoint(folder_ / "before.h5").modes, c.modes - 1);
    }
  }
  fs::remove(folder_ / "before.h5");
  fs::create_hard_link(folder_ / "c.h5", folder_ / "before.h5");
  fs::create_hard_link(folder_ / "c.h5", folder_ / "before.h5.tmp");
  write_checkpoint(folder_ / "c.h5", c, folder_ / "before.h5");
  EXPECT_EQ(read_checkpoint(folder_ / "before.h5").modes, 3);
  EXPECT_EQ(read_checkpoint(folder_ / "c.h5").modes, 4);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& f : fs::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 2u);
}

}  // namespace ls::checkpoint_test
