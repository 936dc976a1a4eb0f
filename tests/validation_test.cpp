#include "base/error.h"
#include "output/files.h"
#include "validation/markdown.h"
#include "validation/plot.h"
#include "validation/report.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <regex>
#include <unistd.h>

namespace ls::validation::validation_test {

namespace fs = std::filesystem;

const fs::path sources = LODESTONE_SOURCE_DIR;

// A folder of this test's own that goes with it.
struct Scratch {
  fs::path path = fs::temp_directory_path() / ("lodestone_validation_" + std::to_string(::getpid()));
  Scratch() { make_folder(path); }
  ~Scratch() { fs::remove_all(path); }
};

// Elements that are opened are closed, in order.
void expect_well_formed(const std::string& html) {
  static const std::regex tag(R"(<(/?)([a-z][a-z0-9]*)([^<>]*)>)");
  std::vector<std::string> open;
  for (std::sregex_iterator it(html.begin(), html.end(), tag), end; it != end; ++it) {
    const std::string name = (*it)[2], rest = (*it)[3];
    if (name == "meta" || rest.ends_with('/')) continue;
    if ((*it)[1].length() == 0) {
      open.push_back(name);
    } else {
      ASSERT_FALSE(open.empty()) << name;
      ASSERT_EQ(open.back(), name) << it->str() << " at " << it->position();
      open.pop_back();
    }
  }
  EXPECT_TRUE(open.empty());
}

bool has_nan(const std::string& text) {
  return std::regex_search(text, std::regex(R"(\bnan\b)", std::regex::icase));
}

std::size_t lines_of(const fs::path& file) {
  const auto text = read_file(file);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class ValidationCase : public testing::TestWithParam<Case> {};

TEST_P(ValidationCase, PassesWhereFast) {
  const Scratch scratch;
  const auto c = checked(GetParam(), sources / "validation", scratch.path, {.fast = true});
  EXPECT_FALSE(c.result.rows.empty());
  EXPECT_TRUE(c.page.starts_with("# ")) << "page.md begins with its title";
  for (const auto& r : c.result.rows)
    EXPECT_TRUE(r.pass()) << r.quantity << ": ours " << r.ours << ", reference " << r.reference << ", error " << r.error
                          << ", limit " << r.limit << " " << r.unit;
  const auto html = html_report({c});
  expect_well_formed(html);
  EXPECT_NE(html.find("id=\"" + c.name + "\""), std::string::npos);
  EXPECT_FALSE(has_nan(html));
  EXPECT_FALSE(has_nan(csv_report({c})));
}
INSTANTIATE_TEST_SUITE_P(All, ValidationCase, testing::ValuesIn(cases()), [](const auto& p) { return p.param.name; });

TEST(ValidationReport, SaysWhatFailed) {
  const Scratch scratch;
  const Case throws{"throws", [](const Context&) -> Result { throw Error("no <such> file"); }};
  const Case empty{"empty", [](const Context&) { return Result{}; }};
  const Case lost{"lost", [](const Context&) {
                    return Result{{small("a \"quoted\", thing", std::nan(""), 1)}, {}, {}};
                  }};
  std::vector<Checked> all;
  for (const auto& c : {throws, empty, lost}) all.push_back(checked(c, scratch.path, scratch.path, {.fast = true}));
  for (const auto& c : all) EXPECT_FALSE(c.pass()) << c.name;
  EXPECT_EQ(all[0].result.rows.at(0).quantity, "no <such> file");
  const auto html = html_report(all);
  expect_well_formed(html);
  EXPECT_NE(html.find("no &lt;such&gt; file"), std::string::npos);
  EXPECT_FALSE(has_nan(html));
  EXPECT_NE(csv_report(all).find("lost,\"a \"\"quoted\"\", thing\",,0,,1,no\n"), std::string::npos);
  EXPECT_FALSE(fs::exists(scratch.path / "runs"));
}

TEST(ValidationReport, TakesFinishedRunsAsTheyAreWhereResumed) {
  const Scratch scratch;
  const fs::path folder = scratch.path / "cases" / "falling", out = scratch.path / "out";
  make_folder(folder);
  write_atomically(folder / "page.md", "# Falling\n");
  write_atomically(folder / "ball.toml", R"([solver]
kind = "explicit"
dt = "1 ms"
duration = "10 ms"
[gravity]
g = [0, 0, "-10 m/s^2"]
[[rigid]]
name = "ball"
shape = "sphere"
radius = "1 mm"
mass = "1 g"
[[probe]]
name = "ball"
of = "ball"
record = ["displacement"]
every = "1 ms"
)");
  std::vector<double> fell;
  const Case falling{"falling", [&](const Context& c) {
                       fell.push_back(run_scene(c, "ball.toml", {}, "once").last("ball.displacement.z"));
                       return Result{{small("fall", 0, 1)}, {}, {}};
                     }};
  const fs::path mark = out / "runs" / "falling" / "once" / "mark";
  const auto check = [&](bool resume) {
    const auto c = checked(falling, scratch.path / "cases", out, {.fast = true, .resume = resume});
    EXPECT_TRUE(c.pass()) << c.result.rows.front().quantity;
  };
  check(true);  // nothing is there yet
  write_atomically(mark, "the run of before");
  check(true);
  EXPECT_TRUE(fs::exists(mark));
  check(false);
  EXPECT_FALSE(fs::exists(mark));
  ASSERT_EQ(fell.size(), 3U);
  EXPECT_NEAR(fell[0], -5e-4, 1e-6);
  EXPECT_EQ(fell[0], fell[1]);
  EXPECT_EQ(fell[0], fell[2]);
}

// The program's own default is a relative one.
TEST(ValidationReport, FindsScenesThatACaseWritesWhereTheFolderIsRelative) {
  const Scratch scratch;
  const fs::path before = fs::current_path();
  make_folder(scratch.path / "cases" / "writes");
  write_atomically(scratch.path / "cases" / "writes" / "page.md", "# Writes\n");
  const Case writes{"writes", [](const Context& c) {
                      write_atomically(c.scratch / "own.toml",
                                       "[solver]\nkind = \"explicit\"\ndt = \"1 ms\"\nsteps = 3\n[[rigid]]\nname = "
                                       "\"ball\"\nshape = \"sphere\"\nradius = \"1 mm\"\nmass = \"1 g\"\n");
                      const auto run = run_scene(c, (c.scratch / "own.toml").string(), {}, "own");
                      return Result{{small("steps", static_cast<double>(run.steps) - 3, 1e-9)}, {}, {}};
                    }};
  fs::current_path(scratch.path);
  const auto c = checked(writes, scratch.path / "cases", "out/relative", {.fast = true});
  fs::current_path(before);
  EXPECT_TRUE(c.pass()) << c.result.rows.front().quantity;
  EXPECT_TRUE(fs::exists(scratch.path / "out/relative/runs/writes/own/summary.json"));
}

TEST(ValidationReport, HasAPageAndNoCopyOfEachName) {
  std::vector<std::string> names;
  for (const auto& c : cases()) {
    names.push_back(c.name);
    EXPECT_TRUE(fs::exists(sources / "validation" / c.name / "page.md")) << c.name;
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(ValidationPlot, IsWellFormedWhateverTheData) {
  const double inf = INFINITY, nan = std::nan("");
  const std::vector<Series> odd = {{"nothing", {}, {}},
                                   {"one <point>", {1}, {1}},
                                   {"flat", {0, 1, 2}, {3, 3, 3}},
                                   {"holes", {0, 1, 2, 3}, {1, nan, -inf, 1e-300}, true},
                                   {"huge", {0, 1}, {-1e300, 1e300}},
                                   {"close", {1, 2}, {1, 1 + 1e-12}}};
  for (const auto& series : odd)
    for (const bool log : {false, true}) {
      const auto drawn = svg({"a & b", "x", "y", {series}, log, log});
      expect_well_formed(drawn);
      EXPECT_FALSE(std::regex_search(drawn, std::regex(R"(\b(nan|inf)\b)"))) << series.name << drawn;
    }
  expect_well_formed(svg({"all", "x", "y", odd}));
}

TEST(ValidationPlot, StaysSmall) {
  EXPECT_LT(lines_of(sources / "validation/plot.h") + lines_of(sources / "validation/plot.cpp"), 150U);
}

TEST(ValidationPlot, ErrorGoesWithTheReference) {
  const Plot p{"", "x", "y", {{"ours", {0, 1, 2, 3, 4}, {0, 1, 8, 27, 64}}, {"theirs", {1.5, 3}, {3, 27.5}, true}}};
  const auto e = error_plot(p);
  ASSERT_TRUE(e);
  EXPECT_NEAR(e->series.at(0).y.at(0), 0.375, 1e-12);
  EXPECT_NEAR(e->series.at(0).y.at(1), 0.5, 1e-12);
  EXPECT_FALSE(error_plot({"", "x", "y", {{"ours", {0, 1}, {0, 1}}}}));
  EXPECT_FALSE(error_plot({"", "x", "y", {{"loop", {0, 1, 0}, {0, 1, 2}}, {"theirs", {0.5}, {1}, true}}}));
}

TEST(ValidationMarkdown, TurnsIntoHtml) {
  const auto html = html_of_markdown(
      "# A *b*\ntext `a*b*<c>` and **d**\nmore\n\n- one\n  two\n- [three](http://x.y)\n\n"
      "| h | i |\n| --- | --- |\n| 1 | 2 |\n```\na < b\n```\n1. x",
      2);
  expect_well_formed(html);
  for (const auto* part : {"<h2>A <em>b</em></h2>", "<code>a*b*&lt;c&gt;</code> and <strong>d</strong>\nmore</p>",
                           "<li>one\ntwo</li>", "<a href=\"http://x.y\">three</a>", "<th>h</th>", "<td>2</td>",
                           "<pre><code>a &lt; b\n</code></pre>", "<ol>\n<li>x</li></ol>"})
    EXPECT_NE(html.find(part), std::string::npos) << part << "\n" << html;
}

TEST(ValidationSupport, ReadsTables) {
  const Scratch scratch;
  write_atomically(scratch.path / "t.csv", "# a comment\nname, x\r\none, 1.5\n# another\ntwo,-2e3\n");
  const Table t(scratch.path / "t.csv");
  EXPECT_EQ(t.size(), 2U);
  EXPECT_EQ(t.text("name").at(1), "two");
  EXPECT_EQ(t["x"], (std::vector<double>{1.5, -2000}));
  EXPECT_THROW(t["y"], Error);
  EXPECT_THROW(t["name"], Error);
  write_atomically(scratch.path / "short.csv", "a,b\n1\n");
  EXPECT_THROW(Table(scratch.path / "short.csv"), Error);
}

TEST(ValidationSupport, KnowsItsNumerics) {
  const std::vector<double> h = {1, 0.5, 0.25}, e = {3, 0.75, 0.1875}, holes = {1, std::nan(""), 2};
  EXPECT_NEAR(convergence_order(h, e), 2, 1e-12);
  EXPECT_TRUE(std::isnan(max_abs_difference(h, holes)));
  EXPECT_TRUE(std::isnan(band(holes)));
  EXPECT_TRUE(std::isnan(interpolate(e, e, 4)));
  const std::vector<double> x = {0, 1}, y = {1, 3};
  EXPECT_NEAR(interpolate(x, y, 0.25), 1.5, 1e-15);
  std::vector<double> t(10001), wave(10001);
  for (std::size_t i = 0; i < t.size(); ++i) t[i] = static_cast<double>(i), wave[i] = i % 2 ? 1 : -1;
  const auto thin = thinned("wave", t, wave, 100);
  EXPECT_EQ(thin.x.size(), 100U);
  EXPECT_EQ(band(thin.y), 2);
  EXPECT_TRUE(std::is_sorted(thin.x.begin(), thin.x.end()));
}

}  // namespace ls::validation::validation_test
