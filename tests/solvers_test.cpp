// The three solvers from outside: one word chooses, answers agree, failures are told.
#include "program.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace ls::program::solvers_test {

const std::string beam = R"toml(
[define]
B = "0 mT"
[solver]
kind = "static"
[material.elastomer]
young = "1.16 MPa"
poisson = 0.49
density = "2.01 g/cm^3"
magnetisation = "94.1 kA/m"
[[rod]]
name = "beam"
material = "elastomer"
section = { width = "1.21 mm", height = "0.49 mm", width_direction = [0, 0, 1] }
line = { from = [0, 0, 0], to = ["25.8 mm", 0, 0] }
bonds = 12
magnetisation_direction = [1, 0, 0]
clamp = ["start"]
[[field]]
expression = [0, "B", 0]
[damping]
time = "28 ms"
[[stage]]
name = "ramp"
duration = "2.5 s"
set = { B = "1.5 mT * min(1, 5*s)" }
[[probe]]
name = "tip"
of = "beam.end"
record = ["displacement"]
[[probe]]
name = "all"
of = "system"
record = ["energy", "ledger", "negative_pivots"]
[output]
vtk = false
hdf5 = false
picture = false
)toml";

// Two soft balls that fly into each other, for nothing keeps them apart.
const std::string soft_balls = R"toml(
[solver]
dt = "0.1 ms"
duration = "20 ms"
[material.iron]
density = "7.8 g/cm^3"
susceptibility = 1000
[[rigid]]
name = "left"
shape = "sphere"
radius = "5 mm"
material = "iron"
velocity = ["1 m/s", 0, 0]
[[rigid]]
name = "right"
shape = "sphere"
radius = "5 mm"
material = "iron"
position = ["14 mm", 0, 0]
[dipoles]
[[field]]
uniform = ["10 mT", 0, 0]
[[probe]]
of = "left"
record = "moment"
[output]
vtk = false
hdf5 = false
picture = false
)toml";

using Record = std::map<std::string, std::string>;

std::vector<Record> probes(const fs::path& folder) {
  std::ifstream in(folder / "probes.csv");
  const auto cells = [](const std::string& line) {
    std::vector<std::string> out(1);
    for (const char c : line) c == ',' ? out.emplace_back() : out.back() += c, void();
    return out;
  };
  std::string line;
  std::getline(in, line);
  const auto header = cells(line);
  std::vector<Record> records;
  while (std::getline(in, line)) {
    const auto row = cells(line);
    Record r;
    for (std::size_t i = 0; i < header.size() && i < row.size(); ++i) r[header[i]] = row[i];
    records.push_back(r);
  }
  return records;
}
double number(const Record& r, const std::string& column) {
  return std::stod(r.at(column));
}
nlohmann::json summary(const fs::path& folder) {
  return nlohmann::json::parse(contents(folder / "summary.json"));
}

TEST(Solvers, MomentsWithoutAStateEndTheRun) {
  for (const std::string kind : {"explicit", "implicit"}) {
    Scratch s;
    write(s / "soft.toml", soft_balls);
    const auto a =
        lodestone("run " + s.text("soft.toml") + " --set 'solver.kind=\"" + kind + "\"' --out " + s.text("o"));
    EXPECT_EQ(a.code, 3) << a.text;
    EXPECT_NE(a.text.find("`left` and `right` have no stable state"), std::string::npos) << a.text;
    EXPECT_GT(probes(s / "o").size(), 2u);
  }
}

TEST(Solvers, OneWordChangesTheSolverAndNotTheAnswer) {
  const Scratch scratch;
  write(scratch / "beam.toml", beam);
  std::map<std::string, double> tip;
  for (const std::string kind : {"static", "implicit", "explicit"}) {
    const auto a = lodestone("run " + scratch.text("beam.toml") + " --quiet --out " + scratch.text(kind) +
                             " --set 'solver.kind=\"" + kind + "\"'");
    ASSERT_EQ(a.code, 0) << a.text;
    tip[kind] = number(probes(scratch / kind).back(), "tip.displacement.y");
  }
  EXPECT_GT(tip["static"], 0.012);
  EXPECT_NEAR(tip["implicit"], tip["static"], 1e-6 * 25.8e-3);
  EXPECT_NEAR(tip["explicit"], tip["static"], 1e-6 * 25.8e-3);
}

TEST(Solvers, LedgersBalance) {
  const Scratch scratch;
  write(scratch / "beam.toml", beam);
  for (const std::string kind : {"static", "implicit", "explicit"}) {
    const auto a =
        lodestone("run " + scratch.text("beam.toml") + " --quiet --out " + scratch.text(kind) +
                  " --set 'solver.kind=\"" + kind + "\"'" + (kind == "static" ? " --set stage.0.steps=200" : ""));
    ASSERT_EQ(a.code, 0) << a.text;
    const auto last = probes(scratch / kind).back();
    const double fields = number(last, "all.ledger.fields"), elastic = number(last, "all.energy.bend");
    EXPECT_LT(fields, -elastic) << kind;  // energy goes down as the field comes up
    EXPECT_LT(std::abs(number(last, "all.ledger.balance")), 0.02 * elastic) << kind;
    EXPECT_DOUBLE_EQ(summary(scratch / kind)["ledger"]["fields"].get<double>(), fields);
  }
}

