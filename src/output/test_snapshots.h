#pragma once
// Snapshots for tests of writers, and the way back from the programs that read their files.
#include "output/snapshot.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace ls::samples {

// Adds a rod through points: bending, stretch and energies as its shape suggests (drawn straight with equal bonds).
inline void add_rod(Snapshot& s, const std::string& name, const std::vector<Snapshot::Triple>& points, double radius) {
  const int first = static_cast<int>(s.position.size());
  const int body = static_cast<int>(s.bodies.size());
  s.bodies.push_back(name);
  for (std::size_t i = 0; i < points.size(); ++i) {
    s.position.push_back(points[i]);
    s.orientation.push_back({1, 0, 0, 0});
    for (auto* zero : {&s.velocity, &s.spin, &s.force, &s.torque, &s.moment}) zero->push_back({0, 0, 0});
    s.mass.push_back(1e-3);
    s.radius.push_back(radius);
    s.body.push_back(body);
    if (i == 0) continue;
    s.bond.push_back({first + static_cast<int>(i) - 1, first + static_cast<int>(i)});
    double bend = 0;
    if (points.size() > 2) {
      const std::size_t j = std::max<std::size_t>(i, 2);
      double dot = 0, a = 0, b = 0;
      for (int k = 0; k < 3; ++k) {
        const double u = points[j - 1][k] - points[j - 2][k], v = points[j][k] - points[j - 1][k];
        dot += u * v, a += u * u, b += v * v;
      }
      bend = std::acos(std::clamp(dot / std::sqrt(a * b), -1.0, 1.0));
    }
    if (bend < 1e-7) bend = 0;  // what rounding leaves of a straight line
    s.strain.push_back({0, 0, bend, 0});
    s.energy.push_back({0, 0, 0.5e-3 * bend * bend, 0});
    s.broken.push_back(0);
  }
}

// n + 1 points of a curve over u from 0 to 1.
inline std::vector<Snapshot::Triple> curve(int n, const std::function<Snapshot::Triple(double)>& at) {
  std::vector<Snapshot::Triple> points;
  for (int i = 0; i <= n; ++i) points.push_back(at(static_cast<double>(i) / n));
  return points;
}

inline Snapshot straight_rod(int bonds = 50) {
  Snapshot s;
  add_rod(s, "beam", curve(bonds, [](double u) { return Snapshot::Triple{0.0258 * u, 0, 0}; }), 0.000245);
  return s;
}

// A beam clamped at the origin whose slope rises towards the tip as under an end load, magnetised along itself.
inline Snapshot cantilever(int bonds = 100) {
  Snapshot s;
  std::vector<Snapshot::Triple> points{{0, 0, 0}};
  std::vector<double> slope{0};
  const double h = 0.0258 / bonds;
  for (int i = 1; i <= bonds; ++i) {
    const double u = (i - 0.5) / bonds, angle = 1.25 * (2 * u - u * u);
    points.push_back({points.back()[0] + h * std::cos(angle), points.back()[1] + h * std::sin(angle), 0});
    slope.push_back(angle);
  }
  add_rod(s, "beam", points, 0.000245);
  for (std::size_t i = 0; i < s.moment.size(); ++i)
    s.moment[i] = {1e-6 * std::cos(slope[i]), 1e-6 * std::sin(slope[i]), 0};
  s.time = 0.0125;
  s.step = 45;
  s.stage = "ramp";
  return s;
}

inline Snapshot helix(int bonds = 400) {
  Snapshot s;
  const auto at = [](double u) {
    const double angle = 2 * std::numbers::pi * 5 * u;
    return Snapshot::Triple{0.02 * std::cos(angle), 0.02 * std::sin(angle), 0.1 * u};
  };
  add_rod(s, "spring", curve(bonds, at), 0.0015);
  for (std::size_t i = 0; i < s.energy.size(); ++i) s.energy[i][3] = 1e-6 * std::pow(std::sin(0.012 * i), 2);
  return s;
}

// A square net that sags; nodes have up to four bonds.
inline Snapshot net(int side = 24) {
  Snapshot s;
  const auto at = [&](int i, int j) {
    const double x = 2.0 * i / side - 1, z = 2.0 * j / side - 1;
    return Snapshot::Triple{0.5 * x, -0.25 * (1 - x * x) * (1 - z * z), 0.5 * z};
  };
  add_rod(s, "net", {at(0, 0)}, 0.003);
  for (int n = 1; n < (side + 1) * (side + 1); ++n) {
    Snapshot one;
    add_rod(one, "", {at(n % (side + 1), n / (side + 1))}, 0.003);
    s.position.push_back(one.position[0]);
  }
  const std::size_t nodes = s.position.size();
  s.orientation.resize(nodes, {1, 0, 0, 0});
  for (auto* zero : {&s.velocity, &s.spin, &s.force, &s.torque, &s.moment}) zero->resize(nodes);
  s.mass.resize(nodes, 1e-3);
  s.radius.resize(nodes, 0.003);
  s.body.resize(nodes, 0);
  for (int n = 0; n < static_cast<int>(nodes); ++n) {
    const int i = n % (side + 1), j = n / (side + 1);
    for (const int other : {i < side ? n + 1 : -1, j < side ? n + side + 1 : -1}) {
      if (other < 0) continue;
      const double slope = std::abs(s.position[other][1] - s.position[n][1]) * side;
      s.bond.push_back({n, other});
      s.strain.push_back({0.1 * slope * slope, 0, 0, 0});
      s.energy.push_back({1e-3 * slope * slope, 0, 0, 0});
      s.broken.push_back(0);
    }
  }
  return s;
}

