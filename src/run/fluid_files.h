#pragma once
#include "model/inputs.h"
#include "output/checkpoint.h"
#include "scene/plan.h"

namespace ls {

struct FluidBlock;

// One block of cells as a VTK image (cell data), for ParaView, VTK, PyVista.
void write_vti(const std::filesystem::path& path, const Fluid& fluid, const FluidBlock& block, const Clock& clock);

// The files of a fluid in the folder of a run: volumes and slices, tracks of tracers, and how far these come in a
// cycle.
class FluidFiles {
 public:
  FluidFiles(const Plan& plan, std::filesystem::path folder) : plan_(plan), folder_(std::move(folder)) {}
  // Goes on after a checkpoint: cuts the files to the lengths it knew and drops later ones.
  FluidFiles(const Plan& plan, std::filesystem::path folder, const Checkpoint& c);

  void add_frame(const State& s, const Inputs& in, Team& team);  // volumes and slices
  bool has_frame_at(double time) const { return !times_.empty() && times_.back() == time; }
  void add_tracks(const State& s);
  void end_cycle(State& s);  // notes how far tracers came, and marks where they are
  void save(Checkpoint& c) const;

  static bool writes_volume(const Plan& plan);

 private:
  std::string name(std::size_t number, const std::string& ending) const;
  void append(const char* file, const std::string& lines, std::int64_t& length) const;
  void write_indices() const;
  void write(const std::string& what, const FluidBlock& block, const Clock& clock, std::size_t number) const;

  const Plan& plan_;
  std::filesystem::path folder_;
  std::int64_t tracks_length_ = 0, cycles_length_ = 0;
  std::vector<double> times_;  // [frame] s
};

}  // namespace ls
