#include "picture/take_field_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace ls {

namespace {

using FieldTriple = FieldPicture::Triple;

double distance(const FieldTriple& a, const FieldTriple& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// The dipoles of one body, which send out lines together.
struct MagneticBody {
  FieldTriple sum{};     // of the moments
  FieldTriple centre{};  // of them, times their sizes
  double size = 0;
  std::vector<FieldTriple> places{};
};

// Lines end within the body that a single dipole stands for, else as near as the grid of its dipoles is a field of the
// whole.
double end_around(const MagneticBody& body, double radius) {
  if (body.places.size() == 1) return 0.5 * radius;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < body.places.size(); ++k)
    nearest = std::min(nearest, distance(body.places[0], body.places[k]));
  return 0.9 * nearest;
}

}  // namespace

FieldPicture take_field_picture(const MagneticField& field, const Snapshot& shot,
                                std::span<const PictureMagnet> magnets, int lines, Team& team) {
  FieldPicture p;
  p.lines = lines;
  p.field = [&field, &team](std::span<const FieldTriple> places) {
    std::vector<Vec3<double>> at;
    for (const FieldTriple& x : places) at.push_back({x[0], x[1], x[2]});
    std::vector<FieldTriple> b;
    for (const Vec3<double>& v : field.at(at, team)) b.push_back({v.x, v.y, v.z});
    return b;
  };
  std::map<int, MagneticBody> bodies;
  for (int i = 0; i < field.dipoles(); ++i) {
    MagneticBody& body = bodies[shot.body[field.node(i)]];
    const Vec3<double>& m = field.moment(i);
    const Vec3<double>& x = field.place(i);
    const double size = norm(m);
    const FieldTriple place{x.x, x.y, x.z}, moment{m.x, m.y, m.z};
    if (size == 0) continue;
    for (std::size_t k = 0; k < 3; ++k) body.sum[k] += moment[k], body.centre[k] += size * place[k];
    body.size += size;
    body.places.push_back(place);
  }
  double strongest = 0;
  for (auto& [number, body] : bodies) {
    if (body.size == 0) continue;
    for (double& c : body.centre) c /= body.size;
    double radius = 0;
    for (std::size_t i = 0; i < shot.position.size(); ++i)
      if (shot.body[i] == number) radius = std::max(radius, distance(shot.position[i], body.centre) + shot.radius[i]);
    for (std::size_t i = 0; i < shot.skin.size(); ++i)
      if (shot.body[shot.skin_node[i]] == number) radius = std::max(radius, distance(shot.skin[i], body.centre));
    p.sources.push_back({body.centre, body.sum, radius});
    strongest = std::max(strongest, std::hypot(body.sum[0], body.sum[1], body.sum[2]));
    const double end = end_around(body, radius);
    for (const FieldTriple& place : body.places) p.sinks.push_back({place, end});
  }
  // How strong they are beside bodies is for the field to say: all of them are shown.
  for (const PictureMagnet& m : magnets) {
    const double size = strongest > 0 ? strongest : 1;
    FieldPicture::Source source{m.centre, {size * m.north[0], size * m.north[1], size * m.north[2]}, 0};
    for (const auto& ends : m.lines)
      for (const FieldTriple& end : ends) source.radius = std::max(source.radius, distance(end, m.centre));
    if (m.lines.empty()) p.sinks.push_back({m.centre, 0});
    p.sources.push_back(source);
  }
  return p;
}

}  // namespace ls
