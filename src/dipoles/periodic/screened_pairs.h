#pragma once
#include "base/parallel.h"
#include "dipoles/periodic/box_cells.h"

#include <vector>

namespace ls {

// The near part of an Ewald sum: pairs of dipoles and of their copies within a cut, by the law of ewald_error.h.
class ScreenedPairs {
 public:
  ScreenedPairs();
  ~ScreenedPairs();
  ScreenedPairs(ScreenedPairs&&) noexcept;
  ScreenedPairs& operator=(ScreenedPairs&&) noexcept;

  // The cells are those of the cut.
  void add(const BoxCells& cells, double alpha, double cut, Team& team, DipoleFields& out);

 private:
  struct Room;
  std::vector<Room> rooms_;  // [thread]
};

}  // namespace ls