TEST(Solvers, AStraightBeamTellsWhereItBuckles) {
  const Scratch scratch;
  std::string text = beam;
  text.replace(text.find("expression = [0, \"B\", 0]"), 24, "gradient = { value = \"B/(20 mm)\", axis = [0, 1, 0] }");
  write(scratch / "beam.toml", text);
  const auto a = lodestone("run " + scratch.text("beam.toml") + " --out " + scratch.text("out") +
                           " --set stage.0.steps=40 --set 'stage.0.set.B=\"1 mT * s\"'");
  EXPECT_EQ(a.code, 0) << a.text;
  EXPECT_NE(a.text.find("stability is lost"), std::string::npos) << a.text;
  const auto rows = probes(scratch / "out");
  EXPECT_EQ(rows.back().at("event"), "fold");
  // lambda = M B' A L^3/(E I) is 5.199/0.36 there: 1.436217e-2 T/m for each 1
  const double slope = number(rows.back(), "s") * 1e-3 / 20e-3, expected = 5.199 * 0.36 * 1.436217e-2;
  EXPECT_NEAR(slope, expected, 0.01 * expected);
  EXPECT_EQ(summary(scratch / "out")["status"], "lost stability");
  EXPECT_TRUE(fs::exists(scratch / "out/modes/mode-001.vtp"));
  EXPECT_NE(lodestone("run " + scratch.text("beam.toml") + " --resume --out " + scratch.text("out") +
                      " --set stage.0.steps=40 --set 'stage.0.set.B=\"1 mT * s\"'")
                .text.find("nothing to do"),
            std::string::npos);
  const auto j = lodestone("run " + scratch.text("beam.toml") + " --quiet --out " + scratch.text("jump") +
                           " --set stage.0.steps=40 --set 'stage.0.set.B=\"3 mT * s\"' "
                           "--set 'solver.on_instability=\"jump\"'");
  EXPECT_EQ(j.code, 0) << j.text;
  int jumps = 0;
  for (const auto& r : probes(scratch / "jump")) jumps += r.at("event") == "jump" ? 1 : 0;
  EXPECT_EQ(jumps, 1);
  EXPECT_GT(std::abs(number(probes(scratch / "jump").back(), "tip.displacement.y")), 5e-3);
}

TEST(Solvers, WhatHasNoEquilibriumEndsWithAMessage) {
  const Scratch scratch;
  std::string text = beam;
  text.replace(text.find("clamp = [\"start\"]"), 17, "");
  write(scratch / "free.toml", text + "[[load]]\non = \"beam.end\"\nforce = [0, \"1 mN\", 0]\n");
  const auto a = lodestone("run " + scratch.text("free.toml") + " --out " + scratch.text("free"));
  EXPECT_EQ(a.code, 3) << a.text;
  EXPECT_NE(a.text.find("free to move without resistance"), std::string::npos) << a.text;

  text = beam;
  text.replace(
      text.find("expression = [0, \"B\", 0]"), 24,
      "magnet = { shape = \"dipole\", moment = [0, \"0.1 A m^2\", 0], position = [\"20 mm\", \"30 mm*(1-s)\", 0] }");
  write(scratch / "pulled.toml", text);
  for (const std::string kind : {"static", "implicit"}) {
    const auto b = lodestone("run " + scratch.text("pulled.toml") + " --out " + scratch.text(kind) +
                             " --set 'solver.kind=\"" + kind + "\"' --set 'solver.on_instability=\"jump\"'");
    EXPECT_EQ(b.code, 3) << b.text;
    EXPECT_NE(b.text.find("is kept"), std::string::npos) << b.text;
    EXPECT_EQ(contents(scratch / (kind + "/probes.csv")).find("nan"), std::string::npos);
    EXPECT_TRUE(fs::exists(scratch / (kind + "/checkpoint.h5")));
  }
}

TEST(Solvers, AStageMayHaveItsOwnSolver) {
  const Scratch scratch;
  write(scratch / "beam.toml",
        beam +
            "[[stage]]\nname = \"let go\"\nduration = \"60 ms\"\nsolver = { kind = \"implicit\", dt = \"5 ms\" }\n"
            "set = { B = \"0 mT\" }\n");
  const auto a = lodestone("run " + scratch.text("beam.toml") + " --quiet --out " + scratch.text("out"));
  EXPECT_EQ(a.code, 0) << a.text;
  const auto rows = probes(scratch / "out");
  EXPECT_EQ(rows.back().at("stage"), "let go");
  EXPECT_LT(std::abs(number(rows.back(), "tip.displacement.y")), 0.015);
  EXPECT_NE(number(rows.back(), "all.energy.kinetic"), 0.0);
}

}  // namespace ls::program::solvers_test
