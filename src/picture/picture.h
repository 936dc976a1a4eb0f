#pragma once
#include "output/snapshot.h"
#include "picture/field_picture.h"
#include "picture/flow_picture.h"

#include <span>
#include <string>

namespace ls {

// A magnet or coil of a field, as lines.
struct PictureMagnet {
  std::vector<std::array<Snapshot::Triple, 2>> lines;  // m
  Snapshot::Triple centre{}, north{};                  // m; the way it is magnetised, of unit length (0: not known)
};

struct PictureOptions {
  std::string title{};
  const Snapshot* first = nullptr;  // drawn pale behind, to show how things moved
  std::string colour_by{};          // one of picture_colours(); empty = energy
  Snapshot::Triple up{0, 1, 0};     // what should point up, if the view leaves a choice: against gravity
  bool moments = true;              // arrows for magnetic moments
  std::vector<PictureMagnet> magnets{};
  const FieldPicture* field = nullptr;  // lines of it behind all that is solid
  const FlowPicture* flow = nullptr;    // a fluid behind the rods, whose plane is then that of the picture
};

// What colour_by may be: "energy" (per length), "curvature", "twist", "stretch", "shear", "speed", "body".
std::span<const char* const> picture_colours();

// The rods of a snapshot as an SVG file of 900 × 600 pixels. Orthographic: a planar configuration is seen in its plane
// (a world plane where there is one), others from a corner. An unknown colour_by: Error.
std::string picture_svg(const Snapshot& given, const PictureOptions& options = {});

}  // namespace ls
