#include "picture/picture.h"

#include "picture/picture_bodies.h"
#include "picture/picture_colour.h"
#include "picture/picture_parts.h"
#include "picture/picture_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls {
namespace {

using namespace drawing;

constexpr std::size_t most_strokes = 20000;
constexpr double thinnest = 2.4;        // [pixel] of a rod
constexpr double room_for_lines = 0.4;  // of a field, around what is drawn: a share of its size

// ---- What is to be drawn of a snapshot -----------------------------------------------------------------------------

struct Stroke {
  std::size_t a, b;  // nodes
  double value;      // to colour by
  bool broken;
};

struct Drawable {
  std::vector<char> usable;          // [node] has a place on paper
  std::vector<Stroke> strokes;       // at most most_strokes
  std::vector<std::size_t> singles;  // usable nodes without bonds
};

bool has_place(const Vec& p) {  // beyond this, squares overflow
  return std::all_of(p.begin(), p.end(), [](double x) { return std::abs(x) < 1e100; });
}

double radius_of(const Snapshot& s, std::size_t node) {
  const double radius = node < s.radius.size() ? s.radius[node] : 0;
  return radius > 0 && radius < 1e100 ? radius : 0;
}

int body_of(const Snapshot& s, std::size_t node) {
  return node < s.body.size() ? s.body[node] : 0;
}

bool is_wall(const Snapshot& s, std::size_t node) {
  return node < s.is_wall.size() && s.is_wall[node] != 0;
}

// [node] whether its triangles show what it looks like; a ball is a disc.
std::vector<char> with_skin(const Snapshot& s) {
  std::vector<char> skinned(s.position.size(), 0);
  for (const auto& t : s.triangle) skinned[s.skin_node[t[0]]] = 1;
  for (std::size_t i = 0; i < s.is_ball.size(); ++i)
    if (s.is_ball[i]) skinned[i] = 0;
  return skinned;
}

template <class T>
void keep_some(std::vector<T>& items, std::size_t most) {
  const std::size_t step = (items.size() + most - 1) / most;
  if (step < 2) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); i += step) items[kept++] = items[i];
  items.resize(kept);
}

// Bonds shorter than two pixels, or too many, become fewer strokes: along a rod several make one, and of a dense net
// some are left out.
Drawable drawable(const Snapshot& s, const Colouring& colouring, double scale) {
  const std::size_t nodes = s.position.size();
  Drawable d;
  for (const Vec& p : s.position) d.usable.push_back(has_place(p));
  std::vector<int> degree(nodes, 0);
  const auto good = [&](const std::array<int, 2>& bond) {
    const auto a = static_cast<std::size_t>(bond[0]), b = static_cast<std::size_t>(bond[1]);
    return bond[0] >= 0 && bond[1] >= 0 && a < nodes && b < nodes && a != b && d.usable[a] && d.usable[b];
  };
  for (const auto& bond : s.bond)
    if (good(bond))
      for (const int node : bond) ++degree[node];

  const std::size_t together = s.bond.size() / (most_strokes + 1) + 1;
  std::size_t merged = 0;
  double length = 0;  // [pixel] of the stroke so far
  for (std::size_t i = 0; i < s.bond.size(); ++i) {
    if (!good(s.bond[i])) continue;
    const auto a = static_cast<std::size_t>(s.bond[i][0]), b = static_cast<std::size_t>(s.bond[i][1]);
    const bool broken = i < s.broken.size() && s.broken[i] != 0;
    const double value = colouring.value(i);
    const double here = scale * norm(combine(1, s.position[a], -1, s.position[b]));
    if (merged > 0 && (merged < together || length + here < 2) && !broken && !d.strokes.back().broken &&
        d.strokes.back().b == a && degree[a] == 2) {
      d.strokes.back().b = b;
      if (std::abs(value) > std::abs(d.strokes.back().value)) d.strokes.back().value = value;
      ++merged;
      length += here;
      continue;
    }
    d.strokes.push_back({a, b, value, broken});
    merged = 1;
    length = here;
  }
  keep_some(d.strokes, most_strokes);
  const std::vector<char> skinned = with_skin(s);
  for (std::size_t i = 0; i < nodes; ++i)
    if (d.usable[i] && degree[i] == 0 && !skinned[i] && !is_wall(s, i)) d.singles.push_back(i);
  keep_some(d.singles, most_strokes);
  return d;
}

// ---- Rods ----------------------------------------------------------------------------------------------------------

