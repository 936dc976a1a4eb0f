// Runs that are killed at any moment and go on end with the bytes of those that were left alone; a checkpoint that was
// damaged is never believed.
#include "base/error.h"
#include "output/checkpoint.h"
#include "output/folder/folder_lock.h"
#include "run/resume/resume.h"
#include "tests/kill_scenes.h"
#include "tests/program.h"

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() is not in <csignal>
#include <thread>

namespace ls::program::kill_test {

// A checkpoint as a text to compare, without what is of the clock on the wall and of the log.
std::string state_of(const fs::path& folder) {
  Checkpoint c = read_checkpoint(folder / "checkpoint.h5");
  c.wall_seconds = 0;
  c.lengths.erase("log.jsonl");
  std::erase_if(c.hashes, [](const UsedFile& file) { return file.name == "log.jsonl"; });
  write_checkpoint(folder / "compared.h5", c);
  std::string bytes = contents(folder / "compared.h5");
  fs::remove(folder / "compared.h5");
  return bytes;
}

// All that a run leaves but its log, by name.
std::map<std::string, std::string> results_of(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (entry.is_regular_file() && name != "log.jsonl" && !name.starts_with("checkpoint"))
      all[name] = contents(entry.path());
  }
  auto summary = nlohmann::json::parse(all.at("summary.json"));
  summary.erase("wall_seconds"), summary.erase("machine");
  all["summary.json"] = summary.dump(1);
  all["checkpoint.h5"] = state_of(folder);
  return all;
}

void expect_same_files(const fs::path& a, const fs::path& b, const std::string& what) {
  const auto one = results_of(a), other = results_of(b);
  for (const auto& [name, bytes] : one) {
    ASSERT_TRUE(other.contains(name)) << what << ": " << name;
    EXPECT_TRUE(bytes == other.at(name)) << what << ": " << name;
  }
  for (const auto& [name, bytes] : other) EXPECT_TRUE(one.contains(name)) << what << ": " << name;
}

bool is_finished(const fs::path& folder) {
  return fs::exists(folder / "summary.json") &&
         nlohmann::json::parse(contents(folder / "summary.json"))["status"] == "done";
}

// Runs a scene whole, and again with so many kills, half of them by SIGTERM. How many there were.
int expect_same_after_kills(const Scratch& s, const std::string& name, const std::string& scene, int wanted,
                            std::mt19937& random) {
  const std::string file = s.text(name + ".toml"), whole = s.text(name), parts = s.text(name + "_killed");
  write(file, scene);
  const auto begin = std::chrono::steady_clock::now();
  const Answer a = lodestone("run " + file + " --quiet --out " + whole);
  EXPECT_EQ(a.code, 0) << name << ": " << a.text;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::uniform_real_distribution<> moment(0.001, 0.02 + 0.6 * seconds);
  int kills = 0;
  for (int round = 0; kills < wanted && round < 4 * wanted && !is_finished(parts); ++round) {
    const pid_t child = start({"run", file, "--quiet", "--resume", "--out", parts});
    std::this_thread::sleep_for(std::chrono::duration<double>(moment(random)));
    const int signal = random() % 2 == 0 ? SIGKILL : SIGTERM;
    kill(child, signal);
    kills += wait_for(child) == 128 + signal;
  }
  const Answer b = lodestone("run " + file + " --quiet --resume --out " + parts);
  EXPECT_EQ(b.code, 0) << name << ": " << b.text;
  expect_same_files(whole, parts, name);
  return kills;
}

TEST(Kills, LeaveTheSameBytesInEverySolver) {
  const Scratch s;
  std::mt19937 random(5);
  int kills = 0;
  for (const auto& [name, scene] : scenes_to_kill()) kills += expect_same_after_kills(s, name, scene, 4, random);
  EXPECT_GE(kills, 16);
}

