#pragma once
#include "picture/field_picture.h"
#include "picture/picture_view.h"

namespace ls::drawing {

// The part of space that lines are followed in: a ball around what is seen.
struct FieldRegion {
  Vec middle{};
  double radius = 0;  // m
};

struct FieldLine {
  std::vector<Vec> points;  // m, along the field
  bool is_closed = false;
};

// Lines of a field, by fourth-order Runge-Kutta steps along it. Those of the strongest sources go through their poles
// and through places beside them; without sources, evenly spread across the field in the middle.
std::vector<FieldLine> field_lines(const FieldPicture& field, const View& view, const FieldRegion& region);

}  // namespace ls::drawing
