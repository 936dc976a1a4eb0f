#include "picture/field_lines.h"
#include "picture/picture_parts.h"

#include <fmt/format.h>

// Lines of a magnetic field behind everything that is solid.
namespace ls::drawing {

namespace {

bool holds(const PaperFrame& f, const Point& p) {
  return p.x >= f.left && p.x <= f.right && p.y >= f.top && p.y <= f.bottom;
}

// A head in the middle of a run of points, so that one sees which way it goes.
std::string head_of(const std::vector<Point>& run) {
  double length = 0, gone = 0;
  const auto way = [&](std::size_t i) { return std::hypot(run[i].x - run[i - 1].x, run[i].y - run[i - 1].y); };
  for (std::size_t i = 1; i < run.size(); ++i) length += way(i);
  if (length < 30) return {};
  for (std::size_t i = 1; i < run.size(); ++i) {
    const double here = way(i);
    gone += here;
    if (gone < 0.5 * length || !(here > 0)) continue;
    const double ux = (run[i].x - run[i - 1].x) / here, uy = (run[i].y - run[i - 1].y) / here;
    const Point p = run[i];
    return line({p.x - 4 * ux - 2.6 * uy, p.y - 4 * uy + 2.6 * ux}, {p.x + 3 * ux, p.y + 3 * uy}) +
           fmt::format("L{} {}Z", px(p.x - 4 * ux + 2.6 * uy), px(p.y - 4 * uy - 2.6 * ux));
  }
  return {};
}

}  // namespace

std::string paint_field(const FieldPicture& field, const Paper& paper, const PaperFrame& frame, double depth) {
  const Vec middle = paper.place({(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2}, depth);
  // What goes farther than this does not come back soon.
  const double reach = 1.5 * std::hypot(frame.right - frame.left, frame.bottom - frame.top) / paper.scale();
  std::string path, heads;
  std::vector<Point> run;
  const auto end_run = [&] {
    for (std::size_t i = 0; run.size() > 1 && i < run.size(); ++i)
      path += fmt::format("{}{} {}", i == 0 ? "M" : "L", px(run[i].x), px(run[i].y));
    heads += head_of(run);
    run.clear();
  };
  for (const FieldLine& one : field_lines(field, paper.view(), {middle, reach})) {
    for (std::size_t i = 0; i < one.points.size(); ++i) {
      const Point p = paper.at(one.points[i]);
      if (!holds(frame, p))
        end_run();
      else if (run.empty() || i + 1 == one.points.size() || std::hypot(p.x - run.back().x, p.y - run.back().y) > 1.5)
        run.push_back(p);
    }
    end_run();
  }
  if (path.empty()) return {};
  return fmt::format(
      "<g opacity=\"0.7\"><path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\"/><path d=\"{}\" "
      "fill=\"{}\"/></g>\n",
      path, field_colour, heads, field_colour);
}

}  // namespace ls::drawing
