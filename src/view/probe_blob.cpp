#include "view/probe_blob.h"

#include "output/files.h"
#include "scene/probe_kinds.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace ls {

namespace {

// Cells of a line, without the quotes around those that need them.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

double number(const std::string& cell) {
  double value = 0;
  const auto [rest, bad] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return bad == std::errc() && rest == cell.data() + cell.size() ? value : std::numeric_limits<double>::quiet_NaN();
}

bool is_text(const std::string& column) {
  return column == "stage" || column == "event";
}

// By the name of its quantity: "beam.position[17].x" is in m. Empty where it has none, or is no probe's.
std::string unit_of(std::string_view column) {
  for (std::size_t at = column.find('.'); at != std::string_view::npos; at = column.find('.', at + 1)) {
    const std::string_view word = column.substr(at + 1, column.find_first_of(".[", at + 1) - at - 1);
    for (const ProbeKind& kind : probe_kinds())
      if (kind.name == word) return kind.unit;
  }
  return "";
}

}  // namespace

Blob probe_blob(const std::filesystem::path& table, std::size_t first_row) {
  const std::string all = read_file(table);
  std::string_view text = all;
  text = text.substr(0, text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1);
  const auto next_line = [&] {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return line;
  };
  Blob blob({{"first", first_row}, {"columns", nlohmann::json::array()}, {"units", nlohmann::json::array()}});
  if (text.empty()) return blob;
  const std::vector<std::string> names = cells_of(next_line());
  std::vector<std::vector<double>> columns(names.size());
  for (std::size_t row = 0; !text.empty(); ++row) {
    const std::string_view line = next_line();
    if (row < first_row) continue;
    const std::vector<std::string> cells = cells_of(line);
    for (std::size_t c = 0; c < names.size(); ++c) columns[c].push_back(c < cells.size() ? number(cells[c]) : NAN);
  }
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (is_text(names[c])) continue;
    blob.head()["columns"].push_back(names[c]);
    blob.head()["units"].push_back(unit_of(names[c]));
    blob.add(names[c], columns[c]);
  }
  return blob;
}

}  // namespace ls
