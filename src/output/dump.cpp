#include "output/dump.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace ls {
namespace {

struct Box {
  Snapshot::Triple low, high;
};

// Around the nodes with their radii. A flat or empty box would make viewers divide by zero: each side gets at least a
// hundredth of the longest one.
Box box_around(const Snapshot& snapshot) {
  Box box{{0, 0, 0}, {0, 0, 0}};
  bool first = true;
  for (std::size_t i = 0; i < snapshot.position.size(); ++i) {
    const auto& p = snapshot.position[i];
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) continue;
    double radius = i < snapshot.radius.size() ? snapshot.radius[i] : 0;
    if (!std::isfinite(radius)) radius = 0;
    for (int k = 0; k < 3; ++k) {
      box.low[k] = first ? p[k] - radius : std::min(box.low[k], p[k] - radius);
      box.high[k] = first ? p[k] + radius : std::max(box.high[k], p[k] + radius);
    }
    first = false;
  }
  double longest = 0;
  for (int k = 0; k < 3; ++k) longest = std::max(longest, box.high[k] - box.low[k]);
  if (longest <= 0) longest = 1;
  for (int k = 0; k < 3; ++k) {
    const double missing = 0.01 * longest - (box.high[k] - box.low[k]);
    if (missing <= 0) continue;
    box.low[k] -= missing / 2;
    box.high[k] += missing / 2;
  }
  return box;
}

template <class T>
T entry(const std::vector<T>& values, std::size_t i, const T& otherwise) {
  return i < values.size() ? values[i] : otherwise;
}

// Numbers one after another, each after a blank.
class Line {
 public:
  explicit Line(fmt::memory_buffer& out) : out_(out) {}
  void add(double value) { fmt::format_to(std::back_inserter(out_), " {:.17g}", value); }
  void add(const Snapshot::Triple& values) {
    for (const double value : values) add(value);
  }

 private:
  fmt::memory_buffer& out_;
};

}  // namespace

std::string dump_frame(const Snapshot& snapshot) {
  const std::size_t nodes = snapshot.position.size();
  std::vector<char> bonded(nodes, 0);
  for (const auto& [a, b] : snapshot.bond)
    bonded.at(static_cast<std::size_t>(a)) = bonded.at(static_cast<std::size_t>(b)) = 1;

  fmt::memory_buffer out;
  const auto at_end = std::back_inserter(out);
  // LAMMPS wants the time before the step; OVITO takes either order.
  fmt::format_to(at_end, "ITEM: TIME\n{:.17g}\nITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\n", snapshot.time,
                 snapshot.step, nodes);
  const Box box = box_around(snapshot);
  fmt::format_to(at_end, "ITEM: BOX BOUNDS ff ff ff\n");
  for (int k = 0; k < 3; ++k) fmt::format_to(at_end, "{:.17g} {:.17g}\n", box.low[k], box.high[k]);
  fmt::format_to(at_end,
                 "ITEM: ATOMS id type mol x y z quatw quati quatj quatk vx vy vz omegax omegay omegaz mux muy muz "
                 "radius mass fx fy fz tqx tqy tqz\n");
  const Snapshot::Triple zero{0, 0, 0};
  for (std::size_t i = 0; i < nodes; ++i) {
    fmt::format_to(at_end, "{} {} {}", i + 1, bonded[i] ? 1 : 2, entry(snapshot.body, i, 0) + 1);
    Line line(out);
    line.add(snapshot.position[i]);
    for (const double q : entry(snapshot.orientation, i, {1, 0, 0, 0})) line.add(q);
    line.add(entry(snapshot.velocity, i, zero));
    line.add(entry(snapshot.spin, i, zero));
    line.add(entry(snapshot.moment, i, zero));
    line.add(entry(snapshot.radius, i, 0.0));
    line.add(entry(snapshot.mass, i, 0.0));
    line.add(entry(snapshot.force, i, zero));
    line.add(entry(snapshot.torque, i, zero));
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

namespace {

class DumpFrames : public FrameWriter {
 public:
  explicit DumpFrames(const FrameContents& contents) : contents_(contents) {}

  FrameFiles files() const override { return {{}, {}, {file_}}; }
  void write_frame(RunFolder& folder, std::size_t, const Snapshot& shot) const override {
    if (!shot.position.empty()) folder.append(file_, dump_frame(shot));
  }
  void write_index(const RunFolder&, std::span<const double>) const override {}
  void grow_index(const RunFolder&, std::span<const double>) const override {}
  double bytes_per_frame() const override { return 480.0 * static_cast<double>(contents_.nodes); }

 private:
  static constexpr const char* file_ = "states.lammpstrj";
  FrameContents contents_;
};

}  // namespace

std::unique_ptr<const FrameWriter> dump_frames(const FrameContents& contents) {
  return std::make_unique<DumpFrames>(contents);
}

}  // namespace ls
