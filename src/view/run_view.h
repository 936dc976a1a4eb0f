#pragma once
#include "view/frame_blobs.h"

#include <filesystem>
#include <mutex>

namespace ls {

// The folder of a run as a page sees it, while the run goes on and after it. It reads and never writes, takes no lock
// that a run would meet, and opens no file that does not lie in the folder, through whatever links.
// Its functions may be called by many threads; one is served at a time, since the HDF5 library is for one alone.
class RunView {
 public:
  // Throws Error where it is not the folder of a run.
  explicit RunView(std::filesystem::path folder);

  // Looks at what is new there. True: something is.
  bool look();
  // Title, state, numbers of frames and when they were, events, sums: what the page needs to begin.
  nlohmann::json about();

  std::string model();
  std::string frame(std::size_t number, const std::string& colour);
  std::string probes(std::size_t first_row);
  nlohmann::json node(std::size_t node, std::size_t frame);
  std::string track(std::size_t node);  // of a node through all frames
  // What the fluid was at the time of one of its frames. slice: -1 for the volume, else one that the run wrote.
  std::string fluid(std::size_t number, int slice, int axis, int cell);
  std::string field(std::size_t number, const std::string& grid);  // "plane0", "line1"

  std::size_t frames();
  const std::filesystem::path& folder() const { return folder_; }

 private:
  struct Frame {
    double time = 0;
    long long step = 0;
  };
  using Kinds = std::vector<std::string>;  // "h5", "slice0.h5": endings of the files of one moment

  std::filesystem::path inside(const std::string& name) const;
  bool has(const std::string& name) const;
  Hdf5File open_frame(std::size_t number) const;
  const ViewOrigin& origin();
  bool look_at_frames();
  void look_at_frame(const std::string& name);
  bool look_at_grids(const char* place, std::vector<Frame>& times, Kinds& kinds) const;
  bool look_at_log();
  void add_marks(const Hdf5File& file, const Frame& frame);
  const std::vector<Frame>& shown() const;
  // Equilibria that take no time are told apart by their steps: the clock of the page is then these.
  bool goes_by_steps() const;
  std::vector<double> clock_of(const std::vector<Frame>& frames) const;
  nlohmann::json grids() const;

  std::filesystem::path folder_;
  std::mutex mutex_;
  std::vector<Frame> frames_, fluid_times_, field_times_;
  Kinds fluid_kinds_, field_kinds_;
  ViewOrigin origin_{};
  bool has_origin_ = false;
  std::uintmax_t log_length_ = 0;
  std::string title_, last_word_;                    // of the log: how the run ended
  double duration_ = 0;                              // s, of the whole run; 0: not known
  nlohmann::json gravity_;                           // m/s^2, three numbers; null: not known
  nlohmann::json events_ = nlohmann::json::array();  // of the log
  nlohmann::json marks_ = nlohmann::json::array();   // of the frames
  long long broken_ = 0;
  bool touches_ = false;
  std::string writer_;
  int generation_ = 0;  // counts how often the run was begun afresh
  std::filesystem::file_time_type first_written_{};
};

// Who writes to the folder, by what the lock says, if that process lives; unlike holder_of() it does not try the lock,
// at which a run that starts in that very moment would take offence.
std::string living_writer(const std::filesystem::path& folder);

}  // namespace ls
