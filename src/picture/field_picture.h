#pragma once
#include "output/snapshot.h"

#include <functional>
#include <span>

namespace ls {

// A magnetic field, for lines of it in a picture.
struct FieldPicture {
  using Triple = Snapshot::Triple;
  struct Source {
    Triple centre{}, moment{};  // m; the way it is magnetised, as long as it is strong
    double radius = 0;          // m, around all of it
  };
  struct Sink {
    Triple place{};
    double radius = 0;  // m; 0: as small as can be seen
  };

  int lines = 0;                                                        // about so many
  std::function<std::vector<Triple>(std::span<const Triple>)> field{};  // [place] T
  std::vector<Source> sources{};                                        // that lines begin at
  std::vector<Sink> sinks{};                                            // where they end: around dipoles
};

}  // namespace ls