// How a stroke ends at a node. Where a rod runs on, strokes overlap just enough to leave no gap: round ends would cut
// into the shading of their neighbours. Elsewhere they are round.
struct End {
  bool round = true, loose = false;
  double extend = 0;  // [pixel] of the colour beyond the node
  double rim = 0;     // [pixel] of the outline beyond the node
};

class RodPainter {
 public:
  RodPainter(const Snapshot& s, const Drawable& d, const Paper& paper, const Colouring& colouring,
             const std::vector<char>& see_through)
      : s_(s), d_(d), paper_(paper), colouring_(colouring), see_through_(see_through), at_node_(s.position.size()) {
    for (std::size_t i = 0; i < d.strokes.size(); ++i)
      for (const std::size_t node : {d.strokes[i].a, d.strokes[i].b}) at_node_[node].add(i);
  }

  void paint(std::vector<Piece>& pieces) const {
    for (std::size_t i = 0; i < d_.strokes.size(); ++i) paint_stroke(i, pieces);
    for (const std::size_t node : d_.singles) paint_single(node, pieces);
  }

 private:
  struct Neighbours {
    int count = 0;
    std::size_t stroke[2] = {};
    void add(std::size_t i) {
      if (count < 2) stroke[count] = i;
      ++count;
    }
  };

  Point at(std::size_t node) const { return paper_.at(s_.position[node]); }

  double width(const Stroke& k) const {
    return std::max(thinnest, (radius_of(s_, k.a) + radius_of(s_, k.b)) * paper_.scale());
  }

  End end_of(std::size_t self, std::size_t node, double w) const {
    const Neighbours& near = at_node_[node];
    if (near.count == 1) return {.loose = true, .extend = 0.3};
    End corner{.rim = -w / 2};
    if (near.count > 2) return corner;
    const Stroke& mine = d_.strokes[self];
    const Stroke& other = d_.strokes[near.stroke[near.stroke[0] == self ? 1 : 0]];
    const Point n = at(node), p = at(mine.a == node ? mine.b : mine.a), q = at(other.a == node ? other.b : other.a);
    const double turn = std::abs(
        std::remainder(std::atan2(p.y - n.y, p.x - n.x) - std::atan2(n.y - q.y, n.x - q.x), 2 * std::numbers::pi));
    if (turn > 0.9) return corner;
    const double mitre = std::tan(turn / 2);
    return {.round = false, .extend = w / 2 * mitre + 1.2, .rim = (w / 2 + 1) * mitre + 0.25};
  }

  // Where a rod ends it gets half a disc: the other half would lie on the rod itself.
  static std::string cap(const End& end, const Point& at, const Point& outwards, double r, const std::string& colour) {
    if (!end.loose) return circle(at, r, colour);
    const double x = -outwards.y * r, y = outwards.x * r;
    return fmt::format("<path d=\"M{} {}A{} {} 0 0 0 {} {}Z\" fill=\"{}\"/>\n", px(at.x + x), px(at.y + y), px(r),
                       px(r), px(at.x - x), px(at.y - y), colour);
  }

  void paint_stroke(std::size_t i, std::vector<Piece>& pieces) const {
    const Stroke& k = d_.strokes[i];
    const Point a = at(k.a), b = at(k.b);
    const double depth = 0.5 * (paper_.depth(s_.position[k.a]) + paper_.depth(s_.position[k.b]));
    const double w = width(k), length = std::hypot(b.x - a.x, b.y - a.y);
    if (k.broken) {
      pieces.push_back({depth, stroke(line(a, b), broken_colour, std::min(w, 2.2), " stroke-dasharray=\"4 3\"")});
      return;
    }
    const double ux = length > 0 ? (b.x - a.x) / length : 1, uy = length > 0 ? (b.y - a.y) / length : 0;
    const auto between = [&](double from, double to) {  // moved outwards at a and at b
      return line({a.x - from * ux, a.y - from * uy}, {b.x + to * ux, b.y + to * uy});
    };
    const End end_a = end_of(i, k.a, w), end_b = end_of(i, k.b, w);
    const Colour colour = colouring_.colour(k.value, body_of(s_, k.a));
    const std::string main = hex(colour), edge = hex(mix(colour, black, 0.5));
    const double border = w < 4 ? 0.7 : 1.1;
    std::string svg;
    if (end_a.loose) svg += cap(end_a, a, {-ux, -uy}, w / 2 + border, edge);
    if (end_b.loose) svg += cap(end_b, b, {ux, uy}, w / 2 + border, edge);
    if (length + end_a.rim + end_b.rim > 0) svg += stroke(between(end_a.rim, end_b.rim), edge, w + 2 * border);
    svg += stroke(between(end_a.extend, end_b.extend), main, w);
    if (end_a.round) svg += cap(end_a, a, {-ux, -uy}, w / 2, main);
    if (end_b.round) svg += cap(end_b, b, {ux, uy}, w / 2, main);
    if (w >= 5) {  // light from the upper left, as far as it falls across the rod
      const double across = 0.24 * w * (0.8 * ux - 0.6 * uy);
      const Point from{a.x + uy * across, a.y - ux * across}, to{b.x + uy * across, b.y - ux * across};
      // A little beyond the edge of the colour, which has cut off the neighbour's highlight there.
      const double before = end_a.extend + 0.8, behind = end_b.extend + 0.8;
      svg += stroke(line({from.x - before * ux, from.y - before * uy}, {to.x + behind * ux, to.y + behind * uy}),
                    hex(mix(colour, white, 0.38)), 0.26 * w);
    }
    pieces.push_back({depth, std::move(svg)});
  }

