#include "picture/picture_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

// Surfaces of rigid bodies, shells and walls.
namespace ls::drawing {

namespace {

constexpr std::size_t most_faces = 20000;
constexpr const char* wall_colour = "#b9c3cd";

bool has_place(const Vec& p) {  // beyond this, squares overflow
  return std::all_of(p.begin(), p.end(), [](double x) { return std::abs(x) < 1e100; });
}

std::size_t node_of(const Snapshot& s, int point) {
  return static_cast<std::size_t>(s.skin_node[point]);
}

// Light from the upper left, behind the viewer.
Colour shaded(const Colour& colour, const Vec& normal, const View& view) {
  const double light = 0.75 * dot(normal, view.toward) + 0.45 * dot(normal, view.up) - 0.35 * dot(normal, view.right);
  return light > 0.7 ? mix(colour, white, std::min(0.45, 0.9 * (light - 0.7)))
                     : mix(colour, black, std::min(0.5, 0.7 * (0.7 - light)));
}

struct Face {
  Point corner[3];
  Vec normal;  // towards the viewer
  double depth;
  int body;
  bool is_wall;
};

template <class Visit>
void for_each_face(const Snapshot& s, const Paper& paper, const Visit& visit) {
  const std::size_t step = s.triangle.size() / (2 * most_faces) + 1;  // half of them face away
  for (std::size_t t = 0; t < s.triangle.size(); t += step) {
    const auto& corner = s.triangle[t];
    const std::size_t node = node_of(s, corner[0]);
    if (node < s.is_ball.size() && s.is_ball[node]) continue;
    const Vec &a = s.skin[corner[0]], &b = s.skin[corner[1]], &c = s.skin[corner[2]];
    if (!has_place(a) || !has_place(b) || !has_place(c)) continue;
    Vec normal = cross(combine(1, b, -1, a), combine(1, c, -1, a));
    const double size = norm(normal);
    if (!(size > 0)) continue;
    const bool is_open = node_of(s, corner[1]) != node;  // a shell, whose inside may be seen
    const double facing = dot(normal, paper.view().toward);
    if (facing <= 0 && !is_open) continue;
    normal = combine((facing < 0 ? -1 : 1) / size, normal, 0, normal);
    visit(Face{{paper.at(a), paper.at(b), paper.at(c)},
               normal,
               (paper.depth(a) + paper.depth(b) + paper.depth(c)) / 3,
               node < s.body.size() ? s.body[node] : 0,
               node < s.is_wall.size() && s.is_wall[node] != 0});
  }
}

// A line of the same colour closes the seams between triangles.
std::string face_svg(const Face& f, const std::string& colour) {
  const auto& [p, q, r] = f.corner;
  return fmt::format(
      "<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.5\" "
      "stroke-linejoin=\"round\"/>\n",
      px(p.x), px(p.y), px(q.x), px(q.y), px(r.x), px(r.y), colour, colour);
}

}  // namespace

void paint_surfaces(const Snapshot& s, const Paper& paper, std::vector<Piece>& pieces) {
  for_each_face(s, paper, [&](const Face& f) {
    const Colour colour = f.is_wall ? Colour{0.82, 0.85, 0.88} : body_colour(f.body);
    pieces.push_back({f.depth, face_svg(f, hex(shaded(colour, f.normal, paper.view())))});
  });
}

std::string pale_surfaces(const Snapshot& s, const Paper& paper) {
  std::string out;
  for_each_face(s, paper, [&](const Face& f) {
    if (!f.is_wall) out += face_svg(f, pale);
  });
  return out;
}

std::string wall_lines(const Snapshot& s, const Paper& paper, const PaperFrame& f) {
  std::string path;
  for (const auto& [from, to] : s.outline) {
    const Vec &a = s.skin[from], &b = s.skin[to];
    if (has_place(a) && has_place(b)) path += line(paper.at(a), paper.at(b));
  }
  if (path.empty()) return {};
  constexpr double beyond = 24;  // [pixel]
  return fmt::format(
             "<defs><clipPath id=\"room\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath></defs>\n",
             px(f.left - beyond), px(f.top - beyond), px(f.right - f.left + 2 * beyond),
             px(f.bottom - f.top + 2 * beyond)) +
         "<g fill=\"none\" clip-path=\"url(#room)\">\n" + stroke(path, wall_colour, 1.4) + "</g>\n";
}

}  // namespace ls::drawing