TEST(SlowKills, HundredLeaveTheSameBytes) {
  std::mt19937 random(17);
  int kills = 0;
  for (int round = 0; kills < 100 && round < 20; ++round) {
    const Scratch s;
    for (const auto& [name, scene] : scenes_to_kill()) kills += expect_same_after_kills(s, name, scene, 8, random);
  }
  EXPECT_GE(kills, 100);
}

// A folder with both checkpoints, stopped in the middle.
void stop_in_the_middle(const Scratch& s, const std::string& scene) {
  write(s / "rod.toml", scene);
  ASSERT_EQ(lodestone("run " + s.text("rod.toml") + " --quiet --out " + s.text("whole")).code, 0);
  const auto is_there = [&](const char* name) { return fs::exists(s / "parts" / name); };
  for (int round = 0; round < 100 && !(is_there("checkpoint-before.h5") && is_there("frames/000002.vtp")); ++round)
    ASSERT_EQ(
        lodestone("run " + s.text("rod.toml") + " --quiet --resume --max-wall 0.03 --out " + s.text("parts")).code, 0);
  ASSERT_FALSE(is_finished(s / "parts"));
}

void flip(const fs::path& path, std::size_t bit) {
  std::string bytes = contents(path);
  bytes[bit / 8 % bytes.size()] = static_cast<char>(bytes[bit / 8 % bytes.size()] ^ 1 << bit % 8);
  write(path, bytes);
}

TEST(DamagedCheckpoint, ThreeHundredFlippedBitsAreNeverBelieved) {
  const Scratch s;
  stop_in_the_middle(s, swinging_rod("200 ms"));
  const fs::path last = s / "parts/checkpoint.h5";
  const std::string good = contents(last);
  const long long step_before = read_checkpoint(s / "parts/checkpoint-before.h5").state.clock.step;
  std::mt19937_64 random(3);
  for (int k = 0; k < 300; ++k) {
    flip(last, random() % (8 * good.size()));
    const LastCheckpoint found = last_checkpoint(s / "parts");
    EXPECT_TRUE(found.is_before);
    EXPECT_EQ(found.checkpoint.state.clock.step, step_before);
    EXPECT_NE(found.warning.find("checkpoint.h5: "), std::string::npos);
    write(last, good);
  }
  EXPECT_FALSE(last_checkpoint(s / "parts").is_before);
  fs::remove(s / "parts/checkpoint-before.h5");
  for (int k = 0; k < 20; ++k) {
    flip(last, random() % (8 * good.size()));
    EXPECT_THROW(last_checkpoint(s / "parts"), Error);
    write(last, good);
  }
}

TEST(DamagedCheckpoint, TheOneBeforeGivesTheSameBytes) {
  const Scratch s;
  stop_in_the_middle(s, swinging_rod("200 ms"));
  const std::string line = "run " + s.text("rod.toml") + " --resume --out ";
  fs::copy(s / "parts", s / "cut", fs::copy_options::recursive);
  flip(s / "parts/checkpoint.h5", 123457);
  const Answer a = lodestone(line + s.text("parts"));
  EXPECT_EQ(a.code, 0) << a.text;
  EXPECT_NE(a.text.find("warning: " + s.text("parts") + "/checkpoint.h5: damaged"), std::string::npos) << a.text;
  expect_same_files(s / "whole", s / "parts", "flipped");
  EXPECT_FALSE(last_checkpoint(s / "parts").is_before);

  fs::resize_file(s / "cut/checkpoint.h5", 1000);
  fs::resize_file(s / "cut/checkpoint-before.h5", 0);
  const Answer b = lodestone(line + s.text("cut"));
  EXPECT_EQ(b.code, 4) << b.text;
  EXPECT_NE(b.text.find("checkpoint.h5: damaged: it has 1000 bytes"), std::string::npos) << b.text;
  fs::remove(s / "cut/checkpoint-before.h5");
  EXPECT_EQ(lodestone(line + s.text("cut")).code, 4);
}