  void paint_single(std::size_t node, std::vector<Piece>& pieces) const {
    const double r = std::max(3.0, radius_of(s_, node) * paper_.scale());
    const Colour colour = body_colour(body_of(s_, node));
    const Point c = at(node);
    std::string svg = circle(c, r + 0.6, hex(mix(colour, black, 0.5))) + circle(c, r - 0.6, hex(colour));
    if (r >= 4) svg += circle({c.x - 0.3 * r, c.y - 0.35 * r}, 0.3 * r, hex(mix(colour, white, 0.4)));
    const auto body = static_cast<std::size_t>(body_of(s_, node));
    if (body < see_through_.size() && see_through_[body])
      svg = fmt::format("<g opacity=\"{}\">\n{}</g>\n", see_through_opacity, svg);
    pieces.push_back({paper_.depth(s_.position[node]), std::move(svg)});
  }

  const Snapshot& s_;
  const Drawable& d_;
  const Paper& paper_;
  const Colouring& colouring_;
  const std::vector<char>& see_through_;  // [body]
  std::vector<Neighbours> at_node_;       // [node]
};

std::string rods(const Snapshot& s, const Drawable& d, const Paper& paper, const Colouring& colouring) {
  std::vector<Piece> pieces;
  const std::vector<char> hides = hiding_bodies(s);
  RodPainter(s, d, paper, colouring, hides).paint(pieces);
  paint_surfaces(s, paper, hides, pieces);
  // What is flat to within rounding keeps the order of its bonds.
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.depth < b.depth; });
  std::string out = "<g fill=\"none\">\n";
  for (const Piece& piece : pieces) out += piece.svg;
  return out + "</g>\n";
}

// How it began: plain shapes behind everything, a path for each run of bonds.
std::string ghost(const Snapshot& s, const Drawable& d, const Paper& paper) {
  std::string out =
      fmt::format("<g fill=\"none\" stroke=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n", pale);
  std::string path;
  double width = 0;
  const auto flush = [&] {
    if (!path.empty()) out += fmt::format("<path d=\"{}\" stroke-width=\"{}\"/>\n", path, px(width));
    path.clear();
  };
  for (std::size_t i = 0; i < d.strokes.size(); ++i) {
    const Stroke& k = d.strokes[i];
    const Point a = paper.at(s.position[k.a]), b = paper.at(s.position[k.b]);
    const double w = std::max(thinnest, (radius_of(s, k.a) + radius_of(s, k.b)) * paper.scale());
    if (i == 0 || d.strokes[i - 1].b != k.a || w != width) {
      flush();
      path = line(a, b);
    } else {
      path += fmt::format("L{} {}", px(b.x), px(b.y));
    }
    width = w;
  }
  flush();
  for (const std::size_t node : d.singles)
    out += circle(paper.at(s.position[node]), std::max(3.0, radius_of(s, node) * paper.scale()), pale);
  out += pale_surfaces(s, paper);
  return out + "</g>\n";
}

// What has to be on paper. Walls may be larger than everything else.
std::vector<Vec> places(const Snapshot& s) {
  std::vector<Vec> points;
  for (std::size_t i = 0; i < s.position.size(); ++i)
    if (has_place(s.position[i]) && !is_wall(s, i)) points.push_back(s.position[i]);
  for (std::size_t i = 0; i < s.skin.size(); ++i)
    if (has_place(s.skin[i]) && !is_wall(s, static_cast<std::size_t>(s.skin_node[i]))) points.push_back(s.skin[i]);
  return points;
}

