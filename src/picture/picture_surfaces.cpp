#include "picture/picture_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

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
std::string face_svg(const Face& f, const std::string& colour, bool see_through = false) {
  const auto& [p, q, r] = f.corner;
  if (see_through)  // without the line, which would lie on its neighbours
    return fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{}\" fill-opacity=\"{}\"/>\n", px(p.x), px(p.y), px(q.x),
                       px(q.y), px(r.x), px(r.y), colour, see_through_opacity);
  return fmt::format(
      "<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.5\" "
      "stroke-linejoin=\"round\"/>\n",
      px(p.x), px(p.y), px(q.x), px(q.y), px(r.x), px(r.y), colour, colour);
}

}  // namespace

void paint_surfaces(const Snapshot& s, const Paper& paper, const std::vector<char>& see_through,
                    std::vector<Piece>& pieces) {
  for_each_face(s, paper, [&](const Face& f) {
    const Colour colour = f.is_wall ? Colour{0.82, 0.85, 0.88} : body_colour(f.body);
    const bool clear = static_cast<std::size_t>(f.body) < see_through.size() && see_through[f.body];
    pieces.push_back({f.depth, face_svg(f, hex(shaded(colour, f.normal, paper.view())), clear)});
  });
}

std::string pale_surfaces(const Snapshot& s, const Paper& paper) {
  std::string out;
  for_each_face(s, paper, [&](const Face& f) {
    if (!f.is_wall) out += face_svg(f, pale);
  });
  return out;
}

namespace {

// The outline of a wall that is a plane, four lines around, made large enough for all points to be before it.
std::vector<std::array<Vec, 2>> plane_outline(const std::vector<std::array<Vec, 2>>& lines,
                                              std::span<const Vec> points) {
  Vec centre{0, 0, 0};
  for (const auto& [a, b] : lines) centre = combine(1, centre, 0.125, combine(1, a, 1, b));
  Vec side[2] = {combine(1, lines[0][1], -1, lines[0][0]), combine(1, lines[1][1], -1, lines[1][0])};
  double half[2], low[2], high[2];
  bool reaches = true;
  for (int k = 0; k < 2; ++k) {
    const double length = norm(side[k]);
    side[k] = combine(1 / length, side[k], 0, side[k]);
    low[k] = -0.5 * length, high[k] = half[k] = 0.5 * length;
    for (const Vec& p : points) {
      const double at = dot(side[k], combine(1, p, -1, centre));
      low[k] = std::min(low[k], at), high[k] = std::max(high[k], at);
    }
    reaches = reaches && low[k] >= -half[k] && high[k] <= half[k];
  }
  if (reaches || !(norm(cross(side[0], side[1])) > 0.9)) return lines;
  const double beyond = 0.25 * std::max(high[0] - low[0], high[1] - low[1]);
  const auto corner = [&](bool right, bool up) {
    const double x = right ? high[0] + beyond : low[0] - beyond, y = up ? high[1] + beyond : low[1] - beyond;
    return combine(1, centre, 1, combine(x, side[0], y, side[1]));
  };
  const Vec c[4] = {corner(false, false), corner(true, false), corner(true, true), corner(false, true)};
  return {{c[0], c[1]}, {c[1], c[2]}, {c[2], c[3]}, {c[3], c[0]}};
}

std::string within(const PaperFrame& f, const char* name, const std::string& drawn) {
  constexpr double beyond = 24;  // [pixel]
  return fmt::format(
             "<defs><clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath></defs>\n", name,
             px(f.left - beyond), px(f.top - beyond), px(f.right - f.left + 2 * beyond),
             px(f.bottom - f.top + 2 * beyond)) +
         fmt::format("<g fill=\"none\" clip-path=\"url(#{})\">\n", name) + drawn + "</g>\n";
}

}  // namespace

std::string wall_lines(const Snapshot& s, std::span<const Vec> points, const Paper& paper, const PaperFrame& f) {
  std::map<std::size_t, std::vector<std::array<Vec, 2>>> walls;  // by node
  for (const auto& [from, to] : s.outline)
    if (has_place(s.skin[from]) && has_place(s.skin[to])) walls[node_of(s, from)].push_back({s.skin[from], s.skin[to]});
  std::string path;
  for (const auto& [node, lines] : walls)
    for (const auto& [a, b] : lines.size() == 4 ? plane_outline(lines, points) : lines)
      path += line(paper.at(a), paper.at(b));
  return path.empty() ? path : within(f, "room", stroke(path, wall_colour, 1.4));
}

namespace {

std::string magnet_svg(const MagnetLines& magnet, const Paper& paper) {
  constexpr const char* magnet_colour = "#7a5a9e";
  std::string path;
  double size = 0;  // [pixel]
  const Point c = paper.at(magnet.centre);
  for (const auto& [a, b] : magnet.lines) {
    if (!has_place(a) || !has_place(b)) continue;
    const Point p = paper.at(a), q = paper.at(b);
    path += line(p, q);
    size = std::max({size, std::hypot(p.x - c.x, p.y - c.y), std::hypot(q.x - c.x, q.y - c.y)});
  }
  std::string drawn = path.empty() ? std::string() : stroke(path, magnet_colour, 1.6);
  const double length = std::max(14.0, 0.7 * size);  // of the arrow, where it does not point at the viewer
  const double x = dot(paper.view().right, magnet.north), y = -dot(paper.view().up, magnet.north);
  if (const double seen = std::hypot(x, y); seen > 0.05) {
    const Point tip{c.x + 0.5 * length * x, c.y + 0.5 * length * y}, tail{2 * c.x - tip.x, 2 * c.y - tip.y};
    const double ux = x / seen, uy = y / seen, head = 7;
    drawn += stroke(line(tail, tip) + line({tip.x - head * (ux - 0.5 * uy), tip.y - head * (uy + 0.5 * ux)}, tip) +
                        line({tip.x - head * (ux + 0.5 * uy), tip.y - head * (uy - 0.5 * ux)}, tip),
                    magnet_colour, 2);
  }
  return drawn;
}

}  // namespace

std::string magnet_lines(std::span<const MagnetLines> magnets, const Paper& paper, const PaperFrame& f) {
  std::string drawn;
  for (const MagnetLines& m : magnets) drawn += magnet_svg(m, paper);
  return drawn.empty() ? drawn : within(f, "field", drawn);
}

}  // namespace ls::drawing
