// Which folder a run may write to, and with which changes of its scene it may go on.
#include "output/checkpoint.h"
#include "output/folder/folder_lock.h"
#include "tests/kill_scenes.h"
#include "tests/program.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() is not in <csignal>
#include <thread>

namespace ls::program::going_on_test {

bool soon(const std::function<bool()>& is_so) {
  for (int look = 0; look < 1000 && !is_so(); ++look) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return is_so();
}

bool has(const Answer& a, const std::string& text) {
  return a.text.find(text) != std::string::npos;
}

TEST(RunFolders, HaveOneWriter) {
  const Scratch s;
  write(s / "rod.toml", swinging_rod("100 s"));
  const std::string line = "run " + s.text("rod.toml") + " --out " + s.text("out");
  const pid_t first = start({"run", s.text("rod.toml"), "--quiet", "--out", s.text("out")});
  ASSERT_TRUE(soon([&] { return fs::exists(s / "out/checkpoint.h5"); }));
  const std::string who = "is being written by process " + std::to_string(first) + " on ";
  for (const char* how : {"", " --resume", " --force"}) {
    const Answer a = lodestone(line + how);
    EXPECT_EQ(a.code, 4) << how;
    EXPECT_TRUE(has(a, who)) << a.text;
  }
  const Answer modes = lodestone("modes " + s.text("rod.toml") + " --force --out " + s.text("out"));
  EXPECT_EQ(modes.code, 4);
  EXPECT_TRUE(has(modes, who)) << modes.text;
  kill(first, SIGKILL);
  wait_for(first);
  EXPECT_TRUE(fs::exists(s / "out/lock"));
  EXPECT_EQ(lodestone(line + " --resume --max-wall 0.1").code, 0);
  EXPECT_FALSE(fs::exists(s / "out/lock"));
}

TEST(RunFolders, OfSomebodyElseAreLeftAlone) {
  const Scratch s;
  write(s / "rod.toml", swinging_rod("1 ms"));
  fs::create_directories(s / "mine/frames");
  for (const char* name : {"scene.toml", "probes.csv", "frames/000001.vtp", "summary.json"})
    write(s / "mine" / name, "mine");
  for (const char* how : {" --resume", " --force", ""}) {
    const Answer a = lodestone("run " + s.text("rod.toml") + " --out " + s.text("mine") + how);
    EXPECT_EQ(a.code, 2) << a.text;
    for (const char* name : {"scene.toml", "probes.csv", "frames/000001.vtp", "summary.json"})
      EXPECT_EQ(contents(s / "mine" / name), "mine") << how << name;
    EXPECT_FALSE(fs::exists(s / "mine/lock"));
  }
  fs::create_directories(s / "empty");
  const Answer a = lodestone("run " + s.text("rod.toml") + " --resume --out " + s.text("empty"));
  EXPECT_EQ(a.code, 0) << a.text;
  EXPECT_TRUE(has(a, "has no checkpoint: the run starts from its beginning")) << a.text;
}

TEST(RunFolders, ForceAndResumeRemoveWhatRunsWroteAndNoMore) {
  const Scratch s;
  write(s / "buckling.toml", scene_to_kill("static_jumps"));
  write(s / "rod.toml", swinging_rod("1 ms"));
  const fs::path out = s / "out";
  for (const std::string how : {" --force", " --resume"}) {
    fs::remove_all(out);
    ASSERT_EQ(lodestone("run " + s.text("buckling.toml") + " --quiet --out " + out.string()).code, 0);
    ASSERT_TRUE(fs::exists(out / "modes/mode-001.vtp"));
    ASSERT_TRUE(fs::exists(out / "frames/000005.h5"));
    for (const char* name : {"notes.txt", "frames/notes.txt", "modes/notes.txt", "modes/mode-001/notes.txt"})
      write(out / name, "mine");
    fs::remove(out / "checkpoint.h5");
    fs::remove(out / "checkpoint-before.h5");
    const Answer a = lodestone("run " + s.text("rod.toml") + how + " --out " + out.string());
    EXPECT_EQ(a.code, 0) << a.text;
    EXPECT_EQ(has(a, "has no checkpoint"), how == " --resume") << a.text;
    for (const char* name : {"notes.txt", "frames/notes.txt", "modes/notes.txt", "modes/mode-001/notes.txt"})
      EXPECT_EQ(contents(out / name), "mine") << name;
    for (const char* name : {"modes/mode-001.vtp", "modes/mode-001/00.vtp", "frames/000005.h5", "frames/000005.vtp"})
      EXPECT_FALSE(fs::exists(out / name)) << name;
  }
}

TEST(RunFolders, ASweepsRunsEndWithIt) {
  const Scratch s;
  write(s / "rod.toml", swinging_rod("100 s"));
  for (const int signal : {SIGKILL, SIGTERM}) {
    const fs::path out = s / std::to_string(signal);
    const std::vector<std::string> sweep{"sweep",    s.text("rod.toml"), "--over=solver.seed=1,2",
                                         "--jobs=2", "--quiet",          "--out=" + out.string()};
    const pid_t child = start(sweep);
    ASSERT_TRUE(soon([&] { return fs::exists(out / "000/checkpoint.h5") && fs::exists(out / "001/checkpoint.h5"); }));
    EXPECT_FALSE(holder_of(out / "000").empty());
    EXPECT_EQ(lodestone("sweep " + s.text("rod.toml") + " --over=solver.seed=1,2 --resume --out " + out.string()).code,
              4);
    kill(child, signal);
    EXPECT_EQ(wait_for(child), 128 + signal);
    EXPECT_TRUE(soon([&] { return holder_of(out / "000").empty() && holder_of(out / "001").empty(); }));
    EXPECT_FALSE(read_checkpoint(out / "000/checkpoint.h5").finished);
  }
}

// A rod that swings freely: nothing of it depends on how long it will.
std::string rod_for(const std::string& duration) {
  return "[solver]\nkind = \"explicit\"\ndt = \"20 us\"\nduration = \"" + duration + "\"\n" + soft + weight +
         straight_rod + clamped + recorded("\"20 ms\"", "\"5 ms\"");
}

std::string with(std::string text, const std::string& what, const std::string& instead) {
  text.replace(text.find(what), what.size(), instead);
  return text;
}

class GoingOn : public testing::Test {
 protected:
  void SetUp() override {
    write(s_ / "rod.toml", rod_for("100 ms"));
    ASSERT_EQ(lodestone("run " + s_.text("rod.toml") + " --quiet --out " + s_.text("out")).code, 0);
  }
  Answer resume(const std::string& scene, const std::string& more = "") const {
    write(s_ / "rod.toml", scene);
    return lodestone("run " + s_.text("rod.toml") + " --resume --out " + s_.text("out") + more);
  }
  const Scratch s_;
};

TEST_F(GoingOn, WithALongerDurationGivesTheStatesOfALongRun) {
  const Answer a = resume(rod_for("200 ms"));
  EXPECT_EQ(a.code, 0) << a.text;
  EXPECT_TRUE(has(a, "note: resumed with solver.duration 200 ms instead of 100 ms")) << a.text;
  ASSERT_EQ(lodestone("run " + s_.text("rod.toml") + " --quiet --out " + s_.text("long")).code, 0);
  for (const char* name : {"states.pvd", "states.xdmf", "frames/000007.vtp", "frames/000010.h5", "picture.svg"})
    EXPECT_TRUE(contents(s_ / "out" / name) == contents(s_ / "long" / name)) << name;
  EXPECT_EQ(contents(s_ / "out/scene.toml"), rod_for("200 ms"));
  EXPECT_TRUE(has(resume(rod_for("200 ms")), "nothing to do"));
  const Answer shorter = resume(rod_for("150 ms"));
  EXPECT_EQ(shorter.code, 2);
  EXPECT_TRUE(has(shorter, "solver.duration was 200 ms, and is 150 ms now, but the run is at 0.2 s")) << shorter.text;
}

// Where nobody chose the steps they would be others for another duration: they stay as they were.
TEST_F(GoingOn, StepsStayAsLongAsTheyWere) {
  for (const std::string kind : {"explicit", "implicit"}) {
    const auto scene = [&](const std::string& duration) {
      return with(with(rod_for(duration), "dt = \"20 us\"\n", ""), "\"explicit\"", "\"" + kind + "\"");
    };
    write(s_ / "auto.toml", scene("100 ms"));
    const std::string line = "run " + s_.text("auto.toml") + " --quiet --out " + s_.text(kind);
    ASSERT_EQ(lodestone(line).code, 0);
    const auto before = nlohmann::json::parse(contents(s_ / kind / "summary.json"));
    write(s_ / "auto.toml", scene("170 ms"));
    ASSERT_EQ(lodestone(line + " --resume").code, 0);
    const auto after = nlohmann::json::parse(contents(s_ / kind / "summary.json"));
    EXPECT_EQ(before["stages"][0]["dt"], after["stages"][0]["dt"]) << kind;
    EXPECT_NEAR(after["time"].get<double>(), 0.17, after["stages"][0]["dt"].get<double>());
    EXPECT_GT(after["steps"].get<int>(), 1.6 * before["steps"].get<int>());
  }
}

TEST_F(GoingOn, WithOtherProbesFramesAndComments) {
  const std::string text = rod_for("150 ms");
  const std::string rows = contents(s_ / "out/probes.csv");
  const Answer a =
      resume("# a comment\n" + with(with(text, ", \"velocity\"", ""), "every = \"20 ms\"", "every = \"10 ms\""));
  EXPECT_EQ(a.code, 0) << a.text;
  EXPECT_TRUE(has(a, "output.every 10 ms instead of 20 ms")) << a.text;
  EXPECT_EQ(contents(s_ / "out/probes.csv"), rows);
  EXPECT_TRUE(contents(s_ / "out/probes-2.csv").starts_with("stage,step,time,s,r_end.position.x")) << a.text;
  EXPECT_EQ(contents(s_ / "out/probes-2.csv").find("velocity"), std::string::npos);
  EXPECT_TRUE(fs::exists(s_ / "out/frames/000010.vtp"));
  EXPECT_FALSE(fs::exists(s_ / "out/frames/000011.vtp"));
  const Answer ledger = resume(
      with(rod_for("200 ms"), "\"velocity\"]", "\"velocity\"]\n[[probe]]\nof = \"system\"\nrecord = \"ledger\""));
  EXPECT_EQ(ledger.code, 2);
  EXPECT_TRUE(has(ledger, "the ledger, which was not kept so far")) << ledger.text;
}

TEST_F(GoingOn, AnyOtherChangeIsNamed) {
  const std::string text = rod_for("200 ms");
  const Answer a = resume(with(text, "\"1 MPa\"", "\"2 MPa\""));
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(has(a, "material.m.young was 1 MPa, and is 2 MPa now")) << a.text;
  const Answer b = resume(text, " --set rod.r.bonds=17");
  EXPECT_EQ(b.code, 2);
  EXPECT_TRUE(has(b, "rod.r.bonds was 16, and is 17 now")) << b.text;
  const Answer c = resume(with(text, "dt = \"20 us\"", "dt = \"10 us\""));
  EXPECT_EQ(c.code, 2);
  EXPECT_TRUE(has(c, "solver.dt was 20 us")) << c.text;
  const Answer d = resume(text + "[[rod]]\n");
  EXPECT_EQ(d.code, 2);
}

TEST_F(GoingOn, ModesAreCountedOn) {
  const std::string scene = scene_to_kill("static_jumps");  // loses its stability twice
  write(s_ / "jumps.toml", with(scene, "steps = 40", "steps = 400"));
  const std::string line = "run " + s_.text("jumps.toml") + " --quiet --out ";
  ASSERT_EQ(lodestone(line + s_.text("whole")).code, 0);
  const pid_t child = start({"run", s_.text("jumps.toml"), "--quiet", "--out", s_.text("parts")});
  ASSERT_TRUE(soon([&] { return fs::exists(s_ / "parts/modes/mode-001.vtp"); }));
  kill(child, SIGTERM);
  EXPECT_EQ(wait_for(child), 143);
  EXPECT_FALSE(fs::exists(s_ / "parts/modes/mode-002.vtp"));
  ASSERT_EQ(lodestone(line + s_.text("parts") + " --resume").code, 0);
  for (const char* name : {"mode-001.vtp", "mode-001.csv", "mode-002.vtp", "mode-002/07.vtp"}) {
    ASSERT_TRUE(fs::exists(s_ / "whole/modes" / name)) << name;
    EXPECT_TRUE(contents(s_ / "whole/modes" / name) == contents(s_ / "parts/modes" / name)) << name;
  }
}

TEST_F(GoingOn, AFinishedRunSaysAgainHowItEnded) {
  write(s_ / "jumps.toml", scene_to_kill("static_jumps"));
  const std::string line = "run " + s_.text("jumps.toml") + " --json --set 'solver.on_instability=\"stop\"' --out ";
  for (const char* again : {"", " --resume"}) {
    const Answer a = lodestone(line + s_.text("fold") + again);
    EXPECT_EQ(a.code, 0);
    EXPECT_TRUE(has(a, "\"status\":\"lost stability\"")) << a.text;
  }
}

// A ramp over the stage would have been another in the past.
TEST_F(GoingOn, AStageThatGoesByItsShareKeepsItsLength) {
  const std::string ramp = "[[load]]\non = \"r.end\"\nforce = [0, \"1 mN * s\", 0]\n";
  write(s_ / "ramp.toml", rod_for("100 ms") + ramp);
  const std::string line = "run " + s_.text("ramp.toml") + " --out " + s_.text("ramp");
  ASSERT_EQ(lodestone(line).code, 0);
  write(s_ / "ramp.toml", rod_for("200 ms") + ramp);
  const Answer a = lodestone(line + " --resume");
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(has(a, "depends on s, the share of it that is over")) << a.text;
}

TEST_F(GoingOn, AChangedMeshOrStartIsNoticed) {
  const std::string box =
      "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nf 1 4 3 2\nf 5 6 7 8\n"
      "f 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  const std::string scene = "[solver]\nkind = \"implicit\"\nduration = \"1 s\"\ndt = \"1 ms\"\n" + weight +
                            "[[rigid]]\nname = \"x\"\nmesh = \"box.obj\"\nmass = \"1 g\"\nscale = 0.01\n";
  write(s_ / "box.obj", box);
  write(s_ / "box.toml", scene);
  const std::string line = "run " + s_.text("box.toml") + " --out " + s_.text("box");
  ASSERT_EQ(lodestone(line).code, 0);
  write(s_ / "box.toml", with(scene, "\"1 s\"", "\"2 s\""));
  write(s_ / "box.obj", with(box, "v 1 1 1\n", "v 1 1 1.4\n"));
  const Answer a = lodestone(line + " --resume");
  EXPECT_EQ(a.code, 4);
  EXPECT_TRUE(has(a, "box.obj has changed since that run began")) << a.text;
  write(s_ / "box.obj", box);
  EXPECT_EQ(lodestone(line + " --resume").code, 0);

  const auto from_rod = [&](const std::string& duration) {
    return "[start]\nfrom = \"" + s_.text("out") + "\"\n" + rod_for(duration);
  };
  write(s_ / "next.toml", from_rod("100 ms"));
  const std::string next = "run " + s_.text("next.toml") + " --out " + s_.text("next");
  ASSERT_EQ(lodestone(next).code, 0);
  write(s_ / "next.toml", from_rod("200 ms"));
  ASSERT_EQ(resume(rod_for("150 ms")).code, 0);
  const Answer b = lodestone(next + " --resume");
  EXPECT_EQ(b.code, 4);
  EXPECT_TRUE(has(b, "checkpoint.h5 has changed since that run began")) << b.text;
}

}  // namespace ls::program::going_on_test
