#include "validation/report.h"

#include "output/files.h"
#include "validation/markdown.h"
#include "validation/plot.h"
#include "validation/support.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ls::validation {

namespace {

constexpr const char* style = R"(<style>
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 68rem; background: #fdfdfb; color: #262626;
  font: 1rem/1.55 Charter, "Bitstream Charter", "Iowan Old Style", Georgia, serif; }
h1, h2, h3, th, nav, .number, .verdict, .time, figure { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0 .2rem; }
h2 { font-size: 1.3rem; margin: 0 0 .4rem; }
h3 { font-size: 1.02rem; margin: 1.2rem 0 .2rem; }
p, ul, ol { max-width: 44rem; margin: .5rem 0; }
ul, ol { padding-left: 1.3rem; }
a { color: #0b5f8f; text-decoration: none; }
a:hover { text-decoration: underline; }
code { font: .88em ui-monospace, Menlo, Consolas, monospace; background: #f1f1ec; padding: .08em .3em; border-radius: 3px; }
pre { overflow-x: auto; background: #f1f1ec; padding: .6rem .8rem; border-radius: 5px; }
pre code { padding: 0; }
.wide { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .9rem; line-height: 1.35; }
th { text-align: left; font-weight: 600; color: #555; font-size: .8rem; border-bottom: 1px solid #bbb; }
th, td { padding: .25rem .7rem .25rem 0; vertical-align: baseline; }
td { border-bottom: 1px solid #ececE6; }
td.number { white-space: nowrap; font-size: .85rem; font-variant-numeric: tabular-nums; }
td.case { padding-top: .9rem; font: 600 .95rem system-ui, "Helvetica Neue", Arial, sans-serif; }
.verdict { font-size: .85rem; color: #1c7a3f; white-space: nowrap; }
.fails .verdict, .verdict.fails { color: #b3261e; font-weight: 600; }
tr.fails td { background: #fdf0ee; }
section { margin-top: 3rem; padding-top: 1.3rem; border-top: 2px solid #dcdcd4; }
.plots { columns: 2 25rem; column-gap: 1.6rem; margin: 1.2rem 0; }
figure { margin: 0 0 1.2rem; break-inside: avoid; }
sup { line-height: 0; font-size: .75em; }
.time { color: #777; font-size: .85rem; }
</style>
)";

// As people write it: "4.7·10⁻⁹" with a raised exponent, a dash for what is not a number.
std::string number(double value, int digits) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  auto s = fmt::format("{:.{}g}", value, digits);
  if (const auto e = s.find('e'); e != std::string::npos) {
    const int exponent = std::stoi(s.substr(e + 1));
    s = s.substr(0, e) + "·10<sup>" + (exponent < 0 ? "−" : "") + std::to_string(std::abs(exponent)) + "</sup>";
  }
  if (s.front() == '-') s.replace(0, 1, "−");
  return s;
}

std::string verdict(const Checked& c) {
  return fmt::format("<span class=\"verdict{}\">{} of {} pass</span>", c.pass() ? "" : " fails", c.passed(),
                     c.result.rows.size());
}

std::string seconds(double s) {
  return s < 10 ? fmt::format("{:.1f} s", s) : s < 100 ? fmt::format("{:.0f} s", s) : fmt::format("{:.0f} min", s / 60);
}

constexpr const char* header =
    "<tr><th>quantity</th><th>ours</th><th>reference</th><th>error</th><th>limit</th><th></th></tr>\n";

std::string rows(const Result& result) {
  std::string out;
  for (const auto& r : result.rows) {
    const std::string unit = r.unit.empty() ? "" : " " + xml_text(r.unit);
    out += fmt::format("<tr{}><td>{}</td>", r.pass() ? "" : " class=\"fails\"", xml_text(r.quantity));
    for (const auto& cell : {number(r.ours, r.reference == 0 ? 3 : 7), number(r.reference, 7), number(r.error, 2),
                             number(r.limit, 2) + unit})
      out += "<td class=\"number\">" + cell + "</td>";
    out += r.pass() ? "<td class=\"verdict\">✓ pass</td></tr>\n" : "<td class=\"verdict\">✗ fails</td></tr>\n";
  }
  return out;
}

std::string summary(const std::vector<Checked>& all) {
  std::string out = std::string("<div class=\"wide\"><table>\n") + header;
  for (const auto& c : all)
    out += fmt::format(
        "<tr><td class=\"case\" colspan=\"6\"><a href=\"#{0}\">{0}</a> · {1} <span class=\"time\">· "
        "{2}</span></td></tr>\n{3}",
        xml_text(c.name), verdict(c), seconds(c.seconds), rows(c.result));
  return out + "</table></div>\n";
}

std::string section(const Checked& c) {
  std::string out = fmt::format("<section id=\"{}\">\n", xml_text(c.name));
  out += c.page.empty() ? "<h2>" + xml_text(c.name) + "</h2>\n" : html_of_markdown(c.page, 2);
  out += fmt::format("<p class=\"time\"><code>lodestone validate {}</code> · {} · {}</p>\n", xml_text(c.name),
                     verdict(c), seconds(c.seconds));
  out += std::string("<div class=\"wide\"><table>\n") + header + rows(c.result) + "</table></div>\n";
  if (!c.result.plots.empty()) out += "<div class=\"plots\">\n";
  for (const auto& plot : c.result.plots) {
    out += "<figure>\n" + svg(plot);
    if (const auto error = error_plot(plot)) out += svg(*error);
    out += "</figure>\n";
  }
  if (!c.result.plots.empty()) out += "</div>\n";
  if (!c.result.remarks.empty()) out += "<h3>Measured</h3>\n<ul>\n";
  for (const auto& remark : c.result.remarks) out += "<li>" + xml_text(remark) + "</li>\n";
  if (!c.result.remarks.empty()) out += "</ul>\n";
  return out + "</section>\n";
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}
std::string csv_number(double value) {
  return std::isnan(value) ? "" : fmt::format("{:.12g}", value);
}

Row failed(const std::string& why) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return {why, none, none, none, 0, ""};
}

}  // namespace

std::size_t Checked::passed() const {
  return static_cast<std::size_t>(
      std::count_if(result.rows.begin(), result.rows.end(), [](const Row& r) { return r.pass(); }));
}

double Checked::worst() const {
  double worst = 0;
  for (const auto& r : result.rows) worst = worse(worst, r.error == 0 ? 0 : r.error / r.limit);
  return worst;
}

Checked checked(const Case& one, const std::filesystem::path& folder, const std::filesystem::path& out,
                const Manner& manner) {
  namespace fs = std::filesystem;
  const auto start = std::chrono::steady_clock::now();
  // Absolute: a case may write a scene there, and scenes are looked for from its own folder.
  const Context context{folder / one.name, fs::absolute(out) / "runs" / one.name, manner};
  Checked c{one.name, {}, {}};
  std::error_code ignored;
  if (!manner.resume) fs::remove_all(context.scratch, ignored);
  try {
    make_folder(context.scratch);
    c.result = one.run(context);
    if (c.result.rows.empty()) c.result.rows.push_back(failed("the case checks nothing"));
    c.page = read_file(context.folder / "page.md");
  } catch (const std::exception& e) {
    c.result.rows.push_back(failed(e.what()));
  }
  fs::remove(context.scratch, ignored);  // where nothing was left in it
  fs::remove(out / "runs", ignored);
  c.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return c;
}

std::optional<Plot> error_plot(const Plot& plot) {
  std::vector<const Series*> ours, references;
  for (const auto& s : plot.series) (s.reference ? references : ours).push_back(&s);
  Plot errors{"Error", plot.x_label, "distance from the reference", {}, plot.log_x, true};
  for (std::size_t k = 0; k < std::min(ours.size(), references.size()); ++k) {
    const auto &line = *ours[k], &marks = *references[k];
    if (!std::is_sorted(line.x.begin(), line.x.end())) continue;
    double size = 0;
    for (const double y : marks.y) size = std::max(size, std::abs(y));
    Series e{line.name, {}, {}};
    for (std::size_t i = 0; i < marks.x.size(); ++i) {
      const double off = std::abs(interpolate(line.x, line.y, marks.x[i]) - marks.y[i]);
      if (off > 1e-15 * size)
        e.x.push_back(marks.x[i]), e.y.push_back(off);  // less is rounding, and far down a log axis
    }
    if (!e.x.empty()) errors.series.push_back(e);
  }
  return errors.series.empty() ? std::nullopt : std::optional(errors);
}

std::string html_report(const std::vector<Checked>& all) {
  std::size_t passed = 0, count = 0;
  double time = 0;
  for (const auto& c : all) passed += c.passed(), count += c.result.rows.size(), time += c.seconds;
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>lodestone: "
      "validation</title>\n";
  out += std::string(style) + "</head>\n<body>\n<h1>What lodestone was checked against</h1>\n";
  out += fmt::format(
      "<p><span class=\"verdict{}\">{} of {} checks pass</span>, {} cases, {}. Each case states a claim, what is "
      "true, and how far we are from it; a check passes where the error is within its limit.</p>\n",
      passed == count ? "" : " fails", passed, count, all.size(), seconds(time));
  out += summary(all);
  for (const auto& c : all) out += section(c);
  return out + "</body>\n</html>\n";
}

std::string csv_report(const std::vector<Checked>& all) {
  std::string out = "case,quantity,ours,reference,error,limit,pass\n";
  for (const auto& c : all)
    for (const auto& r : c.result.rows)
      out += fmt::format("{},{},{},{},{},{},{}\n", c.name, quoted(r.quantity), csv_number(r.ours),
                         csv_number(r.reference), csv_number(r.error), csv_number(r.limit), r.pass() ? "yes" : "no");
  return out;
}

}  // namespace ls::validation
