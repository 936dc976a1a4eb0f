#include "apps/commands.h"
#include "base/error.h"
#include "base/nearest.h"
#include "output/files.h"
#include "validation/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <thread>

namespace ls::app {

namespace {

namespace fs = std::filesystem;
using validation::Case;
using validation::Checked;

struct Asked {
  std::vector<std::string> names;
  std::string out = "out/validation";
  bool list = false;
  validation::Manner manner;
};

// The pages and references: in the source tree, or where an installed program finds them.
fs::path case_folder() {
  std::error_code e;
  fs::path sources = LODESTONE_SOURCE_DIR "/validation";
  if (fs::is_directory(sources, e)) return sources;
  const auto program = fs::read_symlink("/proc/self/exe", e);
  fs::path installed = (program.parent_path() / "../share/lodestone/validation").lexically_normal();
  if (fs::is_directory(installed, e)) return installed;
  throw Error(fmt::format("found the references of the validation neither in {} nor in {}", sources.string(),
                          installed.string()),
              Fault::io);
}

// In the order of the page, whatever the order asked for.
std::vector<Case> chosen(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto& c : validation::cases()) known.push_back(c.name);
  for (const auto& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(fmt::format("no validation case `{}`{}\nThere are: {}", name, did_you_mean(name, known),
                              fmt::join(known, ", ")));
  std::vector<Case> some;
  for (const auto& c : validation::cases())
    if (names.empty() || std::find(names.begin(), names.end(), c.name) != names.end()) some.push_back(c);
  return some;
}

void tell(const Checked& c) {
  const std::string worst = std::isnan(c.worst()) ? "-" : fmt::format("{:.2g}", c.worst());
  fmt::print("{:2}/{:<2} passed   worst {:>6} of its limit {:7.1f} s\n", c.passed(), c.result.rows.size(), worst,
             c.seconds);
  for (const auto& r : c.result.rows)
    if (!r.pass())
      fmt::print("  FAILED {}{}\n", r.quantity,
                 std::isnan(r.error) ? "" : fmt::format(": error {:.3g}, limit {:.3g} {}", r.error, r.limit, r.unit));
}

int act(const Asked& asked) {
  const auto cases = chosen(asked.names);
  if (asked.list) {
    for (const auto& c : cases) fmt::print("{}\n", c.name);
    return 0;
  }
  const fs::path folder = case_folder(), out = asked.out;
  make_folder(out);
  std::vector<Checked> all;
  for (const auto& c : cases) {
    fmt::print("{:26}", c.name);
    std::fflush(stdout);
    all.push_back(validation::checked(c, folder, out, asked.manner));
    tell(all.back());
  }
  write_atomically(out / "index.html", validation::html_report(all));
  write_atomically(out / "table.csv", validation::csv_report(all));
  fmt::print("{}\n{}\n", (out / "index.html").string(), (out / "table.csv").string());
  return std::all_of(all.begin(), all.end(), [](const Checked& c) { return c.pass(); }) ? 0 : 1;
}

}  // namespace

Action add_validate(CLI::App& app) {
  auto* c = app.add_subcommand("validate", "Check the claims of the papers and write a page about it");
  auto asked = std::make_shared<Asked>();
  asked->manner.threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 8U));
  c->add_option("case", asked->names, "Cases to run; all without one");
  c->add_flag("--fast", asked->manner.fast, "Smaller cases that take seconds");
  c->add_option("--threads", asked->manner.threads, "Threads of runs (default: one a core, eight at most)")
      ->check(CLI::Range(1, 1024));
  c->add_flag("--resume", asked->manner.resume, "Go on with runs that an earlier call left in the folder");
  c->add_option("--out", asked->out, "Folder for index.html and table.csv")->capture_default_str();
  c->add_flag("--list", asked->list, "Only name the cases");
  c->footer(
      "Example:\n  lodestone validate tumbling critical_step --out out/validation\n\nExit code 1 where a check fails.");
  return [asked] { return act(*asked); };
}

}  // namespace ls::app