// Magnets belong into the picture too, unless what they act on would be a speck beside them.
void add_magnets(const std::vector<PictureMagnet>& magnets, std::vector<Vec>& points) {
  constexpr double most = 4;  // times as large
  const auto size = [](const std::vector<Vec>& all) {
    Vec low = all.front(), high = low;
    for (const Vec& p : all)
      for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
    return norm(combine(1, high, -1, low));
  };
  for (const PictureMagnet& m : magnets) {
    std::vector<Vec> with = points;
    if (has_place(m.centre)) with.push_back(m.centre);
    for (const auto& ends : m.lines)
      for (const Vec& p : ends)
        if (has_place(p)) with.push_back(p);
    if (points.empty() || size(with) <= most * size(points)) points = with;
  }
}

// Of a box around points, with a margin.
double largest_extent(const std::vector<Vec>& points, double margin) {
  double largest = 0;
  for (std::size_t k = 0; k < 3 && !points.empty(); ++k) {
    const auto [low, high] = std::ranges::minmax(points, {}, [k](const Vec& p) { return p[k]; });
    largest = std::max(largest, high[k] - low[k]);
  }
  return largest + 2 * margin;
}

// The speed of the fluid, or what the rods are coloured by.
std::string scale_of(const Colouring& colouring, const FlowPicture* flow) {
  if (!flow) {
    if (!colouring.has_scale()) return {};
    return colour_bar(colouring.label(), colouring.unit(), colouring.low(), colouring.high(),
                      [&](double share) { return colouring.on_scale(share); });
  }
  const double fastest = fastest_in(*flow);
  if (!(fastest > 1e-100)) return {};
  const PrefixedUnit unit = prefixed(fastest, "m/s");
  return colour_bar("speed", unit.name, 0, fastest / unit.factor, flow_colour);
}

}  // namespace

std::string picture_svg(const Snapshot& given, const PictureOptions& options) {
  const FlowPicture* const flow = options.flow;
  const Snapshot last = flow ? whole_bodies(given, *flow) : given;
  const Snapshot first = !options.first ? Snapshot() : flow ? whole_bodies(*options.first, *flow) : *options.first;
  const Colouring colouring(last, flow && options.colour_by.empty() ? "body" : options.colour_by);
  std::vector<Vec> points = places(last), bodies;
  if (options.first != nullptr)
    for (const Vec& p : places(first)) points.push_back(p);
  bodies = points;
  if (flow) points.insert(points.end(), {flow->low, flow->high});
  add_magnets(options.magnets, points);
  double radius = 0;
  const std::vector<char> skinned = with_skin(last);
  for (std::size_t i = 0; i < last.position.size(); ++i)
    if (has_place(last.position[i]) && !skinned[i]) radius = std::max(radius, radius_of(last, i));
  if (options.field) radius += room_for_lines * largest_extent(points, radius);
  const PaperFrame frame{56, 92, page_width - (colouring.has_scale() || flow ? 150 : 56), page_height - 100};
  const Paper paper(flow ? flow_view(*flow) : choose_view(points, options.up), frame, points, flow ? 0 : radius);
  const Drawable drawn = drawable(last, colouring, paper.scale());

  std::string body;
  if (options.first != nullptr) {
    const Colouring plain(first, "body");
    body += ghost(first, drawable(first, plain, paper.scale()), paper);
  }
  if (flow) body = paint_flow(*flow, last, paper) + body;
  std::string lines;
  if (options.field) {
    double depth = 0;
    for (const Vec& p : points) depth += paper.depth(p) / static_cast<double>(points.size());
    lines = paint_field(*options.field, paper, frame, depth);
  }
  std::vector<MagnetLines> magnets;
  for (const PictureMagnet& m : options.magnets) magnets.push_back({m.lines, m.centre, m.north});
  body = wall_lines(last, bodies, paper, frame) + lines + magnet_lines(magnets, paper, frame) + body +
         rods(last, drawn, paper, colouring);
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; options.moments && i < drawn.usable.size(); ++i)
    if (drawn.usable[i]) nodes.push_back(i);
  const std::string arrows = moment_arrows(last, nodes, paper);
  const bool any_broken =
      std::any_of(drawn.strokes.begin(), drawn.strokes.end(), [](const Stroke& k) { return k.broken; });
  body +=
      arrows + heading(options.title, last) + scale_of(colouring, flow) + scale_bar(paper) + axes_triad(paper.view());
  body += legend({!arrows.empty(), options.first != nullptr && !last.position.empty(), any_broken, !lines.empty()});

  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{2}</svg>\n",
      page_width, page_height, body);
}

}  // namespace ls
