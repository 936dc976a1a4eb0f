#include "validation/support.h"

#include "base/error.h"
#include "output/files.h"
#include "step/critical_step.h"
#include "step/energy.h"
#include "step/explicit_step.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <sstream>

namespace ls::validation {

namespace {

std::vector<std::string> values_of(const std::string& line) {
  std::vector<std::string> values;
  std::istringstream stream(line);
  for (std::string value; std::getline(stream, value, ',');) {
    const auto first = value.find_first_not_of(" \t\r");
    values.push_back(first == std::string::npos ? ""
                                                : value.substr(first, value.find_last_not_of(" \t\r") - first + 1));
  }
  return values;
}

Inputs undriven(const Builder::Result& start, double dt, bool richardson) {
  Inputs in;
  in.dt = dt;
  in.richardson = richardson;
  for (int i = 0; i < start.model.nodes; ++i)
    if (const auto mask = start.model.held[i]) in.held.push_back({i, mask, start.state.nodes.frame(i), {}});
  return in;
}

}  // namespace

Table::Table(const std::filesystem::path& file) : file_(file.string()) {
  std::istringstream lines(read_file(file));
  std::vector<std::string> header;
  for (std::string line; std::getline(lines, line);) {
    const auto values = values_of(line);
    if (values.empty() || values.front().starts_with('#')) continue;
    if (header.empty()) {
      header = values;
      continue;
    }
    ++records_;
    if (values.size() != header.size())
      throw Error(
          fmt::format("{}: record {}: found {} values, expected {}", file_, records_, values.size(), header.size()));
    for (std::size_t k = 0; k < values.size(); ++k) columns_[header[k]].push_back(values[k]);
  }
}

const std::vector<std::string>& Table::text(const std::string& column) const {
  const auto found = columns_.find(column);
  if (found == columns_.end()) throw Error(fmt::format("{}: no column `{}`", file_, column));
  return found->second;
}

std::vector<double> Table::operator[](const std::string& column) const {
  std::vector<double> numbers;
  for (const auto& word : text(column)) {
    double number = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (fault != std::errc{} || end != word.data() + word.size())
      throw Error(
          fmt::format("{}: record {}: {}: found `{}`, expected a number", file_, numbers.size() + 1, column, word));
    numbers.push_back(number);
  }
  return numbers;
}

double worse(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::numeric_limits<double>::quiet_NaN() : std::max(a, b);
}

double max_abs_difference(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = worse(worst, std::abs(a[i] - b[i]));
  return worst;
}

double interpolate(std::span<const double> x, std::span<const double> y, double at) {
  assert(x.size() == y.size());
  if (x.empty() || !(at >= x.front() && at <= x.back())) return std::numeric_limits<double>::quiet_NaN();
  const auto count = std::min<std::size_t>(4, x.size());
  const auto right = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), at) - x.begin());
  const auto first = std::min(right < 2 ? 0 : right - 2, x.size() - count);
  double sum = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    if (x[i] == at) return y[i];
    double weight = 1;
    for (std::size_t k = first; k < first + count; ++k)
      if (k != i) weight *= (at - x[k]) / (x[i] - x[k]);
    sum += weight * y[i];
  }
  return sum;
}

double convergence_order(std::span<const double> h, std::span<const double> error) {
  assert(h.size() == error.size() && h.size() > 1);
  std::vector<double> a, b;
  for (std::size_t i = 0; i < h.size(); ++i) a.push_back(std::log(h[i])), b.push_back(std::log(error[i]));
  double above = 0, below = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    above += (a[i] - mean(a)) * (b[i] - mean(b));
    below += (a[i] - mean(a)) * (a[i] - mean(a));
  }
  return above / below;
}

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double band(std::span<const double> values) {
  for (const double value : values)
    if (std::isnan(value)) return value;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

Series thinned(std::string name, std::span<const double> x, std::span<const double> y, std::size_t count) {
  if (x.size() <= count) return {std::move(name), {x.begin(), x.end()}, {y.begin(), y.end()}};
  Series series{std::move(name), {}, {}};
  const std::size_t stretches = count / 2;
  for (std::size_t s = 0; s < stretches; ++s) {
    const auto from = s * x.size() / stretches, to = (s + 1) * x.size() / stretches;
    const auto [low, high] =
        std::minmax_element(y.begin() + static_cast<std::ptrdiff_t>(from), y.begin() + static_cast<std::ptrdiff_t>(to));
    for (const auto at : {std::min(low, high), std::max(low, high)}) {
      series.x.push_back(x[at - y.begin()]);
      series.y.push_back(*at);
    }
  }
  return series;
}

Row compared(std::string quantity, double ours, double reference, double limit, std::string unit) {
  return {std::move(quantity), ours, reference, std::abs(ours - reference), limit, std::move(unit)};
}

Row small(std::string quantity, double ours, double limit, std::string unit) {
  return {std::move(quantity), ours, 0, std::abs(ours), limit, std::move(unit)};
}

double critical_step_of(const Model& model, const State& state) {
  return critical_step(largest_frequency(model, make_terms(model), state, model.held), 0);
}

Flight::Flight(Builder::Result start, double dt, bool richardson)
    : made_(std::move(start)), in_(undriven(made_, dt, richardson)), work_(made_.model, 1) {
  start_explicit(made_.model, in_, made_.state, work_);
}

bool Flight::fly(long long steps) {
  for (long long k = 0; k < steps && !lost_; ++k) {
    ++steps_;
    in_.t = time();
    lost_ = step_explicit(made_.model, in_, made_.state, work_) != Outcome::done;
  }
  return !lost_;
}

double Flight::energy() {
  return total_energy(made_.model, {}, made_.state, work_);
}

std::map<std::string, double> Flight::energies() {
  std::map<std::string, double> parts;
  for (const auto& part : ls::energies(made_.model, {}, made_.state, work_)) parts[part.name] = part.value;
  return parts;
}

std::vector<BondRecord> Flight::bonds() const {
  return bond_records(made_.model, made_.state);
}

}  // namespace ls::validation
