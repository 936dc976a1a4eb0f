#include "tests/program.h"

#include <nlohmann/json.hpp>
#include <regex>

namespace ls::program::program_test {

using nlohmann::json;

// As the program itself lists them.
std::vector<std::string> commands() {
  const std::string said = lodestone("zzz").text;
  const std::string before = "Commands are ", after = "; run with";
  const auto start = said.find(before) + before.size();
  std::istringstream in(said.substr(start, said.find(after) - start));
  std::vector<std::string> all;
  for (std::string command; in >> command;) all.push_back(command);
  EXPECT_GE(all.size(), 9u) << said;
  return all;
}

std::vector<std::string> options_of(const std::string& command) {
  const std::string help = lodestone(command + " --help").text;
  const std::regex option("\n  (--[a-z-]+)");
  std::vector<std::string> all;
  for (std::sregex_iterator found(help.begin(), help.end(), option), none; found != none; ++found)
    all.push_back(found->str(1));
  return all;
}

TEST(Program, SaysWhatItIsAndHowToUseIt) {
  EXPECT_EQ(lodestone("--version").text.substr(0, 10), "lodestone ");
  EXPECT_EQ(lodestone("--version").code, 0);
  std::vector<std::string> all = commands();
  all.emplace_back("");
  for (const std::string& command : all) {
    const auto help = lodestone(command + " --help");
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_NE(help.text.find("Example"), std::string::npos) << command;
  }
}

// Each command has a section of its own in docs/program.md, with all of its options.
TEST(Program, EveryOptionIsDescribed) {
  const std::string docs = contents(fs::path(LODESTONE_SOURCE_DIR) / "docs/program.md");
  for (const std::string& command : commands()) {
    const auto start = docs.find("\n## `" + command + "`\n");
    ASSERT_NE(start, std::string::npos) << command;
    const std::string section = docs.substr(start, docs.find("\n## ", start + 1) - start);
    for (const std::string& option : options_of(command))
      EXPECT_NE(section.find("`" + option), std::string::npos) << command << " " << option;
  }
}

TEST(Program, TheManualPageHasEveryOption) {
  std::string page = lodestone("man").text;
  std::erase(page, '\\');
  EXPECT_TRUE(page.starts_with(".TH LODESTONE 1"));
  for (const std::string& command : commands()) {
    const auto start = page.find("\n.SS lodestone " + command);
    ASSERT_NE(start, std::string::npos) << command;
    const std::string section = page.substr(start, page.find("\n.S", start + 1) - start);
    for (const std::string& option : options_of(command))
      EXPECT_NE(section.find(option), std::string::npos) << command << " " << option;
  }
}

// Asks bash what it would put after these words; the last one is being typed.
std::string completed(const Scratch& s, const std::string& words) {
  write(s / "complete.sh", "cd '" LODESTONE_SOURCE_DIR "'\nsource <('" LODESTONE_PROGRAM
                           "' completion)\nCOMP_WORDS=('" LODESTONE_PROGRAM "' " +
                               words +
                               ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_lodestone\necho \"${COMPREPLY[@]}\"\n");
  const std::string command = "bash '" + s.text("complete.sh") + "' > '" + s.text("answer") + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  return contents(s / "answer");
}

TEST(Program, BashCompletesWhatIsThere) {
  const Scratch s;
  EXPECT_EQ(completed(s, "val"), "validate\n");
  for (const std::string& command : commands()) {
    EXPECT_EQ(completed(s, command), command + "\n");
    const std::string all = completed(s, command + " --") + " ";
    for (const std::string& option : options_of(command))
      EXPECT_NE(all.find(option), std::string::npos) << command << " " << option;
  }
  EXPECT_EQ(completed(s, "run scenes/cantil"), "scenes/cantilever.toml\n");
  EXPECT_EQ(completed(s, "run README"), "\n");
  EXPECT_EQ(completed(s, "run scenes/cantilever.toml --out sce"), "scenes\n");
  EXPECT_EQ(completed(s, "info sce"), "scenes\n");
  EXPECT_EQ(completed(s, "validate tum"), "tumbling\n");
}

TEST(Program, BadUsageIsExitCodeTwo) {
  Scratch s;
  for (const char* line :
       {"", "fly", "run", "run --no-such-flag x.toml", "run /no/such/scene.toml", "check /no/such/scene.toml",
        "info /no/such/folder", "run x.toml --threads 0", "validate no_such_case"}) {
    const auto a = lodestone(line);
    EXPECT_EQ(a.code, 2) << line << "\n" << a.text;
    EXPECT_FALSE(a.text.empty()) << line;
  }
}

TEST(Program, SaysWhatItDidNotUnderstand) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("50 ms"));
  EXPECT_NE(lodestone("runn x.toml").text.find("there is no command `runn`; did you mean `run`?"), std::string::npos);
  EXPECT_NE(lodestone("chekc").text.find("did you mean `check`?"), std::string::npos);
  const auto scene = lodestone(s.text("rod.toml"));
  EXPECT_EQ(scene.code, 2);
  EXPECT_NE(scene.text.find("no command; did you mean `lodestone run " + s.text("rod.toml") + "`?"), std::string::npos)
      << scene.text;
  EXPECT_NE(lodestone("zzz").text.find("there is no command `zzz`\nCommands are run"), std::string::npos);
}

