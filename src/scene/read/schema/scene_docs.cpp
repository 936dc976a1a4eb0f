#include "scene/read/schema/scene_docs.h"

#include <algorithm>
#include <sstream>

namespace ls {

namespace {

// The words between backticks.
std::vector<std::string> in_backticks(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t open = text.find('`'); open != std::string::npos; open = text.find('`', open + 1)) {
    const std::size_t close = text.find('`', open + 1);
    if (close == std::string::npos) break;
    words.push_back(text.substr(open + 1, close - open - 1));
    open = close;
  }
  return words;
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream in(row.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

// Where the bracket at `open` is closed; npos: nowhere.
std::size_t closing(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
    if (depth == 0) return i;
  }
  return std::string::npos;
}

// "[text](link)" is its text; emphasis and code are what stands in them.
std::string without_markup(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t close = text[i] == '[' ? closing(text, i) : std::string::npos;
    if (close != std::string::npos && text.compare(close + 1, 1, "(") == 0) {
      plain += without_markup(text.substr(i + 1, close - i - 1));
      i = std::min(text.find(')', close), text.size());
    } else if (text.compare(i, 2, "**") == 0) {
      ++i;
    } else if (text[i] != '`') {
      plain += text[i];
    }
  }
  return plain;
}

// Reads a page line by line; what a line says depends on the heading above it.
class PageReader {
 public:
  void read(const std::string& line) {
    if (line.starts_with("```")) {
      in_code_ = line == "```toml";
      if (in_code_) docs.examples.emplace_back();
    } else if (in_code_) {
      docs.examples.back() += line + "\n";
    } else if (line.starts_with("#")) {
      read_heading(line);
    } else if (line.starts_with("| `") && in_quantities_) {
      const auto cells = cells_of(line);
      docs.quantities[in_backticks(cells[0]).at(0)] = {cells.begin() + 1, cells.end()};
    } else if (line.starts_with("| `") && in_keys_) {
      const auto cells = cells_of(line);
      const auto cell = [&](std::size_t i) { return i < cells.size() ? without_markup(cells[i]) : std::string(); };
      for (const std::string& key : in_backticks(cells[0])) docs.keys[prefix_ + key] = {cell(1), cell(2), cell(3)};
    }
  }

  SceneDocs docs;

 private:
  void read_heading(const std::string& line) {
    const auto names = in_backticks(line);
    std::string table = names.empty() ? "" : names[0];
    std::erase_if(table, [](char c) { return c == '[' || c == ']'; });
    in_keys_ = !names.empty() || line == "## Top level";
    in_quantities_ = line == "### Quantities";
    if (!table.empty()) docs.tables.insert(table);
    prefix_ = table.empty() ? "" : table + ".";
  }

  std::string prefix_;
  bool in_keys_ = false, in_quantities_ = false, in_code_ = false;
};

}  // namespace

SceneDocs read_scene_docs(const std::string& page) {
  PageReader reader;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) reader.read(line);
  return std::move(reader.docs);
}

std::string completed(const std::string& example) {
  const auto has = [&](const char* part) { return example.find(part) != std::string::npos; };
  std::string scene = example;
  if (!has("[material.rubber]"))
    scene += "[material.rubber]\nyoung = \"1 MPa\"\npoisson = 0.4\ndensity = 1000\nmagnetisation = 1e4\n";
  if (!has("[[rod]]"))
    scene +=
        "[[rod]]\nname = \"beam\"\nmaterial = \"rubber\"\nsection = { diameter = \"3 mm\" }\n"
        "line = { from = [0, 0, 0], to = [0.1, 0, 0] }\nbonds = 20\n";
  if (!has("[solver]") && !has("[[stage]]")) scene += "[solver]\nduration = \"20 ms\"\n";
  return scene;
}

}  // namespace ls
