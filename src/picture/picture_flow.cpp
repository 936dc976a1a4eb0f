#include "output/png.h"
#include "picture/picture_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

// A fluid behind the rods: its speed as colour, and streamlines.
namespace ls::drawing {

namespace {

// From the paper to a blue that rods and lines still stand out from.
constexpr Colour still[] = {
    {0.97, 0.98, 0.99}, {0.86, 0.93, 0.97}, {0.71, 0.86, 0.94}, {0.54, 0.76, 0.89}, {0.38, 0.65, 0.82}};
constexpr const char* line_colour = "#16324a";
constexpr int most_pixels = 320;  // along a side
constexpr double apart = 17;      // [pixel] between streamlines
constexpr double stride = 2.5;    // [pixel] of a step along one
constexpr int most_strides = 600;
constexpr std::size_t most_dots = 4000;

// Velocities between the centres of cells, in cells; beyond the last centres they stay the same.
class Plane {
 public:
  explicit Plane(const FlowPicture& f) : f_(f) {}

  bool holds(const Point& p) const { return p.x >= 0 && p.y >= 0 && p.x <= f_.columns && p.y <= f_.rows; }
  Point velocity(const Point& p) const {
    const auto at = [&](double x, int n, int& i) {
      const double c = std::clamp(x - 0.5, 0.0, static_cast<double>(n - 1));
      i = std::clamp(static_cast<int>(c), 0, std::max(0, n - 2));
      return c - i;
    };
    int i = 0, j = 0;
    const double a = at(p.x, f_.columns, i), b = at(p.y, f_.rows, j);
    Point sum{0, 0};
    for (int dj = 0; dj < 2; ++dj)
      for (int di = 0; di < 2; ++di) {
        const double weight = (di ? a : 1 - a) * (dj ? b : 1 - b);
        const auto& u =
            f_.velocity[static_cast<std::size_t>(std::min(j + dj, f_.rows - 1)) * static_cast<std::size_t>(f_.columns) +
                        static_cast<std::size_t>(std::min(i + di, f_.columns - 1))];
        sum.x += weight * u[0], sum.y += weight * u[1];
      }
    return sum;
  }

 private:
  const FlowPicture& f_;
};

// Lines that keep apart: each is followed both ways until it comes near another one or leaves the box. After B. Jobard
// and W. Lefer, Visualization in Scientific Computing '97, with a grid in place of exact distances.
class Streamlines {
 public:
  Streamlines(const FlowPicture& f, double pixels_a_cell, double fastest)
      : plane_(f), cell_(apart / pixels_a_cell), step_(stride / pixels_a_cell), slowest_(1e-3 * fastest) {
    columns_ = std::max(1, static_cast<int>(std::ceil(f.columns / cell_)));
    rows_ = std::max(1, static_cast<int>(std::ceil(f.rows / cell_)));
    taken_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 0);
    for (int j = 0; j < rows_; ++j)
      for (int i = 0; i < columns_; ++i) follow({(i + 0.5) * cell_, (j + 0.5) * cell_});
  }
  const std::vector<std::vector<Point>>& lines() const { return lines_; }  // in cells

 private:
  int* place(const Point& p) {
    const int i = static_cast<int>(p.x / cell_), j = static_cast<int>(p.y / cell_);
    if (!plane_.holds(p) || i >= columns_ || j >= rows_) return nullptr;
    return &taken_[static_cast<std::size_t>(j) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(i)];
  }
  Point direction(const Point& p, double sign) const {
    const Point u = plane_.velocity(p);
    const double speed = std::hypot(u.x, u.y);
    if (!(speed > slowest_)) return {0, 0};
    return {sign * u.x / speed, sign * u.y / speed};
  }
  // Runge and Kutta's step of fourth order along the line.
  Point ahead(const Point& p, double sign) const {
    const auto from = [&](const Point& k, double share) {
      return direction({p.x + share * step_ * k.x, p.y + share * step_ * k.y}, sign);
    };
    const Point a = direction(p, sign), b = from(a, 0.5), c = from(b, 0.5), d = from(c, 1);
    return {p.x + step_ / 6 * (a.x + 2 * b.x + 2 * c.x + d.x), p.y + step_ / 6 * (a.y + 2 * b.y + 2 * c.y + d.y)};
  }
  // closed: it has come back to where it began.
  std::vector<Point> half(const Point& seed, double sign, int own, bool& closed) {
    std::vector<Point> points;
    Point p = seed;
    for (int k = 0; k < most_strides && !closed; ++k) {
      const Point next = ahead(p, sign);
      if (!(std::hypot(next.x - p.x, next.y - p.y) > 0.2 * step_)) break;
      int* taken = place(next);
      if (!taken || (*taken != 0 && *taken != own)) break;
      *taken = own;
      points.push_back(p = next);
      closed = k > 8 && std::hypot(p.x - seed.x, p.y - seed.y) < step_;
    }
    return points;
  }
  void follow(const Point& seed) {
    int* taken = place(seed);
    if (!taken || *taken != 0) return;
    const int own = static_cast<int>(lines_.size()) + 1;
    *taken = own;
    bool closed = false;
    const std::vector<Point> back = half(seed, -1, own, closed);
    std::vector<Point> line(back.rbegin(), back.rend());
    line.push_back(seed);
    const std::vector<Point> on = half(seed, 1, own, closed);
    line.insert(line.end(), on.begin(), on.end());
    lines_.push_back(std::move(line));
  }

