#pragma once
// SVG elements for picture.cpp, and what stands around the rods: title, scales, axes, arrows.
#include "picture/field_picture.h"
#include "picture/flow_picture.h"
#include "picture/picture_colour.h"
#include "picture/picture_view.h"

#include <functional>
#include <string>
#include <vector>

namespace ls::drawing {

constexpr double page_width = 900, page_height = 600;  // [pixel]
constexpr const char* pale = "#dde3ea";
constexpr const char* broken_colour = "#9aa3ad";
constexpr const char* moment_colour = "#b3243b";
constexpr const char* field_colour = "#3f7cac";

// A number of the drawing, to a hundredth of a pixel; never one that SVG could not read.
std::string px(double value);
std::string line(const Point& a, const Point& b);  // as path data
std::string circle(const Point& centre, double radius, const std::string& fill);
std::string stroke(const std::string& path, const std::string& colour, double width, const char* more = "");

// One piece of the drawing; pieces are painted from far to near.
struct Piece {
  double depth;
  std::string svg;
};

// The triangles of a snapshot that face the viewer, but for those of balls, which are drawn as discs.
// see_through: [body] 1 where what is behind it should show.
void paint_surfaces(const Snapshot& snapshot, const Paper& paper, const std::vector<char>& see_through,
                    std::vector<Piece>& pieces);
std::string pale_surfaces(const Snapshot& snapshot, const Paper& paper);  // the same without light: how it began
// Walls as thin lines, cut off at the frame; behind everything. A plane has no end: it is drawn as far as the points of
// bodies go.
std::string wall_lines(const Snapshot& snapshot, std::span<const Vec> points, const Paper& paper,
                       const PaperFrame& frame);
// Magnets as lines with an arrow to the north, cut off at the frame; behind everything.
struct MagnetLines {
  std::span<const std::array<Vec, 2>> lines;
  Vec centre, north;
};
std::string magnet_lines(std::span<const MagnetLines> magnets, const Paper& paper, const PaperFrame& frame);
constexpr const char* see_through_opacity = "0.3";

// Arrows for the moments of at most 40 of the nodes (indices into the snapshot), spread so that they do not crowd.
// Empty where there are no moments.
std::string moment_arrows(const Snapshot& snapshot, const std::vector<std::size_t>& nodes, const Paper& paper);

// A fluid behind everything: its speed, streamlines, tracers and the edges of its box.
Colour flow_colour(double share);  // of the largest speed
View flow_view(const FlowPicture& flow);
double fastest_in(const FlowPicture& flow);  // m/s
std::string paint_flow(const FlowPicture& flow, const Snapshot& snapshot, const Paper& paper);

// Lines of a magnetic field, cut off at the frame; behind everything. depth: of what is in the middle.
std::string paint_field(const FieldPicture& field, const Paper& paper, const PaperFrame& frame, double depth);

std::string heading(const std::string& title, const Snapshot& snapshot);
// A bar from low to high in a unit; colour: at a share of it.
std::string colour_bar(const std::string& label, const std::string& unit, double low, double high,
                       const std::function<Colour(double)>& colour);
std::string scale_bar(const Paper& paper);
std::string axes_triad(const View& view);

struct Legend {
  bool moments, first, broken, field;
};
std::string legend(const Legend& shown);

}  // namespace ls::drawing