TEST(Program, RunsASceneAndLeavesItsResults) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("50 ms"));
  const auto a = lodestone("run " + s.text("rod.toml") + " --out " + s.text("out"));
  ASSERT_EQ(a.code, 0) << a.text;
  for (const char* name : {"scene.toml", "probes.csv", "states.pvd", "states.xdmf", "states.lammpstrj", "picture.svg",
                           "checkpoint.h5", "log.jsonl", "summary.json", "frames/000000.vtp", "frames/000000.h5"})
    EXPECT_TRUE(fs::exists(s / ("out/" + std::string(name)))) << name;
  EXPECT_NE(a.text.find("picture.svg"), std::string::npos);
  EXPECT_EQ(a.text.find('\r'), std::string::npos) << "a pipe gets no carriage returns";
  const auto j = json::parse(contents(s / "out/summary.json"));
  EXPECT_EQ(j["status"], "done");
  EXPECT_EQ(j["steps"], 10000);
  EXPECT_EQ(j["nodes"], 21);
  const std::string probes = contents(s / "out/probes.csv");
  EXPECT_EQ(probes.substr(0, probes.find('\n')),
            "stage,step,time,s,tip.position.x,tip.position.y,tip.position.z,tip.velocity.x,tip.velocity.y,tip.velocity."
            "z,event");
  EXPECT_EQ(std::count(probes.begin(), probes.end(), '\n'), 12);  // header, start, ten rows
  EXPECT_EQ(lodestone("info " + s.text("out")).code, 0);
}

TEST(Program, DoesNotOverwriteUnasked) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("5 ms"));
  const std::string line = "run " + s.text("rod.toml") + " --quiet --out " + s.text("out");
  EXPECT_EQ(lodestone(line).code, 0);
  EXPECT_EQ(lodestone(line).code, 2);
  EXPECT_EQ(lodestone(line + " --resume").code, 0);
  EXPECT_EQ(lodestone(line + " --force").code, 0);
  write(s / "rod.toml", swinging_rod("6 ms"));
  const auto changed = lodestone(line + " --resume");
  EXPECT_EQ(changed.code, 2);
  EXPECT_NE(changed.text.find("changed"), std::string::npos);
}

