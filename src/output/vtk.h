#pragma once
#include "output/frame_writer.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <variant>

namespace ls {

// One named column of a frame, as viewers list it. Its values lie in the snapshot or in the FrameArrays that made it.
struct FrameArray {
  using Values = std::variant<std::span<const double>, std::span<const std::int32_t>, std::span<const std::uint8_t>>;

  const char* name;
  const char* unit;
  std::size_t width;  // values per node or bond
  Values values;      // [node or bond][width]
};

// The columns that VTP and HDF5 frames have in common, the same for every snapshot: a quantity that a snapshot leaves
// empty is written as zeros (orientation: no rotation), so that an index need not know which frame has what.
// Positions and the nodes of bonds are not among them: they are the geometry.
class FrameArrays {
 public:
  explicit FrameArrays(const Snapshot& snapshot);  // which must outlive this
  FrameArrays(const FrameArrays&) = delete;
  FrameArrays& operator=(const FrameArrays&) = delete;

  const std::vector<FrameArray>& node() const { return node_; }
  const std::vector<FrameArray>& bond() const { return bond_; }

 private:
  std::span<const double> owned(std::vector<double> values);
  template <std::size_t N>
  void add_node(const char* name, const char* unit, const std::vector<std::array<double, N>>& values, double first = 0);
  void add_node(const char* name, const char* unit, const std::vector<double>& values);
  void add_modes(const char* const (&names)[4], const char* const (&units)[4],
                 const std::vector<std::array<double, 4>>& values);

  std::size_t nodes_, bonds_;
  std::deque<std::vector<double>> copies_;
  std::vector<std::int32_t> no_body_;
  std::vector<std::uint8_t> broken_;
  std::vector<FrameArray> node_, bond_;
};

// About what the columns of a frame take, with its geometry and its surfaces; tracers are not among them.
double bytes_of_solids(const FrameContents& contents);

// XML PolyData with raw binary values: nodes are points, bonds are lines. For ParaView, VTK, PyVista.
void write_vtp(const std::filesystem::path& path, const Snapshot& snapshot);

// Likewise its surfaces: triangles of rigid bodies, shells and obstacles, lines of walls; the number of the body at
// every point. Their points are not nodes.
void write_surfaces_vtp(const std::filesystem::path& path, const Snapshot& snapshot);

// Likewise its tracers, each a point.
void write_tracers_vtp(const std::filesystem::path& path, const Snapshot& snapshot);

struct PvdEntry {
  double time;       // [s] should rise from entry to entry: ParaView shows one frame a time
  std::string file;  // relative to the index
};
void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries);

// Likewise of numbered frames, PLACE/000000.ENDING and so on. times: [frame] s
void write_pvd(const RunFolder& folder, const std::string& index, const std::string& place, const std::string& ending,
               std::span<const double> times);
// The same file, where the one before the last frame is there: the last is added at its end.
void grow_pvd(const RunFolder& folder, const std::string& index, const std::string& place, const std::string& ending,
              std::span<const double> times);

// A VTP file of nodes and bonds, one of surfaces and one of tracers, as far as there are any; an index of each.
std::unique_ptr<const FrameWriter> vtk_frames(const FrameContents& contents);

}  // namespace ls
