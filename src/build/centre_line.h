#pragma once
#include "math/across.h"
#include "math/frame.h"

#include <vector>

namespace ls {

// The nodes of a rod as drawn: frames with z along the rod and x, y the axes of its section, and the way along it.
struct CentreLine {
  std::vector<Frame<double>> frames;  // [node]
  std::vector<double> arc;            // [node] m from the start, 0 at the first node
};

// From a to b. width: where the section's x axis should point; its part across the rod counts.
CentreLine line(const Vec3<double>& from, const Vec3<double>& to, int bonds, const Vec3<double>& width);

// From the origin along +x, curving towards +y; the frame turns with the curve.
CentreLine arc(double radius, double angle, int bonds, const Vec3<double>& width);

// About z, starting at (radius, 0, 0); pitch_angle between the rod and the z axis; the frame turns with the curve.
CentreLine helix(double radius, double pitch_angle, double length, int bonds, const Vec3<double>& width);

// Through given points: nodes at the points themselves where there are bonds + 1 of them, else evenly along the
// polyline. The frame is carried along without twist.
CentreLine through_points(const std::vector<Vec3<double>>& points, int bonds, const Vec3<double>& width);

// Turned about the origin by a rotation vector, then shifted.
CentreLine placed(CentreLine line, const Vec3<double>& turn, const Vec3<double>& origin);

}  // namespace ls
