#include "run/sweeps/sweep.h"

#include "base/error.h"
#include "output/files.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

namespace ls::sweep_test {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

TEST(SweepAxis, ListsSplitAtCommasOutsideBracketsAndQuotes) {
  EXPECT_EQ(sweep_axis("rod.beam.bonds=32,64,128").key, "rod.beam.bonds");
  EXPECT_EQ(sweep_axis("rod.beam.bonds=32,64,128").values, (Texts{"32", "64", "128"}));
  EXPECT_EQ(sweep_axis("a= 1 mm , 2 mm ").values, (Texts{"1 mm", "2 mm"}));
  EXPECT_EQ(sweep_axis("a=[0,1],[1,[2,0]]").values, (Texts{"[0,1]", "[1,[2,0]]"}));
  EXPECT_EQ(sweep_axis("a=max(1,2),{x=1,y=2}").values, (Texts{"max(1,2)", "{x=1,y=2}"}));
  EXPECT_EQ(sweep_axis(R"(a="x, y",'u]v','w:z')").values, (Texts{R"("x, y")", "'u]v'", "'w:z'"}));
  EXPECT_EQ(sweep_axis(R"(a="one \", two",3)").values, (Texts{R"("one \", two")", "3"}));
  EXPECT_EQ(sweep_axis("a=b=1,2").values, (Texts{"b=1", "2"})) << "the first = ends the key";
}

TEST(SweepAxis, RangesHaveBothEnds) {
  EXPECT_EQ(sweep_axis("n=32:128:4").values, (Texts{"32", "64", "96", "128"}));
  EXPECT_EQ(sweep_axis("a=0 mm:5 mm:3").values, (Texts{"0 mm", "2.5 mm", "5 mm"}));
  EXPECT_EQ(sweep_axis(R"(a="0 mm":"5mm":3)").values, (Texts{"0 mm", "2.5 mm", "5 mm"}));
  EXPECT_EQ(sweep_axis("a=+1:-1:3").values, (Texts{"1", "0", "-1"}));
  EXPECT_EQ(sweep_axis("a=7:9:1").values, (Texts{"7"}));
  EXPECT_EQ(sweep_axis("a=0:1:2,5,10:20:2").values, (Texts{"0", "1", "5", "10", "20"}));
  const auto lambda = sweep_axis("define.lambda=0:45:46").values;
  ASSERT_EQ(lambda.size(), 46u);
  for (std::size_t i = 0; i < lambda.size(); ++i) EXPECT_EQ(lambda[i], std::to_string(i));
}

// What a person would write by hand, not what sums of doubles give.
TEST(SweepAxis, RangesGiveTheNearestDoubles) {
  EXPECT_EQ(sweep_axis("a=0:1:11").values,
            (Texts{"0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"}));
  EXPECT_EQ(sweep_axis("a=0.1:0.9:9").values, (Texts{"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"}));
  const auto thirds = sweep_axis("a=0:1:4").values;
  EXPECT_EQ(std::strtod(thirds[1].c_str(), nullptr), 1.0 / 3);
  EXPECT_EQ(std::strtod(thirds[2].c_str(), nullptr), 2.0 / 3);
}

TEST(SweepAxis, BadOnesAreRefused) {
  for (const auto& [text, said] :
       std::vector<std::pair<std::string, std::string>>{{"", "KEY=A,B,C"},
                                                        {"bonds", "KEY=A,B,C"},
                                                        {"=1,2", "KEY=A,B,C"},
                                                        {"a=", "a value is missing"},
                                                        {"a=1,,2", "a value is missing"},
                                                        {"a=1,", "a value is missing"},
                                                        {"a=1:2", "FROM:TO:COUNT"},
                                                        {"a=1:2:3:4", "FROM:TO:COUNT"},
                                                        {"a=x:2:3", "`x`"},
                                                        {"a=nan:2:3", "`nan`"},
                                                        {"a=0:inf:3", "`inf`"},
                                                        {"a=0::3", "one end of a range"},
                                                        {"a=0 mm:1 m:3", "the same unit"},
                                                        {"a=0:1 mm:3", "the same unit"},
                                                        {"a=0:1:0", "whole number from 1"},
                                                        {"a=0:1:-3", "whole number from 1"},
                                                        {"a=0:1:2.5", "whole number from 1"},
                                                        {"a=0:1:", "whole number from 1"},
                                                        {"a=0:1:99999999999999999999", "whole number from 1"},
                                                        {"a=[1,2", "a ] is missing"},
                                                        {"a=[1,2}", "}"},
                                                        {"a=1)", "closes nothing"},
                                                        {"a=\"1 mm", "a \" is missing"}}) {
    try {
      sweep_axis(text);
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(said), std::string::npos) << text << ": " << e.what();
      EXPECT_NE(std::string(e.what()).find("--over"), std::string::npos) << e.what();
      EXPECT_EQ(e.fault(), Fault::input);
    }
  }
}

TEST(ParameterSweep, TheLastAxisIsTheFastest) {
  const ParameterSweep sweep({"a=1,2", "b=x,y,z"}, {"c=0"});
  ASSERT_EQ(sweep.runs(), 6u);
  EXPECT_EQ(sweep.values(0), (Texts{"1", "x"}));
  EXPECT_EQ(sweep.values(2), (Texts{"1", "z"}));
  EXPECT_EQ(sweep.values(3), (Texts{"2", "x"}));
  EXPECT_EQ(sweep.sets(5), (Texts{"c=0", "a=2", "b=z"}));
  EXPECT_EQ(sweep.label(5), "a=2, b=z");
  EXPECT_EQ(sweep.folder(5), "005");
}

TEST(ParameterSweep, FoldersAreOfOneLength) {
  EXPECT_EQ(ParameterSweep({"a=0:1:1000"}, {}).folder(7), "007");
  EXPECT_EQ(ParameterSweep({"a=0:1:1001"}, {}).folder(7), "0007");
  EXPECT_EQ(ParameterSweep({"a=0:1:1001"}, {}).folder(1000), "1000");
}

TEST(ParameterSweep, RefusesTheSameKeyTwiceAndTooManyRuns) {
  EXPECT_THROW(ParameterSweep({}, {}), Error);
  EXPECT_THROW(ParameterSweep({"a=1", "a=2"}, {}), Error);
  EXPECT_THROW(ParameterSweep({"a=1,2"}, {"a=2"}), Error);
  EXPECT_EQ(ParameterSweep({"a=0:1:1000", "b=0:1:100"}, {}).runs(), most_runs);
  EXPECT_THROW(ParameterSweep({"a=0:1:1000", "b=0:1:101"}, {}), Error);
  // Products that would not fit the integer.
  EXPECT_THROW(ParameterSweep(Texts{"a=0:1:99999", "b=0:1:99999", "c=0:1:99999", "d=0:1:99999"}, {}), Error);
}

TEST(SweepTable, HasTheRunsThatEndedAndTheColumnsOfAll) {
  const ParameterSweep sweep({"a=1,\"2, 3\",4,5"}, {});
  std::vector<SweepRow> rows(4);
  rows[0] = {"diverged", "3", "0.1", "", "stage,odd,tip.x,event", "go,7,8,"};
  rows[1] = {"done", "10", "0.5", "12", "stage,tip.x,event", "\"a, b\",1.5,"};
  rows[3] = {"lost stability", "9", "0.4", "11", "stage,tip.x,tip.y,event", "go,2.5,3.5,fold"};
  EXPECT_EQ(sweep_table(sweep, rows),
            "run,folder,a,status,steps,wall_seconds,newton_iterations,stage,tip.x,event,tip.y,odd\n"
            "0,000,1,diverged,3,0.1,,go,8,,,7\n"
            "1,001,\"2, 3\",done,10,0.5,12,\"a, b\",1.5,,,\n"
            "3,003,5,lost stability,9,0.4,11,go,2.5,fold,3.5,\n");
  EXPECT_EQ(sweep_table(sweep, std::vector<SweepRow>(4)), "run,folder,a,status,steps,wall_seconds\n");
}

class SweepRows : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lodestone_sweep_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(SweepRows, AreTheSummaryAndTheLastLineOfTheProbes) {
  write_atomically(folder_ / "summary.json", R"({"status":"done","steps":12,"wall_seconds":0.25})");
  const auto row = [&](const std::string& probes) {
    write_atomically(folder_ / "probes.csv", probes);
    return sweep_row(folder_);
  };
  const SweepRow plain = row("a,b\n1,2\n3,4\n");
  EXPECT_EQ(plain.status, "done");
  EXPECT_EQ(plain.steps, "12");
  EXPECT_EQ(plain.wall_seconds, "0.25");
  EXPECT_EQ(plain.newton_iterations, "");
  EXPECT_EQ(plain.header, "a,b");
  EXPECT_EQ(plain.last, "3,4");
  EXPECT_EQ(row("a,b\n1,2\n").last, "1,2");
  EXPECT_EQ(row("a,b\n1,2\n3,4\n5,").last, "3,4") << "a line without an end is not all there";
  EXPECT_EQ(row("a,b\n1,").last, "");
  EXPECT_EQ(row("a,b\n").last, "");
  EXPECT_EQ(row("a,b").last, "");
  EXPECT_EQ(row("").header, "");
  // Lines longer than what is read at once, and many of them.
  for (const std::size_t length : {4094u, 4095u, 4096u, 20000u}) {
    const std::string wide(length, '7');
    EXPECT_EQ(row("a\n" + wide + "\n").last, wide);
    EXPECT_EQ(row("a\n1\n" + std::string(50000, '8') + "\n" + wide + "\n").last, wide);
  }
}

TEST_F(SweepRows, AreEmptyWithoutASummary) {
  EXPECT_EQ(sweep_row(folder_ / "nowhere").status, "");
  EXPECT_EQ(sweep_row(folder_).status, "");
  for (const char* bad : {"", "{", "[]", "{}", R"({"status":3})"}) {
    write_atomically(folder_ / "summary.json", bad);
    EXPECT_EQ(sweep_row(folder_).status, "") << bad;
  }
}

}  // namespace ls::sweep_test