TEST(Program, ChecksWithoutRunning) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("50 ms"));
  const auto a = lodestone("check " + s.text("rod.toml") + " --set rod.rod.bonds=40 --json");
  ASSERT_EQ(a.code, 0) << a.text;
  const auto j = json::parse(a.text);
  EXPECT_EQ(j["nodes"], 41);
  EXPECT_GT(j["critical_step"].get<double>(), 0);
  EXPECT_GT(j["memory_bytes"].get<double>(), 0);
  EXPECT_GT(j["disk_bytes"].get<double>(), 0);
  EXPECT_FALSE(fs::exists(s / "out"));
}

TEST(Program, JsonLinesAreJson) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("20 ms"));
  const auto a = lodestone("run " + s.text("rod.toml") + " --json --out " + s.text("out"));
  ASSERT_EQ(a.code, 0) << a.text;
  std::istringstream lines(a.text);
  json last;
  for (std::string line; std::getline(lines, line);) ASSERT_NO_THROW(last = json::parse(line)) << line;
  EXPECT_EQ(last["status"], "done");
}

TEST(Program, ADivergingRunSaysWhereAndKeepsAState) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("50 ms"));
  const auto a = lodestone("run " + s.text("rod.toml") + " --set 'solver.dt=\"400 us\"' --out " + s.text("out"));
  EXPECT_EQ(a.code, 3) << a.text;
  EXPECT_NE(a.text.find("diverged at step"), std::string::npos) << a.text;
  EXPECT_NE(a.text.find("rod["), std::string::npos);
  EXPECT_NE(a.text.find("critical"), std::string::npos);
  EXPECT_TRUE(fs::exists(s / "out/checkpoint.h5"));
  EXPECT_EQ(json::parse(contents(s / "out/summary.json"))["status"], "diverged");
  EXPECT_EQ(contents(s / "out/summary.json").find("null"), std::string::npos);
}

TEST(Program, ABadSceneLeavesNothingBehind) {
  const std::string good = swinging_rod("50 ms");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {changed("1 MPa", "-1 MPa"), "rod.toml:6:9: material.rubber.young"},
           {changed("young", "yuong"), "did you mean `young`?"},
           {changed("\"6 mm\"", "\"6 mT\""), "expected a length"},
           {changed("bonds = 20", "bonds = 0"), "rod.rod.bonds"},
           {changed("rod.start", "rod.stert"), "stage"},
           {"[[rod", "rod.toml:1:"},
           {"", "nothing to simulate"}}) {
    Scratch s;
    write(s / "rod.toml", text);
    const auto a = lodestone("run " + s.text("rod.toml") + " --out " + s.text("out"));
    EXPECT_EQ(a.code, 2) << a.text;
    EXPECT_NE(a.text.find(said), std::string::npos) << a.text;
    EXPECT_FALSE(fs::exists(s / "out"));
  }
}

TEST(Program, AFolderThatCannotBeWrittenIsExitCodeFour) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("5 ms"));
  EXPECT_EQ(lodestone("run " + s.text("rod.toml") + " --out /proc/no/such/place").code, 4);
}

TEST(Program, StartsFromAnotherRun) {
  Scratch s;
  write(s / "a.toml", swinging_rod("20 ms"));
  ASSERT_EQ(lodestone("run " + s.text("a.toml") + " --quiet --out " + s.text("a")).code, 0);
  write(s / "b.toml", swinging_rod("20 ms") + "[start]\nfrom = \"" + s.text("a") + "\"\n");
  const auto b = lodestone("run " + s.text("b.toml") + " --quiet --out " + s.text("b"));
  ASSERT_EQ(b.code, 0) << b.text;
  const auto row = [](const std::string& text, bool last) {
    std::istringstream in(text);
    std::string line, kept;
    std::getline(in, line);
    while (std::getline(in, line)) {
      kept = line;
      if (!last) break;
    }
    return kept.substr(kept.find(',', kept.find(',', kept.find(',', kept.find(',') + 1) + 1) + 1));
  };
  EXPECT_EQ(row(contents(s / "a/probes.csv"), true), row(contents(s / "b/probes.csv"), false));
}

}  // namespace ls::program::program_test