// Whole, but of no such scene: a state of other lengths would be read beyond its end.
TEST(DamagedCheckpoint, OneOfAnotherModelIsRefused) {
  const Scratch s;
  stop_in_the_middle(s, swinging_rod("200 ms"));
  fs::remove(s / "parts/checkpoint-before.h5");
  const fs::path path = s / "parts/checkpoint.h5";
  const std::vector<std::pair<std::string, void (*)(Checkpoint&)>> changes{
      {"3 nodes where the scene has 21", [](Checkpoint& c) { c.state.nodes = Nodes(3); }},
      {"it stands in stage 8 of 2", [](Checkpoint& c) { c.state.clock.stage = 7; }},
      {"numbers of stages", [](Checkpoint& c) { c.spans.pop_back(); }},
      {"bonds that may break", [](Checkpoint& c) { c.state.memory.broken.push_back(1); }},
      {"angles of bonds", [](Checkpoint& c) { c.state.memory.angles.push_back(1); }},
      {"numbers of held nodes", [](Checkpoint& c) { c.state.memory.anchors.pop_back(); }},
      {"variables", [](Checkpoint& c) { c.state.memory.variables.push_back(0); }},
      {"lengths of ropes", [](Checkpoint& c) { c.state.memory.reels.push_back(1); }},
      {"numbers of magnets", [](Checkpoint& c) { c.state.memory.field_anchors.push_back(0); }},
      {"numbers of slip", [](Checkpoint& c) { c.state.memory.touching.push_back(5); }},
      {"markers", [](Checkpoint& c) { c.state.memory.marker_impulse.resize(2); }},
      {"bytes of the fluid", [](Checkpoint& c) { c.state.fluid.populations = HugeBytes(100); }},
      {"marks of tracers", [](Checkpoint& c) { c.state.fluid.tracers.mark.resize(1); }}};
  const Checkpoint good = read_checkpoint(path);
  for (const auto& [reason, change] : changes) {
    Checkpoint c = read_checkpoint(path);
    change(c);
    write_checkpoint(path, c);
    const Answer a = lodestone("run " + s.text("rod.toml") + " --resume --out " + s.text("parts"));
    EXPECT_EQ(a.code, 4) << reason;
    EXPECT_NE(a.text.find(reason), std::string::npos) << a.text;
    write_checkpoint(path, good);
  }
}

TEST(DamagedCheckpoint, OtherFilesOfTheRunGiveAReason) {
  const Scratch s;
  stop_in_the_middle(s, swinging_rod("200 ms"));
  const std::string line = "run " + s.text("rod.toml") + " --resume --out ";
  fs::copy(s / "parts", s / "other", fs::copy_options::recursive);
  fs::resize_file(s / "parts/probes.csv", 20);
  const Answer a = lodestone(line + s.text("parts"));
  EXPECT_EQ(a.code, 4);
  EXPECT_NE(a.text.find("probes.csv: has 20 bytes where at least "), std::string::npos) << a.text;

  ASSERT_TRUE(fs::exists(s / "other/frames/000001.vtp"));
  fs::remove(s / "other/frames/000001.vtp");
  std::string rows = contents(s / "other/probes.csv");
  rows[rows.find("\nfall,") + 1] = 'b';
  write(s / "other/probes.csv", rows);
  write(s / "other/states.pvd", "nothing");
  write(s / "other/states.xdmf", "<Xdmf>");
  const Answer b = lodestone(line + s.text("other"));
  EXPECT_EQ(b.code, 0) << b.text;
  EXPECT_NE(b.text.find("the first is frames/000001.vtp"), std::string::npos) << b.text;
  EXPECT_NE(b.text.find("probes.csv: does not hold what the run wrote"), std::string::npos) << b.text;
  for (const char* index : {"states.pvd", "states.xdmf"})
    EXPECT_TRUE(contents(s / "whole" / index) == contents(s / "other" / index)) << index;
}

}  // namespace ls::program::kill_test