  Plane plane_;
  double cell_, step_, slowest_;
  int columns_ = 0, rows_ = 0;
  std::vector<int> taken_;  // [place] by which line; 0: free
  std::vector<std::vector<Point>> lines_;
};

std::string speeds(const FlowPicture& f, const Paper& paper, double fastest) {
  const int every = std::max(1, (std::max(f.columns, f.rows) + most_pixels - 1) / most_pixels);
  const int width = (f.columns + every - 1) / every, height = (f.rows + every - 1) / every;
  std::vector<std::array<std::uint8_t, 3>> colours;
  for (int i = 0; i < 256; ++i) {
    std::array<std::uint8_t, 3> bytes{};
    const Colour c = flow_colour(i / 255.0);
    for (std::size_t k = 0; k < 3; ++k) bytes[k] = static_cast<std::uint8_t>(std::lround(255 * c[k]));
    colours.push_back(bytes);
  }
  std::vector<std::uint8_t> pixels;
  for (int y = height - 1; y >= 0; --y)
    for (int x = 0; x < width; ++x) {
      const int column = std::min(f.columns - 1, x * every + every / 2),
                row = std::min(f.rows - 1, y * every + every / 2);
      const double share = f.speed[static_cast<std::size_t>(row) * static_cast<std::size_t>(f.columns) +
                                   static_cast<std::size_t>(column)] /
                           fastest;
      pixels.push_back(
          static_cast<std::uint8_t>(std::isfinite(share) ? std::lround(255 * std::clamp(share, 0.0, 1.0)) : 0));
    }
  const Point a = paper.at(f.low), b = paper.at(f.high);
  return fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
      "href=\"data:image/png;base64,{}\"/>\n",
      px(a.x), px(b.y), px(b.x - a.x), px(a.y - b.y), base64(png_bytes(width, height, colours, pixels)));
}

std::string streamlines(const FlowPicture& f, const Paper& paper, double fastest) {
  const Point a = paper.at(f.low), b = paper.at(f.high);
  const double scale = (b.x - a.x) / f.columns;
  const Streamlines found(f, scale, fastest);
  std::string path, heads;
  for (const auto& line : found.lines()) {
    if (static_cast<double>(line.size()) * stride < 1.5 * apart) continue;
    for (std::size_t i = 0; i < line.size(); i += 2)
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", a.x + scale * line[i].x, a.y - scale * line[i].y);
    const std::size_t m = line.size() / 2;
    const double dx = line[m].x - line[m - 1].x, dy = line[m - 1].y - line[m].y, length = std::hypot(dx, dy);
    if (!(length > 0)) continue;
    const double ux = dx / length, uy = dy / length, x = a.x + scale * line[m].x, y = a.y - scale * line[m].y;
    heads +=
        fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z", x + 3.4 * ux, y + 3.4 * uy, x - 2.6 * ux - 2.6 * uy,
                    y - 2.6 * uy + 2.6 * ux, x - 2.6 * ux + 2.6 * uy, y - 2.6 * uy - 2.6 * ux);
  }
  return fmt::format(
      "<g opacity=\"0.6\"><path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.8\"/><path d=\"{}\" "
      "fill=\"{}\"/></g>\n",
      path, line_colour, heads, line_colour);
}

// Walls as lines, faces without one dashed.
std::string box(const FlowPicture& f, const Paper& paper) {
  const Point a = paper.at(f.low), b = paper.at(f.high);
  const auto side = [&](int axis, int which, const Point& from, const Point& to) {
    const bool wall = f.is_wall[axis][which];
    return stroke(line(from, to), wall ? "#39424e" : "#9aa3ad", wall ? 2.2 : 0.8,
                  wall ? " stroke-linecap=\"square\"" : " stroke-dasharray=\"4 3\"");
  };
  return side(f.right, 0, a, {a.x, b.y}) + side(f.right, 1, {b.x, a.y}, b) + side(f.up, 0, a, {b.x, a.y}) +
         side(f.up, 1, {a.x, b.y}, b);
}

// Tracers, drawn back into the box where they have gone on beyond it.
std::string dots(const FlowPicture& f, const Snapshot& s, const Paper& paper) {
  std::string path;
  const std::size_t every = s.tracer.size() / most_dots + 1;
  for (std::size_t i = 0; i < s.tracer.size(); i += every) {
    Vec x = s.tracer[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const double size = f.high[k] - f.low[k];
      x[k] -= size * std::floor((x[k] - f.low[k]) / size);
    }
    const Point p = paper.at(x);
    path += fmt::format("M{:.1f} {:.1f}h0", p.x, p.y);
  }
  if (path.empty()) return {};
  return stroke(path, "#d2571e", 2.6, " stroke-linecap=\"round\" opacity=\"0.75\"");
}

}  // namespace

Colour flow_colour(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(std::size(still) - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(place), std::size(still) - 2);
  return mix(still[i], still[i + 1], place - static_cast<double>(i));
}

View flow_view(const FlowPicture& f) {
  return {axis(f.right), axis(f.up), cross(axis(f.right), axis(f.up))};
}

double fastest_in(const FlowPicture& f) {
  double fastest = 0;
  for (const float speed : f.speed)
    if (std::isfinite(speed)) fastest = std::max(fastest, static_cast<double>(speed));
  return fastest;
}

std::string paint_flow(const FlowPicture& f, const Snapshot& s, const Paper& paper) {
  const double fastest = fastest_in(f);
  if (!(fastest > 1e-100)) return box(f, paper) + dots(f, s, paper);
  return speeds(f, paper, fastest) + streamlines(f, paper, fastest) + dots(f, s, paper) + box(f, paper);
}

}  // namespace ls::drawing