// Free nodes only: what rigid bodies look like.
inline Snapshot spheres(int count = 30) {
  Snapshot s;
  for (int i = 0; i < count; ++i) {
    const double a = 2.4 * i, r = 0.01 * std::sqrt(i + 0.5);
    add_rod(s, "ball" + std::to_string(i), {{r * std::cos(a), 0.003 * (i % 5), r * std::sin(a)}},
            0.002 + 1e-4 * (i % 7));
    s.moment.back() = {std::cos(a), 0.5, std::sin(a)};
  }
  return s;
}

// Two rods and a free magnet with every array full of numbers that a careless writer would round.
inline Snapshot full() {
  Snapshot s = cantilever(17);
  add_rod(s, "zweiter <Stab> & \"µ\"", helix(23).position, 1.0 / 3000);
  add_rod(s, "magnet", {{0.1, 0.2, 0.3}}, 0.1);
  double seed = 0.1;
  const auto next = [&] { return seed = std::fmod(seed * 997.0 + 1.0 / 3.0, 1.0); };
  for (auto* triples : {&s.velocity, &s.spin, &s.force, &s.torque, &s.moment})
    for (auto& triple : *triples) triple = {next() - 0.5, 1e-9 * next(), 1e12 * next()};
  for (auto& q : s.orientation) q = {next(), next(), -next(), next()};
  for (auto& mass : s.mass) mass = next();
  for (auto* fours : {&s.strain, &s.energy})
    for (auto& four : *fours) four = {next(), -next(), 1e-17 * next(), 1e17 * next()};
  s.velocity[1] = {-0.0, 5e-324, 1.7976931348623157e308};
  s.broken[3] = s.broken.back() = 1;
  s.step = 123456789012LL;
  s.time = 0.1 + 0.2;
  s.stage = "Stufe <1>";
  return s;
}

// A folder of its own for each test process.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lodestone_test_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// What a script of tests/readback printed: one line an array, "name: width value value …", floats in hexadecimal.
struct Readback {
  int status = -1;
  std::string text;
  std::map<std::string, std::vector<double>> arrays;
  std::map<std::string, std::string> texts;  // lines "name= text"
  std::map<std::string, std::size_t> widths;
};

inline Readback run_reader(const std::string& script, const std::string& arguments,
                           const std::string& python = "/usr/bin/python3") {
  Readback back;
  const std::string command = python + " " LODESTONE_SOURCE_DIR "/tests/readback/" + script + " " + arguments + " 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return back;
  char block[65536];
  for (std::size_t n; (n = std::fread(block, 1, sizeof block, pipe)) > 0;) back.text.append(block, n);
  back.status = ::pclose(pipe);
  std::istringstream lines(back.text);
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t equals = line.find("= "); equals != std::string::npos && line.find(": ") > equals) {
      back.texts[line.substr(0, equals)] = line.substr(equals + 2);
      continue;
    }
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string name = line.substr(0, colon);
    std::istringstream words(line.substr(colon + 2));
    std::string word;
    if (words >> word) back.widths[name] = std::strtoul(word.c_str(), nullptr, 10);
    std::vector<double>& values = back.arrays[name];
    while (words >> word) values.push_back(std::strtod(word.c_str(), nullptr));
  }
  return back;
}

// Compares an array read back with one of the snapshot, entry by entry of N numbers each.
template <class Entry>
void expect_array(const Readback& back, const std::string& name, const std::vector<Entry>& expected) {
  constexpr std::size_t width = sizeof(Entry) / (std::is_arithmetic_v<Entry> ? sizeof(Entry) : 8);
  ASSERT_TRUE(back.arrays.contains(name)) << name << " in:\n" << back.text;
  const std::vector<double>& found = back.arrays.at(name);
  EXPECT_EQ(back.widths.at(name), width) << name;
  ASSERT_EQ(found.size(), expected.size() * width) << name;
  for (std::size_t i = 0; i < found.size(); ++i) {
    double value;
    if constexpr (std::is_arithmetic_v<Entry>)
      value = static_cast<double>(expected[i]);
    else
      value = expected[i / width][i % width];
    EXPECT_TRUE(same_bits(found[i], value)) << name << "[" << i << "]: " << found[i] << " for " << value;
  }
}

inline std::vector<double> mode(const std::vector<std::array<double, 4>>& values, int which) {
  std::vector<double> column;
  column.reserve(values.size());
  for (const auto& four : values) column.push_back(four[which]);
  return column;
}

// Every column of a frame, with before put before the names of node columns and bonds' likewise.
inline void expect_columns(const Readback& back, const Snapshot& s, const std::string& node = "node/",
                           const std::string& bond = "bond/") {
  expect_array(back, node + "orientation", s.orientation);
  expect_array(back, node + "velocity", s.velocity);
  expect_array(back, node + "spin", s.spin);
  expect_array(back, node + "force", s.force);
  expect_array(back, node + "torque", s.torque);
  expect_array(back, node + "moment", s.moment);
  expect_array(back, node + "mass", s.mass);
  expect_array(back, node + "radius", s.radius);
  expect_array(back, node + "body", s.body);
  const char* const modes[] = {"stretch", "shear", "bend", "twist"};
  for (int m = 0; m < 4; ++m) {
    expect_array(back, bond + "strain_" + modes[m], mode(s.strain, m));
    expect_array(back, bond + "energy_" + modes[m], mode(s.energy, m));
  }
  expect_array(back, bond + "broken", s.broken);
}

}  // namespace ls::samples
