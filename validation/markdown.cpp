#include "validation/markdown.h"

#include "output/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>
#include <sstream>
#include <vector>

namespace ls::validation {

namespace {

std::string trimmed(const std::string& s) {
  const auto first = s.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

std::string marked(const std::string& text) {
  static const std::regex link(R"(\[([^\]]+)\]\(([^)\s]+)\))"), strong(R"(\*\*([^*]+)\*\*)"),
      emphasis(R"(\*([^*\s][^*]*)\*)");
  auto s = std::regex_replace(xml_text(text), link, R"(<a href="$2">$1</a>)");
  s = std::regex_replace(s, strong, "<strong>$1</strong>");
  return std::regex_replace(s, emphasis, "<em>$1</em>");
}

// Every second piece between backticks is code, in which nothing else is markup.
std::string inline_html(const std::string& line) {
  std::string out;
  std::size_t at = 0;
  while (true) {
    const auto open = line.find('`', at), close = open == std::string::npos ? open : line.find('`', open + 1);
    if (close == std::string::npos) return out + marked(line.substr(at));
    out +=
        marked(line.substr(at, open - at)) + "<code>" + xml_text(line.substr(open + 1, close - open - 1)) + "</code>";
    at = close + 1;
  }
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream stream(line.substr(1, line.size() - (line.back() == '|' ? 2 : 1)));
  for (std::string cell; std::getline(stream, cell, '|');) all.push_back(trimmed(cell));
  return all;
}

class Pages {
 public:
  explicit Pages(int first_level) : first_level_(first_level) {}

  void add(const std::string& raw) {
    const std::string line = trimmed(raw);
    static const std::regex bullet(R"(^[-*]\s+(.*)$)"), number(R"(^\d+\.\s+(.*)$)");
    std::smatch item;
    if (fenced_ || line.starts_with("```"))
      code(raw, line);
    else if (line.empty())
      close();
    else if (line.front() == '#')
      heading(line);
    else if (line.front() == '|')
      row(line);
    else if (std::regex_match(line, item, bullet))
      list("ul", item[1]);
    else if (std::regex_match(line, item, number))
      list("ol", item[1]);
    else if (open_ == "ul" || open_ == "ol" || open_ == "p")
      html_ += "\n" + inline_html(line);
    else
      begin("p"), html_ += inline_html(line);
  }
  std::string finished() {
    close();
    return html_;
  }

 private:
  void begin(const std::string& block) {
    if (open_ == block) return;
    close();
    html_ += block == "table" ? "<div class=\"wide\"><table>" : "<" + block + ">";
    open_ = block;
  }
  void close() {
    if (open_ == "ul" || open_ == "ol") html_ += "</li>";
    if (!open_.empty()) html_ += "</" + open_ + ">" + (open_ == "table" ? "</div>\n" : "\n");
    open_.clear();
  }
  void heading(const std::string& line) {
    close();
    const auto signs = std::min(line.find_first_not_of('#'), line.size());
    html_ += fmt::format("<h{0}>{1}</h{0}>\n", std::min(6, first_level_ + static_cast<int>(signs) - 1),
                         inline_html(trimmed(line.substr(signs))));
  }
  void list(const std::string& kind, const std::string& item) {
    const bool more = open_ == kind;
    begin(kind);
    html_ += (more ? "</li>\n<li>" : "\n<li>") + inline_html(item);
  }
  void row(const std::string& line) {
    const char* cell = open_ == "table" ? "td" : "th";
    begin("table");
    if (line.find_first_not_of("|-: ") == std::string::npos) return;  // the line under the header
    html_ += "<tr>";
    for (const auto& text : cells(line)) html_ += fmt::format("<{0}>{1}</{0}>", cell, inline_html(text));
    html_ += "</tr>\n";
  }
  void code(const std::string& raw, const std::string& line) {
    const bool fence = line.starts_with("```");
    if (fence) close();
    html_ += !fence ? xml_text(raw) + "\n" : fenced_ ? "</code></pre>\n" : "<pre><code>";
    fenced_ = fence ? !fenced_ : fenced_;
  }

  int first_level_;
  std::string html_, open_;  // open_: the block that the next line may go on with
  bool fenced_ = false;
};

}  // namespace

std::string html_of_markdown(std::string_view text, int first_level) {
  Pages pages(first_level);
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) pages.add(line);
  return pages.finished();
}

}  // namespace ls::validation
