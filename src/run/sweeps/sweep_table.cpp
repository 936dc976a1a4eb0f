#include "output/files.h"
#include "run/resume/leavings.h"
#include "run/sweeps/sweep.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace ls {

namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// Quotes that only made it a TOML string tell a reader of the table nothing.
std::string unquoted(const std::string& value) {
  const bool plain = value.size() >= 2 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0] &&
                     value.find(value[0], 1) == value.size() - 1 && value.find('\\') == std::string::npos;
  return plain ? value.substr(1, value.size() - 2) : value;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool in_quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && in_quotes && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[i++];
    else if (line[i] == '"')
      in_quotes = !in_quotes;
    else if (line[i] == ',' && !in_quotes)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  return cells;
}

// The last line of a file that has its end, from `first` on; read backwards, since the probes of a long run fill
// gigabytes.
std::string last_line(std::ifstream& in, std::streamoff first) {
  in.clear();
  in.seekg(0, std::ios::end);
  const std::streamoff size = in.tellg();
  for (std::streamoff length = 1 << 12;; length *= 4) {
    const std::streamoff begin = std::max(first, size - length);
    std::string block(static_cast<std::size_t>(std::max<std::streamoff>(size - begin, 0)), '\0');
    in.seekg(begin);
    if (!in.read(block.data(), static_cast<std::streamsize>(block.size()))) return "";
    const std::size_t end = block.rfind('\n');
    const std::size_t before = end == block.npos || end == 0 ? block.npos : block.rfind('\n', end - 1);
    if (before == block.npos && begin > first) continue;
    if (end == block.npos) return "";
    return before == block.npos ? block.substr(0, end) : block.substr(before + 1, end - before - 1);
  }
}

// A run that answered, though perhaps not what was hoped for; the columns of its probes come first in the table.
bool has_answered(const SweepRow& row) {
  return row.status == "done" || row.status == "lost stability";
}

// Columns of the probes in the table, and where those of each header went.
struct ProbeColumns {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::vector<std::size_t>> of_header;  // [header][cell] its column

  explicit ProbeColumns(const std::vector<SweepRow>& rows) {
    for (const bool answered : {true, false})
      for (const auto& row : rows)
        if (!row.status.empty() && has_answered(row) == answered && !row.header.empty()) add(row.header);
  }

 private:
  std::unordered_map<std::string, std::size_t> column_;

  void add(const std::string& header) {
    const auto [entry, is_new] = of_header.try_emplace(header);
    if (!is_new) return;
    for (const std::string& name : cells_of(header)) {
      const auto [column, is_first] = column_.try_emplace(name, names.size());
      if (is_first) names.push_back(name);
      entry->second.push_back(column->second);
    }
  }
};

std::string text_of(const nlohmann::json& summary, const char* key) {
  const auto found = summary.find(key);
  return found != summary.end() && found->is_number() ? found->dump() : "";
}

}  // namespace

SweepRow sweep_row(const fs::path& folder) {
  SweepRow row;
  std::error_code e;
  if (!fs::exists(folder / "summary.json", e)) return row;
  const auto summary = nlohmann::json::parse(read_file(folder / "summary.json"), nullptr, false);
  if (!summary.is_object() || !summary.contains("status") || !summary["status"].is_string()) return row;
  row.status = summary["status"];
  row.steps = text_of(summary, "steps");
  row.wall_seconds = text_of(summary, "wall_seconds");
  row.newton_iterations = text_of(summary, "newton_iterations");
  std::ifstream probes(folder / last_probes_file(folder), std::ios::binary);
  if (std::getline(probes, row.header) && !probes.eof()) row.last = last_line(probes, probes.tellg());
  if (row.last.empty()) row.header.clear();
  return row;
}

std::string sweep_table(const ParameterSweep& sweep, const std::vector<SweepRow>& rows) {
  const ProbeColumns columns(rows);
  bool newton = false;
  for (const auto& row : rows) newton = newton || !row.newton_iterations.empty();

  std::string table = "run,folder";
  for (const auto& axis : sweep.axes()) table += "," + quoted(axis.key);
  table += ",status,steps,wall_seconds";
  if (newton) table += ",newton_iterations";
  for (const auto& name : columns.names) table += "," + quoted(name);
  table += "\n";

  for (std::size_t run = 0; run < rows.size(); ++run) {
    const SweepRow& row = rows[run];
    if (row.status.empty()) continue;
    table += fmt::format("{},{}", run, sweep.folder(run));
    for (const auto& value : sweep.values(run)) table += "," + quoted(unquoted(value));
    table += "," + quoted(row.status) + "," + row.steps + "," + row.wall_seconds;
    if (newton) table += "," + row.newton_iterations;
    std::vector<std::string> cells(columns.names.size());
    if (!row.header.empty()) {
      const auto& places = columns.of_header.at(row.header);
      const auto values = cells_of(row.last);
      for (std::size_t k = 0; k < std::min(places.size(), values.size()); ++k) cells[places[k]] = values[k];
    }
    for (const auto& cell : cells) table += "," + quoted(cell);
    table += "\n";
  }
  return table;
}

}  // namespace ls
